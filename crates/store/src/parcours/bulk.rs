//! What an action on many changed, kept long enough to be undone.

use domain::parcours::BulkChange;
use domain::{Instant, ParcoursId, UserId};
use serde::{Deserialize, Serialize};

use crate::sql::{execute, get, json, one, text};
use crate::{StoreError, Tx};

/// One parcours of an action: the version it made, and what was there before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkRecord {
    /// Its number.
    pub id: ParcoursId,
    /// The version the action made: undone only while it is still the last.
    pub version: i64,
    /// What the action replaced.
    pub before: BulkChange,
}

/// How long an action can be undone.
const UNDO_S: i64 = 600;

/// Keeps an action under a token, and forgets those that are too old.
pub async fn record_bulk(
    tx: &Tx,
    token: &str,
    by: UserId,
    at: Instant,
    records: &[BulkRecord],
) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM parcours_bulk WHERE at < $1", [(at.0 - UNDO_S).into()]).await?;
    let sql = "INSERT INTO parcours_bulk (token, user_id, at, items) VALUES ($1, $2, $3, $4)";
    execute(tx, sql, [token.into(), by.0.into(), at.0.into(), text(&records).into()]).await?;
    Ok(())
}

/// Takes an action back out, once: only by who did it, and not when it is too old.
pub async fn take_bulk(tx: &Tx, token: &str, by: UserId, at: Instant) -> Result<Option<Vec<BulkRecord>>, StoreError> {
    let sql = "DELETE FROM parcours_bulk WHERE token = $1 AND user_id = $2 AND at >= $3 RETURNING items";
    let Some(row) = one(tx, sql, [token.into(), by.0.into(), (at.0 - UNDO_S).into()]).await? else { return Ok(None) };
    Ok(Some(json("parcours_bulk", 0, &get::<String>(&row, 0)?)?))
}
