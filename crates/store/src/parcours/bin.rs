//! Out of the bin, and out of others' sheets.

use domain::record::Kind;
use domain::{Instant, ParcoursId};

use super::revision::revision;
use super::sql::execute;
use super::trace::{next_revision, trace_at};
use super::write::{Change, Former, NewParcours, NewTrace, insert_as, save};
use super::{detail, missing_references};
use crate::{StoreError, Tx};

/// Brings a deleted parcours back as its last revision has it, with its number.
pub(crate) async fn restore(
    tx: &Tx,
    id: i64,
    created_at: Instant,
    version: i64,
    change: Change<'_>,
) -> Result<(), StoreError> {
    let past = revision(tx, ParcoursId(id), version).await?;
    let past = past.ok_or_else(|| StoreError::row("parcours_revision", id, "the last revision is not there"))?.body;
    let trace: Option<NewTrace> = match past.trace_revision {
        Some(number) => trace_at(tx, ParcoursId(id), number).await?.as_ref().map(Into::into),
        None => None,
    };
    let mut sheet = past.sheet;
    // What it pointed to may be gone since.
    let mut steps = past.steps;
    let pointed = domain::step::StepReferences::of(&steps);
    for (field, gone) in missing_references(tx, &sheet, &pointed, domain::parcours::REFERENCE_FIELDS).await? {
        let kind = domain::parcours::kind_of_reference(&field);
        domain::parcours::repoint(&mut sheet, &mut steps, kind, gone, None);
    }
    for relative in [&mut sheet.parent_id, &mut sheet.model_id] {
        if let Some(other) = *relative
            && detail::load(tx, ParcoursId(other)).await?.is_none()
        {
            *relative = None;
        }
    }
    if sheet.parent_id.is_none() && sheet.relation.is_child() {
        sheet.relation = domain::parcours::Relation::None;
    }
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

/// Forgets what a deleted parcours left: its history, its traces, its roadbook and its audio walks. The bytes of its source stay, others may share them.
pub(crate) async fn forget_for_good(tx: &Tx, id: i64) -> Result<(), StoreError> {
    for table in ["parcours_revision", "parcours_trace", "roadbook"] {
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
) -> Result<bool, StoreError> {
    let Some(before) = detail::lock(tx, ParcoursId(id)).await? else { return Ok(true) };
    let mut after = before.clone();
    domain::parcours::repoint(&mut after.sheet, &mut after.steps, kind, from, to);
    let heard = kind == Kind::Media && crate::audio::repoint(tx, ParcoursId(id), from, to).await?;
    if after == before {
        return Ok(heard);
    }
    save(tx, &before, after, None, change).await?;
    Ok(true)
}
