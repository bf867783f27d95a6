//! One action on many records or parcours: what it would do, what it did, and its undoing.

use std::future::Future;

use domain::Actor;
use domain::record::Sheet;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use store::access::Access;
use store::binned;
use store::record::{self as rows, Record as _, Stored, Versioned as _};
use store::uses::{self, OthersPolicy};
use store::{StoreError, Tx};
use utoipa::{IntoParams, ToSchema};

use super::content::Content;
use super::operations::{change, part_with, put_back};
use super::outcome::in_use;
use super::{RecordError, Refusal, Resource, Return, retry_races};
use crate::record::{BulkItem, BulkView, Outcome, applied, summed};
use crate::token::new_token;
use crate::{App, audit, body_filter};

/// The most records of one action.
pub const MAX_BULK: usize = 2_000;

/// One action on many records: those named, or those a filter leaves.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "F: Deserialize<'de> + IntoParams, A: Deserialize<'de>"))]
pub struct BulkOf<F, A> {
    /// Ids of the records.
    #[serde(default = "none")]
    pub ids: Option<Vec<i64>>,
    /// Or those of the list that this leaves.
    #[serde(default = "none", deserialize_with = "body_filter::strict_or_null")]
    pub filter: Option<F>,
    /// The action.
    pub action: A,
    /// With what, where there is a choice.
    #[serde(default)]
    pub value: Option<serde_json::Value>,
    /// Only report what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

const fn none<T>() -> Option<T> {
    None
}

/// What an action does to one of many.
#[derive(Debug)]
pub enum Does<C> {
    Changes(C),
    /// Already in that state.
    Nothing,
    /// Refused, with its code.
    Refuses(&'static str),
    /// Not deleted: others use it.
    InUse {
        /// How many.
        total: i64,
    },
}

/// One of an action, as its undoing needs it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Undo<B> {
    pub id: i64,
    /// The version the action made: undone only while it is still the last.
    pub version: i64,
    /// What was there before.
    #[serde(flatten)]
    pub before: B,
}

/// A kind of content on which actions on many are done.
pub trait Many: Content {
    /// What an action does to one.
    type Change: Send;
    /// The state before the change. It is stored for the undoing.
    type Before: Serialize + DeserializeOwned + Send + Sync;

    /// Several; those that are not there are left out.
    fn load_many(tx: &Tx, ids: &[i64]) -> impl Future<Output = Result<Vec<Self::Stored>, StoreError>> + Send;

    /// Does it to one.
    fn change(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        stored: &Self::Stored,
        change: Self::Change,
    ) -> impl Future<Output = Result<Undo<Self::Before>, RecordError<Self>>> + Send;

    /// Gives one back what the action replaced.
    fn undo(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        now: Self::Stored,
        before: Self::Before,
    ) -> impl Future<Output = Result<(), RecordError<Self>>> + Send;

    /// Whether the action deleted it.
    fn was_deleted(_before: &Self::Before) -> bool {
        false
    }

    /// Brings back one that the action deleted. `None` when it is not in the bin any more, or the person no longer sees it.
    fn bring_back(
        _app: &App,
        _tx: &Tx,
        _actor: &Actor,
        _id: i64,
    ) -> impl Future<Output = Result<Option<BulkItem>, RecordError<Self>>> + Send {
        async { Ok(None) }
    }
}

/// An action: what it does to each.
pub trait OnEach<C: Many>: Sync {
    /// What it does to one of the person's own.
    fn does(&self, tx: &Tx, stored: &C::Stored)
    -> impl Future<Output = Result<Does<C::Change>, RecordError<C>>> + Send;
}

/// Does one thing to many; with `dry_run`, only reports what would be done.
pub async fn apply<C: Many>(
    app: &App,
    actor: &Actor,
    ids: &[i64],
    dry_run: bool,
    action: impl OnEach<C>,
) -> Result<BulkView, RecordError<C>> {
    if ids.len() > MAX_BULK {
        return Err(Refusal::TooMany { max: MAX_BULK }.into());
    }
    // In the order of their numbers, so that two actions on the same ones do not wait for each other without end.
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    retry_races(|| apply_once::<C>(app, actor, &ids, dry_run, &action)).await
}

async fn apply_once<C: Many>(
    app: &App,
    actor: &Actor,
    ids: &[i64],
    dry_run: bool,
    action: &impl OnEach<C>,
) -> Result<BulkView, RecordError<C>> {
    let tx = app.store.begin().await?;
    let mut items = Vec::with_capacity(ids.len());
    let mut undo = Vec::new();
    for mut stored in C::load_many(&tx, ids).await? {
        if !C::is_seen(&tx, actor, &stored).await? {
            continue;
        }
        let does = if C::is_own(actor, &stored) {
            if !dry_run {
                // It may have been saved, or deleted, since all were read.
                let Some(now) = C::lock(&tx, stored.id()).await? else { continue };
                stored = now;
            }
            action.does(&tx, &stored).await?
        } else {
            Does::Refuses(C::CODES.not_yours)
        };
        let (outcome, code, params) = match does {
            Does::Nothing => (Outcome::Unchanged, None, Map::new()),
            Does::Refuses(code) => (Outcome::Refused, Some(code), Map::new()),
            Does::InUse { total } => (Outcome::Refused, Some(C::CODES.in_use), in_use(total)),
            Does::Changes(change) => {
                if !dry_run {
                    undo.push(C::change(app, &tx, actor, &stored, change).await?);
                }
                (Outcome::Applied, None, Map::new())
            }
        };
        items.push(BulkItem { id: stored.id(), title: C::title(&stored), outcome, code, params });
    }
    let undo_token = if undo.is_empty() { None } else { Some(new_token()) };
    if let Some(token) = &undo_token {
        rows::record_bulk(&tx, token, C::KIND, actor.user_id, app.now(), &undo).await?;
    }
    tx.commit().await?;
    Ok(summed(items, undo_token))
}

/// Undoes an action on many: those changed since are left as they are, and listed.
pub async fn undo<C: Many>(app: &App, actor: &Actor, token: &str) -> Result<BulkView, RecordError<C>> {
    retry_races(|| undo_once::<C>(app, actor, token)).await
}

async fn undo_once<C: Many>(app: &App, actor: &Actor, token: &str) -> Result<BulkView, RecordError<C>> {
    let tx = app.store.begin().await?;
    let kept = rows::take_bulk::<Undo<C::Before>>(&tx, token, C::KIND, actor.user_id, app.now()).await?;
    let mut items = Vec::new();
    for one in kept.ok_or(Refusal::UndoExpired)? {
        items.extend(undo_one::<C>(app, actor, &tx, one).await?);
    }
    audit::undone(app, &tx, actor, applied(&items)).await?;
    tx.commit().await?;
    Ok(summed(items, None))
}

/// `None` for one that is not there any more, or that the person no longer sees.
async fn undo_one<C: Many>(
    app: &App,
    actor: &Actor,
    tx: &Tx,
    one: Undo<C::Before>,
) -> Result<Option<BulkItem>, RecordError<C>> {
    if C::was_deleted(&one.before) {
        return C::bring_back(app, tx, actor, one.id).await;
    }
    let Some(now) = C::lock(tx, one.id).await? else { return Ok(None) };
    let is_own = C::is_own(actor, &now);
    if !is_own && !C::is_seen(tx, actor, &now).await? {
        return Ok(None);
    }
    let title = C::title(&now);
    if now.version() != one.version || !is_own {
        let code = Some(C::CODES.changed_since);
        return Ok(Some(BulkItem { id: one.id, title, outcome: Outcome::Refused, code, params: Map::new() }));
    }
    C::undo(app, tx, actor, now, one.before).await?;
    Ok(Some(BulkItem { id: one.id, title, outcome: Outcome::Applied, code: None, params: Map::new() }))
}

/// What an action does to a record.
#[derive(Debug)]
pub enum RecordChange<S> {
    Becomes(Box<Stored<S>>),
    /// Moves it to the bin.
    Deletes,
}

/// What an action replaced of a record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "S: Sheet")]
pub struct RecordBefore<S> {
    published: bool,
    /// What it was; none for one that went to the bin.
    #[serde(with = "domain::rest::optional")]
    sheet: Option<S>,
}

/// An action on records is a function of the record. One that is used is not deleted.
impl<R: Resource, F> OnEach<R> for F
where
    F: Fn(&Stored<R::Sheet>) -> Does<RecordChange<R::Sheet>> + Sync,
{
    async fn does(&self, tx: &Tx, stored: &Stored<R::Sheet>) -> Result<Does<RecordChange<R::Sheet>>, RecordError<R>> {
        let does = self(stored);
        if !matches!(does, Does::Changes(RecordChange::Deletes)) {
            return Ok(does);
        }
        let total = uses::of(tx, R::Record::KIND, stored.id, 1).await?.total;
        Ok(if total > 0 { Does::InUse { total } } else { does })
    }
}

impl<R: Resource> Many for R {
    type Change = RecordChange<R::Sheet>;
    type Before = RecordBefore<R::Sheet>;

    async fn load_many(tx: &Tx, ids: &[i64]) -> Result<Vec<Self::Stored>, StoreError> {
        rows::load_many::<R::Record>(tx, ids).await
    }

    async fn change(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        stored: &Stored<R::Sheet>,
        does: Self::Change,
    ) -> Result<Undo<Self::Before>, RecordError<R>> {
        let (version, sheet) = match does {
            RecordChange::Deletes => {
                rows::hold_to_delete(tx, R::Record::KIND, stored.id).await?;
                part_with::<R>(app, tx, actor, stored, (None, OthersPolicy::Keep)).await?;
                (stored.version, None)
            }
            RecordChange::Becomes(after) => {
                let saved = rows::save::<R::Record>(tx, stored, *after, change(app, actor, Some("bulk"))).await?;
                (saved.version, Some(stored.sheet.clone()))
            }
        };
        Ok(Undo { id: stored.id, version, before: RecordBefore { published: stored.published, sheet } })
    }

    async fn undo(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        now: Stored<R::Sheet>,
        before: Self::Before,
    ) -> Result<(), RecordError<R>> {
        let Some(sheet) = before.sheet else { return Ok(()) };
        Ok(put_back::<R>(app, tx, actor, &now, (sheet, before.published), "bulk").await?)
    }

    fn was_deleted(before: &Self::Before) -> bool {
        before.sheet.is_none()
    }

    async fn bring_back(app: &App, tx: &Tx, actor: &Actor, id: i64) -> Result<Option<BulkItem>, RecordError<R>> {
        let Some(number) = binned::number_of(tx, R::Record::KIND, id).await? else { return Ok(None) };
        let Some(gone) = binned::load::<R::Record>(tx, number).await? else { return Ok(None) };
        if !R::is_theirs(actor, &gone) && !R::sees(tx, actor, &gone).await? {
            return Ok(None);
        }
        let title = R::Record::title(&gone.sheet);
        if R::may_return(tx, actor, &gone).await? != Return::Allowed {
            let code = Some(<R as Content>::CODES.changed_since);
            return Ok(Some(BulkItem { id, title, outcome: Outcome::Refused, code, params: Map::new() }));
        }
        binned::restore(tx, number, &Access::of(actor), change(app, actor, Some("bulk"))).await?;
        Ok(Some(BulkItem { id, title, outcome: Outcome::Applied, code: None, params: Map::new() }))
    }
}
