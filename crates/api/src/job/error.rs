//! What can go wrong with jobs.

use app::Rejection;
use app::problem::Internal;
use macros::Problem;

/// Errors of jobs.
#[derive(Debug, thiserror::Error, Problem)]
pub enum JobError {
    /// Not there, or of another structure.
    #[error("no job {id}")]
    #[problem(404, "job/not-found")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// It is not dead and does not wait after a failure, or another one like it waits.
    #[error("the job {id} cannot be tried again")]
    #[problem(409, "job/not-retryable")]
    NotRetryable { id: i64 },
    /// It has ended.
    #[error("the job {id} has ended")]
    #[problem(409, "job/ended")]
    Ended { id: i64 },
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
