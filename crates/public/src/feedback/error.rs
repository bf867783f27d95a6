//! What can be refused about reviews and field reports.

use app::Rejection;
use app::problem::Internal;
use content::media::MediaError;
use content::parcours::ParcoursError;
use domain::Fault;
use macros::Problem;

/// Why what a visitor gives is not taken.
#[derive(Debug, thiserror::Error, Problem)]
pub enum GiveError {
    /// Some of it is not as it must be.
    #[error("{} faults", errors.len())]
    #[problem(422, "validation/failed")]
    Refused {
        /// Each on its field.
        errors: Vec<Fault>,
    },
    /// More from one address than people send.
    #[error("too much from here, wait {retry_after_s} s")]
    #[problem(429, "feedback/too-many")]
    TooMany {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// No public parcours there.
    #[error("no such parcours for everybody")]
    #[problem(404, "feedback/not-shown")]
    NotShown,
    /// A photo without a report it may be added to.
    #[error("no report waits for this photo")]
    #[problem(404, "feedback/no-report")]
    NoReport,
    /// A file that is not a photo.
    #[error(transparent)]
    #[problem(transparent)]
    Photo(#[from] MediaError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// Why the staff cannot do something with a review or a report.
#[derive(Debug, thiserror::Error, Problem)]
pub enum FeedbackError {
    /// Some of it is not as it must be.
    #[error("{} faults", errors.len())]
    #[problem(422, "validation/failed")]
    Refused {
        /// Each on its field.
        errors: Vec<Fault>,
    },
    /// No such review of this parcours, or its author did not confirm it.
    #[error("no review {id}")]
    #[problem(404, "review/not-found")]
    NoReview {
        /// The number asked for.
        id: i64,
    },
    /// An answer to a review that is not public.
    #[error("only a published review is answered")]
    #[problem(409, "review/not-published")]
    NotPublished,
    /// No such report of this parcours.
    #[error("no report {id}")]
    #[problem(404, "field-report/not-found")]
    NoReport {
        /// The number asked for.
        id: i64,
    },
    /// A report without a photo.
    #[error("no photo")]
    #[problem(404, "field-report/no-photo")]
    NoPhoto,
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
