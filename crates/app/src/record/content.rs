//! The trait for changes that records and parcours share, although they are stored differently (decision 0064).

use std::fmt;
use std::future::Future;

use domain::audit::On;
use domain::record::{Kind, Sheet, apply_patch};
use domain::{Actor, Text, rest};
use serde_json::{Map, Value};
use store::record::{self as rows, Past, Record as _, Stored, Versioned};
use store::{StoreError, Tx};

use super::operations::{audited, change, checked, saved, take_field_back, view};
use super::{At, CLOSED, READ_ONLY, RecordError, Refusal, Reply, Resource};
use crate::problem::Code;
use crate::{App, audit};

/// The codes of the refusals that every kind has.
#[derive(Debug, Clone, Copy)]
pub struct Codes {
    /// Not there, or not to be seen.
    pub not_found: &'static str,
    /// It may be seen, not changed.
    pub not_yours: &'static str,
    /// It cannot be deleted.
    pub in_use: &'static str,
    /// No such revision.
    pub revision_not_found: &'static str,
    /// It need not be added: it is of this white-label.
    pub already_yours: &'static str,
    /// Another's white-label.
    pub white_label_not_yours: &'static str,
    /// Too many for one action.
    pub too_many: &'static str,
    /// The action cannot be undone any more.
    pub undo_expired: &'static str,
    /// The action cannot be undone for this one: it was changed since.
    pub changed_since: &'static str,
}

impl Codes {
    /// The codes of a record: three of its own, the others are the same for all records.
    pub const fn of_record(not_found: &'static str, not_yours: &'static str, in_use: &'static str) -> Self {
        Self {
            not_found,
            not_yours,
            in_use,
            revision_not_found: "record/revision-not-found",
            already_yours: "record/already-yours",
            white_label_not_yours: "record/white-label-not-yours",
            too_many: "record/bulk-too-many",
            undo_expired: "record/undo-expired",
            changed_since: "record/changed-since",
        }
    }
}

/// An earlier version that is to be saved again, wholly or in some fields.
#[derive(Debug)]
pub struct TakenBack<D> {
    /// What is saved.
    pub draft: D,
    /// The record, for the journal.
    pub on: On,
    /// The names of the fields, for the journal.
    pub names: Vec<String>,
}

/// A kind of content that people change: every record ([`Resource`]), and the parcours, which are stored in tables of their own.
pub trait Content: fmt::Debug + Send + Sync + Sized + 'static {
    /// What is stored of one.
    type Stored: Versioned + Send + Sync;
    /// What a person fills in.
    type Sheet: Sheet;
    /// What one was after an earlier save.
    type Past: Send;
    /// What a save takes.
    type Draft: Send;
    /// The answer to a save.
    type Answer: Send;
    /// What it is.
    const KIND: Kind;
    /// The codes of its refusals.
    const CODES: Codes;

    /// The codes of the refusals that only this kind has.
    fn own_codes() -> Vec<Code>;

    /// One, locked until the transaction ends.
    fn lock(tx: &Tx, id: i64) -> impl Future<Output = Result<Option<Self::Stored>, StoreError>> + Send;

    /// One as it was after a save.
    fn past(tx: &Tx, id: i64, version: i64) -> impl Future<Output = Result<Option<Self::Past>, StoreError>> + Send;

    /// Its name.
    fn title(stored: &Self::Stored) -> Text;

    /// Whether it is at the path.
    fn is_at(_at: &At, _stored: &Self::Stored) -> bool {
        true
    }

    /// Whether the person sees it.
    fn is_seen(tx: &Tx, actor: &Actor, stored: &Self::Stored) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Whether its owner is theirs.
    fn is_own(actor: &Actor, stored: &Self::Stored) -> bool;

    /// The present state, for a person who saved another version.
    fn current(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        stored: Self::Stored,
    ) -> impl Future<Output = Result<Value, RecordError<Self>>> + Send;

    /// A state after a JSON merge patch, checked.
    fn patched(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Self::Stored,
        sent: &Map<String, Value>,
    ) -> impl Future<Output = Result<Self::Draft, RecordError<Self>>> + Send;

    /// An earlier version in place of the present one, checked: wholly, or in these fields (`title`, or one language, `title/fr`).
    fn taken_back(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Self::Stored,
        past: Self::Past,
        fields: Option<&[String]>,
    ) -> impl Future<Output = Result<TakenBack<Self::Draft>, RecordError<Self>>> + Send;

    /// Saves one.
    fn save(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Self::Stored,
        draft: Self::Draft,
        reason: Option<&'static str>,
    ) -> impl Future<Output = Result<(), RecordError<Self>>> + Send;

    /// Commits, and answers with the new state.
    fn answer(
        app: &App,
        tx: Tx,
        actor: &Actor,
        id: i64,
    ) -> impl Future<Output = Result<Self::Answer, RecordError<Self>>> + Send;
}

impl<R: Resource> Content for R {
    type Stored = Stored<R::Sheet>;
    type Sheet = R::Sheet;
    type Past = Past<R::Sheet>;
    type Draft = Stored<R::Sheet>;
    type Answer = Reply<R::View>;
    const KIND: Kind = <R::Record as rows::Record>::KIND;
    const CODES: Codes = Codes::of_record(R::NOT_FOUND, R::NOT_YOURS, R::IN_USE);

    fn own_codes() -> Vec<Code> {
        R::OWN_CODES.to_vec()
    }

    async fn lock(tx: &Tx, id: i64) -> Result<Option<Self::Stored>, StoreError> {
        rows::lock::<R::Record>(tx, id).await
    }

    async fn past(tx: &Tx, id: i64, version: i64) -> Result<Option<Self::Past>, StoreError> {
        rows::revision::<R::Record>(tx, id, version).await
    }

    fn title(stored: &Self::Stored) -> Text {
        R::Record::title(&stored.sheet)
    }

    fn is_at(at: &At, stored: &Self::Stored) -> bool {
        R::stands_at(at, stored)
    }

    async fn is_seen(tx: &Tx, actor: &Actor, stored: &Self::Stored) -> Result<bool, StoreError> {
        R::sees(tx, actor, stored).await
    }

    fn is_own(actor: &Actor, stored: &Self::Stored) -> bool {
        R::is_theirs(actor, stored)
    }

    async fn current(app: &App, tx: &Tx, actor: &Actor, stored: Self::Stored) -> Result<Value, RecordError<Self>> {
        let current = view::<R>(app, tx, actor, stored).await?;
        Ok(serde_json::to_value(current).unwrap_or(Value::Null))
    }

    async fn patched(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Self::Stored,
        sent: &Map<String, Value>,
    ) -> Result<Self::Draft, RecordError<Self>> {
        let mut after = before.clone();
        after.sheet = apply_patch(&before.sheet, sent, READ_ONLY, CLOSED)?;
        checked::<R>(app, tx, actor, before, after).await
    }

    async fn taken_back(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Self::Stored,
        past: Self::Past,
        fields: Option<&[String]>,
    ) -> Result<TakenBack<Self::Draft>, RecordError<Self>> {
        let mut after = before.clone();
        match fields {
            None => after.sheet = rest::in_place_of(past.sheet, &before.sheet),
            Some(names) => {
                for name in names {
                    take_field_back(&mut after.sheet, &past.sheet, name)?;
                }
            }
        }
        let after = checked::<R>(app, tx, actor, before, after).await?;
        let names = audit::names(after.sheet.changed_since(&before.sheet));
        Ok(TakenBack { on: audit::on::<R::Record>(&after), names, draft: after })
    }

    async fn save(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Self::Stored,
        after: Self::Draft,
        reason: Option<&'static str>,
    ) -> Result<(), RecordError<Self>> {
        if !R::is_theirs(actor, &after) {
            return Err(Refusal::NotYours.into());
        }
        let on = audit::on::<R::Record>(&after);
        audited::<R>(app, tx, actor, on, Some(&before.sheet), Some(&after.sheet)).await?;
        rows::save::<R::Record>(tx, before, after, change(app, actor, reason)).await?;
        Ok(())
    }

    async fn answer(app: &App, tx: Tx, actor: &Actor, id: i64) -> Result<Self::Answer, RecordError<Self>> {
        saved::<R>(app, tx, actor, id).await
    }
}
