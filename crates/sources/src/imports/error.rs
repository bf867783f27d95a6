//! The errors of a run.

use app::Rejection;
use app::problem::Internal;
use app::record::RecordError;
use macros::Problem;

use super::ImportSourceResource;

/// Errors of a source.
pub type ImportSourceError = RecordError<ImportSourceResource>;

/// Why a request on a run is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum ImportError {
    /// Not there, or another white-label's.
    #[error("no run {id}")]
    #[problem(404, "import/run-not-found")]
    RunNotFound {
        /// The number asked for.
        id: i64,
    },
    /// One at a time.
    #[error("a run of this source is at work")]
    #[problem(409, "import/running")]
    Running,
    /// It is over already.
    #[error("this run is over")]
    #[problem(409, "import/over")]
    Over,
    /// Too old, taken back already, or nothing that could be.
    #[error("this run cannot be taken back")]
    #[problem(409, "import/not-undoable")]
    NotUndoable,
    /// Sources of this kind need no retry: a new run tries refused items again.
    #[error("a run of this kind is not taken again")]
    #[problem(409, "import/not-retryable")]
    NotRetryable,
    /// Neither an address nor a file.
    #[error("the source has nothing to read")]
    #[problem(422, "import/nothing-to-read", field = "/url")]
    NothingToRead,
    /// Not an item of this source that waits for an answer.
    #[error("no such item")]
    #[problem(404, "import/item-not-found")]
    ItemNotFound,
    /// Refused for the source's sake.
    #[error(transparent)]
    #[problem(transparent)]
    Source(#[from] ImportSourceError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
