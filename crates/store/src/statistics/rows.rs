//! Many rows in one statement and one value: the rows go in as JSON, and the statement is the same however many they are.

use serde::Serialize;

use crate::sql::{execute, text};
use crate::{Connection as _, Dialect, StoreError, Tx};

/// The type of a column of JSON rows.
#[derive(Debug, Clone, Copy)]
pub enum Column {
    /// A whole number.
    Number,
    Text,
}

/// Writes rows, each an array of its columns; `into` is `table (columns)`, `then` the clause for rows that are there.
pub async fn insert<T: Serialize>(
    tx: &Tx,
    into: &str,
    columns: &[Column],
    rows: &[T],
    then: &str,
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let column = |(at, kind): (usize, &Column)| match (tx.dialect(), kind) {
        (Dialect::Sqlite, _) => format!("json_extract(r.value, '$[{at}]')"),
        (Dialect::Postgres, Column::Number) => format!("(r.value->>{at})::bigint"),
        (Dialect::Postgres, Column::Text) => format!("r.value->>{at}"),
    };
    let columns: Vec<String> = columns.iter().enumerate().map(column).collect();
    let from = match tx.dialect() {
        Dialect::Sqlite => "json_each($1) r",
        Dialect::Postgres => "jsonb_array_elements($1::jsonb) r(value)",
    };
    // SQLite reads `FROM … ON CONFLICT` as a join unless a WHERE is between them.
    let sql = format!("INSERT INTO {into} SELECT {} FROM {from} WHERE true {then}", columns.join(", "));
    execute(tx, &sql, [text(&rows).into()]).await?;
    Ok(())
}
