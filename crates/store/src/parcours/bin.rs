//! Out of the bin, and out of others' sheets.

use domain::parcours::{Sheet, references};
use domain::record::Kind;
use domain::step::{Step, StepReferences};
use domain::{Instant, ParcoursId};

use super::detail;
use super::revision::revision;
use super::trace::{next_revision, trace_at};
use super::write::{Change, Former, NewParcours, NewTrace, Stored, insert_as, save};
use crate::record::{Access, Freed, added, again};
use crate::sql::execute;
use crate::{Connection, StoreError, Tx};

/// Brings a deleted parcours back as its last revision has it, with its number.
pub(crate) async fn restore(
    tx: &Tx,
    access: &Access,
    (id, version): (i64, i64),
    created_at: Instant,
    change: Change<'_>,
) -> Result<(), StoreError> {
    let past = revision(tx, ParcoursId(id), version).await?;
    let past = past.ok_or_else(|| StoreError::row("parcours_revision", id, "the last revision is not there"))?.body;
    let trace: Option<NewTrace> = match past.trace_revision {
        Some(number) => trace_at(tx, ParcoursId(id), number).await?.as_ref().map(Into::into),
        None => None,
    };
    let mut sheet = past.sheet;
    // Its references may be to records that were deleted since, or are no longer shared.
    let mut steps = past.steps;
    forget_unusable(tx, access, (&Sheet::default(), &[]), (&mut sheet, &mut steps)).await?;
    let trace_revision = if trace.is_some() { Some(next_revision(tx, id).await?) } else { None };
    let new = NewParcours {
        white_label_id: domain::WhiteLabelId(past.white_label_id),
        published: past.published,
        sheet,
        steps,
        trace,
    };
    let former = Former { id, version, created_at, trace_revision };
    insert_as(tx, &new, Some(former), change.because("restore")).await?;
    execute(tx, "DELETE FROM parcours_deleted WHERE parcours_id = $1", [id.into()]).await?;
    crate::audio::relink(tx, ParcoursId(id)).await
}

/// Removes references from a sheet and its steps that `access` does not allow, except for those it had before.
pub async fn forget_unusable(
    db: &impl Connection,
    access: &Access,
    before: (&Sheet, &[Step]),
    (sheet, steps): (&mut Sheet, &mut [Step]),
) -> Result<(), StoreError> {
    let old = references(before.0, &StepReferences::of(before.1));
    let new = added(&old, references(sheet, &StepReferences::of(steps)));
    for refused in access.unusable(db, &new).await? {
        domain::parcours::repoint(sheet, steps, refused.target.kind, refused.id, None);
    }
    Ok(())
}

/// Forgets what a deleted parcours left: its history, its traces, its roadbook, its client files and its audio walks. The bytes of
/// its source stay, others may share them.
pub(crate) async fn forget_for_good(tx: &Tx, id: i64) -> Result<(), StoreError> {
    for table in ["parcours_revision", "parcours_trace", "roadbook", "roadbook_client_file"] {
        execute(tx, &format!("DELETE FROM {table} WHERE parcours_id = $1"), [id.into()]).await?;
    }
    crate::audio::forget(tx, id).await
}

/// Makes a parcours point to another record than this one, or to none. Never stuck: no reference of a parcours is required
/// but its owner.
pub(crate) async fn repoint(
    tx: &Tx,
    id: i64,
    (kind, from): (Kind, i64),
    to: Option<i64>,
    change: Change<'_>,
) -> Result<Freed, StoreError> {
    let Some(before) = detail::lock(tx, ParcoursId(id)).await? else { return Ok(Freed::Unseen) };
    let mut after = before.clone();
    domain::parcours::repoint(&mut after.sheet, &mut after.steps, kind, from, to);
    let heard = kind == Kind::Media && crate::audio::repoint(tx, ParcoursId(id), from, to).await?;
    if after == before {
        // A walk is no save of the sheet: its place has no version.
        let kept = heard && crate::audio::is_freed(tx, ParcoursId(id), from).await?;
        return Ok(if kept {
            Freed::At(0)
        } else if heard {
            Freed::Unseen
        } else {
            Freed::Not
        });
    }
    Ok(Freed::At(save(tx, &before, after, None, change).await?.version))
}

/// Puts a record that came back where it was in a parcours and in its audio walks. False where that place is no more, or was
/// filled since.
pub(crate) async fn put_back(
    tx: &Tx,
    (id, version): (i64, i64),
    (kind, record): (Kind, i64),
    change: Change<'_>,
) -> Result<bool, StoreError> {
    let Some(now) = detail::lock(tx, ParcoursId(id)).await? else { return Ok(false) };
    let heard = kind == Kind::Media && crate::audio::put_back(tx, ParcoursId(id), record).await?;
    Ok(put_back_in_sheet(tx, (now, version), record, change).await? || heard)
}

async fn put_back_in_sheet(
    tx: &Tx,
    (now, version): (Stored, i64),
    record: i64,
    change: Change<'_>,
) -> Result<bool, StoreError> {
    let id = now.id.0;
    let Some(before) = revision(tx, ParcoursId(id), version - 1).await? else { return Ok(false) };
    let Some(freed) = revision(tx, ParcoursId(id), version).await? else { return Ok(false) };
    let mut after = now.clone();
    after.sheet = again(&before.body.sheet, &freed.body.sheet, &now.sheet, record);
    after.steps = again(&before.body.steps, &freed.body.steps, &now.steps, record);
    if after == now {
        return Ok(false);
    }
    save(tx, &now, after, None, change).await?;
    Ok(true)
}
