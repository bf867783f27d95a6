//! Checks of a database for operators: its clock, a copy, whether it takes writes, whether it is damaged.

use std::path::Path;
use std::time::Duration;

use domain::Instant;
use sea_orm::ConnectionTrait as _;

use crate::file_access::may_write;
use crate::sql::{all, get, one};
use crate::{Dialect, Store, StoreError};

/// The longest wait for the one writer of SQLite, below the time that a probe has.
const WRITER_TIMEOUT: Duration = Duration::from_millis(300);

impl Store {
    /// How many seconds the clock of this machine is before that of the database; 0 with SQLite, which has no clock.
    pub async fn clock_difference(&self, now: Instant) -> Result<i64, StoreError> {
        if self.dialect() == Dialect::Sqlite {
            return Ok(0);
        }
        let row = one(self.read(), "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS BIGINT)", []).await?;
        let there: i64 = row.map_or(Ok(now.0), |row| get(&row, 0))?;
        Ok(now.0 - there)
    }

    /// Whether it takes writes: false for a PostgreSQL standby, a read-only PostgreSQL server, and an SQLite file that this process may not
    /// write, or opened when it might not. It writes nothing, and a concurrent write does not count as a fault.
    pub async fn takes_writes(&self) -> Result<bool, StoreError> {
        if let Some(file) = self.file() {
            return Ok(may_write(file) && self.begins_to_write().await?);
        }
        let sql = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'";
        let row = one(self.read_now(), sql, []).await?;
        let only_reads: bool = row.map_or(Ok(false), |row| get(&row, 0))?;
        Ok(!only_reads)
    }

    /// Whether SQLite begins a transaction that writes; it is rolled back. SQLite refuses it where the shared memory of the journal (`-shm`) could
    /// not be written when it was opened, even if its rights have changed since. Where another transaction writes, SQLite takes writes.
    async fn begins_to_write(&self) -> Result<bool, StoreError> {
        match tokio::time::timeout(WRITER_TIMEOUT, self.begin()).await {
            Err(_) | Ok(Ok(_)) => Ok(true),
            Ok(Err(error)) if error.is_of_locked_file() => Ok(true),
            Ok(Err(error)) if error.is_of_read_only_file() => Ok(false),
            Ok(Err(error)) => Err(error),
        }
    }

    /// Copies a SQLite database into a new file, as it is at one moment, while others read and write it.
    pub async fn copy_to_file(&self, file: &Path) -> Result<(), StoreError> {
        let file = file.display().to_string().replace('\'', "''");
        self.writer().execute_unprepared(&format!("VACUUM INTO '{file}'")).await?;
        Ok(())
    }

    /// The faults that SQLite finds in its file; empty if there are none.
    pub async fn damages(&self) -> Result<Vec<String>, StoreError> {
        let rows = all(self.read(), "PRAGMA integrity_check", []).await?;
        let words = rows.iter().map(|row| get::<String>(row, 0)).collect::<Result<Vec<_>, _>>()?;
        Ok(words.into_iter().filter(|word| word != "ok").collect())
    }
}
