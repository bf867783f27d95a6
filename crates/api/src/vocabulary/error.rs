//! What can go wrong with a reference list.

use macros::Problem;

use crate::problem::Internal;

/// What can go wrong with a reference list.
#[derive(Debug, thiserror::Error, Problem)]
pub enum VocabularyError {
    /// There is no such list.
    #[error("no vocabulary `{kind}`")]
    #[problem(404, "vocabulary/not-found")]
    NotFound {
        /// The one asked for.
        kind: String,
    },
    /// A failure of ours.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
