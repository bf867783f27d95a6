//! One-time links to choose a new password.

use domain::{Instant, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::entity::password_reset;
use crate::session::TokenHash;
use crate::{Connection, StoreError, Tx};

/// Keeps a link for a person; those sent before no longer work.
pub async fn insert(tx: &Tx, hash: &TokenHash, user: UserId, expires_at: Instant) -> Result<(), StoreError> {
    delete_all_of(tx, user).await?;
    let row = password_reset::ActiveModel {
        token_hash: Set(hash.to_vec()),
        user_id: Set(user.0),
        expires_at: Set(expires_at.0),
    };
    password_reset::Entity::insert(row).exec_without_returning(&tx.executor()).await?;
    Ok(())
}

/// The user of a link, if it still works.
pub async fn find(db: &impl Connection, hash: &TokenHash, now: Instant) -> Result<Option<UserId>, StoreError> {
    let row = password_reset::Entity::find_by_id(hash.to_vec()).one(&db.executor()).await?;
    Ok(row.filter(|row| row.expires_at > now.0).map(|row| row.user_id.into()))
}

/// Uses a link up. False when it was used already.
pub async fn take(tx: &Tx, hash: &TokenHash) -> Result<bool, StoreError> {
    let done = password_reset::Entity::delete_by_id(hash.to_vec()).exec(&tx.executor()).await?;
    Ok(done.rows_affected == 1)
}

/// Forgets every link of a person.
pub async fn delete_all_of(tx: &Tx, user: UserId) -> Result<(), StoreError> {
    password_reset::Entity::delete_many()
        .filter(password_reset::Column::UserId.eq(user.0))
        .exec(&tx.executor())
        .await?;
    Ok(())
}

/// Forgets the links that are over.
pub async fn delete_expired(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    password_reset::Entity::delete_many()
        .filter(password_reset::Column::ExpiresAt.lte(now.0))
        .exec(&tx.executor())
        .await?;
    Ok(())
}
