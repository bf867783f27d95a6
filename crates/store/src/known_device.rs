//! Devices on which an account signed in before. Keys are hashes of tokens, never tokens.

use domain::{Instant, UserId};

use crate::session::TokenHash;
use crate::sql::{execute, get, one};
use crate::{Connection, StoreError, Tx};

/// Devices kept of one account; beyond that the one used longest ago is forgotten.
const MAX_DEVICES: i64 = 20;

/// The account of a device's token.
pub async fn find(db: &impl Connection, hash: &TokenHash) -> Result<Option<UserId>, StoreError> {
    let found = one(db, "SELECT user_id FROM known_device WHERE token_hash = $1", [hash.to_vec().into()]).await?;
    Ok(found.map(|row| get::<i64>(&row, 0)).transpose()?.map(UserId))
}

/// Notes that an account signed in on a device.
pub async fn remember(tx: &Tx, hash: &TokenHash, user: UserId, now: Instant) -> Result<(), StoreError> {
    let sql = "INSERT INTO known_device (token_hash, user_id, last_used_at) VALUES ($1, $2, $3)
        ON CONFLICT (token_hash) DO UPDATE SET last_used_at = $3";
    execute(tx, sql, [hash.to_vec().into(), user.0.into(), now.0.into()]).await?;
    let sql = "DELETE FROM known_device WHERE user_id = $1 AND token_hash NOT IN
        (SELECT token_hash FROM known_device WHERE user_id = $1 ORDER BY last_used_at DESC, token_hash LIMIT $2)";
    execute(tx, sql, [user.0.into(), MAX_DEVICES.into()]).await?;
    Ok(())
}

/// Forgets the devices of an account, but for one.
pub async fn forget_others(tx: &Tx, user: UserId, kept: Option<&TokenHash>) -> Result<(), StoreError> {
    let kept = kept.map(|hash| hash.to_vec()).unwrap_or_default();
    execute(tx, "DELETE FROM known_device WHERE user_id = $1 AND token_hash <> $2", [user.0.into(), kept.into()])
        .await?;
    Ok(())
}

/// Forgets the devices that were not used since an instant.
pub async fn delete_unused(tx: &Tx, since: Instant) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM known_device WHERE last_used_at < $1", [since.0.into()]).await?;
    Ok(())
}
