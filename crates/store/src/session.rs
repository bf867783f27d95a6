//! Sessions: who is signed in. Keys are hashes of tokens, never tokens.

use domain::{Instant, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::session;
use crate::sql::execute;
use crate::{Connection, StoreError, Tx};

/// The stored form of a token: its SHA-256.
pub type TokenHash = [u8; 32];

/// Sessions of one person that are listed at most.
const MAX_LISTED: u64 = 100;

/// A session to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// The signed-in user.
    pub user_id: UserId,
    /// When it ends at the latest.
    pub expires_at: Instant,
    /// The browser's name, such as `Firefox`; empty where it is unknown.
    pub browser: String,
    /// The operating system's name, such as `Windows`; empty where it is unknown.
    pub system: String,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// What its owner ends it by.
    pub id: i64,
    /// The signed-in user.
    pub user_id: UserId,
    /// When they did.
    pub created_at: Instant,
    /// When it ends at the latest.
    pub expires_at: Instant,
    /// When it was last used, to within some minutes.
    pub last_seen_at: Instant,
    /// The browser's name.
    pub browser: String,
    /// The operating system's name.
    pub system: String,
}

impl Session {
    /// Whether it is open: neither over, nor unused for too long.
    pub fn is_open(&self, now: Instant, idle_s: i64) -> bool {
        now < self.expires_at && now < self.last_seen_at.plus_s(idle_s)
    }
}

/// Starts a session.
pub async fn insert(tx: &Tx, hash: &TokenHash, new: NewSession, now: Instant) -> Result<(), StoreError> {
    let row = session::ActiveModel {
        token_hash: Set(hash.to_vec()),
        user_id: Set(new.user_id.0),
        created_at: Set(now.0),
        expires_at: Set(new.expires_at.0),
        last_seen_at: Set(now.0),
        browser: Set(new.browser),
        system: Set(new.system),
        ..Default::default()
    };
    session::Entity::insert(row).exec_without_returning(&tx.executor()).await?;
    Ok(())
}

/// The session of a token, over or not.
pub async fn find(db: &impl Connection, hash: &TokenHash) -> Result<Option<Session>, StoreError> {
    let found = session::Entity::find().filter(session::Column::TokenHash.eq(hash.to_vec()));
    Ok(found.one(&db.executor()).await?.map(to_session))
}

/// The open sessions of a person, the one used last first.
pub async fn open_of(
    db: &impl Connection,
    user: UserId,
    now: Instant,
    idle_s: i64,
) -> Result<Vec<Session>, StoreError> {
    let rows = session::Entity::find()
        .filter(session::Column::UserId.eq(user.0))
        .filter(session::Column::ExpiresAt.gt(now.0))
        .filter(session::Column::LastSeenAt.gt(now.plus_s(-idle_s).0))
        .order_by_desc(session::Column::LastSeenAt)
        .order_by_desc(session::Column::Id)
        .limit(MAX_LISTED)
        .all(&db.executor())
        .await?;
    Ok(rows.into_iter().map(to_session).collect())
}

/// Notes that a session is in use.
pub async fn touch(tx: &Tx, id: i64, now: Instant) -> Result<(), StoreError> {
    execute(tx, "UPDATE session SET last_seen_at = $2 WHERE id = $1", [id.into(), now.0.into()]).await?;
    Ok(())
}

/// Ends one session.
pub async fn delete(tx: &Tx, hash: &TokenHash) -> Result<(), StoreError> {
    session::Entity::delete_many().filter(session::Column::TokenHash.eq(hash.to_vec())).exec(&tx.executor()).await?;
    Ok(())
}

/// Ends one session of a person. False when they have none of that number.
pub async fn delete_one_of(tx: &Tx, user: UserId, id: i64) -> Result<bool, StoreError> {
    let done = session::Entity::delete_many()
        .filter(session::Column::UserId.eq(user.0))
        .filter(session::Column::Id.eq(id))
        .exec(&tx.executor())
        .await?;
    Ok(done.rows_affected > 0)
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

/// Deletes the sessions that are over, by age or for want of use.
pub async fn delete_expired(tx: &Tx, now: Instant, idle_s: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM session WHERE expires_at <= $1 OR last_seen_at <= $2";
    execute(tx, sql, [now.0.into(), now.plus_s(-idle_s).0.into()]).await?;
    Ok(())
}

fn to_session(row: session::Model) -> Session {
    Session {
        id: row.id,
        user_id: row.user_id.into(),
        created_at: Instant(row.created_at),
        expires_at: Instant(row.expires_at),
        last_seen_at: Instant(row.last_seen_at),
        browser: row.browser,
        system: row.system,
    }
}
