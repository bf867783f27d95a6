//! Sums that triggers of PostgreSQL maintain (`m0093_map_cells`, `m0094_statistics_of_all`), calculated once for the rows from before.

use sea_orm::IsolationLevel;

use crate::sql::{execute, get, one};
use crate::{Dialect, Store, StoreError};

/// Sums, and how they are calculated. On SQLite the migration that made their table filled it.
pub(crate) struct KeptSums {
    /// The advisory lock for adding changes to the sums; the triggers take it too.
    pub lock: i64,
    /// A query that returns a row if the sums are complete.
    pub is_filled: String,
    /// Statements that delete the recorded changes, add up the rows, and record that the sums are complete.
    pub fill: [String; 3],
}

impl KeptSums {
    /// Calculates the sums of a database that has none yet. Other servers may write meanwhile: the rows are added up as they are at one
    /// moment, and the changes noted up to that moment are deleted. Later changes stay, and are added to the sums as usual.
    pub(crate) async fn work_out(&self, store: &Store) -> Result<(), StoreError> {
        if store.dialect() == Dialect::Sqlite || one(store.read_now(), &self.is_filled, []).await?.is_some() {
            return Ok(());
        }
        let tx = store.begin_as(Some(IsolationLevel::RepeatableRead), None).await?;
        // Where another server has the lock, it works them out; until they are there the rows themselves are read.
        let locked = one(&tx, "SELECT pg_try_advisory_xact_lock($1)", [self.lock.into()]).await?;
        let has_lock = locked.map(|row| get::<bool>(&row, 0)).transpose()?.unwrap_or(false);
        if !has_lock || one(&tx, &self.is_filled, []).await?.is_some() {
            return Ok(());
        }
        // A server with millions of rows must start too, however long this takes.
        execute(&tx, "SET LOCAL statement_timeout = 0", []).await?;
        for statement in &self.fill {
            execute(&tx, statement, []).await?;
        }
        tx.commit_aside().await
    }
}
