//! The errors of a feed's runs and lines.

use app::Rejection;
use app::problem::Internal;
use app::record::RecordError;
use content::parcours::ParcoursError;
use macros::Problem;

use super::TransportFeedResource;

/// Errors of a feed.
pub type TransportFeedError = RecordError<TransportFeedResource>;

/// Why a request on a run or a line of a feed is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum TransitError {
    /// Not there, or another white-label's.
    #[error("no run {id}")]
    #[problem(404, "transport/run-not-found")]
    RunNotFound {
        /// The number asked for.
        id: i64,
    },
    /// One at a time.
    #[error("a run of this feed is at work")]
    #[problem(409, "transport/running")]
    Running,
    /// It is over already.
    #[error("this run is over")]
    #[problem(409, "transport/over")]
    Over,
    /// Neither an address nor a file.
    #[error("the feed has nothing to read")]
    #[problem(422, "transport/nothing-to-read", field = "/url")]
    NothingToRead,
    /// Not in what was last read of the feed.
    #[error("no such line in the feed")]
    #[problem(404, "transport/line-not-found", field = "/routes")]
    LineNotFound {
        /// The identifier that was asked for.
        route: String,
    },
    /// More than one adds at once.
    #[error("too many lines")]
    #[problem(422, "transport/too-many-lines", field = "/routes")]
    TooManyLines {
        /// How many at most.
        max: usize,
    },
    /// Refused for the feed's sake.
    #[error(transparent)]
    #[problem(transparent)]
    Feed(#[from] TransportFeedError),
    /// Refused for the parcours' sake.
    #[error(transparent)]
    #[problem(transparent)]
    Parcours(#[from] ParcoursError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
