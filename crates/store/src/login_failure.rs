//! Failed tries to sign in, by account and by address.

use domain::Instant;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::entity::login_failure;
use crate::{Connection, StoreError, Tx};

/// How often a subject failed, and when it last did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    /// How often.
    pub count: i64,
    /// When it last did, in seconds since 1970.
    pub last_at_s: i64,
}

/// The failures of a subject: an account or an address.
pub async fn find(db: &impl Connection, subject: &str) -> Result<Failures, StoreError> {
    let row = login_failure::Entity::find_by_id(subject.to_owned()).one(&db.executor()).await?;
    Ok(row.map(|row| Failures { count: row.failures, last_at_s: row.last_at }).unwrap_or_default())
}

/// Takes hold of a subject until the transaction ends: tries at the same time are then judged one after the other.
/// (On SQLite the one writer does that by itself.)
pub async fn lock(tx: &Tx, subject: &str) -> Result<(), StoreError> {
    let row = login_failure::ActiveModel { subject: Set(subject.to_owned()), failures: Set(0), last_at: Set(0) };
    let failures = Expr::col((login_failure::Entity, login_failure::Column::Failures));
    let as_it_is =
        OnConflict::column(login_failure::Column::Subject).value(login_failure::Column::Failures, failures).to_owned();
    login_failure::Entity::insert(row).on_conflict(as_it_is).exec_without_returning(&tx.executor()).await?;
    Ok(())
}

/// Counts one more.
pub async fn add(tx: &Tx, subject: &str, now: Instant) -> Result<(), StoreError> {
    let row = login_failure::ActiveModel { subject: Set(subject.to_owned()), failures: Set(1), last_at: Set(now.0) };
    let more = OnConflict::column(login_failure::Column::Subject)
        .value(
            login_failure::Column::Failures,
            Expr::col((login_failure::Entity, login_failure::Column::Failures)).add(1),
        )
        .update_column(login_failure::Column::LastAt)
        .to_owned();
    login_failure::Entity::insert(row).on_conflict(more).exec_without_returning(&tx.executor()).await?;
    Ok(())
}

/// Takes one back: the try was a good one.
pub async fn take_back(tx: &Tx, subject: &str) -> Result<(), StoreError> {
    login_failure::Entity::update_many()
        .col_expr(login_failure::Column::Failures, Expr::col(login_failure::Column::Failures).sub(1))
        .filter(login_failure::Column::Subject.eq(subject))
        .exec(&tx.executor())
        .await?;
    Ok(())
}

/// Forgets those of a subject.
pub async fn clear(tx: &Tx, subject: &str) -> Result<(), StoreError> {
    login_failure::Entity::delete_by_id(subject.to_owned()).exec(&tx.executor()).await?;
    Ok(())
}

/// Forgets those that are older than an instant.
pub async fn delete_before(tx: &Tx, instant: Instant) -> Result<(), StoreError> {
    login_failure::Entity::delete_many()
        .filter(login_failure::Column::LastAt.lt(instant.0))
        .exec(&tx.executor())
        .await?;
    Ok(())
}
