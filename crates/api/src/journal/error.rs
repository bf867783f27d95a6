//! What can go wrong with the journal.

use app::Rejection;
use app::problem::Internal;
use macros::Problem;

/// Errors of the journal.
#[derive(Debug, thiserror::Error, Problem)]
pub enum AuditError {
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
