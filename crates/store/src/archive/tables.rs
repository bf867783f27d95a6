//! The tables of an installation, and what they have beside rows.

use std::collections::BTreeMap;

use sea_orm::{AccessMode, ConnectionTrait as _, IsolationLevel};

use crate::sql::{all, execute, get, one, quoted};
use crate::{Connection, Dialect, SchemaFault, Store, StoreError, Tx};

/// Tables whose rows mean nothing in another installation: those of running servers, of browsers that are signed in, of uploads under way,
/// of the prepared region, of the steps of migrations; and the sums that are kept for maps and of the days of all white-labels.
const LEFT_OUT: [&str; 22] = [
    "backup_made",
    "job_turn",
    "login_failure",
    "map_cell",
    "map_change",
    "map_filled",
    "map_level",
    "node",
    "parcours_presence",
    "password_reset",
    "region_bundle",
    "region_current",
    "schema_version",
    "seaql_migrations",
    "session",
    "statistics_all",
    "statistics_change",
    "statistics_filled",
    "upload",
    "upload_piece",
    "web_build",
    "web_file",
];

/// The words and the boxes by which rows are found.
const FOUND_BY: [&str; 2] = ["_search", "parcours_box"];

/// The jobs that a schedule of a source is: they only wait. Other jobs are work under way of the installation that they are of.
const SCHEDULES: &str = "kind IN ('import_refresh', 'transport_refresh') AND state = 'waiting'";

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Whole,
    Fraction,
    Truth,
    Text,
    /// A text that PostgreSQL keeps as JSON.
    Json,
    Bytes,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableColumn {
    pub(super) name: String,
    pub(super) holds: Holds,
}

/// A table whose rows are part of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    pub(super) columns: Vec<TableColumn>,
    /// The columns of its primary key.
    pub(super) key: Vec<String>,
}

impl Table {
    /// Which of its rows are taken, as SQL.
    pub(super) fn condition(&self) -> &'static str {
        if self.name == "job" { SCHEDULES } else { "TRUE" }
    }
}

/// The tables whose rows are part of an installation, by name.
pub async fn tables(db: &impl Connection) -> Result<Vec<Table>, StoreError> {
    let names = match db.dialect() {
        Dialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
        }
        Dialect::Postgres => {
            "SELECT CAST(table_name AS TEXT) AS name FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1"
        }
    };
    let mut found = Vec::new();
    for row in all(db, names, []).await? {
        let name: String = get(&row, 0)?;
        if LEFT_OUT.contains(&name.as_str()) || FOUND_BY.iter().any(|part| name.contains(part)) {
            continue;
        }
        found.push(Table { columns: columns(db, &name).await?, key: key(db, &name).await?, name });
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

async fn columns(db: &impl Connection, table: &str) -> Result<Vec<TableColumn>, StoreError> {
    let sql = match db.dialect() {
        Dialect::Sqlite => "SELECT name, lower(type) FROM pragma_table_info($1) ORDER BY cid",
        Dialect::Postgres => {
            "SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
        }
    };
    let mut found = Vec::new();
    for row in all(db, sql, [table.into()]).await? {
        let (name, kind): (String, String) = (get(&row, 0)?, get(&row, 1)?);
        let holds = match kind.as_str() {
            "bigint" | "integer" | "smallint" => Holds::Whole,
            "double precision" => Holds::Fraction,
            "boolean" => Holds::Truth,
            "text" | "varchar" | "character varying" => Holds::Text,
            "jsonb" => Holds::Json,
            "blob" | "bytea" => Holds::Bytes,
            other => return Err(StoreError::row("archive", 0, format!("{table}.{name} has the unknown type {other}"))),
        };
        found.push(TableColumn { name, holds });
    }
    Ok(found)
}

async fn key(db: &impl Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let sql = match db.dialect() {
        Dialect::Sqlite => "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk",
        Dialect::Postgres => {
            "SELECT CAST(a.attname AS TEXT) FROM pg_index i
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
            WHERE i.indisprimary AND i.indrelid = to_regclass(quote_ident($1))
            ORDER BY array_position(CAST(i.indkey AS SMALLINT[]), a.attnum)"
        }
    };
    all(db, sql, [table.into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// The last number that each table gave to a row. A number that was given is never given again, also where its row was deleted.
pub async fn next_numbers(db: &impl Connection) -> Result<BTreeMap<String, i64>, StoreError> {
    let sql = match db.dialect() {
        Dialect::Sqlite => "SELECT name, seq FROM sqlite_sequence ORDER BY name",
        Dialect::Postgres => {
            "SELECT CAST(c.table_name AS TEXT), s.last_value FROM information_schema.columns c
            JOIN pg_sequences s ON quote_ident(s.schemaname) || '.' || quote_ident(s.sequencename)
                = pg_get_serial_sequence(quote_ident(c.table_name), c.column_name)
            WHERE c.table_schema = current_schema() AND c.is_identity = 'YES' AND s.last_value IS NOT NULL ORDER BY 1"
        }
    };
    let mut found = BTreeMap::new();
    for row in all(db, sql, []).await? {
        let name: String = get(&row, 0)?;
        if !LEFT_OUT.contains(&name.as_str()) {
            found.insert(name, get(&row, 1)?);
        }
    }
    Ok(found)
}

/// Gives the rows that are made from now on higher numbers than these.
pub async fn set_next_numbers(tx: &Tx, tables: &[Table], last: &BTreeMap<String, i64>) -> Result<(), StoreError> {
    for (name, number) in last {
        if !tables.iter().any(|table| table.name == *name) {
            continue;
        }
        match tx.dialect() {
            Dialect::Sqlite => {
                execute(tx, "DELETE FROM sqlite_sequence WHERE name = $1", [name.as_str().into()]).await?;
                let sql = "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)";
                execute(tx, sql, [name.as_str().into(), (*number).into()]).await?;
            }
            Dialect::Postgres => {
                let sql = "SELECT setval(pg_get_serial_sequence(quote_ident($1), 'id'), $2)";
                one(tx, sql, [name.as_str().into(), (*number).into()]).await?;
            }
        }
    }
    Ok(())
}

/// Whether the database has none of our tables.
pub async fn is_without_tables(store: &Store) -> Result<bool, StoreError> {
    Ok(store.schema().await?.database.is_none())
}

/// Makes the tables of a version, which may be older than this program's.
///
/// # Errors
///
/// Where this program does not know the version, or knows only newer ones.
pub async fn make_tables(store: &Store, version: i64) -> Result<(), StoreError> {
    crate::migrations::run_until(store, version).await?;
    let schema = store.schema().await?;
    if schema.database == Some(version) {
        return Ok(());
    }
    Err(SchemaFault::TooNew { own: schema.own, database: version, oldest: version }.into())
}

/// Begins to read all tables as they are at one moment. On SQLite nothing is written meanwhile: read a copy of the file.
pub async fn begin_reading(store: &Store) -> Result<Tx, StoreError> {
    match store.dialect() {
        Dialect::Sqlite => store.begin().await,
        Dialect::Postgres => store.begin_as(Some(IsolationLevel::RepeatableRead), Some(AccessMode::ReadOnly)).await,
    }
}

/// Lets rows come before those that they refer to, until [`end_put`].
pub async fn begin_put(tx: &Tx) -> Result<(), StoreError> {
    match tx.dialect() {
        Dialect::Sqlite => tx.executor().execute_unprepared("PRAGMA defer_foreign_keys = ON").await.map(|_| ())?,
        Dialect::Postgres => set_deferrable(tx, "DEFERRABLE INITIALLY DEFERRED").await?,
    }
    Ok(())
}

/// Checks the references of all rows, as before.
pub async fn end_put(tx: &Tx) -> Result<(), StoreError> {
    match tx.dialect() {
        // The commit checks them.
        Dialect::Sqlite => Ok(()),
        Dialect::Postgres => {
            tx.executor().execute_unprepared("SET CONSTRAINTS ALL IMMEDIATE").await?;
            set_deferrable(tx, "NOT DEFERRABLE").await
        }
    }
}

async fn set_deferrable(tx: &Tx, how: &str) -> Result<(), StoreError> {
    let sql =
        "SELECT format('ALTER TABLE %s ALTER CONSTRAINT %I', CAST(conrelid AS regclass), conname) FROM pg_constraint
        WHERE contype = 'f' AND connamespace = CAST(current_schema() AS regnamespace)";
    for row in all(tx, sql, []).await? {
        let change: String = get(&row, 0)?;
        tx.executor().execute_unprepared(&format!("{change} {how}")).await?;
    }
    Ok(())
}

/// Deletes the rows that the migrations wrote.
pub async fn empty(tx: &Tx, tables: &[Table]) -> Result<(), StoreError> {
    for table in tables {
        execute(tx, &format!("DELETE FROM {}", quoted(&table.name)), []).await?;
    }
    Ok(())
}
