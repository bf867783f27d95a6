//! Why a bundle cannot be used, in one sentence for operators.

use std::path::{Path, PathBuf};

use store::StoreError;

/// Why a bundle cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RegionFault {
    /// The database has an invalid manifest, or one of another version.
    #[error("the bundle is not readable: {0}. Publish the region again, or update this server.")]
    Manifest(StoreError),
    /// A file is not in the blobs.
    #[error("the blobs do not have {name} ({key}). Publish the region again.")]
    Missing {
        /// The file of the region.
        name: String,
        /// The blob.
        key: String,
    },
    /// A blob has other bytes than were published.
    #[error("{name} was cut or altered in the blobs ({key}). Publish the region again.")]
    Altered {
        /// The file of the region.
        name: String,
        /// The blob.
        key: String,
    },
    /// The files do not fit.
    #[error("the disk of {} has {} MB free, and the region needs {} MB. Make room.", path.display(), free / MB, needed / MB)]
    NoSpace {
        /// The folder of the bundles.
        path: PathBuf,
        /// Bytes that are free.
        free: u64,
        /// Bytes that are needed.
        needed: u64,
    },
    /// The files are those that were published, and this program cannot read them.
    #[error("{0} Build and publish the region with this version, or update this server.")]
    Unreadable(String),
    /// The folder of the bundles cannot be used.
    #[error("{}: {error}", path.display())]
    Folder {
        /// A file or folder.
        path: PathBuf,
        error: std::io::Error,
    },
    /// The blobs do not answer.
    #[error("the blobs do not answer: {0}")]
    Blobs(String),
}

const MB: u64 = 1024 * 1024;

impl RegionFault {
    /// A failure of the folder of the bundles.
    pub(super) fn folder(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Folder { path, error }
    }

    /// Whether it may pass without anybody doing something.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Blobs(_))
    }
}
