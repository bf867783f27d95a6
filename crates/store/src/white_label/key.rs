//! A white-label's keys: that of its public API by its hash, that of its translation service sealed.

use std::collections::HashMap;

use domain::Instant;

use crate::session::TokenHash;
use crate::sql::{all, execute, get, numbers, one};
use crate::{Connection, StoreError, Tx};

/// The part of a key that is shown after it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHead {
    /// Its first letters.
    pub prefix: String,
    pub created_at: Instant,
}

/// Keeps a new key of a white-label; the previous one stops working.
pub async fn put_key(tx: &Tx, white_label: i64, hash: &TokenHash, head: &KeyHead) -> Result<(), StoreError> {
    let sql = "INSERT INTO white_label_key (white_label_id, key_hash, prefix, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (white_label_id) DO UPDATE SET key_hash = excluded.key_hash, prefix = excluded.prefix, created_at = excluded.created_at";
    let values = [white_label.into(), hash.to_vec().into(), head.prefix.clone().into(), head.created_at.0.into()];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Forgets the key of a white-label. False when it had none.
pub async fn drop_key(tx: &Tx, white_label: i64) -> Result<bool, StoreError> {
    let gone = execute(tx, "DELETE FROM white_label_key WHERE white_label_id = $1", [white_label.into()]).await?;
    Ok(gone > 0)
}

/// The shown parts of the keys of these white-labels.
pub async fn key_heads(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, KeyHead>, StoreError> {
    let sql = format!(
        "SELECT white_label_id, prefix, created_at FROM white_label_key WHERE white_label_id IN {}",
        numbers(ids)
    );
    let rows = all(db, &sql, []).await?;
    let head = |row| Ok((get(row, 0)?, KeyHead { prefix: get(row, 1)?, created_at: Instant(get(row, 2)?) }));
    rows.iter().map(head).collect()
}

/// The sealed key of a white-label's translation service.
pub async fn translation_key(db: &impl Connection, white_label: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let found = one(db, "SELECT translation_key FROM white_label WHERE id = $1", [white_label.into()]).await?;
    found.map_or(Ok(None), |row| get(&row, 0))
}
