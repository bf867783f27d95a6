//! What can go wrong with a structure.

use domain::StructureId;
use macros::Problem;

use crate::problem::Internal;

/// What can go wrong with a structure.
#[derive(Debug, thiserror::Error, Problem)]
pub enum StructureError {
    /// There is no such structure.
    #[error("no structure {id}")]
    #[problem(404, "structure/not-found")]
    NotFound {
        /// The one asked for.
        id: StructureId,
    },
    /// A failure of ours.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
