//! What an action on many records or parcours changed, kept long enough to be undone.

use domain::record::Kind;
use domain::{Instant, UserId};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::sql::{execute, get, json, one, text};
use crate::{StoreError, Tx};

/// How long an action can be undone.
const UNDO_S: i64 = 600;

/// Keeps what an action replaced under a token, and forgets those that are too old.
pub async fn record_bulk<T: Serialize>(
    tx: &Tx,
    token: &str,
    kind: Kind,
    by: UserId,
    at: Instant,
    items: &[T],
) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM record_bulk WHERE at < $1", [(at.0 - UNDO_S).into()]).await?;
    let sql = "INSERT INTO record_bulk (token, kind, user_id, at, items) VALUES ($1, $2, $3, $4, $5)";
    execute(tx, sql, [token.into(), kind.code().into(), by.0.into(), at.0.into(), text(&items).into()]).await?;
    Ok(())
}

/// Takes an action back out, once: only by who did it, and not when it is too old.
pub async fn take_bulk<T: DeserializeOwned>(
    tx: &Tx,
    token: &str,
    kind: Kind,
    by: UserId,
    at: Instant,
) -> Result<Option<Vec<T>>, StoreError> {
    let sql = "DELETE FROM record_bulk WHERE token = $1 AND kind = $2 AND user_id = $3 AND at >= $4 RETURNING items";
    let since = at.0 - UNDO_S;
    let values = [token.into(), kind.code().into(), by.0.into(), since.into()];
    let mut found = one(tx, sql, values).await?;
    if found.is_none() && kind == Kind::Parcours {
        // Servers of tables 70 keep actions on parcours in a table of their own (decision 0064).
        let sql = "DELETE FROM parcours_bulk WHERE token = $1 AND user_id = $2 AND at >= $3 RETURNING items";
        found = one(tx, sql, [token.into(), by.0.into(), since.into()]).await?;
    }
    let Some(row) = found else { return Ok(None) };
    Ok(Some(json("record_bulk", 0, &get::<String>(&row, 0)?)?))
}
