//! The errors of parcours.

use app::record::{RecordError, Refusal};
use domain::ParcoursId;
use macros::Problem;

use super::content::ParcoursContent;
use super::trace::TraceError;

/// Why a request on a parcours is refused: what is refused about every record, and [`ParcoursRefusal`].
pub type ParcoursError = RecordError<ParcoursContent>;

/// What is refused about parcours alone.
#[derive(Debug, thiserror::Error, Problem)]
pub enum ParcoursRefusal {
    /// A field reserved to travel agencies.
    #[error("field {field} is reserved to travel agencies")]
    #[problem(403, "parcours/agency-only")]
    AgencyOnly { field: String },
    /// No title to publish under.
    #[error("a title is required to publish")]
    #[problem(422, "parcours/title-required-to-publish", field = "/title")]
    TitleRequiredToPublish,
    /// No title to duplicate under.
    #[error("a title is required to duplicate")]
    #[problem(422, "parcours/duplicate-title-required", field = "/title")]
    DuplicateTitleRequired,
    /// No such closed stretch of the parcours, or no way round it.
    #[error("no way round there")]
    #[problem(404, "parcours/no-detour")]
    NoDetour,
    /// The way round that is asked for is no longer the one that is found.
    #[error("another way round is found now")]
    #[problem(409, "parcours/detour-changed")]
    DetourChanged,
    /// No such proposal of the parcours, or it was accepted or refused meanwhile.
    #[error("no such proposal")]
    #[problem(404, "parcours/no-proposal")]
    NoProposal,
    /// A proposal of the text that is there.
    #[error("the proposed text is the present one")]
    #[problem(422, "parcours/proposal-same")]
    ProposalSame,
    /// Too many proposals wait on the parcours.
    #[error("too many proposals wait")]
    #[problem(409, "parcours/too-many-proposals")]
    TooManyProposals {
        /// The most that may wait.
        max: usize,
    },
    /// Nothing drawn or imported yet.
    #[error("the parcours has no trace")]
    #[problem(404, "parcours/no-trace")]
    NoTrace,
    /// A file that cannot be read as a trace.
    #[error(transparent)]
    #[problem(transparent)]
    Trace(#[from] TraceError),
}

impl From<ParcoursRefusal> for ParcoursError {
    fn from(refusal: ParcoursRefusal) -> Self {
        Self::own(&refusal)
    }
}

impl From<TraceError> for ParcoursError {
    fn from(error: TraceError) -> Self {
        Self::own(&error)
    }
}

/// A parcours that is not there, or not to be seen.
pub fn not_found(id: ParcoursId) -> ParcoursError {
    Refusal::NotFound { id: id.0 }.into()
}
