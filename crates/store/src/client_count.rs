//! What clients sent in the present period, counted by all servers together.

use domain::Instant;

use crate::sql::{execute, get, one};
use crate::{StoreError, Tx};

/// Adds `sent` to the count of a subject in the period that ends at an instant, and returns the new count. The same client has
/// another subject in each period.
pub async fn add(tx: &Tx, subject: &str, ends_at: Instant, sent: i64) -> Result<i64, StoreError> {
    let sql = "INSERT INTO client_count (subject, ends_at, count) VALUES ($1, $2, $3)
        ON CONFLICT (subject) DO UPDATE SET count = client_count.count + excluded.count RETURNING count";
    let row = one(tx, sql, [subject.into(), ends_at.0.into(), sent.into()]).await?;
    // It returns one row.
    row.map_or(Ok(sent), |row| get(&row, 0))
}

/// Deletes what was counted in periods that are over.
pub async fn delete_ended(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM client_count WHERE ends_at <= $1", [now.0.into()]).await?;
    Ok(())
}
