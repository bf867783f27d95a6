//! What an operator asks of a PostgreSQL server: its clock, its extension for searches.

use domain::Instant;

use crate::sql::{get, one};
use crate::{Dialect, Store, StoreError};

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

    /// Whether searches use an index of letters: always with SQLite, with PostgreSQL where `pg_trgm` is there.
    pub async fn has_trigrams(&self) -> Result<bool, StoreError> {
        if self.dialect() == Dialect::Sqlite {
            return Ok(true);
        }
        Ok(one(self.read(), "SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'", []).await?.is_some())
    }
}
