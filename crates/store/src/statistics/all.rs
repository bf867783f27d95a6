//! The sums of the days of all white-labels together, which triggers keep (`m0094_statistics_of_all`).

use sea_orm::IsolationLevel;

use crate::sql::{execute, get, one};
use crate::{Dialect, Store, StoreError};

/// The lock of those who add changes to the sums, on PostgreSQL; `m0094_statistics_of_all` has it too.
const FOLDING: i64 = 319_358_889_840;

/// Works out the sums of a database of PostgreSQL that has figures but no such sums yet. Other servers may write meanwhile: the rows are added
/// up as they are at one moment, and the changes noted up to that moment are deleted. Later changes stay, and are added to the sums as usual.
/// On SQLite the step that made the table filled it.
pub async fn fill(store: &Store) -> Result<(), StoreError> {
    const IS_FILLED: &str = "SELECT 1 FROM statistics_filled";
    if store.dialect() == Dialect::Sqlite || one(store.read_now(), IS_FILLED, []).await?.is_some() {
        return Ok(());
    }
    let tx = store.begin_as(Some(IsolationLevel::RepeatableRead), None).await?;
    // Where another server has the lock, it works them out; until they are there figures are added up from each white-label's.
    let locked = one(&tx, "SELECT pg_try_advisory_xact_lock($1)", [FOLDING.into()]).await?;
    if !locked.map(|row| get::<bool>(&row, 0)).transpose()?.unwrap_or(false) || one(&tx, IS_FILLED, []).await?.is_some()
    {
        return Ok(());
    }
    // A server with many figures must start too, however long this takes.
    execute(&tx, "SET LOCAL statement_timeout = 0", []).await?;
    execute(&tx, "DELETE FROM statistics_change", []).await?;
    let sql = "INSERT INTO statistics_all SELECT day, kind, source, country, language, SUM(total) FROM statistics_day
        WHERE parcours_id = 0 GROUP BY 1, 2, 3, 4, 5";
    execute(&tx, sql, []).await?;
    execute(&tx, "INSERT INTO statistics_filled (id) VALUES (1)", []).await?;
    tx.commit_aside().await
}
