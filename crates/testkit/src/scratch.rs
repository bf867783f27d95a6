//! Folders that do not outlive what they were made for.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// A folder that goes away with the value.
#[derive(Debug)]
pub struct Scratch(PathBuf);

static MADE: AtomicU64 = AtomicU64::new(0);

impl Scratch {
    /// A new, empty folder.
    ///
    /// # Panics
    /// When the temporary folder cannot be written.
    pub fn new() -> Self {
        let folder = home().join(MADE.fetch_add(1, Ordering::Relaxed).to_string());
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Self(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PREFIX: &str = "jalon-test-";

/// The folder of this process, which has all others. It is deleted when the process ends; those of processes that were killed are
/// deleted now.
pub(crate) fn home() -> PathBuf {
    static START: Once = Once::new();
    let home = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
    START.call_once(|| {
        remove_stale();
        std::fs::create_dir_all(&home).expect("the temporary folder can be written");
        at_exit(end);
    });
    home
}

fn remove_stale() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Processes to end with this one.
static CHILDREN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ends a process with this one.
pub(crate) fn ends_with_us(pid: u32) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).push(pid);
}

extern "C" fn end() {
    for pid in CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        kill(pid);
    }
    let _ = std::fs::remove_dir_all(home());
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
