//! The report of a table, row by row: the changes that it would make, or made.

use domain::record::table::Column;
use domain::{Fault, Text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The outcome for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableOutcome {
    /// A new record.
    Created,
    /// A record that changes.
    Changed,
    /// A record that was saved since the export: it is skipped unless asked otherwise.
    Conflict,
    /// The row cannot be written; its faults say why.
    Refused,
}

/// A cell whose value changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TableCell {
    /// The name of its column.
    pub column: String,
    /// What the record has now.
    pub before: String,
    /// What it gets. Long texts are cut in both.
    pub after: String,
}

/// A fault of a row, of the first row or of the file.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TableFault {
    /// The name of the column, where it is of one.
    pub column: Option<String>,
    /// The stable code.
    pub code: &'static str,
    /// What the sentence needs.
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
}

impl TableFault {
    /// A fault at the column of its field.
    pub(super) fn of(fault: Fault, columns: &[Column]) -> Self {
        let column = columns.iter().find(|column| column.has(&fault.field)).map(|column| column.name.clone());
        Self { column, code: fault.code, params: fault.params }
    }

    /// A fault of a column by its name.
    pub(super) fn at(column: impl Into<String>, code: &'static str) -> Self {
        Self { column: Some(column.into()), code, params: Map::new() }
    }

    /// A fault of a row or of the file as a whole.
    pub(super) fn whole(code: &'static str) -> Self {
        Self { column: None, code, params: Map::new() }
    }
}

/// A row that changes something, or cannot.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TableRow {
    /// Its number in the spreadsheet: the first row has the names of the columns.
    pub row: usize,
    /// The number of the record, where the row has one.
    pub id: Option<i64>,
    /// The name of the record.
    pub title: Text,
    pub outcome: TableOutcome,
    /// The cells that change.
    pub cells: Vec<TableCell>,
    /// Why it is refused.
    pub faults: Vec<TableFault>,
}

/// What a table would do, or did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct TableReport {
    /// Whether it was written; else this is a report alone.
    pub written: bool,
    /// How many rows the table has.
    pub rows: usize,
    /// New records.
    pub created: usize,
    /// Records that change.
    pub changed: usize,
    /// Rows without a difference: they are not listed.
    pub unchanged: usize,
    /// Rows whose record was saved since the export, and which are skipped.
    pub conflicts: usize,
    /// Rows that cannot be written.
    pub refused: usize,
    /// What of the file is not read, such as other sheets of a workbook.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<TableFault>,
    /// Faults of the first row: these columns are not read.
    pub columns: Vec<TableFault>,
    /// The rows, without those that change nothing.
    pub items: Vec<TableRow>,
    /// Confirms this report; once it is written, undoes it for ten minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl TableReport {
    /// Counts a row, and lists it.
    pub(super) fn add(&mut self, row: Option<TableRow>) {
        match row.as_ref().map(|row| row.outcome) {
            None => self.unchanged += 1,
            Some(TableOutcome::Created) => self.created += 1,
            Some(TableOutcome::Changed) => self.changed += 1,
            Some(TableOutcome::Conflict) => self.conflicts += 1,
            Some(TableOutcome::Refused) => self.refused += 1,
        }
        self.items.extend(row);
    }

    /// Rows that were to be written and were refused after all, each with whether it was to make a record.
    pub(super) fn take_back(&mut self, refused: Vec<(bool, TableRow)>) {
        for (is_new, row) in refused {
            if is_new {
                self.created -= 1;
            } else {
                self.changed -= 1;
            }
            self.refused += 1;
            match self.items.iter_mut().find(|item| item.row == row.row) {
                Some(item) => *item = TableRow { title: std::mem::take(&mut item.title), ..row },
                None => self.items.push(row),
            }
        }
    }
}

/// The most characters of a cell in a report, and in all cells together before they are cut more.
const MAX_SHOWN: usize = 1_000;
const MAX_SHOWN_IN_ALL: usize = 4_000_000;
/// The most characters of a cell after that.
const MAX_SHOWN_THEN: usize = 80;

/// Cuts the texts of cells, so that the report of a large table stays an answer.
#[derive(Debug, Default)]
pub(super) struct Shown(usize);

impl Shown {
    /// A text of a cell, cut.
    pub(super) fn cut(&mut self, text: String) -> String {
        let max = if self.0 > MAX_SHOWN_IN_ALL { MAX_SHOWN_THEN } else { MAX_SHOWN };
        let shown = match text.char_indices().nth(max) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        };
        self.0 += shown.len();
        shown
    }
}
