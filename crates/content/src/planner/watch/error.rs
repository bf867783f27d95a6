//! The errors of the watch.

use app::Rejection;
use app::problem::Internal;
use macros::Problem;

/// Errors of the watch.
#[derive(Debug, thiserror::Error, Problem)]
pub enum WatchError {
    /// Not there, or of a parcours that is not seen.
    #[error("no change {id}")]
    #[problem(404, "planner/change-not-found")]
    ChangeNotFound {
        /// The number asked for.
        id: i64,
    },
    /// The parcours is of another white-label.
    #[error("another white-label's")]
    #[problem(403, "parcours/not-yours")]
    NotYours,
    /// One at a time.
    #[error("parcours are being scored already")]
    #[problem(409, "planner/watch-running")]
    Running,
    /// No network was prepared.
    #[error("no planner")]
    #[problem(503, "planner/absent")]
    Absent,
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
