//! Sessions: who is signed in. Keys are hashes of tokens, never tokens.

use domain::{Instant, UserId};
use sea_orm::QueryResult;

use crate::sql::{all, execute, get, one};
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
    let sql = "INSERT INTO session (token_hash, user_id, created_at, expires_at, last_seen_at, browser, system)
        VALUES ($1, $2, $3, $4, $3, $5, $6)";
    let values = [
        hash.to_vec().into(),
        new.user_id.0.into(),
        now.0.into(),
        new.expires_at.0.into(),
        new.browser.into(),
        new.system.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// The session of a token, over or not.
pub async fn find(db: &impl Connection, hash: &TokenHash) -> Result<Option<Session>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM session WHERE token_hash = $1");
    one(db, &sql, [hash.to_vec().into()]).await?.as_ref().map(to_session).transpose()
}

/// The open sessions of a person, the one used last first.
pub async fn open_of(
    db: &impl Connection,
    user: UserId,
    now: Instant,
    idle_s: i64,
) -> Result<Vec<Session>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM session WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3
        ORDER BY last_seen_at DESC, id DESC LIMIT {MAX_LISTED}"
    );
    let rows = all(db, &sql, [user.0.into(), now.0.into(), now.plus_s(-idle_s).0.into()]).await?;
    rows.iter().map(to_session).collect()
}

/// Notes that a session is in use.
pub async fn touch(tx: &Tx, id: i64, now: Instant) -> Result<(), StoreError> {
    execute(tx, "UPDATE session SET last_seen_at = $2 WHERE id = $1", [id.into(), now.0.into()]).await?;
    Ok(())
}

/// Ends one session.
pub async fn delete(tx: &Tx, hash: &TokenHash) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM session WHERE token_hash = $1", [hash.to_vec().into()]).await?;
    Ok(())
}

/// Ends one session of a person. False when they have none of that number.
pub async fn delete_one_of(tx: &Tx, user: UserId, id: i64) -> Result<bool, StoreError> {
    Ok(execute(tx, "DELETE FROM session WHERE user_id = $1 AND id = $2", [user.0.into(), id.into()]).await? > 0)
}

/// Ends every session of a person.
pub async fn delete_all_of(tx: &Tx, user: UserId) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM session WHERE user_id = $1", [user.0.into()]).await?;
    Ok(())
}

/// Ends every session of a person but one.
pub async fn delete_others_of(tx: &Tx, user: UserId, kept: &TokenHash) -> Result<(), StoreError> {
    let sql = "DELETE FROM session WHERE user_id = $1 AND token_hash <> $2";
    execute(tx, sql, [user.0.into(), kept.to_vec().into()]).await?;
    Ok(())
}

/// Deletes the sessions that are over, by age or for want of use.
pub async fn delete_expired(tx: &Tx, now: Instant, idle_s: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM session WHERE expires_at <= $1 OR last_seen_at <= $2";
    execute(tx, sql, [now.0.into(), now.plus_s(-idle_s).0.into()]).await?;
    Ok(())
}

/// The columns of a session.
const COLUMNS: &str = "id, user_id, created_at, expires_at, last_seen_at, browser, system";

fn to_session(row: &QueryResult) -> Result<Session, StoreError> {
    Ok(Session {
        id: get(row, "id")?,
        user_id: UserId(get(row, "user_id")?),
        created_at: Instant(get(row, "created_at")?),
        expires_at: Instant(get(row, "expires_at")?),
        last_seen_at: Instant(get(row, "last_seen_at")?),
        browser: get(row, "browser")?,
        system: get(row, "system")?,
    })
}
