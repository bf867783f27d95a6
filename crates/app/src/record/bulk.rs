//! One action on many records: what it would do, what it did, and its undoing.

use domain::record::Sheet;
use domain::{Actor, rest};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::access::Access;
use store::binned;
use store::record::{self as rows, Record as _, Stored};
use store::uses::{self, Others};
use utoipa::ToSchema;

use super::operations::{change, part_with};
use super::{RecordError, Refusal, Resource, Return};
use crate::record::{BulkItem, BulkView, Outcome, applied, summed};
use crate::token::new_token;
use crate::{App, audit};

/// The most records of one action.
pub const MAX_BULK: usize = 2_000;

/// One action on many records: those named, or those a filter leaves.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkOf<F, A> {
    /// These.
    #[serde(default = "none")]
    pub ids: Option<Vec<i64>>,
    /// Or those of the list that this leaves.
    #[serde(default = "none")]
    pub filter: Option<F>,
    /// What is done.
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

/// What an action does to one record: the record after it, or nothing when it is so already, or why not.
pub enum Does<S> {
    /// It becomes this.
    Changes(Box<Stored<S>>),
    /// It was so already.
    Nothing,
    /// It cannot be done.
    Refuses(&'static str),
    /// It goes to the bin.
    Deletes,
}

/// One record of an action, as its undoing needs it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "S: Sheet")]
struct Undo<S> {
    id: i64,
    version: i64,
    published: bool,
    /// What it was; none for one that went to the bin.
    #[serde(with = "domain::rest::optional")]
    sheet: Option<S>,
}

/// Does one thing to many records; with `dry_run`, only reports what would be done.
pub async fn apply<R: Resource>(
    app: &App,
    actor: &Actor,
    ids: &[i64],
    dry_run: bool,
    does: impl Fn(&Stored<R::Sheet>) -> Does<R::Sheet> + Send + Sync,
) -> Result<BulkView, RecordError<R>> {
    if ids.len() > MAX_BULK {
        return Err(Refusal::TooMany { max: MAX_BULK }.into());
    }
    let tx = app.store.begin().await?;
    let mut items = Vec::with_capacity(ids.len());
    let mut undo = Vec::new();
    for before in rows::load_many::<R::Record>(&tx, ids).await? {
        if !R::sees(&tx, actor, &before).await? {
            continue;
        }
        let (id, title) = (before.id, R::Record::title(&before.sheet));
        let (outcome, code) = if R::is_theirs(actor, &before) {
            treat::<R>(app, actor, &tx, &before, does(&before), dry_run, &mut undo).await?
        } else {
            (Outcome::Refused, Some(R::NOT_YOURS))
        };
        items.push(BulkItem { id, title, outcome, code });
    }
    let undo_token = if undo.is_empty() { None } else { Some(new_token()) };
    if let Some(token) = &undo_token {
        rows::record_bulk(&tx, token, R::Record::KIND, actor.user_id, app.now(), &undo).await?;
    }
    tx.commit().await?;
    Ok(summed(items, undo_token))
}

/// Treats one record.
async fn treat<R: Resource>(
    app: &App,
    actor: &Actor,
    tx: &Tx,
    before: &Stored<R::Sheet>,
    does: Does<R::Sheet>,
    dry_run: bool,
    undo: &mut Vec<Undo<R::Sheet>>,
) -> Result<(Outcome, Option<&'static str>), RecordError<R>> {
    let after = match does {
        Does::Nothing => return Ok((Outcome::Unchanged, None)),
        Does::Refuses(code) => return Ok((Outcome::Refused, Some(code))),
        Does::Deletes => {
            if uses::of(tx, R::Record::KIND, before.id, 1).await?.total > 0 {
                return Ok((Outcome::Refused, Some(R::IN_USE)));
            }
            if !dry_run {
                part_with::<R>(app, tx, actor, before, (None, Others::Keep)).await?;
                undo.push(Undo { id: before.id, version: before.version, published: before.published, sheet: None });
            }
            return Ok((Outcome::Applied, None));
        }
        Does::Changes(after) => *after,
    };
    if !dry_run {
        let saved = rows::save::<R::Record>(tx, before, after, change(app, actor, Some("bulk"))).await?;
        let sheet = Some(before.sheet.clone());
        undo.push(Undo { id: before.id, version: saved.version, published: before.published, sheet });
    }
    Ok((Outcome::Applied, None))
}

/// Undoes an action on many: those changed since are left as they are, and listed.
pub async fn undo<R: Resource>(app: &App, actor: &Actor, token: &str) -> Result<BulkView, RecordError<R>> {
    let tx = app.store.begin().await?;
    let kept = rows::take_bulk::<Undo<R::Sheet>>(&tx, token, R::Record::KIND, actor.user_id, app.now()).await?;
    let mut items = Vec::new();
    for one in kept.ok_or(Refusal::UndoExpired)? {
        items.extend(undo_one::<R>(app, actor, &tx, one).await?);
    }
    audit::undone(app, &tx, actor, applied(&items)).await?;
    tx.commit().await?;
    Ok(summed(items, None))
}

async fn undo_one<R: Resource>(
    app: &App,
    actor: &Actor,
    tx: &Tx,
    one: Undo<R::Sheet>,
) -> Result<Option<BulkItem>, RecordError<R>> {
    let because = change(app, actor, Some("bulk"));
    let Some(sheet) = one.sheet else {
        let Some(number) = binned::number_of(tx, R::Record::KIND, one.id).await? else { return Ok(None) };
        let Some(gone) = binned::load::<R::Record>(tx, number).await? else { return Ok(None) };
        let title = R::Record::title(&gone.sheet);
        if R::may_return(tx, actor, &gone).await? != Return::Allowed {
            let code = Some("record/changed-since");
            return Ok(Some(BulkItem { id: one.id, title, outcome: Outcome::Refused, code }));
        }
        binned::restore(tx, number, &Access::of(actor), because).await?;
        return Ok(Some(BulkItem { id: one.id, title, outcome: Outcome::Applied, code: None }));
    };
    let Some(now) = rows::lock::<R::Record>(tx, one.id).await? else { return Ok(None) };
    let title = R::Record::title(&now.sheet);
    if now.version != one.version || !R::is_theirs(actor, &now) {
        let code = Some("record/changed-since");
        return Ok(Some(BulkItem { id: one.id, title, outcome: Outcome::Refused, code }));
    }
    let sheet = rest::in_place_of(sheet, &now.sheet);
    let mut after = Stored { sheet, published: one.published, ..now.clone() };
    Access::of(actor).forget_unusable(tx, &now.sheet, &mut after.sheet).await?;
    rows::save::<R::Record>(tx, &now, after, because).await?;
    Ok(Some(BulkItem { id: one.id, title, outcome: Outcome::Applied, code: None }))
}
