//! What can be refused about a parcours.

use app::Rejection;
use app::problem::Internal;
use domain::{Fault, ParcoursId};
use macros::Problem;
use serde_json::Value;

/// Why a request on a parcours is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum ParcoursError {
    /// Not there, or not to be seen.
    #[error("no parcours {id}")]
    #[problem(404, "parcours/not-found")]
    NotFound {
        /// The number asked for.
        id: ParcoursId,
    },
    /// Of another white-label: it can be seen and added, not changed.
    #[error("the parcours belongs to another white-label")]
    #[problem(403, "parcours/not-yours")]
    NotYours,
    /// A field reserved to travel agencies.
    #[error("field {field} is reserved to travel agencies")]
    #[problem(403, "parcours/agency-only")]
    AgencyOnly {
        /// The field.
        field: String,
    },
    /// Another save happened since this version was read.
    #[error("a version that is not the last")]
    #[problem(412, "version/stale")]
    Stale {
        /// The version this save was made from.
        base_version: Option<i64>,
        /// The present state.
        current: Value,
    },
    /// Faults of the input.
    #[error("{} faults", .errors.len())]
    #[problem(422, "validation/failed")]
    Invalid {
        /// Each on its field.
        errors: Vec<Fault>,
    },
    /// In use: the records that refer to it.
    #[error("the parcours is in use")]
    #[problem(409, "parcours/in-use")]
    InUse {
        /// `[{kind, id, title}]`, of those that this person sees
        uses: Value,
        /// How many others there are.
        hidden_total: i64,
    },
    /// No title to publish under.
    #[error("a title is required to publish")]
    #[problem(422, "parcours/title-required-to-publish", field = "/title")]
    TitleRequiredToPublish,
    /// No title to duplicate under.
    #[error("a title is required to duplicate")]
    #[problem(422, "parcours/duplicate-title-required", field = "/title")]
    DuplicateTitleRequired,
    /// The revision asked for was never there.
    #[error("no revision {version}")]
    #[problem(404, "parcours/revision-not-found")]
    RevisionNotFound {
        /// The version asked for.
        version: i64,
    },
    /// The parcours is of the white-label itself: it need not be added.
    #[error("the parcours is of this white-label")]
    #[problem(409, "parcours/already-yours")]
    AlreadyYours,
    /// Not one of the person's white-labels.
    #[error("not one of your white-labels")]
    #[problem(403, "parcours/white-label-not-yours")]
    WhiteLabelNotYours,
    /// No such closed stretch of the parcours, or no way round it.
    #[error("no way round there")]
    #[problem(404, "parcours/no-detour")]
    NoDetour,
    /// The way round that is asked for is no longer the one that is found.
    #[error("another way round is found now")]
    #[problem(409, "parcours/detour-changed")]
    DetourChanged,
    /// Too many for one action.
    #[error("more than {max} parcours at once")]
    #[problem(422, "parcours/bulk-too-many")]
    BulkTooMany {
        /// How many are taken.
        max: usize,
    },
    /// The action cannot be undone any more.
    #[error("nothing to undo")]
    #[problem(404, "parcours/undo-expired")]
    UndoExpired,
    /// Nothing drawn or imported yet.
    #[error("the parcours has no trace")]
    #[problem(404, "parcours/no-trace")]
    NoTrace,
    /// A file that cannot be read as a trace.
    #[error(transparent)]
    #[problem(transparent)]
    Trace(#[from] super::trace::TraceError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

impl From<Fault> for ParcoursError {
    fn from(fault: Fault) -> Self {
        Self::Invalid { errors: vec![fault] }
    }
}
