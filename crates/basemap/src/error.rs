//! The errors of an extract or a tiles file, each in one sentence.

use std::path::{Path, PathBuf};

/// Why no tiles could be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum BasemapError {
    /// The extract could not be read.
    #[error(transparent)]
    Extract(#[from] extract::ExtractError),
    /// The extract has nothing to draw.
    #[error("{}: nothing to draw in this extract: it has no way with coordinates", path.display())]
    NothingToDraw {
        /// The extract.
        path: PathBuf,
    },
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A temporary file of the build could not be written or read: the disk is full, or the folder cannot be written.
    #[error("temporary files of the base map in {}: {source}", folder.display())]
    Temporary {
        /// The folder of the tiles file, in which they are.
        folder: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file is not a tiles file of this crate.
    #[error("{}: not a readable tiles file: {why}", path.display())]
    BadTiles {
        /// The file.
        path: PathBuf,
        /// The fault.
        why: &'static str,
    },
    /// A tile could not be encoded.
    #[error("tile {z}/{x}/{y} could not be encoded: {source}")]
    Encode {
        /// Zoom.
        z: u8,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// The error of the encoder.
        source: fast_mvt::MvtError,
    },
}

impl BasemapError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn bad(path: &Path, why: &'static str) -> Self {
        Self::BadTiles { path: path.to_owned(), why }
    }
}
