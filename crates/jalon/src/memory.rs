//! How the server takes memory from the system.

/// Lets glibc keep two heaps of freed memory for each core instead of eight: each thread that decoded a picture or keeps pages of the database would
/// leave some 6 MB in a heap of its own. It is called before the first thread begins. Other allocators have no such settings.
pub fn share_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// The most heaps for each core.
        const HEAPS_A_CORE: usize = 2;
        /// The fewest bytes of a piece of memory that is given back at once: a decoded picture.
        const LARGE: i32 = 1024 * 1024;
        /// The most bytes that a heap keeps at its end.
        const KEPT: i32 = 4 * 1024 * 1024;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let heaps = i32::try_from(cores * HEAPS_A_CORE).unwrap_or(i32::MAX);
        for (parameter, value) in
            [(libc::M_ARENA_MAX, heaps), (libc::M_MMAP_THRESHOLD, LARGE), (libc::M_TRIM_THRESHOLD, KEPT)]
        {
            #[expect(unsafe_code, reason = "the call sets a number of the allocator")]
            // SAFETY: each parameter takes any positive number; no other thread runs yet.
            unsafe {
                libc::mallopt(parameter, value);
            }
        }
    }
}
