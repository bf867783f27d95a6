//! Settings of the memory allocator.

/// Lets glibc keep two heaps of freed memory for each core instead of eight: each thread that decoded a picture or keeps pages of the database would
/// leave some 6 MB in a heap of its own. It is called before the first thread begins. Other allocators have no such settings.
pub fn share_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// The most heaps for each core.
        const HEAPS_PER_CORE: usize = 2;
        /// Allocations of at least this size, such as a decoded picture, are returned to the system when they are freed.
        const MMAP_THRESHOLD_BYTES: i32 = 1024 * 1024;
        /// The free bytes that a heap keeps at its end.
        const TRIM_THRESHOLD_BYTES: i32 = 4 * 1024 * 1024;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let heaps = i32::try_from(cores * HEAPS_PER_CORE).unwrap_or(i32::MAX);
        for (parameter, value) in [
            (libc::M_ARENA_MAX, heaps),
            (libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES),
            (libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD_BYTES),
        ] {
            #[expect(unsafe_code, reason = "the call sets a number of the allocator")]
            // SAFETY: each parameter takes any positive number; no other thread runs yet.
            unsafe {
                libc::mallopt(parameter, value);
            }
        }
    }
}
