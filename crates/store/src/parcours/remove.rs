//! The rows of a parcours that is deleted. Its revisions, its traces and its source bytes stay, so that it can be restored. And what feeds list
//! as removed: where it was deleted, and where a white-label took it away.

use domain::record::Kind;
use domain::{Instant, ParcoursId, UserId, WhiteLabelId};

use super::dialect::forget;
use super::write::Stored;
use crate::sql::execute;
use crate::{StoreError, Tx, custom};

/// The condition that the parcours in the row `parcours` is published, or was: its history names each save that published or unpublished it.
/// A draft that never was is in no feed, and no feed lists it as removed. A scalar, since PostgreSQL would read the revisions of all parcours for
/// an `EXISTS` beside `OR`.
pub(crate) fn was_published(parcours: &str) -> String {
    format!(
        r#"({parcours}.published = 1 OR COALESCE((SELECT 1 FROM parcours_revision r
            WHERE r.parcours_id = {parcours}.id AND r.fields LIKE '%"published"%' LIMIT 1), 0) = 1)"#
    )
}

/// Notes for feeds that a parcours is no longer on the white-labels that added it and show it, or on one of them.
pub(super) async fn note_taken_away(
    tx: &Tx,
    id: ParcoursId,
    white_label: Option<WhiteLabelId>,
    at: Instant,
) -> Result<(), StoreError> {
    let only = white_label.map_or_else(String::new, |one| format!("AND l.white_label_id = {}", one.0));
    let sql = format!(
        "INSERT INTO parcours_deleted_elsewhere (white_label_id, parcours_id, deleted_at)
        SELECT l.white_label_id, l.parcours_id, CAST($2 AS BIGINT)
        FROM parcours_white_label l JOIN parcours p ON p.id = l.parcours_id
        WHERE l.parcours_id = $1 AND l.published = 1 {only} AND {}
        ON CONFLICT (white_label_id, parcours_id) DO UPDATE SET deleted_at = excluded.deleted_at",
        was_published("p")
    );
    execute(tx, &sql, [id.0.into(), at.0.into()]).await?;
    Ok(())
}

/// Removes the rows of a parcours, its shares too, and notes for feeds that it no longer exists.
pub(crate) async fn remove(tx: &Tx, gone: &Stored, by: UserId, at: Instant) -> Result<(), StoreError> {
    let id = gone.id.0;
    let sql = format!(
        "INSERT INTO parcours_deleted (parcours_id, white_label_id, version, deleted_at, deleted_by)
        SELECT p.id, p.white_label_id, CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT)
        FROM parcours p WHERE p.id = $1 AND {}",
        was_published("p")
    );
    execute(tx, &sql, [id.into(), gone.version.into(), at.0.into(), by.0.into()]).await?;
    note_taken_away(tx, gone.id, None, at).await?;
    for table in [
        "parcours_sheet",
        "parcours_card",
        "parcours_link",
        "parcours_white_label",
        "parcours_shape",
        "parcours_share",
        "parcours_presence",
        "parcours_closure",
        "parcours_detour",
        "parcours_proposal",
    ] {
        execute(tx, &format!("DELETE FROM {table} WHERE parcours_id = $1"), [id.into()]).await?;
    }
    super::children::forget_decisions(tx, id).await?;
    super::children::note_family(tx, gone.sheet.parent_id, at).await?;
    custom::forget(tx, Kind::Parcours, id).await?;
    forget(tx, id).await?;
    execute(tx, "DELETE FROM parcours WHERE id = $1", [id.into()]).await?;
    Ok(())
}
