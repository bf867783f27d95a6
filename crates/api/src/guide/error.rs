//! What can go wrong with the guide.

use macros::Problem;

/// Errors of the guide.
#[derive(Debug, thiserror::Error, Problem)]
pub enum GuideError {
    /// There is no such page.
    #[error("no page `{slug}`")]
    #[problem(404, "guide/not-found")]
    NotFound {
        /// The one asked for.
        slug: String,
    },
}
