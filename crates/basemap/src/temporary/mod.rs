//! Temporary files of a build: what does not fit the memory of a machine is written beside the result and read back through a map, whose
//! pages the system may take back at any time.

mod log;
mod table;

use crate::error::BasemapError;
pub(crate) use log::{Log, Records};
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
pub(crate) use table::{Table, TableWriter};

/// Where a build writes its temporary files. They have no name in it: the system frees each when it is closed, also when the program fails
/// or is killed.
#[derive(Debug, Clone)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder of a file.
    pub(crate) fn of(file: &Path) -> Self {
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        Self(parent.unwrap_or(Path::new(".")).to_owned())
    }

    /// A new empty file.
    pub(crate) fn file(&self) -> Result<File, BasemapError> {
        tempfile::tempfile_in(&self.0).map_err(|source| self.failed(source))
    }

    pub(crate) fn failed(&self, source: io::Error) -> BasemapError {
        BasemapError::Temporary { folder: self.0.clone(), source }
    }

    /// The error where a file does not hold what was written.
    pub(crate) fn damaged(&self) -> BasemapError {
        self.failed(io::Error::new(io::ErrorKind::InvalidData, "they do not hold what was written"))
    }

    #[expect(unsafe_code, reason = "the file has no name, so that no other program can change or shorten it")]
    fn map(&self, file: &File) -> Result<Mmap, BasemapError> {
        // SAFETY: see the reason above; this program writes it no more.
        unsafe { Mmap::map(file) }.map_err(|source| self.failed(source))
    }
}
