//! The errors of records and parcours: one list for all, with the codes of each kind.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use axum::response::{IntoResponse, Response};
use domain::Fault;
use jobs::Failure;
use serde_json::{Map, Value};
use store::StoreError;
use utoipa::IntoResponses;
use utoipa::openapi::RefOr;
use utoipa::openapi::response::Response as Described;

use super::table::TableError;
use super::{Content, MaybeRace};
use crate::problem::{AsProblem, Code, Internal, Problem, respond, responses};
use crate::{Rejection, body_filter};

/// Why a request on a record or a parcours is refused.
#[derive(Debug)]
pub struct RecordError<R>(Refusal, PhantomData<fn() -> R>);

/// The reasons.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Not there, or not to be seen.
    #[error("no record {id}")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// Of another owner: it can be seen, not changed.
    #[error("the record belongs to somebody else")]
    NotYours,
    /// Another save happened since this version was read.
    #[error("a version that is not the last")]
    Stale {
        /// The version this save was made from.
        base_version: Option<i64>,
        /// The present state.
        current: Value,
    },
    /// Faults of the input.
    #[error("{} faults", .0.len())]
    Invalid(Vec<Fault>),
    /// In use: the records that refer to it.
    #[error("the record is in use by {total}")]
    InUse {
        /// `[{kind, id, title}]`, the first of them.
        uses: Value,
        total: i64,
        /// How many of them this person does not see.
        hidden_total: i64,
        /// Whether some of them cannot do without, whatever is asked.
        required: bool,
    },
    /// The revision asked for was never there.
    #[error("no revision {version}")]
    RevisionNotFound {
        /// The version asked for.
        version: i64,
    },
    /// The record is of the white-label itself: it need not be added.
    #[error("the record is of this white-label")]
    AlreadyYours,
    /// Not one of the person's white-labels.
    #[error("not one of your white-labels")]
    WhiteLabelNotYours,
    /// Into itself, or into something of another kind.
    #[error("cannot be merged into {into_id}")]
    CannotMerge {
        /// What it was to be merged into.
        into_id: i64,
    },
    /// Too many for one action.
    #[error("more than {max} at once")]
    TooMany {
        /// How many are taken.
        max: usize,
    },
    /// The action cannot be undone any more.
    #[error("nothing to undo")]
    UndoExpired,
    /// A refusal of the resource's own.
    #[error("refused: {}", .0.code.code)]
    Own(Refused),
    /// A refusal of the kind's own, from a list of such errors.
    #[error("refused: {}", .0.reason().0)]
    Other(Box<Problem>),
    /// Refused before the handler runs.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    Internal(#[from] Internal),
}

/// A refusal of a resource's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// Status and code.
    pub code: Code,
    /// The field it concerns.
    pub field: Option<&'static str>,
    /// What the sentence needs.
    pub params: Map<String, Value>,
}

impl Refused {
    /// A refusal without parameters.
    pub fn new(code: Code, field: Option<&'static str>) -> Self {
        Self { code, field, params: Map::new() }
    }
}

impl<R> RecordError<R> {
    /// A refusal from a list of the kind's own.
    pub fn own(error: &impl AsProblem) -> Self {
        Self(Refusal::Other(Box::new(error.problem())), PhantomData)
    }

    /// The same refusal of a stale version, with the version that the person had.
    #[must_use]
    pub fn based_on(mut self, version: Option<i64>) -> Self {
        if let Refusal::Stale { base_version, .. } = &mut self.0 {
            *base_version = version;
        }
        self
    }

    /// The same refusal of a filter that is the field `at` of a body.
    #[must_use]
    pub fn in_body(self, at: &str) -> Self {
        match self.0 {
            Refusal::Rejected(rejection) => body_filter::refused(at, rejection),
            other => Self(other, PhantomData),
        }
    }

    /// Whether it is not there, or not to be seen.
    pub const fn is_not_found(&self) -> bool {
        matches!(self.0, Refusal::NotFound { .. })
    }

    /// Whether it is a refusal, and no failure of the server.
    pub const fn is_refusal(&self) -> bool {
        !matches!(self.0, Refusal::Internal(_))
    }

    /// The reason alone, for a request on a record of another kind.
    pub fn into_refusal(self) -> Refusal {
        self.0
    }

    /// The faults of the fields of an input. Any other error is returned unchanged.
    pub(super) fn into_faults(self) -> Result<Vec<Fault>, Self> {
        match self.0 {
            Refusal::Invalid(faults) => Ok(faults),
            Refusal::Own(refused) => {
                let at = refused.field.unwrap_or_default().to_owned();
                Ok(vec![Fault { code: refused.code.code, params: refused.params, field: at }])
            }
            other => Err(Self(other, PhantomData)),
        }
    }
}

impl<R: Content> AsProblem for RecordError<R> {
    fn problem(&self) -> Problem {
        match &self.0 {
            Refusal::NotFound { id } => Problem::new(404, R::CODES.not_found).with("id", id),
            Refusal::NotYours => Problem::new(403, R::CODES.not_yours),
            Refusal::Stale { base_version, current } => {
                Problem::new(412, "version/stale").with("base_version", base_version).with_current(current)
            }
            Refusal::Invalid(errors) => Problem::new(422, "validation/failed").with_errors(errors),
            Refusal::InUse { uses, total, hidden_total, required } => Problem::new(409, R::CODES.in_use)
                .with("uses", uses)
                .with("total", total)
                .with("hidden_total", hidden_total)
                .with("required", required),
            Refusal::RevisionNotFound { version } => {
                Problem::new(404, R::CODES.revision_not_found).with("version", version)
            }
            Refusal::AlreadyYours => Problem::new(409, R::CODES.already_yours),
            Refusal::WhiteLabelNotYours => Problem::new(403, R::CODES.white_label_not_yours),
            Refusal::CannotMerge { into_id } => {
                Problem::new(422, "record/cannot-merge").at("/into_id").with("into_id", into_id)
            }
            Refusal::TooMany { max } => Problem::new(422, R::CODES.too_many).with("max", max),
            Refusal::UndoExpired => Problem::new(404, R::CODES.undo_expired),
            Refusal::Own(refused) => {
                let start = Problem::new(refused.code.status, refused.code.code);
                let placed = refused.field.map_or(start.clone(), |field| start.at(field));
                refused.params.iter().fold(placed, |problem, (name, value)| problem.with(name, value))
            }
            Refusal::Other(problem) => Problem::clone(problem),
            Refusal::Rejected(inner) => inner.problem(),
            Refusal::Internal(inner) => inner.problem(500),
        }
    }

    fn codes() -> Vec<Code> {
        let mut codes = vec![
            Code { status: 404, code: R::CODES.not_found },
            Code { status: 403, code: R::CODES.not_yours },
            Code { status: 412, code: "version/stale" },
            Code { status: 422, code: "validation/failed" },
            Code { status: 409, code: R::CODES.in_use },
            Code { status: 404, code: R::CODES.revision_not_found },
            Code { status: 409, code: R::CODES.already_yours },
            Code { status: 403, code: R::CODES.white_label_not_yours },
            Code { status: 422, code: "record/cannot-merge" },
            Code { status: 422, code: R::CODES.too_many },
            Code { status: 404, code: R::CODES.undo_expired },
            Code { status: 500, code: "internal" },
        ];
        codes.extend(R::own_codes());
        codes.extend(Rejection::codes());
        codes
    }
}

impl<R> fmt::Display for RecordError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<R: fmt::Debug> std::error::Error for RecordError<R> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

impl<R> MaybeRace for RecordError<R> {
    fn is_of_race(&self) -> bool {
        matches!(&self.0, Refusal::Internal(error) if error.is_of_race())
    }
}

/// In a job: a failure of the server, or of its bucket.
impl<R: fmt::Debug + 'static> From<RecordError<R>> for Failure {
    fn from(error: RecordError<R>) -> Self {
        match error.0 {
            Refusal::Internal(failed) => Self::internal(failed.cause()),
            _ => Self::internal(error),
        }
    }
}

impl<R: Content> IntoResponse for RecordError<R> {
    fn into_response(self) -> Response {
        respond(&self)
    }
}

impl<R: Content> IntoResponses for RecordError<R> {
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        responses(&<Self as AsProblem>::codes())
    }
}

impl<R> From<RecordError<R>> for TableError {
    fn from(error: RecordError<R>) -> Self {
        match error.0 {
            Refusal::Rejected(rejection) => Self::Rejected(rejection),
            Refusal::Internal(error) => Self::Internal(error),
            // Refusals of a record are faults of its row.
            other => Self::Internal(Internal::new(other)),
        }
    }
}

/// Declares which errors `?` converts to a refusal.
macro_rules! from {
    ($($type:ty, $inner:ident => $made:expr;)+) => {$(
        impl<R> From<$type> for RecordError<R> {
            fn from($inner: $type) -> Self {
                Self($made, PhantomData)
            }
        }
    )+};
}

from! {
    Refusal, refusal => refusal;
    Refused, refused => Refusal::Own(refused);
    Rejection, rejection => Refusal::Rejected(rejection);
    Internal, error => Refusal::Internal(error);
    StoreError, error => Refusal::Internal(error.into());
    Fault, fault => Refusal::Invalid(vec![fault]);
    Vec<Fault>, faults => Refusal::Invalid(faults);
}
