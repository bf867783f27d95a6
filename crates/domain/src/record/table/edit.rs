//! An edited row: the cells that mean something else than the record, and the merge patch they make.

use serde_json::{Map, Value, json};

use super::{Cell, Column};
use crate::Fault;
use crate::record::pointer;

/// An edited cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit<'a> {
    pub column: &'a Column,
    /// The value it means, or the fault of its text.
    pub value: Result<Value, Fault>,
}

/// The cells of a row that mean something else than a sheet written as JSON. `row` has a cell for each column that is read.
pub fn edits<'a>(row: &[(&'a Column, &str)], sheet: &Value) -> Vec<Edit<'a>> {
    let edited = row.iter().filter(|(column, given)| !column.is_read_only() && !column.means(given, sheet));
    let edit = |(column, given): &(&'a Column, &str)| {
        let fault = |code| {
            let fault = Fault::new(code, pointer_of(column));
            match column.cell {
                Cell::Words(words) => fault.with("words", words.join(", ")),
                _ => fault,
            }
        };
        Edit { column, value: column.read(given).map_err(fault) }
    };
    edited.map(edit).collect()
}

/// The JSON pointer of a column's value.
fn pointer_of(column: &Column) -> String {
    let part = match (&column.key, column.cell) {
        (Some(key), _) => pointer(key),
        (None, Cell::Degrees(at)) => format!("/{at}"),
        (None, _) => String::new(),
    };
    format!("{}{part}", pointer(column.field))
}

/// The merge patch of edited cells over a sheet written as JSON, or their faults.
pub fn patch(edits: &[Edit<'_>], sheet: &Value) -> Result<Map<String, Value>, Vec<Fault>> {
    let mut patch = Map::new();
    let mut faults = Vec::new();
    for edit in edits {
        let value = match &edit.value {
            Ok(value) => value.clone(),
            Err(fault) => {
                faults.push(fault.clone());
                continue;
            }
        };
        let field = edit.column.field;
        match (&edit.column.key, edit.column.cell) {
            (Some(key), _) => {
                patch.entry(field).or_insert_with(|| json!({}))[key.as_str()] = value;
            }
            (None, Cell::Degrees(at)) => {
                let place = patch.entry(field).or_insert_with(|| {
                    if sheet[field].is_array() { sheet[field].clone() } else { json!([null, null]) }
                });
                place[at] = value;
            }
            (None, _) => {
                patch.insert(field.to_owned(), value);
            }
        }
    }
    for (field, value) in &mut patch {
        // Without longitude and latitude there is no place; with only one of them the row is wrong.
        let is_place =
            edits.iter().any(|edit| edit.column.field == field && matches!(edit.column.cell, Cell::Degrees(_)));
        if is_place && *value == json!([null, null]) {
            *value = Value::Null;
        } else if is_place && value.as_array().is_some_and(|place| place.contains(&Value::Null)) {
            faults.push(Fault::new("table/half-a-place", pointer(field)));
        }
    }
    if faults.is_empty() { Ok(patch) } else { Err(faults) }
}
