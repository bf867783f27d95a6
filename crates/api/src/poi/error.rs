//! What can go wrong with a POI.

use domain::PoiId;
use macros::Problem;

use crate::Rejection;
use crate::problem::Internal;

/// What can go wrong with a POI.
#[derive(Debug, thiserror::Error, Problem)]
pub enum PoiError {
    /// There is no such POI, or none one may see.
    #[error("no poi {id}")]
    #[problem(404, "poi/not-found")]
    NotFound {
        /// The one asked for.
        id: PoiId,
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
