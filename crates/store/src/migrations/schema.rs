//! Which version the tables have, and whether this program may run on them (decision 0051).

use std::collections::HashSet;

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use super::statements;
use super::steps::{OlderBinaries, Step, steps};
use crate::{Dialect, SchemaFault, Store, StoreError};

/// A step that was not run yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingStep {
    pub name: String,
    /// Whether servers of versions before it may run on the tables once it was run.
    pub fits_older_servers: bool,
    /// Its statements, for this database; none where code makes them.
    pub statements: Vec<String>,
}

/// The tables of a database, compared with what this program knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// The version of this program: the number of its newest step.
    pub own: i64,
    /// The version of the tables; none where there are none.
    pub database: Option<i64>,
    /// The oldest version of the program that may run on the tables.
    pub oldest_binary: i64,
    /// Whether steps were run that this program does not know.
    pub has_unknown: bool,
    /// The steps of this program that were not run, in order.
    pub pending: Vec<PendingStep>,
    /// Whether the tables say what this program would write about them.
    pub(super) is_recorded: bool,
}

impl Schema {
    /// Why this program may not run on the tables. A database that is older is not refused once it was migrated.
    pub fn fault(&self) -> Option<SchemaFault> {
        let (own, database, oldest) = (self.own, self.database.unwrap_or_default(), self.oldest_binary);
        if self.has_unknown && !self.pending.is_empty() {
            return Some(SchemaFault::Diverged { own, database });
        }
        if self.has_unknown && oldest > own {
            return Some(SchemaFault::TooNew { own, database, oldest });
        }
        (!self.pending.is_empty()).then_some(SchemaFault::Older { own, database: self.database })
    }

    /// Whether only steps of this program are missing.
    pub fn wants_migration(&self) -> bool {
        matches!(self.fault(), Some(SchemaFault::Older { .. }))
    }

    /// Whether servers that run on the tables now may go on while the pending steps are run and after.
    pub fn fits_running_servers(&self) -> bool {
        self.pending.iter().all(|step| step.fits_older_servers)
    }
}

impl Store {
    /// Compares the tables with what this program knows. Nothing is changed.
    pub async fn schema(&self) -> Result<Schema, StoreError> {
        Ok(read(self.read().pool(), self.dialect()).await?)
    }
}

/// Reads on one connection.
pub(super) async fn read(db: &impl ConnectionTrait, dialect: Dialect) -> Result<Schema, sea_orm::DbErr> {
    let mut done = HashSet::new();
    if has_table(db, dialect, "seaql_migrations").await? {
        let sql = Statement::from_string(backend(dialect), "SELECT version FROM seaql_migrations");
        for row in db.query_all_raw(sql).await? {
            done.insert(row.try_get_by_index::<String>(0)?);
        }
    }
    let mut recorded = None;
    if has_table(db, dialect, "schema_version").await? {
        let sql =
            Statement::from_string(backend(dialect), "SELECT version, oldest_binary FROM schema_version WHERE id = 1");
        if let Some(row) = db.query_one_raw(sql).await? {
            recorded = Some((row.try_get_by_index::<i64>(0)?, row.try_get_by_index::<i64>(1)?));
        }
    }
    Ok(compared(&steps(), &done, recorded, dialect))
}

fn compared(known: &[Step], done: &HashSet<String>, recorded: Option<(i64, i64)>, dialect: Dialect) -> Schema {
    let names: HashSet<String> = known.iter().map(Step::name).collect();
    let (version, recorded_oldest) = recorded.unwrap_or_default();
    let pending = known.iter().filter(|step| !done.contains(&step.name())).map(|step| PendingStep {
        name: step.name(),
        fits_older_servers: step.older == OlderBinaries::Fit,
        statements: step.script.map(|script| statements(script, dialect == Dialect::Sqlite)).unwrap_or_default(),
    });
    Schema {
        own: newest(known),
        database: done.iter().map(|name| number(name)).max().map(|run| run.max(version)),
        oldest_binary: recorded_oldest,
        has_unknown: done.iter().any(|name| !names.contains(name)),
        pending: pending.collect(),
        is_recorded: recorded == Some((newest(known), oldest_binary(known))),
    }
}

/// Records what the tables are, or are about to become: all steps of this program were run. Tables from before there was a place for
/// it are left alone.
pub(super) async fn record(db: &impl ConnectionTrait, dialect: Dialect) -> Result<(), sea_orm::DbErr> {
    if !has_table(db, dialect, "schema_version").await? {
        return Ok(());
    }
    let known = steps();
    let sql = "INSERT INTO schema_version (id, version, oldest_binary) VALUES (1, $1, $2)
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, oldest_binary = excluded.oldest_binary";
    let values = [newest(&known).into(), oldest_binary(&known).into()];
    db.execute_raw(Statement::from_sql_and_values(backend(dialect), sql, values)).await?;
    Ok(())
}

fn newest(known: &[Step]) -> i64 {
    known.iter().map(|step| number(&step.name())).max().unwrap_or_default()
}

/// The newest step that a program must know.
fn oldest_binary(known: &[Step]) -> i64 {
    let breaking = known.iter().filter(|step| step.older == OlderBinaries::Break);
    breaking.map(|step| number(&step.name())).max().unwrap_or_default()
}

/// The number in the name of a step, `m0046_schema_version`; 0 where there is none.
pub(super) fn number(name: &str) -> i64 {
    let digits: String = name.chars().skip(1).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

const fn backend(dialect: Dialect) -> DbBackend {
    match dialect {
        Dialect::Sqlite => DbBackend::Sqlite,
        Dialect::Postgres => DbBackend::Postgres,
    }
}

async fn has_table(db: &impl ConnectionTrait, dialect: Dialect, name: &str) -> Result<bool, sea_orm::DbErr> {
    let sql = match dialect {
        Dialect::Sqlite => "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1",
        Dialect::Postgres => "SELECT 1 WHERE to_regclass($1) IS NOT NULL",
    };
    Ok(db.query_one_raw(Statement::from_sql_and_values(backend(dialect), sql, [name.into()])).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(ran: &[&str], recorded: Option<(i64, i64)>) -> Schema {
        let mut done: HashSet<String> = steps().iter().map(Step::name).collect();
        done.extend(ran.iter().map(|name| (*name).to_owned()));
        compared(&steps(), &done, recorded, Dialect::Sqlite)
    }

    #[test]
    fn a_newer_database_is_served_when_it_says_so_and_refused_in_words_when_not() {
        let own = newest(&steps());
        assert_eq!(after(&[], Some((own, 46))).fault(), None);
        let newer = after(&["m9001_later"], Some((9001, own)));
        assert_eq!((newer.fault(), newer.database), (None, Some(9001)));
        let fault = after(&["m9001_later"], Some((9001, 9001))).fault().map(|fault| fault.to_string());
        let words = format!(
            "the tables have version 9001, and only versions of Jalon from 9001 on may run on them; this one knows versions up to {own}. \
             Start the newer Jalon"
        );
        assert_eq!(fault, Some(words));
    }

    #[test]
    fn steps_that_this_program_lacks_and_steps_that_the_database_lacks_do_not_go_together() {
        let done = HashSet::from(["m0001_foundation".to_owned(), "m9001_later".to_owned()]);
        let both = compared(&steps(), &done, Some((9001, 1)), Dialect::Sqlite);
        assert!(matches!(both.fault(), Some(SchemaFault::Diverged { .. })));
        assert!(!both.wants_migration());
    }

    #[test]
    fn an_older_database_wants_the_steps_that_are_missing() {
        let done = HashSet::from(["m0001_foundation".to_owned()]);
        let older = compared(&steps(), &done, None, Dialect::Postgres);
        assert!(older.wants_migration() && !older.fits_running_servers());
        let last = older.pending.iter().find(|step| step.name == "m0047_web_builds");
        assert!(last.is_some_and(|step| step.fits_older_servers && step.statements.len() == 3));
        let empty = compared(&steps(), &HashSet::new(), None, Dialect::Sqlite);
        assert_eq!((empty.database, empty.pending.len()), (None, steps().len()));
    }

    #[test]
    fn steps_are_numbered_upwards() {
        let numbers: Vec<i64> = steps().iter().map(|step| number(&step.name())).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
        assert!(oldest_binary(&steps()) >= 46);
    }
}
