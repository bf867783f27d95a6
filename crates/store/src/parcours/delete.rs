//! Deleting: the parcours goes to the bin; its revisions, its traces and its source bytes stay, so that it can be restored.

use domain::Actor;
use domain::Instant;

use super::dialect::forget;
use super::write::Stored;
use crate::record::{Change, bin_parcours};
use crate::sql::execute;
use crate::{StoreError, Tx};

/// Deletes a parcours; its shares end. The caller has freed its children before.
pub async fn delete(tx: &Tx, gone: &Stored, by: &Actor, at: Instant) -> Result<(), StoreError> {
    let id = gone.id.0;
    let sql = "INSERT INTO parcours_deleted (parcours_id, white_label_id, version, deleted_at, deleted_by) VALUES ($1, $2, $3, $4, $5)";
    execute(tx, sql, [id.into(), gone.white_label_id.0.into(), gone.version.into(), at.0.into(), by.user_id.0.into()])
        .await?;
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
    ] {
        execute(tx, &format!("DELETE FROM {table} WHERE parcours_id = $1"), [id.into()]).await?;
    }
    super::children::forget_decisions(tx, id).await?;
    crate::custom::forget(tx, domain::record::Kind::Parcours, id).await?;
    let change = Change { by: Some(by.user_id), at, reason: None, languages: &[] };
    bin_parcours(tx, gone, change).await?;
    forget(tx, id).await?;
    execute(tx, "DELETE FROM parcours WHERE id = $1", [id.into()]).await?;
    Ok(())
}
