//! One-time links to choose a new password.

use domain::{Instant, UserId};

use crate::session::TokenHash;
use crate::sql::{execute, get, one};
use crate::{Connection, StoreError, Tx};

/// Keeps a link for a person, whom the caller has locked (`user::lock`); those sent before no longer work. Without the lock, two
/// transactions at once would not see each other's link.
pub async fn insert(tx: &Tx, hash: &TokenHash, user: UserId, expires_at: Instant) -> Result<(), StoreError> {
    delete_all_of(tx, user).await?;
    let sql = "INSERT INTO password_reset (token_hash, user_id, expires_at) VALUES ($1, $2, $3)";
    execute(tx, sql, [hash.to_vec().into(), user.0.into(), expires_at.0.into()]).await?;
    Ok(())
}

/// The user of a link, if it still works.
pub async fn find(db: &impl Connection, hash: &TokenHash, now: Instant) -> Result<Option<UserId>, StoreError> {
    let sql = "SELECT user_id FROM password_reset WHERE token_hash = $1 AND expires_at > $2";
    let found = one(db, sql, [hash.to_vec().into(), now.0.into()]).await?;
    found.map(|row| get(&row, 0).map(UserId)).transpose()
}

/// Uses a link up. False when it was used already.
pub async fn take(tx: &Tx, hash: &TokenHash) -> Result<bool, StoreError> {
    Ok(execute(tx, "DELETE FROM password_reset WHERE token_hash = $1", [hash.to_vec().into()]).await? == 1)
}

/// Forgets every link of a person.
pub async fn delete_all_of(tx: &Tx, user: UserId) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM password_reset WHERE user_id = $1", [user.0.into()]).await?;
    Ok(())
}

/// Forgets the links that are over.
pub async fn delete_expired(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM password_reset WHERE expires_at <= $1", [now.0.into()]).await?;
    Ok(())
}
