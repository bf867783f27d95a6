//! A record as a row of a table: its columns follow from the fields of its sheet, a cell is the text of one value, and an edited row is
//! a JSON merge patch. No files: those are read and written by `app::record::table`.

mod cell;
mod edit;

pub use cell::{MAX_CELL_CHARS, Words};
pub use edit::{Edit, edits, patch};

use super::kind::Target;
use super::rule::Shape;
use super::sheet::Sheet;

/// How the values of a type of field are laid out in columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A text: a column for each language.
    Text,
    /// One line.
    Line,
    /// A whole number, or the number of a record or of several where the rule says so.
    Whole,
    Number,
    /// Yes or no.
    Bool,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A place: latitude and longitude.
    Place,
    /// Several lines in one cell.
    Lines,
    /// An object with these keys: a column for each.
    Parts(&'static [&'static str], &'static Layout),
    /// Values by key: the columns are those of [`crate::white_label::custom`].
    Values,
    /// JSON, in one cell.
    Json,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Text, of one line or of several.
    Text,
    Whole,
    Number,
    /// One of the two numbers of a place, by its position in the array.
    Degrees(usize),
    /// Yes or no.
    Bool,
    /// One of these words.
    Words(&'static [&'static str]),
    Day,
    /// The number of a record, or several.
    Numbers {
        /// What they point to.
        target: Target,
        /// Whether there may be several.
        many: bool,
    },
    /// The names of those records, for reading only.
    Names(Target),
    /// Several lines.
    Lines,
    Json,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in the first row: `title_fr`.
    pub name: String,
    /// The field of the sheet.
    pub field: &'static str,
    /// The key in the field, where its value is an object: `fr`.
    pub key: Option<String>,
    /// What its cells hold.
    pub cell: Cell,
}

impl Column {
    /// A column of a field.
    pub fn new(field: &'static str, key: Option<&str>, cell: Cell) -> Self {
        let name = key.map_or_else(|| field.to_owned(), |key| format!("{field}_{key}"));
        Self { name, field, key: key.map(str::to_owned), cell }
    }

    /// Whether its cells are only to be read.
    pub const fn is_read_only(&self) -> bool {
        matches!(self.cell, Cell::Names(_))
    }

    /// Whether its cells are numbers, or the numbers of records, or ticks, which a spreadsheet may write as 1 and 0.
    pub const fn has_numbers(&self) -> bool {
        matches!(self.cell, Cell::Whole | Cell::Number | Cell::Degrees(_) | Cell::Numbers { .. } | Cell::Bool)
    }

    /// Whether a fault at a JSON pointer is of this column.
    pub fn has(&self, pointer: &str) -> bool {
        let mut parts = pointer.split('/').skip(1);
        if self.is_read_only() || parts.next() != Some(self.field) {
            return false;
        }
        match (&self.key, self.cell, parts.next()) {
            (Some(key), _, Some(part)) => key == part,
            (None, Cell::Degrees(at), Some(part)) => part == at.to_string(),
            _ => true,
        }
    }
}

/// The columns of a sheet, in the order of its fields, without those that are `left_out`.
pub fn columns<S: Sheet>(languages: &[String], left_out: &[&str]) -> Vec<Column> {
    let fields = S::FIELDS.iter().zip(S::LAYOUTS).filter(|((name, _), _)| !left_out.contains(name));
    let mut found = Vec::new();
    for ((field, rule), layout) in fields {
        let target = match rule.shape {
            Shape::To(target) => Some(target),
            _ => None,
        };
        match (layout, target) {
            (Layout::Text, _) => {
                found.extend(languages.iter().map(|language| Column::new(field, Some(language), Cell::Text)));
            }
            (Layout::Place, _) => found.extend(
                [("lat", 1), ("lon", 0)]
                    .map(|(name, at)| Column { key: None, ..Column::new(field, Some(name), Cell::Degrees(at)) }),
            ),
            (Layout::Parts(keys, layout), _) => {
                found.extend(keys.iter().map(|key| Column::new(field, Some(key), plain(layout))));
            }
            (Layout::Values, _) => {}
            (Layout::Whole, Some(target)) => {
                let many = field.ends_with("_ids");
                found.push(Column::new(field, None, Cell::Numbers { target, many }));
                let name = field.strip_suffix("_ids").map(|stem| format!("{stem}_names"));
                let name = name.or_else(|| field.strip_suffix("_id").map(|stem| format!("{stem}_name")));
                let name = name.unwrap_or_else(|| format!("{field}_names"));
                found.push(Column { name, ..Column::new(field, None, Cell::Names(target)) });
            }
            (layout, _) => found.push(Column::new(field, None, plain(layout))),
        }
    }
    found
}

/// The cell of a value that has one column.
fn plain(layout: &Layout) -> Cell {
    match layout {
        Layout::Text | Layout::Line => Cell::Text,
        Layout::Whole => Cell::Whole,
        Layout::Number => Cell::Number,
        Layout::Bool => Cell::Bool,
        Layout::Words(words) => Cell::Words(words),
        Layout::Lines => Cell::Lines,
        Layout::Place | Layout::Parts(..) | Layout::Values | Layout::Json => Cell::Json,
    }
}

#[cfg(test)]
mod tests;
