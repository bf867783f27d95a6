//! What can go wrong with a white-label.

use domain::WhiteLabelId;
use macros::Problem;

use crate::problem::Internal;

/// What can go wrong with a white-label.
#[derive(Debug, thiserror::Error, Problem)]
pub enum WhiteLabelError {
    /// There is no such white-label.
    #[error("no white-label {id}")]
    #[problem(404, "white-label/not-found")]
    NotFound {
        /// The one asked for.
        id: WhiteLabelId,
    },
    /// A failure of ours.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
