//! Parcours in the bin, and out of it.

use domain::parcours::Sheet;
use domain::record::Kind;
use domain::{Actor, Instant, ParcoursId, WhiteLabelId};

use super::former_uses::StoredUses;
use super::{NewBinRow, expire};
use crate::access::Access;
use crate::parcours::{Ancestry, Former, NewParcours, NewTrace, Stored};
use crate::record::{Change, restore_reference_in_list, restore_reference_in_sheet};
use crate::sql::{execute, text};
use crate::uses::FormerUse;
use crate::{StoreError, Tx, audio, parcours};

/// Deletes a parcours: it goes to the bin, its shares end. Its revisions, its traces and its source bytes stay, so that it can be
/// restored. The caller has freed its children and its copies before: the bin stores which they were.
pub async fn delete_parcours(
    tx: &Tx,
    gone: &Stored,
    freed: &[FormerUse],
    by: &Actor,
    at: Instant,
) -> Result<(), StoreError> {
    let uses = StoredUses::of(tx, Kind::Parcours, gone.id.0, freed).await?;
    parcours::remove(tx, gone, by.user_id, at).await?;
    expire(tx, at).await?;
    let kept = NewBinRow {
        kind: Kind::Parcours,
        id: gone.id.0,
        white_label_id: Some(gone.white_label_id.0),
        structure_id: None,
        title: gone.sheet.title.clone(),
        version: gone.version,
        body: text(&gone.created_at.0),
        former_uses: Some(text(&uses)),
    };
    kept.put(tx, Change { by: Some(by.user_id), at, reason: None, languages: &[] }).await
}

/// Brings a deleted parcours back as its last revision has it, with its number.
pub(super) async fn restore(
    tx: &Tx,
    access: &Access,
    (id, version): (i64, i64),
    created_at: Instant,
    change: Change<'_>,
) -> Result<(), StoreError> {
    let past = parcours::revision(tx, ParcoursId(id), version).await?;
    let past = past.ok_or_else(|| StoreError::row("parcours_revision", id, "the last revision is not there"))?.body;
    let trace: Option<NewTrace> = match past.trace_revision {
        Some(number) => parcours::trace_at(tx, ParcoursId(id), number).await?.as_ref().map(Into::into),
        None => None,
    };
    let mut sheet = past.sheet;
    // Its references may be to records that were deleted since, or are no longer shared.
    let mut steps = past.steps;
    access.forget_unusable_of_parcours(tx, (&Sheet::default(), &[]), (&mut sheet, &mut steps)).await?;
    let trace_revision = if trace.is_some() { Some(parcours::next_revision(tx, id).await?) } else { None };
    let new = NewParcours {
        white_label_id: WhiteLabelId(past.white_label_id),
        published: past.published,
        sheet,
        steps,
        trace,
    };
    let former = Former { id, version, created_at, trace_revision };
    parcours::insert_as(tx, &new, Some(former), change.because("restore")).await?;
    execute(tx, "DELETE FROM parcours_deleted WHERE parcours_id = $1", [id.into()]).await?;
    audio::relink(tx, ParcoursId(id)).await
}

/// Forgets what a deleted parcours left: its history, its traces, its roadbook, its client files and its audio walks. The bytes of
/// its source stay, others may share them.
pub(super) async fn forget_for_good(tx: &Tx, id: i64) -> Result<(), StoreError> {
    for table in ["parcours_revision", "parcours_trace", "roadbook", "roadbook_client_file"] {
        execute(tx, &format!("DELETE FROM {table} WHERE parcours_id = $1"), [id.into()]).await?;
    }
    audio::forget(tx, id).await
}

/// Restores the references to a record in a parcours and in its audio walks. `false` if the parcours no longer exists, or was
/// filled since.
pub(super) async fn restore_references(
    tx: &Tx,
    (id, version): (i64, i64),
    (kind, record): (Kind, i64),
    change: Change<'_>,
) -> Result<bool, StoreError> {
    let Some(now) = parcours::lock(tx, ParcoursId(id)).await? else { return Ok(false) };
    let in_audio = kind == Kind::Media && audio::restore_recording(tx, ParcoursId(id), record).await?;
    Ok(restore_references_in_sheet(tx, (now, version), record, change).await? || in_audio)
}

async fn restore_references_in_sheet(
    tx: &Tx,
    (now, version): (Stored, i64),
    record: i64,
    change: Change<'_>,
) -> Result<bool, StoreError> {
    let id = now.id.0;
    let Some(before) = parcours::revision(tx, ParcoursId(id), version - 1).await? else { return Ok(false) };
    let Some(freed) = parcours::revision(tx, ParcoursId(id), version).await? else { return Ok(false) };
    let mut after = now.clone();
    after.sheet = restore_reference_in_sheet(&before.body.sheet, &freed.body.sheet, &now.sheet, record);
    // Its own people may have decided since that it is no child: only a child has a parent.
    if !after.sheet.relation.is_child() {
        after.sheet.parent_id = now.sheet.parent_id;
    }
    after.steps = restore_reference_in_list(&before.body.steps, &freed.body.steps, &now.steps, record);
    if after == now || is_in_circle(tx, &now, &after).await? {
        return Ok(false);
    }
    parcours::save(tx, &now, after, None, change).await?;
    Ok(true)
}

/// Whether a parcours would be under itself by the parent or the model that it gets again.
async fn is_in_circle(tx: &Tx, now: &Stored, after: &Stored) -> Result<bool, StoreError> {
    let lines = [
        (now.sheet.parent_id, after.sheet.parent_id, Ancestry::Parent),
        (now.sheet.model_id, after.sheet.model_id, Ancestry::Model),
    ];
    for (old, new, line) in lines {
        let Some(above) = new.filter(|_| new != old) else { continue };
        let further = parcours::ancestors(tx, ParcoursId(above), line).await?.unwrap_or_default();
        if above == now.id.0 || further.contains(&now.id.0) {
            return Ok(true);
        }
    }
    Ok(false)
}
