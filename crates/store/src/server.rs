//! Whole databases of a PostgreSQL server, for tests and tools: made from a template, dropped.

use std::str::FromStr;

use sea_orm::ConnectionTrait as _;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};

use crate::sql::{all, get};
use crate::{Connection as _, StoreError};

/// Makes a database, empty or as a copy of another one that has no connections.
pub async fn create_database(server: &str, name: &str, template: Option<&str>) -> Result<(), StoreError> {
    let from = template.map(|template| format!(" TEMPLATE {}", quoted(template))).unwrap_or_default();
    run(server, format!("CREATE DATABASE {}{from}", quoted(name))).await
}

/// Drops a database, and closes its connections.
pub async fn drop_database(server: &str, name: &str) -> Result<(), StoreError> {
    run(server, format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", quoted(name))).await
}

async fn run(server: &str, sql: String) -> Result<(), StoreError> {
    let mut connection = PgConnectOptions::from_str(server)?.disable_statement_logging().connect().await?;
    // Names are quoted above; a database's name cannot be a parameter.
    connection.execute(AssertSqlSafe(sql)).await?;
    connection.close().await?;
    Ok(())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Runs SQL as it stands, for tests that damage a database.
pub async fn run_sql(tx: &crate::Tx, sql: &str) -> Result<(), StoreError> {
    tx.executor().execute_unprepared(sql).await?;
    Ok(())
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
