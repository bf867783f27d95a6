//! Temporary folders of tests, and child processes that end with the tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// A temporary folder that is deleted when the value is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// The address of the test's database, where it has one.
    database: Option<String>,
}

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

impl Scratch {
    /// A new, empty folder.
    ///
    /// # Panics
    /// When the temporary folder cannot be written.
    pub fn new() -> Self {
        let folder = home().join(NEXT_NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Self { folder, database: None }
    }

    /// The same, for a test whose database is at this address.
    pub(crate) fn with_database(mut self, address: String) -> Self {
        self.database = Some(address);
        self
    }

    /// The address of the test's database.
    pub(crate) fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

const PREFIX: &str = "jalon-test-";

/// The folder of this process, which has all others. It is deleted when the process ends; those of processes that were killed are
/// deleted now.
pub(crate) fn home() -> PathBuf {
    static START: Once = Once::new();
    let home = own_folder(&std::env::temp_dir());
    START.call_once(|| {
        remove_stale(&std::env::temp_dir());
        std::fs::create_dir_all(&home).expect("the temporary folder can be written");
        at_exit(end);
    });
    home
}

/// A file system in memory.
const MEMORY_FOLDER: &str = "/dev/shm";
/// The free space that it must have. The databases of concurrent tests take a tenth of it.
const MIN_FREE_BYTES: u64 = 2 << 30;

/// The folder of this process in memory, where there is room, else [`home`]. A PostgreSQL database is 600 files: on ext4, files are
/// slow to make for some seconds after as many were deleted, which took most of the time of the tests.
pub(crate) fn in_memory() -> PathBuf {
    static START: Once = Once::new();
    let home = home();
    let memory = Path::new(MEMORY_FOLDER);
    let folder = own_folder(memory);
    START.call_once(|| {
        remove_stale(memory);
        let free = rustix::fs::statvfs(memory).map_or(0, |system| system.f_bavail.saturating_mul(system.f_frsize));
        if free >= MIN_FREE_BYTES {
            // Where it cannot be made, the temporary folder serves.
            let _ = std::fs::create_dir(&folder);
        }
    });
    if folder.is_dir() { folder } else { home }
}

fn own_folder(parent: &Path) -> PathBuf {
    parent.join(format!("{PREFIX}{}", std::process::id()))
}

fn remove_stale(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Child processes that are killed when this process ends.
static CHILDREN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Kills a child process when this process ends.
pub(crate) fn kill_at_exit(pid: u32) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).push(pid);
}

extern "C" fn end() {
    for pid in CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        kill(pid);
    }
    let _ = std::fs::remove_dir_all(home());
    let _ = std::fs::remove_dir_all(own_folder(Path::new(MEMORY_FOLDER)));
}

#[expect(unsafe_code, reason = "no safe way to run something when the test harness ends the process")]
fn at_exit(run: extern "C" fn()) {
    // SAFETY: `run` is a plain function that lives as long as the program.
    unsafe {
        libc::atexit(run);
    }
}

#[expect(unsafe_code, reason = "the standard library ends only children it holds, and this one is held by a thread")]
fn kill(pid: u32) {
    // SAFETY: sends a signal to a child this process started and has not waited for.
    unsafe {
        libc::kill(pid as libc::pid_t, libc::SIGKILL);
    }
}
