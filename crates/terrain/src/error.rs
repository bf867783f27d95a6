//! What can be wrong with elevation tiles, each in one sentence.

use std::path::{Path, PathBuf};

/// Why a folder or a file of elevation tiles cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DemError {
    /// The folder could not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The folder has no tile.
    #[error("elevation tiles: {} holds none: neither a .tif nor a file named like N42E001.hgt or N42E001.hgt.zip", path.display())]
    NoTiles {
        /// The folder.
        path: PathBuf,
    },
    /// One file cannot be used.
    #[error("elevation tiles: {}: {why}", path.display())]
    Tile {
        /// The file.
        path: PathBuf,
        /// The fault and, where there is one, the remedy.
        why: String,
    },
}

impl DemError {
    pub(crate) fn tile(path: &Path, why: impl Into<String>) -> Self {
        Self::Tile { path: path.to_owned(), why: why.into() }
    }
}
