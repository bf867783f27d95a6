//! A file that may not be written, for tests of what a read-only file system does.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};

/// Takes the right to write a file away, from root too where the file system can; gives it back with the value.
#[derive(Debug)]
pub struct WriteProtected(File);

impl WriteProtected {
    /// None where this process may write the file nevertheless.
    ///
    /// # Panics
    /// When the file is not there.
    pub fn new(path: &Path) -> Option<Self> {
        let file = File::open(path).expect("the file is there");
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).expect("it is a file of the test");
        if let Ok(flags) = ioctl_getflags(&file) {
            // Not every file system has the mark, and not every user may set it.
            let _ = ioctl_setflags(&file, flags | IFlags::IMMUTABLE);
        }
        let made = Self(file);
        File::options().write(true).open(path).is_err().then_some(made)
    }
}

impl Drop for WriteProtected {
    fn drop(&mut self) {
        if let Ok(flags) = ioctl_getflags(&self.0) {
            let _ = ioctl_setflags(&self.0, flags - IFlags::IMMUTABLE);
        }
    }
}
