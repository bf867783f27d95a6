//! What can go wrong with a media.

use domain::MediaId;
use macros::Problem;

use crate::Rejection;
use crate::problem::Internal;

/// What can go wrong with a media.
#[derive(Debug, thiserror::Error, Problem)]
pub enum MediaError {
    /// There is no such media, or none one may see.
    #[error("no media {id}")]
    #[problem(404, "media/not-found")]
    NotFound {
        /// The one asked for.
        id: MediaId,
    },
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of ours.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
