//! Personal tokens: programs act for a person with them. Only a hash of each is stored.

use domain::{Instant, TokenScope, UserId};
use sea_orm::{QueryResult, Value};

use crate::session::TokenHash;
use crate::sql::{all, execute, get, inserted, one};
use crate::{Connection, StoreError, Tx};

/// The most tokens of one person.
pub const MAX_TOKENS: usize = 20;

/// A personal token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalToken {
    /// Its number; 0 for one to be.
    pub id: i64,
    /// Its owner.
    pub user_id: UserId,
    /// The name its owner gave it.
    pub name: String,
    /// What it may be used for.
    pub scopes: Vec<TokenScope>,
    pub created_at: Instant,
    /// When it ends.
    pub expires_at: Instant,
    /// When it was last used, to within some minutes.
    pub last_used_at: Option<Instant>,
}

/// Adds a token and returns its number.
pub async fn insert(tx: &Tx, hash: &TokenHash, new: &PersonalToken) -> Result<i64, StoreError> {
    let sql = "INSERT INTO personal_token (token_hash, user_id, name, scopes, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING id";
    let scopes: Vec<&str> = new.scopes.iter().map(|scope| scope.as_str()).collect();
    let values: [Value; 6] = [
        hash.to_vec().into(),
        new.user_id.0.into(),
        new.name.clone().into(),
        scopes.join(" ").into(),
        new.created_at.0.into(),
        new.expires_at.0.into(),
    ];
    inserted(tx, "personal_token", sql, values).await
}

/// The token with this hash, ended by time or not.
pub async fn find(db: &impl Connection, hash: &TokenHash) -> Result<Option<PersonalToken>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM personal_token WHERE token_hash = $1");
    one(db, &sql, [hash.to_vec().into()]).await?.as_ref().map(to_token).transpose()
}

/// The tokens of a person that have not ended, the last one made first.
pub async fn open_of(db: &impl Connection, user: UserId, now: Instant) -> Result<Vec<PersonalToken>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM personal_token WHERE user_id = $1 AND expires_at > $2 ORDER BY id DESC LIMIT 100"
    );
    all(db, &sql, [user.0.into(), now.0.into()]).await?.iter().map(to_token).collect()
}

/// Notes that a token is in use.
pub async fn touch(tx: &Tx, id: i64, now: Instant) -> Result<(), StoreError> {
    execute(tx, "UPDATE personal_token SET last_used_at = $2 WHERE id = $1", [id.into(), now.0.into()]).await?;
    Ok(())
}

/// Ends one token of a person. False when they have none of that number.
pub async fn delete_one_of(tx: &Tx, user: UserId, id: i64) -> Result<bool, StoreError> {
    Ok(execute(tx, "DELETE FROM personal_token WHERE user_id = $1 AND id = $2", [user.0.into(), id.into()]).await? > 0)
}

/// Ends all tokens of a person.
pub async fn delete_all_of(tx: &Tx, user: UserId) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM personal_token WHERE user_id = $1", [user.0.into()]).await?;
    Ok(())
}

/// Deletes the tokens that have ended.
pub async fn delete_expired(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM personal_token WHERE expires_at <= $1", [now.0.into()]).await?;
    Ok(())
}

const COLUMNS: &str = "id, user_id, name, scopes, created_at, expires_at, last_used_at";

fn to_token(row: &QueryResult) -> Result<PersonalToken, StoreError> {
    let scopes: String = get(row, "scopes")?;
    Ok(PersonalToken {
        id: get(row, "id")?,
        user_id: UserId(get(row, "user_id")?),
        name: get(row, "name")?,
        scopes: scopes.split(' ').filter_map(TokenScope::parse).collect(),
        created_at: Instant(get(row, "created_at")?),
        expires_at: Instant(get(row, "expires_at")?),
        last_used_at: get::<Option<i64>>(row, "last_used_at")?.map(Instant),
    })
}
