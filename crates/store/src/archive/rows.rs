//! Rows as lines of JSON.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sea_orm::{QueryResult, Value};
use serde_json::value::RawValue;
use serde_json::{Map, json};

use super::tables::{Holds, Table, TableColumn};
use crate::sql::{all, execute, get, quoted};
use crate::{Connection, Dialect, StoreError, Tx};

/// The most values of one statement: SQLite takes 32,766.
const MAX_VALUES: usize = 10_000;

/// The key of a row: what the next page begins after.
#[derive(Debug, Clone)]
pub struct RowKey(Vec<Value>);

/// Some rows of a table in the order of their key, those after a key, and the key of the last one; none after the last row.
pub async fn page(
    db: &impl Connection,
    table: &Table,
    after: Option<RowKey>,
    limit: usize,
) -> Result<(Vec<String>, Option<RowKey>), StoreError> {
    let dialect = db.dialect();
    let selected =
        table.columns.iter().enumerate().map(|(at, column)| format!("{} AS c{at}", read_as(column, dialect)));
    let selected = selected.collect::<Vec<_>>().join(", ");
    let key = table.key.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    let values = after.map(|key| key.0).unwrap_or_default();
    let begins = if values.is_empty() {
        String::new()
    } else {
        let places: Vec<String> = (1..=values.len()).map(|at| format!("${at}")).collect();
        format!("AND ({key}) > ({})", places.join(", "))
    };
    let sql = format!(
        "SELECT {selected} FROM {} WHERE {} {begins} ORDER BY {key} LIMIT {limit}",
        quoted(&table.name),
        table.condition()
    );
    let rows = all(db, &sql, values).await?;
    let mut lines = Vec::with_capacity(rows.len());
    let mut last = None;
    for row in &rows {
        let mut object = Map::new();
        let mut values = BTreeMap::new();
        for (at, column) in table.columns.iter().enumerate() {
            let (written, value) = read(row, &format!("c{at}"), column)?;
            object.insert(column.name.clone(), written);
            if table.key.contains(&column.name) {
                values.insert(column.name.as_str(), value);
            }
        }
        lines.push(serde_json::Value::Object(object).to_string());
        last = Some(RowKey(table.key.iter().filter_map(|name| values.remove(name.as_str())).collect()));
    }
    Ok((lines, last.filter(|_| rows.len() == limit)))
}

/// A column as one of the few types that are read.
fn read_as(column: &TableColumn, dialect: Dialect) -> String {
    let name = quoted(&column.name);
    match (column.holds, dialect) {
        (Holds::Whole, Dialect::Postgres) => format!("CAST({name} AS BIGINT)"),
        (Holds::Whole | Holds::Truth, Dialect::Sqlite) => format!("CAST({name} AS INTEGER)"),
        (Holds::Fraction, Dialect::Sqlite) => format!("CAST({name} AS REAL)"),
        (Holds::Text | Holds::Json, _) => format!("CAST({name} AS TEXT)"),
        (Holds::Truth, Dialect::Postgres) => format!("CAST(CAST({name} AS INTEGER) AS BIGINT)"),
        (Holds::Fraction, Dialect::Postgres) | (Holds::Bytes, _) => name,
    }
}

fn read(row: &QueryResult, name: &str, column: &TableColumn) -> Result<(serde_json::Value, Value), StoreError> {
    Ok(match column.holds {
        Holds::Whole => {
            let value: Option<i64> = get(row, name)?;
            (json!(value), value.into())
        }
        Holds::Fraction => {
            let value: Option<f64> = get(row, name)?;
            (json!(value), value.into())
        }
        Holds::Truth => {
            let value = get::<Option<i64>>(row, name)?.map(|value| value != 0);
            (json!(value), value.into())
        }
        Holds::Text | Holds::Json => {
            let value: Option<String> = get(row, name)?;
            (json!(value), value.into())
        }
        Holds::Bytes => {
            let value: Option<Vec<u8>> = get(row, name)?;
            (json!(value.as_deref().map(|bytes| BASE64_STANDARD.encode(bytes))), value.into())
        }
    })
}

/// Puts rows into a table.
///
/// # Errors
///
/// Where a line is no row of this table.
pub async fn put(tx: &Tx, table: &Table, lines: &[&str]) -> Result<(), StoreError> {
    let names = table.columns.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ");
    for lines in lines.chunks((MAX_VALUES / table.columns.len().max(1)).max(1)) {
        let (mut places, mut values) = (Vec::with_capacity(lines.len()), Vec::new());
        for line in lines {
            let row: BTreeMap<&str, &RawValue> = serde_json::from_str(line).map_err(|error| wrong(table, &error))?;
            let known = table.columns.iter().filter(|column| row.contains_key(column.name.as_str())).count();
            if known != table.columns.len() || row.len() != known {
                return Err(wrong(table, &"a row with other columns"));
            }
            let mut place = Vec::with_capacity(known);
            for column in &table.columns {
                values.push(written(table, column, row[column.name.as_str()].get())?);
                place.push(match (column.holds, tx.dialect()) {
                    (Holds::Json, Dialect::Postgres) => format!("CAST(${} AS JSONB)", values.len()),
                    _ => format!("${}", values.len()),
                });
            }
            places.push(format!("({})", place.join(", ")));
        }
        let sql = format!("INSERT INTO {} ({names}) VALUES {}", quoted(&table.name), places.join(", "));
        execute(tx, &sql, values).await?;
    }
    Ok(())
}

/// A value of a line. Fractions are read from their digits: the usual reader of JSON rounds the last one.
fn written(table: &Table, column: &TableColumn, raw: &str) -> Result<Value, StoreError> {
    let fault = |what: &dyn std::fmt::Display| wrong(table, &format!("{}: {what}", column.name));
    let is_null = raw == "null";
    Ok(match column.holds {
        Holds::Whole => serde_json::from_str::<Option<i64>>(raw).map_err(|error| fault(&error))?.into(),
        Holds::Truth => serde_json::from_str::<Option<bool>>(raw).map_err(|error| fault(&error))?.into(),
        Holds::Fraction if is_null => None::<f64>.into(),
        Holds::Fraction => raw.parse::<f64>().map_err(|error| fault(&error))?.into(),
        Holds::Text | Holds::Json => serde_json::from_str::<Option<String>>(raw).map_err(|error| fault(&error))?.into(),
        Holds::Bytes => {
            let text: Option<&str> = serde_json::from_str(raw).map_err(|error| fault(&error))?;
            let bytes = text.map(|text| BASE64_STANDARD.decode(text)).transpose().map_err(|error| fault(&error))?;
            bytes.into()
        }
    })
}

fn wrong(table: &Table, what: &dyn std::fmt::Display) -> StoreError {
    StoreError::row("archive", 0, format!("{}: {what}", table.name))
}
