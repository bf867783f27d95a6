//! A table is written in slices, each in its transaction with what undoes it; then it can be undone for ten minutes.

use domain::Actor;
use domain::record::Sheet;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use store::record::{self as rows, Record as _, Stored};
use store::uses::{self, OthersPolicy};
use store::{StoreError, Tx};

use super::plan::{Checked, Plan, Ready};
use super::report::{TableFault, TableReport, TableRow};
use super::{MAX_ROWS, Reading, SLICE, TableError, TableImport, TableResource, read};
use crate::problem::Internal;
use crate::record::operations::{audited, change, part_with, put_back};
use crate::record::outcome::in_use;
use crate::record::{BulkItem, BulkView, Outcome, applied, retry_races, summed};
use crate::token::new_token;
use crate::{App, audit};

/// Why a revision was made.
const REASON: &str = "table";

/// One record that a table changed or made, as its undoing needs it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "S: Sheet")]
struct Undo<S> {
    id: i64,
    version: i64,
    published: bool,
    /// What it was; none for one that the table made.
    #[serde(with = "domain::rest::optional")]
    sheet: Option<S>,
}

/// Reports what a table would do; with the token of that report, does it.
pub async fn import<R: TableResource>(
    app: &App,
    actor: &Actor,
    asked: TableImport,
    bytes: Vec<u8>,
) -> Result<TableReport, TableError> {
    let confirmed = match &asked.token {
        Some(token) => Some(confirmed(app, token).await?),
        None => None,
    };
    let reading = app.shared::<Reading>();
    let turn = reading.0.acquire().await.map_err(Internal::new)?;
    let (bytes, table) = tokio::task::spawn_blocking(move || {
        let table = read(&bytes, MAX_ROWS);
        (bytes, table)
    })
    .await
    .map_err(Internal::new)?;
    drop(turn);
    let mut report = TableReport::default();
    let mut plan = Plan::new::<R>(app, actor, table?, &asked, &mut report).await?;
    let ready = plan.compare::<R>(&mut report).await?;
    let state = plan.state(&bytes, &ready);
    match confirmed {
        None => {
            report.token = (!ready.is_empty()).then(|| format!("{}.{state}", new_token()));
            Ok(report)
        }
        Some((token, expected)) if expected == state => written::<R>(app, actor, &plan, ready, (token, report)).await,
        Some(_) => Err(TableError::Changed),
    }
}

/// The two parts of a report's token: the name under which it is written, once, and the state that was confirmed.
async fn confirmed(app: &App, token: &str) -> Result<(String, String), TableError> {
    let parts =
        token.split_once('.').filter(|(name, state)| name.len() <= 100 && !name.is_empty() && state.len() <= 100);
    let (name, state) = parts.ok_or(TableError::Changed)?;
    if rows::is_table_written(app.store.read(), name).await? {
        return Err(TableError::Written);
    }
    Ok((name.to_owned(), state.to_owned()))
}

/// Writes the rows that are ready.
async fn written<R: TableResource>(
    app: &App,
    actor: &Actor,
    plan: &Plan<'_>,
    ready: Vec<Ready>,
    (token, mut report): (String, TableReport),
) -> Result<TableReport, TableError> {
    for (number, slice) in ready.chunks(SLICE).enumerate() {
        match retry_races(|| write_slice::<R>(app, actor, plan, slice, (&token, number))).await {
            Ok(refused) => report.take_back(refused),
            Err(error) if number == 0 => return Err(error),
            Err(error) => {
                // What was written stays, and can be undone; the rest is reported.
                tracing::error!(%error, "the rest of a table could not be written");
                let rest = ready.iter().skip(number * SLICE);
                let refused = rest.map(|one| {
                    (one.id == 0, plan.refused::<R>(one.row, None, vec![TableFault::whole("table/stopped")]))
                });
                report.take_back(refused.collect());
                break;
            }
        }
    }
    report.written = true;
    report.token = Some(token);
    Ok(report)
}

/// Writes one slice; the rows that are refused after all, with whether each was to make a record.
async fn write_slice<R: TableResource>(
    app: &App,
    actor: &Actor,
    plan: &Plan<'_>,
    slice: &[Ready],
    name: (&str, usize),
) -> Result<Vec<(bool, TableRow)>, TableError> {
    let tx = app.store.begin().await?;
    let (mut undo, mut refused) = (Vec::new(), Vec::new());
    for one in slice {
        let before = match one.id {
            0 => Some(plan.blank::<R>()),
            id => rows::lock::<R::Record>(&tx, id).await?.filter(|now| now.version == one.version),
        };
        let Some(before) = before else {
            refused.push((false, plan.refused::<R>(one.row, None, vec![TableFault::whole("record/changed-since")])));
            continue;
        };
        match plan.again::<R>(&tx, one.row, Some(&before)).await? {
            Checked::Nothing => {}
            Checked::Refused(faults) => refused.push((one.id == 0, plan.refused::<R>(one.row, Some(&before), faults))),
            Checked::Becomes { after, .. } => undo.push(saved::<R>(app, &tx, actor, &before, *after).await?),
        }
    }
    match rows::record_table(&tx, name, R::Record::KIND, actor.user_id, app.now(), &undo).await {
        // Another request with the same token was faster.
        Err(StoreError::UniqueViolation(_)) => return Err(TableError::Written),
        kept => kept?,
    }
    tx.commit().await?;
    for one in &undo {
        R::written(app, one.id);
    }
    Ok(refused)
}

/// Saves or makes one record; what undoes that.
async fn saved<R: TableResource>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    before: &Stored<R::Sheet>,
    after: Stored<R::Sheet>,
) -> Result<Undo<R::Sheet>, TableError> {
    let because = change(app, actor, Some(REASON));
    let is_new = before.id == 0;
    let after = if is_new {
        rows::insert::<R::Record>(tx, after, because).await?
    } else {
        rows::save::<R::Record>(tx, before, after, because).await?
    };
    let old = (!is_new).then_some(&before.sheet);
    audited::<R>(app, tx, actor, audit::on::<R::Record>(&after), old, Some(&after.sheet)).await?;
    Ok(Undo { id: after.id, version: after.version, published: before.published, sheet: old.cloned() })
}

/// Undoes a table, slice by slice: records changed since are left as they are, and listed.
pub async fn undo<R: TableResource>(app: &App, actor: &Actor, token: &str) -> Result<BulkView, TableError> {
    let token = token.split('.').next().unwrap_or_default();
    let mut items = Vec::new();
    for slice in 0.. {
        let Some(undone) = retry_races(|| undo_slice::<R>(app, actor, token, slice)).await? else { break };
        for item in &undone {
            R::written(app, item.id);
        }
        items.extend(undone);
    }
    if items.is_empty() { Err(TableError::UndoExpired) } else { Ok(summed(items, None)) }
}

/// Undoes one slice; `None` where there is no such slice.
async fn undo_slice<R: TableResource>(
    app: &App,
    actor: &Actor,
    token: &str,
    slice: usize,
) -> Result<Option<Vec<BulkItem>>, TableError> {
    let tx = app.store.begin().await?;
    let kept =
        rows::take_table::<Undo<R::Sheet>>(&tx, (token, slice), R::Record::KIND, actor.user_id, app.now()).await?;
    let Some(kept) = kept else { return Ok(None) };
    let mut items = Vec::with_capacity(kept.len());
    for one in kept {
        items.extend(undo_one::<R>(app, actor, &tx, one).await?);
    }
    audit::undone(app, &tx, actor, applied(&items)).await?;
    tx.commit().await?;
    Ok(Some(items))
}

/// `None` for one that is not there any more, or that the person no longer sees.
async fn undo_one<R: TableResource>(
    app: &App,
    actor: &Actor,
    tx: &Tx,
    one: Undo<R::Sheet>,
) -> Result<Option<BulkItem>, TableError> {
    let Some(now) = rows::lock::<R::Record>(tx, one.id).await? else { return Ok(None) };
    let is_own = R::is_theirs(actor, &now);
    if !is_own && !R::sees(tx, actor, &now).await? {
        return Ok(None);
    }
    let title = R::Record::title(&now.sheet);
    let is_made = one.sheet.is_none();
    let is_changed = now.version != one.version || !is_own;
    let total = if is_made && !is_changed { uses::of(tx, R::Record::KIND, now.id, 1).await?.total } else { 0 };
    let (code, params) = match (is_changed, total) {
        (true, _) => (Some("record/changed-since"), Map::new()),
        (false, 0) => (None, Map::new()),
        (false, total) => (Some(R::IN_USE), in_use(total)),
    };
    match one.sheet {
        _ if code.is_some() => {}
        None => {
            rows::hold_to_delete(tx, R::Record::KIND, now.id).await?;
            part_with::<R>(app, tx, actor, &now, (None, OthersPolicy::Keep)).await?;
        }
        Some(sheet) => {
            put_back::<R>(app, tx, actor, &now, (sheet, one.published), REASON).await?;
        }
    }
    let outcome = if code.is_some() { Outcome::Refused } else { Outcome::Applied };
    Ok(Some(BulkItem { id: one.id, title, outcome, code, params }))
}
