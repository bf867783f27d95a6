//! The rows of a parcours that is deleted. Its revisions, its traces and its source bytes stay, so that it can be restored.

use domain::record::Kind;
use domain::{Instant, UserId};

use super::dialect::forget;
use super::write::Stored;
use crate::sql::execute;
use crate::{StoreError, Tx, custom};

/// Removes the rows of a parcours, its shares too, and notes for feeds that it no longer exists.
pub(crate) async fn remove(tx: &Tx, gone: &Stored, by: UserId, at: Instant) -> Result<(), StoreError> {
    let id = gone.id.0;
    let sql = "INSERT INTO parcours_deleted (parcours_id, white_label_id, version, deleted_at, deleted_by) VALUES ($1, $2, $3, $4, $5)";
    execute(tx, sql, [id.into(), gone.white_label_id.0.into(), gone.version.into(), at.0.into(), by.0.into()]).await?;
    let sql = "INSERT INTO parcours_deleted_elsewhere (white_label_id, parcours_id, deleted_at)
        SELECT white_label_id, parcours_id, CAST($2 AS BIGINT) FROM parcours_white_label WHERE parcours_id = $1 AND published = 1
        ON CONFLICT (white_label_id, parcours_id) DO UPDATE SET deleted_at = excluded.deleted_at";
    execute(tx, sql, [id.into(), at.0.into()]).await?;
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
