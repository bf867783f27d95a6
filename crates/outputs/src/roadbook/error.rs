//! Why there is no roadbook.

use app::Rejection;
use app::problem::Internal;
use content::parcours::ParcoursError;
use macros::Problem;

/// Why there is no roadbook.
#[derive(Debug, thiserror::Error, Problem)]
pub enum RoadbookProblem {
    /// Nothing to print on the cover.
    #[error("a title is required")]
    #[problem(422, "roadbook/title-required", field = "/title")]
    TitleRequired,
    /// Every page is switched off.
    #[error("no page")]
    #[problem(422, "roadbook/no-pages", field = "/pages")]
    NoPages,
    /// More pages than are printed at once.
    #[error("more than {limit} pages")]
    #[problem(422, "roadbook/too-long")]
    TooLong {
        /// The most.
        limit: u32,
    },
    /// Another preview was asked for meanwhile.
    #[error("superseded")]
    #[problem(409, "roadbook/superseded")]
    Superseded,
    /// It took too long.
    #[error("stopped after {after_s} s")]
    #[problem(503, "roadbook/timed-out")]
    TimedOut {
        /// How long it was waited for.
        after_s: u64,
    },
    /// The renderer failed.
    #[error("the renderer stopped")]
    #[problem(503, "roadbook/crashed")]
    Crashed,
    /// All places for renderings are taken.
    #[error("too many renderings at once, wait {retry_after_s} s")]
    #[problem(503, "roadbook/busy")]
    Busy {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// One address asks for too much.
    #[error("too many files of one address, wait {retry_after_s} s")]
    #[problem(429, "roadbook/too-many")]
    TooMany {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// This server prints nothing.
    #[error("no renderer")]
    #[problem(503, "roadbook/absent")]
    Absent,
    /// A batch of nothing.
    #[error("no parcours")]
    #[problem(422, "roadbook/nothing-chosen", field = "/filter")]
    NothingChosen,
    /// No such batch, or another person's.
    #[error("no batch {id}")]
    #[problem(404, "roadbook/batch-not-found")]
    BatchNotFound { id: i64 },
    /// No such client file of this parcours.
    #[error("no client file {id}")]
    #[problem(404, "roadbook/client-file-not-found")]
    ClientFileNotFound { id: i64 },
    /// The parcours has as many client files as it may have.
    #[error("more than {max} client files")]
    #[problem(422, "roadbook/too-many-client-files")]
    TooManyClientFiles {
        /// The most.
        max: i64,
    },
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

impl RoadbookProblem {
    /// The same problem for another one who waited for the same rendering.
    pub(super) fn again(&self) -> Self {
        match self {
            Self::TitleRequired => Self::TitleRequired,
            Self::NoPages => Self::NoPages,
            Self::TooLong { limit } => Self::TooLong { limit: *limit },
            Self::TimedOut { after_s } => Self::TimedOut { after_s: *after_s },
            Self::Busy { retry_after_s } => Self::Busy { retry_after_s: *retry_after_s },
            Self::TooMany { retry_after_s } => Self::TooMany { retry_after_s: *retry_after_s },
            Self::Crashed => Self::Crashed,
            Self::Absent => Self::Absent,
            Self::Internal(error) => error.again().into(),
            other => Internal::new(other.to_string()).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use app::problem::AsProblem as _;
    use store::StoreError;

    use super::*;

    #[test]
    fn all_who_wait_for_a_rendering_learn_which_part_does_not_work() {
        for (error, code) in [
            (StoreError::Full("no room".into()), "storage/full"),
            (StoreError::BlobsUnavailable("away".into()), "storage/unavailable"),
            (StoreError::DatabaseUnavailable("away".into()), "database/unavailable"),
            (StoreError::UnknownDatabase, "internal"),
        ] {
            let problem = RoadbookProblem::Internal(error.into());
            assert_eq!(problem.problem().reason().0, code);
            assert_eq!(problem.again().problem().reason().0, code);
        }
        let full = Internal::new(std::io::Error::from(std::io::ErrorKind::StorageFull));
        assert_eq!(RoadbookProblem::Internal(full).again().problem().reason().0, "storage/full");
    }
}
