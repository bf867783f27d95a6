//! The text of a cell: written from a value, compared with a value, read as a value.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Cell, Column};
use crate::record::Kind;

/// The longest text of a cell, in UTF-16 units as Excel counts them. A longer one is not in the table: its length is.
pub const MAX_CELL_CHARS: usize = 32_767;

/// How numbers and answers are written for a reader, and the names of the records that cells point to.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// Whether the reader writes French: a comma in numbers, `oui` and `non`.
    pub is_french: bool,
    /// The names of records.
    pub names: HashMap<(Kind, i64), String>,
}

/// Words that are read as yes, and as no.
const YES: [&str; 8] = ["oui", "yes", "true", "vrai", "1", "x", "o", "y"];
const NO: [&str; 6] = ["non", "no", "false", "faux", "0", "n"];

/// Between several numbers in a cell: no spreadsheet takes it for a decimal sign.
const BETWEEN: &str = " | ";

impl Column {
    /// The value of the column in a sheet written as JSON.
    pub fn value<'a>(&self, sheet: &'a Value) -> &'a Value {
        let field = &sheet[self.field];
        match (&self.key, self.cell) {
            (Some(key), _) => &field[key.as_str()],
            (None, Cell::Degrees(at)) => &field[at],
            (None, _) => field,
        }
    }

    /// The text of the column's cell for a sheet written as JSON.
    pub fn write(&self, sheet: &Value, words: &Words) -> String {
        let value = self.value(sheet);
        match (self.cell, value) {
            (_, Value::Null) => String::new(),
            (Cell::Names(target), value) => {
                let name = |id| words.names.get(&(target.kind, id)).cloned().unwrap_or_default();
                numbers(value).into_iter().map(name).collect::<Vec<_>>().join(BETWEEN)
            }
            (Cell::Numbers { .. }, value) => {
                numbers(value).iter().map(i64::to_string).collect::<Vec<_>>().join(BETWEEN)
            }
            (Cell::Bool, Value::Bool(yes)) => match (words.is_french, yes) {
                (true, true) => "oui",
                (true, false) => "non",
                (false, true) => "yes",
                (false, false) => "no",
            }
            .to_owned(),
            // A ten-millionth of a degree is a centimetre.
            (Cell::Degrees(_), value) => {
                let rounded = value.as_f64().map(|degrees| (degrees * 1e7).round() / 1e7);
                rounded.map(|degrees| decimal(degrees, words)).unwrap_or_default()
            }
            (Cell::Number, value) => value.as_f64().map(|number| decimal(number, words)).unwrap_or_default(),
            (Cell::Lines, Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
            (Cell::Json, Value::Array(items)) if items.is_empty() => String::new(),
            (_, Value::String(text)) if text.len() > MAX_CELL_CHARS && text.encode_utf16().count() > MAX_CELL_CHARS => {
                format!("[{} caractères / characters]", text.chars().count())
            }
            (_, Value::String(text)) => text.clone(),
            (_, other) => other.to_string(),
        }
    }

    /// Whether a cell of a file means the value in a sheet: what a spreadsheet does to a cell when it saves it is no edit.
    pub(super) fn means(&self, given: &str, sheet: &Value) -> bool {
        let value = self.value(sheet);
        match self.cell {
            Cell::Text | Cell::Lines | Cell::Words(_) => {
                let stored = self.write(sheet, &Words::default());
                let (given, stored) = (lines(given), lines(&stored));
                given == stored || is_number_of(&stored, &given)
            }
            // A spreadsheet in French saves `2026-11-25` as `25/11/2026`.
            Cell::Day => self.read(given).is_ok_and(|read| read == *value || (read.is_null() && *value == json!(""))),
            Cell::Degrees(_) => match (self.read(given), value.as_f64()) {
                // LibreOffice saves ten digits of a number, Excel fifteen.
                (Ok(read), Some(stored)) => read.as_f64().is_some_and(|read| (read - stored).abs() < 5e-7),
                (Ok(read), None) => read.is_null(),
                (Err(_), _) => false,
            },
            Cell::Number => match (self.read(given), value.as_f64()) {
                (Ok(read), Some(stored)) => {
                    read.as_f64().is_some_and(|read| (read - stored).abs() <= stored.abs() * 1e-9)
                }
                (Ok(read), None) => read.is_null(),
                (Err(_), _) => false,
            },
            Cell::Whole => self.read(given).is_ok_and(|read| read == *value),
            // A tick that was never set is not ticked.
            Cell::Bool => self.read(given).is_ok_and(|read| read == *value || (read.is_null() && *value == false)),
            Cell::Numbers { .. } => self.read(given).is_ok_and(|read| numbers(&read) == numbers(value)),
            Cell::Json => self.read(given).is_ok_and(|read| read == *value || (read.is_null() && *value == json!([]))),
            Cell::Names(_) => true,
        }
    }

    /// The value that a cell of a file means; the code of the fault when it means none.
    pub(super) fn read(&self, given: &str) -> Result<Value, &'static str> {
        let given = given.trim();
        if given.is_empty() {
            return Ok(if matches!(self.cell, Cell::Numbers { many: true, .. } | Cell::Lines) {
                json!([])
            } else {
                Value::Null
            });
        }
        match self.cell {
            Cell::Text => Ok(lines(given).into()),
            Cell::Day => Ok(day(given).unwrap_or_else(|| given.to_owned()).into()),
            Cell::Lines => {
                Ok(lines(given).split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().into())
            }
            Cell::Whole => whole(given).map(Value::from).ok_or("table/whole-number"),
            Cell::Number | Cell::Degrees(_) => {
                let number = number(given).and_then(serde_json::Number::from_f64);
                number.map(Value::Number).ok_or("table/number")
            }
            Cell::Bool => {
                let word = given.to_lowercase();
                match (YES.contains(&word.as_str()), NO.contains(&word.as_str())) {
                    (true, _) => Ok(true.into()),
                    (_, true) => Ok(false.into()),
                    _ => Err("table/yes-or-no"),
                }
            }
            Cell::Words(words) => {
                let word = given.to_lowercase();
                if words.contains(&word.as_str()) { Ok(word.into()) } else { Err("table/word") }
            }
            Cell::Numbers { many, .. } => {
                let parts = given.split(['|', ';', ',', '\n', ' ']).map(str::trim).filter(|part| !part.is_empty());
                let read: Option<Vec<i64>> = parts.map(whole).collect();
                match read {
                    Some(ids) if many => Ok(ids.into()),
                    Some(ids) if ids.len() == 1 => Ok(ids[0].into()),
                    _ => Err(if many { "table/numbers" } else { "table/whole-number" }),
                }
            }
            Cell::Json => serde_json::from_str(given).map_err(|_| "table/json"),
            Cell::Names(_) => Ok(Value::Null),
        }
    }
}

/// The numbers in a value: one, or those of an array.
pub(super) fn numbers(value: &Value) -> Vec<i64> {
    match value {
        Value::Array(items) => items.iter().filter_map(Value::as_i64).collect(),
        // A required reference that is not set is 0.
        one => one.as_i64().into_iter().filter(|id| *id != 0).collect(),
    }
}

fn decimal(number: f64, words: &Words) -> String {
    let text = number.to_string();
    if words.is_french { text.replace('.', ",") } else { text }
}

/// A number with a decimal point or comma; blanks between its digits are allowed.
pub(super) fn number(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    text.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

/// A whole number: `12`, and `12,0` as some spreadsheets write it.
pub(super) fn whole(text: &str) -> Option<i64> {
    text.trim().parse().ok().or_else(|| {
        number(text).filter(|number| number.fract() == 0.0 && number.abs() < 9e15).map(|number| number as i64)
    })
}

/// A day as `2026-11-25`, from `25/11/2026` or `2026-11-25…`.
fn day(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('/').collect();
    let [day, month, year] = parts.as_slice() else { return None };
    let (day, month, year): (u8, u8, u16) = (day.parse().ok()?, month.parse().ok()?, year.parse().ok()?);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// A text with the line ends of one system, without blanks around it. The apostrophe that protects a formula is taken off.
fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim();
    let bare = text.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '@', '+', '-', '\t']));
    bare.unwrap_or(text).to_owned()
}

/// Whether a text of digits was taken for a number by a spreadsheet: `04000` became `4000`, `+33492…` became `33492…`.
fn is_number_of(stored: &str, given: &str) -> bool {
    let bare = stored.trim_start_matches(['+', '0']);
    bare.len() < stored.len()
        && !given.is_empty()
        && given.bytes().all(|byte| byte.is_ascii_digit())
        && bare.chars().filter(|sign| *sign != ' ').eq(given.chars())
}
