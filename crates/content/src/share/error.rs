//! The errors of shares.

use app::Rejection;
use app::problem::Internal;
use macros::Problem;

use crate::parcours::ParcoursError;

/// Why a request on a share is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum ShareError {
    /// A parcours without title cannot be shared.
    #[error("a title is required to share")]
    #[problem(422, "parcours/title-required-to-share", field = "/title")]
    TitleRequired,
    /// The parcours has as many temporary shares that work as it may have.
    #[error("too many temporary shares")]
    #[problem(409, "share/too-many")]
    TooMany {
        /// The most.
        max: i64,
    },
    /// Not there.
    #[error("no share {id}")]
    #[problem(404, "share/not-found")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// Refused for the parcours' sake.
    #[error(transparent)]
    #[problem(transparent)]
    Parcours(#[from] ParcoursError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
