//! What every record of the catalogue answers, written once: look, make, change, delete, uses, history. What parcours share of it
//! is written for both ([`Content`]).
//!
//! A resource describes itself ([`Resource`]) and makes its handlers with `record_operations!`; additions for content that
//! white-labels own are in `owned`, actions on many in `bulk`. Each handler is a few lines over `operations`.

pub mod bulk;
mod content;
mod error;
mod list;
mod named;
pub mod operations;
mod outcome;
pub mod owned;
pub mod references;
mod reply;
mod retry;
mod revision;
mod stamp;
pub mod table;
mod view;

use std::future::Future;

pub use content::{Codes, Content, TakenBack};
use domain::audit::{Action, Detail};
use domain::record::Sheet;
use domain::{Actor, Capability, Fault, StructureId};
pub use error::{RecordError, Refusal, Refused};
pub use list::{ListOf, OwnedCounts};
pub use list::{no_such_sort, sort_of};
pub use named::lock_of;
pub use named::{LinkInput, LockedReason, Named, TitledParcours, WhiteLabelLink};
pub use outcome::{BulkItem, BulkView, Outcome, UndoInput};
pub use outcome::{applied, summed};
pub use reply::Reply;
pub use retry::{MaybeRace, retry_races};
pub use revision::{RevisionView, Revisions};
use serde::Serialize;
use store::record::{Change, Record, Stored};
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
pub use view::{At, Deletion, Head, MergeInput, Past, Restoration, UseView, UsesView};

use crate::App;
use crate::problem::Code;
pub use crate::{record_changes, record_operations};

/// The fields of every view that the server works out.
const READ_ONLY: &[&str] = &[
    "id",
    "version",
    "created_at",
    "updated_at",
    "updated_by",
    "editable",
    "locked_reason",
    "published",
    "published_on_mine",
    "white_label",
    "white_labels",
    "mine",
    "missing",
    "uses_total",
    "structure",
    "initials",
    "color",
    "api_key",
    "translation_key_set",
    "credential_set",
    "key_hint",
    "usage",
    "check",
    "custom_hidden",
    "last_login_at",
    "invited_at",
    "totp_enabled",
    "has_password",
    "url",
    "opened",
];

/// The fields of sheets with separate operations: no form sets them.
const CLOSED: &[&str] = &["file", "translated", "poster"];

/// Whether a record may come back from the bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Return {
    /// It may.
    Allowed,
    /// Its owner is not theirs.
    NotTheirs,
    /// It would give a role above that of the person who restores it.
    RoleAbove,
    /// Something else has its address, its code or its name by now.
    Taken,
}

/// A kind of record as the API knows it. It is a type of the module that serves it, beside the type of the record in `store`.
pub trait Resource: std::fmt::Debug + Send + Sync + Sized + 'static {
    /// What is stored of it.
    type Record: Record<Sheet = Self::Sheet>;
    /// What a person fills in.
    type Sheet: Sheet;
    /// Its view.
    type View: Serialize + ToSchema + Send + 'static;
    /// Where its list is.
    const PATH: &'static str;
    /// Error code for a record that does not exist or is not visible.
    const NOT_FOUND: &'static str;
    /// Error code for a record that the user may see but not change.
    const NOT_YOURS: &'static str;
    /// Error code for a record that is in use and therefore cannot be deleted.
    const IN_USE: &'static str;
    /// The codes of its specific refusals.
    const OWN_CODES: &'static [Code] = &[];

    /// Whether the person sees it; one that they do not see is answered as not found.
    fn sees(
        db: &impl Connection,
        actor: &Actor,
        record: &Stored<Self::Sheet>,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Whether its owner is theirs. What the role may do is asked by the handler's extractor.
    fn is_theirs(actor: &Actor, record: &Stored<Self::Sheet>) -> bool {
        match (record.white_label_id, Self::Record::structure(&record.sheet)) {
            (Some(owner), _) => actor.works_in(owner),
            (None, Some(structure)) => actor.may_see_inside(StructureId(structure)),
            (None, None) => actor.can(Capability::ReferenceManage),
        }
    }

    /// Whether everyone who sees it sees its history: a record without owner has no secrets.
    fn has_open_history(record: &Stored<Self::Sheet>) -> bool {
        record.white_label_id.is_none() && Self::Record::structure(&record.sheet).is_none()
    }

    /// Whether the record is at the path.
    fn stands_at(_at: &At, _record: &Stored<Self::Sheet>) -> bool {
        true
    }

    /// What a new one has before anything is filled in.
    fn blank(app: &App, actor: &Actor, _at: &At) -> Stored<Self::Sheet> {
        Stored::blank(Self::Record::OWNED.then_some(actor.active_white_label_id), app.now())
    }

    /// Rules beyond those of the fields; values that they fill in are set in `after`.
    fn check(
        _app: &App,
        _tx: &Tx,
        _actor: &Actor,
        _before: &Stored<Self::Sheet>,
        _after: &mut Stored<Self::Sheet>,
        _changed: &[&'static str],
    ) -> impl Future<Output = Result<Vec<Fault>, RecordError<Self>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// Why it may not be deleted at all, beside being in use.
    fn may_go(
        _tx: &Tx,
        _actor: &Actor,
        _record: &Stored<Self::Sheet>,
    ) -> impl Future<Output = Result<(), RecordError<Self>>> + Send {
        async { Ok(()) }
    }

    /// In the transaction that merges a record into another, or puts that one in its place: carries over what other records name of it beside its number.
    fn carry(
        _tx: &Tx,
        _gone: &Self::Sheet,
        _stays: &Self::Sheet,
        _change: Change<'_>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }

    /// Whether a record may be restored from the bin unchanged: the rights that it gives, and values that must be unique, are checked
    /// again. Everything else was checked when it was saved.
    fn may_return(
        _tx: &Tx,
        actor: &Actor,
        record: &Stored<Self::Sheet>,
    ) -> impl Future<Output = Result<Return, StoreError>> + Send {
        let theirs = Self::is_theirs(actor, record);
        async move { Ok(if theirs { Return::Allowed } else { Return::NotTheirs }) }
    }

    /// What the journal records of a save or a deletion, beside restorations, merges and forced deletions, which it records of
    /// every record. By default nothing: the history of content says it all. `before` is `None` for a new one, `after` for one
    /// deleted.
    fn audited(_before: Option<&Self::Sheet>, _after: Option<&Self::Sheet>) -> Vec<(Action, Detail)> {
        Vec::new()
    }

    /// Clears the application's caches after a record was saved, deleted or restored.
    fn written(_app: &App, _id: i64) {}

    /// The records for one reader, in their order.
    fn views(
        app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<Self::Sheet>>,
    ) -> impl Future<Output = Result<Vec<Self::View>, StoreError>> + Send;
}

/// The names of the fields a sheet has.
fn fields_of<S: Sheet>() -> impl Iterator<Item = &'static str> {
    S::NAMES.iter().copied()
}
