//! What can go wrong with the status page.

use app::Rejection;
use app::problem::Internal;
use macros::Problem;

/// Errors of the status page.
#[derive(Debug, thiserror::Error, Problem)]
pub enum StatusError {
    /// A request that cannot be read, or that this person may not make.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
