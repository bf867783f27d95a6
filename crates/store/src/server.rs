//! Whole databases of a PostgreSQL server, for tests and tools: made from a template, dropped.

use std::str::FromStr;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};

use crate::StoreError;

/// Makes a database, empty or as a copy of another one that nobody is connected to.
pub async fn create_database(server: &str, name: &str, template: Option<&str>) -> Result<(), StoreError> {
    let from = template.map(|template| format!(" TEMPLATE {}", quoted(template))).unwrap_or_default();
    run(server, format!("CREATE DATABASE {}{from}", quoted(name))).await
}

/// Drops a database, and whoever is connected to it.
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
