//! PostgreSQL's advisory locks: their keys in one place, so that no two purposes have the same one. Any number will do that no
//! other program uses. SQLite has one writer and needs none.

use crate::sql::execute;
use crate::{Connection as _, Dialect, StoreError, Tx};

/// Held by the server that runs migrations.
pub(crate) const MIGRATIONS: i64 = 319_358_889_838;
/// Held while changes are added to the sums of maps. The trigger of `m0093_map_cells` has it too.
pub(crate) const MAP_SUMS: i64 = 319_358_889_839;
/// Held while changes are added to the sums of statistics. The trigger of `m0094_statistics_of_all` has it too.
pub(crate) const STATISTICS_SUMS: i64 = 319_358_889_840;
/// Held while a server claims a job.
pub(crate) const JOB_CLAIM: i64 = 319_358_889_841;
/// Held while a transaction checks that a user who manages users remains.
pub(crate) const USER_MANAGERS: i64 = 319_358_889_842;
/// Held while a parcours gets another parent ([`crate::tree`]).
pub(crate) const PARCOURS_PARENTS: i64 = 319_358_889_843;
/// Held while a parcours gets another model.
pub(crate) const PARCOURS_MODELS: i64 = 319_358_889_844;
/// Held while an item of a reference list gets another parent.
pub(crate) const VOCABULARY_PARENTS: i64 = 319_358_889_845;
/// Held while a transaction changes which translator is the default.
pub(crate) const DEFAULT_TRANSLATOR: i64 = 319_358_889_846;

/// Holds a lock until the transaction ends; waits for a transaction that holds it.
pub(crate) async fn hold(tx: &Tx, key: i64) -> Result<(), StoreError> {
    if tx.dialect() == Dialect::Postgres {
        execute(tx, "SELECT pg_advisory_xact_lock($1)", [key.into()]).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_has_a_key_of_its_own() {
        let mut keys = [
            MIGRATIONS,
            MAP_SUMS,
            STATISTICS_SUMS,
            JOB_CLAIM,
            USER_MANAGERS,
            PARCOURS_PARENTS,
            PARCOURS_MODELS,
            VOCABULARY_PARENTS,
            DEFAULT_TRANSLATOR,
        ];
        keys.sort_unstable();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{keys:?}");
    }
}
