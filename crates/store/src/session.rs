//! Sessions: who is signed in. Keys are hashes of tokens, never tokens.

use domain::{Instant, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::entity::session;
use crate::{Connection, StoreError, Tx};

/// What is kept of a token: its SHA-256.
pub type TokenHash = [u8; 32];

/// A session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub user_id: UserId,
    /// When it ends.
    pub expires_at: Instant,
}

/// Starts a session.
pub async fn insert(tx: &Tx, hash: &TokenHash, session: Session, now: Instant) -> Result<(), StoreError> {
    let row = session::ActiveModel {
        token_hash: Set(hash.to_vec()),
        user_id: Set(session.user_id.0),
        created_at: Set(now.0),
        expires_at: Set(session.expires_at.0),
    };
    session::Entity::insert(row).exec_without_returning(&tx.executor()).await?;
    Ok(())
}

/// The session of a token, over or not.
pub async fn find(db: &impl Connection, hash: &TokenHash) -> Result<Option<Session>, StoreError> {
    let row = session::Entity::find_by_id(hash.to_vec()).one(&db.executor()).await?;
    Ok(row.map(|row| Session { user_id: row.user_id.into(), expires_at: Instant(row.expires_at) }))
}

/// Ends one session.
pub async fn delete(tx: &Tx, hash: &TokenHash) -> Result<(), StoreError> {
    session::Entity::delete_by_id(hash.to_vec()).exec(&tx.executor()).await?;
    Ok(())
}

/// Ends every session of a person.
pub async fn delete_all_of(tx: &Tx, user: UserId) -> Result<(), StoreError> {
    session::Entity::delete_many().filter(session::Column::UserId.eq(user.0)).exec(&tx.executor()).await?;
    Ok(())
}

/// Ends every session of a person but one.
pub async fn delete_others_of(tx: &Tx, user: UserId, kept: &TokenHash) -> Result<(), StoreError> {
    session::Entity::delete_many()
        .filter(session::Column::UserId.eq(user.0))
        .filter(session::Column::TokenHash.ne(kept.to_vec()))
        .exec(&tx.executor())
        .await?;
    Ok(())
}

/// Forgets the sessions that are over.
pub async fn delete_expired(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    session::Entity::delete_many().filter(session::Column::ExpiresAt.lte(now.0)).exec(&tx.executor()).await?;
    Ok(())
}
