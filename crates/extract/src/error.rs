//! The errors of an extract.

use std::io;
use std::path::{Path, PathBuf};

/// Why an extract could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The file can't be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// There is nothing in the file.
    #[error("{} is empty", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file is not an OpenStreetMap extract.
    #[error("{} is not an OpenStreetMap extract (.osm.pbf, .osm or .osm.gz)", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file stops before its end.
    #[error("{} is cut short at byte {at_byte}: fetch it again", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Where its bytes stop (of the unzipped text for a .osm.gz).
        at_byte: u64,
    },
    /// The file is an extract, but a part of it is invalid.
    #[error("{} is damaged near byte {at_byte}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where (of the unzipped text for a .osm.gz).
        at_byte: u64,
        /// What was found there.
        what: String,
    },
    /// The file uses a feature of the format that is not read here.
    #[error("{} uses {what}, which is not read here", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The feature.
        what: String,
    },
}

impl ExtractError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    pub(crate) fn damaged(path: &Path, at_byte: u64, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.into(), at_byte, what: what.into() }
    }
}
