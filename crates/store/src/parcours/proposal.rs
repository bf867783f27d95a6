//! Changes that a program proposed for a parcours, until a person accepts or refuses them.

use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, get, inserted, one, person};
use crate::{Connection, StoreError, Tx};

/// A proposed change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its number; 0 for one to be.
    pub id: i64,
    /// The person for whom the program proposed it.
    pub user_id: UserId,
    /// First and last name of that person; empty where the account is gone.
    pub user_name: String,
    /// The name of the token that the program used.
    pub token_name: String,
    pub created_at: Instant,
    /// The version of the parcours it was made from.
    pub base_version: i64,
    /// The change, as JSON.
    pub body: String,
}

/// Adds a proposal and returns its number.
pub async fn propose(tx: &Tx, parcours: ParcoursId, new: &Proposal) -> Result<i64, StoreError> {
    let sql = "INSERT INTO parcours_proposal (parcours_id, user_id, token_name, created_at, base_version, body)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING id";
    let values: [Value; 6] = [
        parcours.0.into(),
        new.user_id.0.into(),
        new.token_name.clone().into(),
        new.created_at.0.into(),
        new.base_version.into(),
        new.body.clone().into(),
    ];
    inserted(tx, "parcours_proposal", sql, values).await
}

/// The proposals of a parcours, the oldest first.
pub async fn proposals(db: &impl Connection, parcours: ParcoursId) -> Result<Vec<Proposal>, StoreError> {
    let sql = format!("{SELECT} WHERE r.parcours_id = $1 ORDER BY r.id LIMIT 200");
    all(db, &sql, [parcours.0.into()]).await?.iter().map(to_proposal).collect()
}

/// One proposal of a parcours.
pub async fn proposal(db: &impl Connection, parcours: ParcoursId, id: i64) -> Result<Option<Proposal>, StoreError> {
    let sql = format!("{SELECT} WHERE r.parcours_id = $1 AND r.id = $2");
    one(db, &sql, [parcours.0.into(), id.into()]).await?.as_ref().map(to_proposal).transpose()
}

/// Deletes a proposal: it was accepted or refused. False when another request did so first.
pub async fn settle_proposal(tx: &Tx, parcours: ParcoursId, id: i64) -> Result<bool, StoreError> {
    let sql = "DELETE FROM parcours_proposal WHERE parcours_id = $1 AND id = $2";
    Ok(execute(tx, sql, [parcours.0.into(), id.into()]).await? > 0)
}

const SELECT: &str = r#"SELECT r.id, r.user_id, u.first_name, u.last_name, r.token_name, r.created_at, r.base_version, r.body
    FROM parcours_proposal r LEFT JOIN "user" u ON u.id = r.user_id"#;

fn to_proposal(row: &QueryResult) -> Result<Proposal, StoreError> {
    let id = get(row, "id")?;
    let by = person(row, ["user_id", "first_name", "last_name"])?;
    let (user_id, user_name) = by.ok_or_else(|| StoreError::row("parcours_proposal", id, "no user"))?;
    Ok(Proposal {
        id,
        user_id,
        user_name,
        token_name: get(row, "token_name")?,
        created_at: Instant(get(row, "created_at")?),
        base_version: get(row, "base_version")?,
        body: get(row, "body")?,
    })
}
