//! Whole databases of a PostgreSQL server, for tests and tools: made from a template, dropped.

use std::str::FromStr;

use sea_orm::ConnectionTrait as _;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection};
use sea_orm::sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};

use crate::sql::{all, get, one, quoted};
use crate::{Connection as _, StoreError};

/// Makes a database, empty or as a copy of another one that has no connections.
pub async fn create_database(server: &str, name: &str, template: Option<&str>) -> Result<(), StoreError> {
    let connection = connect(server).await?;
    let from = template.map(|template| format!(" TEMPLATE {}", quoted(template))).unwrap_or_default();
    // From version 15 on PostgreSQL would write each page of a copy into its log, which takes three times the processor time of copied files.
    let knows_strategies = connection.server_version_num().is_some_and(|version| version >= 150_000);
    let by_files = if template.is_some() && knows_strategies { " STRATEGY file_copy" } else { "" };
    run(connection, format!("CREATE DATABASE {}{from}{by_files}", quoted(name))).await
}

/// Drops a database, and closes its connections.
pub async fn drop_database(server: &str, name: &str) -> Result<(), StoreError> {
    run(connect(server).await?, format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", quoted(name))).await
}

/// Has a replica follow the log of its primary, or receive it alone.
pub async fn follow(replica: &str, follows: bool) -> Result<(), StoreError> {
    let word = if follows { "resume" } else { "pause" };
    run(connect(replica).await?, format!("SELECT pg_wal_replay_{word}()")).await
}

async fn connect(server: &str) -> Result<PgConnection, StoreError> {
    Ok(PgConnectOptions::from_str(server)?.disable_statement_logging().connect().await?)
}

async fn run(mut connection: PgConnection, sql: String) -> Result<(), StoreError> {
    // Names are quoted above; a database's name cannot be a parameter.
    connection.execute(AssertSqlSafe(sql)).await?;
    connection.close().await?;
    Ok(())
}

/// Runs SQL unchanged, for tests that damage a database.
pub async fn run_sql(tx: &crate::Tx, sql: &str) -> Result<(), StoreError> {
    tx.executor().execute_unprepared(sql).await?;
    Ok(())
}

/// The first column of what a statement finds, a text: for tests that look at what is stored.
pub async fn texts(db: &impl crate::Connection, sql: &str) -> Result<Vec<String>, StoreError> {
    all(db, sql, []).await?.iter().map(|row| get(row, 0)).collect()
}

/// Whether another transaction waits for a row that this one has locked, on PostgreSQL: for tests of locks.
pub async fn is_waited_for(db: &impl crate::Connection, tx: &crate::Tx) -> Result<bool, StoreError> {
    let own = texts(tx, "SELECT CAST(pg_backend_pid() AS TEXT)").await?.concat();
    let sql = format!("SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_activity WHERE {own} = ANY(pg_blocking_pids(pid))");
    Ok(texts(db, &sql).await? != ["0"])
}

/// A named column of the first row that a statement finds: for tests of the reading of rows.
pub async fn named_text(db: &impl crate::Connection, sql: &str, column: &str) -> Result<Option<String>, StoreError> {
    let row = one(db, sql, []).await?.ok_or_else(|| StoreError::row("test", 0, "no row"))?;
    get(&row, column)
}

/// Every row of every table as text, for tests that look for what must be kept nowhere.
pub async fn every_row(db: &impl crate::Connection) -> Result<String, StoreError> {
    let sqlite = db.dialect() == crate::Dialect::Sqlite;
    let tables = if sqlite {
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    } else {
        "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'"
    };
    let mut found = String::new();
    for table in all(db, tables, []).await? {
        let table: String = get(&table, 0)?;
        let row = if sqlite {
            let columns = all(db, "SELECT name FROM pragma_table_info($1)", [table.clone().into()]).await?;
            let columns: Result<Vec<String>, _> = columns.iter().map(|column| get(column, 0)).collect();
            columns?.iter().map(|column| format!("quote({})", quoted(column))).collect::<Vec<_>>().join(" || ' ' || ")
        } else {
            "r::text".to_owned()
        };
        for row in all(db, &format!("SELECT {row} FROM {} r", quoted(&table)), []).await? {
            found.push_str(&get::<String>(&row, 0)?);
            found.push('\n');
        }
    }
    Ok(found)
}

/// Makes the tables of an earlier version in an empty database: for tests that upgrade them.
pub async fn make_tables(store: &crate::Store, version: i64) -> Result<(), StoreError> {
    crate::migrations::run_until(store, version).await
}

/// The tables of a PostgreSQL database, in the order of their names, each with its rows as a JSON list. What the database fills itself is
/// left out.
pub async fn rows_of_tables(db: &impl crate::Connection) -> Result<Vec<(String, String)>, StoreError> {
    let mut found = Vec::new();
    for table in texts(db, TABLES).await? {
        let columns = columns_of(db, &table).await?;
        let sql = format!(
            "SELECT COALESCE(json_agg(r), '[]')::text FROM (SELECT {columns} FROM {} ORDER BY 1) r",
            quoted(&table)
        );
        found.push((table, texts(db, &sql).await?.concat()));
    }
    Ok(found)
}

const TABLES: &str = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1";

async fn columns_of(db: &impl crate::Connection, table: &str) -> Result<String, StoreError> {
    let sql = "SELECT quote_ident(column_name) FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position";
    let rows = all(db, sql, [table.into()]).await?;
    Ok(rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<String>, _>>()?.join(", "))
}

/// Puts rows into the tables of a PostgreSQL database in place of what is there, without triggers and without checks of references.
pub async fn put_rows(store: &crate::Store, tables: &[(String, String)]) -> Result<(), StoreError> {
    let tx = store.begin().await?;
    run_sql(&tx, "SET LOCAL session_replication_role = replica").await?;
    for (table, rows) in tables {
        let (name, columns) = (quoted(table), columns_of(&tx, table).await?);
        run_sql(&tx, &format!("DELETE FROM {name}")).await?;
        let sql = format!(
            "INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM json_populate_recordset(NULL::{name}, $1::json)"
        );
        crate::sql::execute(&tx, &sql, [rows.as_str().into()]).await?;
        let numbered = "SELECT 1 FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = $1 AND column_name = 'id' AND is_identity = 'YES'";
        if !all(&tx, numbered, [table.as_str().into()]).await?.is_empty() {
            let sql = format!(
                "SELECT setval(pg_get_serial_sequence('{name}', 'id'), MAX(id)) FROM {name} HAVING COUNT(*) > 0"
            );
            all(&tx, &sql, []).await?;
        }
    }
    tx.commit().await
}
