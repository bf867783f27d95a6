//! The values that are sealed with the server's key. The store keeps the bytes and the origin beside them; it knows no key.

use std::collections::HashSet;
use std::sync::PoisonError;

use crate::sealed_column::Names;
pub use crate::sealed_column::SealedColumn;
use crate::sql::{all, execute, get, numbers, one};
use crate::{Connection, StoreError, Tx};

/// A sealed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedValue {
    /// Number of its record.
    pub id: i64,
    /// The bytes.
    pub sealed: Vec<u8>,
    /// The server it was entered for. None for a secret without one, and for a key that was sealed before keys had one.
    pub origin: Option<String>,
}

fn read(row: &sea_orm::QueryResult) -> Result<SealedValue, StoreError> {
    Ok(SealedValue { id: get(row, 0)?, sealed: get(row, 1)?, origin: get(row, 2)? })
}

fn selected(names: &Names) -> String {
    let Names { table, id, value, origin, .. } = names;
    let origin = origin.unwrap_or("CAST(NULL AS TEXT)");
    format!("SELECT {id}, {value}, {origin} FROM {table} WHERE {value} IS NOT NULL")
}

/// The sealed values of a column after a number, the lowest numbers first.
pub async fn page(
    db: &impl Connection,
    column: SealedColumn,
    after: i64,
    limit: usize,
) -> Result<Vec<SealedValue>, StoreError> {
    let names = column.names();
    let sql = format!("{} AND {id} > $1 ORDER BY {id} LIMIT {limit}", selected(&names), id = names.id);
    all(db, &sql, [after.into()]).await?.iter().map(read).collect()
}

/// The sealed value of one record.
pub async fn find(db: &impl Connection, column: SealedColumn, id: i64) -> Result<Option<SealedValue>, StoreError> {
    let names = column.names();
    let sql = format!("{} AND {} = $1", selected(&names), names.id);
    one(db, &sql, [id.into()]).await?.as_ref().map(read).transpose()
}

/// The records, of these, that have a key.
pub async fn with_key(db: &impl Connection, column: SealedColumn, ids: &[i64]) -> Result<HashSet<i64>, StoreError> {
    let Names { table, id, value, .. } = column.names();
    let sql = format!("SELECT {id} FROM {table} WHERE {value} IS NOT NULL AND {id} IN {}", numbers(ids));
    all(db, &sql, []).await?.iter().map(|row| get(row, 0)).collect()
}

/// Puts another sealing of the same value into its place. False when the value was changed in the meantime, and stays.
pub async fn replace(
    tx: &Tx,
    column: SealedColumn,
    before: &SealedValue,
    sealed: Vec<u8>,
    origin: Option<&str>,
) -> Result<bool, StoreError> {
    let Names { table, id, value, origin: origin_column, .. } = column.names();
    let mut values: Vec<sea_orm::Value> = vec![before.id.into(), before.sealed.clone().into(), sealed.into()];
    let set_origin = origin_column.map_or(String::new(), |origin_column| {
        values.push(origin.map(str::to_owned).into());
        format!(", {origin_column} = $4")
    });
    let sql = format!("UPDATE {table} SET {value} = $3{set_origin} WHERE {id} = $1 AND {value} = $2");
    Ok(execute(tx, &sql, values).await? == 1)
}

/// Stores the sealed key of a record with the server it was entered for, or forgets both.
pub async fn put(tx: &Tx, column: SealedColumn, id: i64, key: Option<(Vec<u8>, &str)>) -> Result<(), StoreError> {
    let Names { table, id: id_column, value, origin, .. } = column.names();
    let Some(origin_column) = origin else { return Ok(()) };
    let (sealed, origin) = key.map(|(sealed, origin)| (sealed, origin.to_owned())).unzip();
    let sql = format!("UPDATE {table} SET {value} = $2, {origin_column} = $3 WHERE {id_column} = $1");
    execute(tx, &sql, [id.into(), sealed.into(), origin.into()]).await?;
    Ok(())
}

/// Forgets the key of a record when it was entered for another server than this one. True when it was forgotten.
pub async fn forget_if_moved(tx: &Tx, column: SealedColumn, id: i64, origin: &str) -> Result<bool, StoreError> {
    let Names { table, id: id_column, value, origin: origin_column, hint } = column.names();
    let Some(origin_column) = origin_column else { return Ok(false) };
    let hint = hint.map_or(String::new(), |hint| format!(", {hint} = NULL"));
    let sql = format!(
        "UPDATE {table} SET {value} = NULL, {origin_column} = NULL{hint} WHERE {id_column} = $1
        AND {value} IS NOT NULL AND ({origin_column} IS NULL OR {origin_column} <> $2)"
    );
    let is_forgotten = execute(tx, &sql, [id.into(), origin.to_owned().into()]).await? == 1;
    if is_forgotten {
        tx.forgotten_keys.lock().unwrap_or_else(PoisonError::into_inner).push((column, id));
    }
    Ok(is_forgotten)
}

/// The keys of services that this transaction forgot since the last call: their column and their record.
pub fn take_forgotten(tx: &Tx) -> Vec<(SealedColumn, i64)> {
    std::mem::take(&mut *tx.forgotten_keys.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The columns of the database that hold bytes, as `table.column`: for the test that each is known.
pub async fn byte_columns(db: &impl Connection) -> Result<Vec<String>, StoreError> {
    let sql = if db.dialect() == crate::Dialect::Sqlite {
        "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND UPPER(c.type) = 'BLOB' ORDER BY 1"
    } else {
        "SELECT CAST(table_name || '.' || column_name AS TEXT) FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY 1"
    };
    all(db, sql, []).await?.iter().map(|row| get(row, 0)).collect()
}
