//! Why a network cannot be built or opened: a closed list with stable codes.

use std::{io, path::Path};

/// Building or opening a network failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file concerned.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is something else.
    #[error("this file is not a prepared network")]
    NotANetwork,
    /// The file is of an older or newer layout.
    #[error(
        "this network was prepared in layout {found}, this program reads layout {expected}: build it again from the extract"
    )]
    OtherVersion {
        /// Layout of the file.
        found: u32,
        /// Layout of this program.
        expected: u32,
    },
    /// The file is cut, or something was appended.
    #[error("this network file should hold {expected} bytes and holds {found}: build it again from the extract")]
    Truncated {
        /// Bytes announced.
        expected: u64,
        /// Bytes there.
        found: u64,
    },
    /// The file's content is not what was written.
    #[error("this network file is damaged ({what}): build it again from the extract")]
    Damaged {
        /// What does not fit.
        what: &'static str,
    },
    /// The extract could not be read.
    #[error("the extract cannot be read: {0}")]
    Extract(String),
    /// The extract holds no road and no path.
    #[error("the extract holds no road or path")]
    NoWays,
    /// The extract holds more than the layout can number.
    #[error("the extract holds too many {what} for one network")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
    },
    /// A folder of elevation tiles could not be used.
    #[error(transparent)]
    Dem(#[from] terrain::DemError),
}

impl NetworkError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }

    /// A stable code for the interface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "network/io",
            Self::NotANetwork => "network/not-a-network",
            Self::OtherVersion { .. } => "network/other-version",
            Self::Truncated { .. } => "network/truncated",
            Self::Damaged { .. } => "network/damaged",
            Self::Extract(_) => "network/extract",
            Self::NoWays => "network/no-ways",
            Self::TooLarge { .. } => "network/too-large",
            Self::Dem(_) => "network/dem",
        }
    }
}
