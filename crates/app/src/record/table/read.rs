//! The file of a table, read within bounds: CSV in the encodings and with the separators that spreadsheets write, or an XLSX workbook.

mod workbook;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::TableError;

/// The largest file, in bytes.
pub const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;
/// The most columns.
const MAX_COLUMNS: usize = 300;
/// The most cells below the first row, with those that short rows lack. One takes up to 60 bytes of memory beside its text: 120 MB, where 20,000 rows
/// of 300 columns would take 360.
const MAX_CELLS: usize = 2_000_000;

/// What spreadsheets in English and French show, and write into CSV, in place of a value that a formula does not have.
const CELL_ERRORS: [&str; 12] = [
    "#DIV/0!", "#N/A", "#NAME?", "#NOM?", "#NULL!", "#NUL!", "#NUM!", "#NOMBRE!", "#REF!", "#VALUE!", "#VALEUR!",
    "#DATA!",
];

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextRow {
    /// Its number in the spreadsheet, the first is 1.
    pub number: usize,
    pub cells: Vec<String>,
    /// The numbers of cells that show a percentage, by column: `0.125` where the cell is `12.5%`.
    numbers: BTreeMap<usize, String>,
    /// The columns whose cell has a formula without a stored value.
    not_stored: BTreeSet<usize>,
}

impl TextRow {
    /// Why a cell in which something is written has no value.
    pub fn fault(&self, at: usize) -> Option<CellFault> {
        if self.not_stored.contains(&at) {
            return Some(CellFault::NotStored(place(at, self.number)));
        }
        self.cells.get(at).filter(|cell| is_cell_error(cell)).map(|cell| CellFault::Failed(cell.trim().to_owned()))
    }

    /// Whether none of its cells has a value.
    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }

    /// The text of a cell, as a column of numbers or of texts reads it: a percentage is its number, or what the spreadsheet shows.
    pub(super) fn cell(&self, at: usize, as_number: bool) -> Option<&str> {
        let number = self.numbers.get(&at).filter(|_| as_number);
        number.or_else(|| self.cells.get(at)).map(String::as_str)
    }
}

/// Why a cell in which something is written has no value: taken as empty, it would empty a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellFault {
    /// Its formula failed and shows this.
    Failed(String),
    /// Its formula has no stored value, as in workbooks of programs that do not reckon. The place of the cell: `B7`.
    NotStored(String),
}

/// The place of a cell as spreadsheets show it: `B7`.
fn place(column: usize, row: usize) -> String {
    let (mut letters, mut left) = (String::new(), column + 1);
    while left > 0 {
        left -= 1;
        letters.insert(0, char::from(b'A' + (left % 26) as u8));
        left /= 26;
    }
    format!("{letters}{row}")
}

/// Whether a cell shows that its formula failed: it has no value, and is not empty.
fn is_cell_error(cell: &str) -> bool {
    // French spreadsheets may have a space before the sign.
    let cell = cell.trim();
    cell.starts_with('#') && CELL_ERRORS.contains(&cell.replace([' ', '\u{a0}', '\u{202f}'], "").as_str())
}

/// A table: the names of its columns, and its rows with something in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The first row.
    pub header: Vec<String>,
    /// The others.
    pub rows: Vec<TextRow>,
    /// The name of the sheet of the workbook that is read; empty for CSV.
    pub sheet: String,
    /// Names of other sheets of the workbook that show something and are not read.
    pub unread_sheets: Vec<String>,
    /// How many cells the rows have, with those that short ones lack: an import adds them.
    cells: usize,
}

impl Table {
    /// Adds a row, of `max` at most. Lines inside its cells end with `\n`.
    fn push(&mut self, mut row: TextRow, max: usize) -> Result<(), TableError> {
        if row.cells.len() > MAX_COLUMNS {
            return Err(TableError::TooManyColumns { max: MAX_COLUMNS });
        }
        if row.is_blank() && (row.not_stored.is_empty() || self.header.is_empty()) {
            return Ok(());
        }
        for cell in row.cells.iter_mut().filter(|cell| cell.contains('\r')) {
            *cell = cell.replace("\r\n", "\n").replace('\r', "\n");
        }
        if self.header.is_empty() {
            if let Some(at) = row.not_stored.first() {
                return Err(TableError::FormulaWithoutValue { cell: place(*at, row.number) });
            }
            self.header = row.cells.into_iter().map(|name| name.trim().to_lowercase()).collect();
        } else if self.rows.len() == max {
            return Err(TableError::TooManyRows { max });
        } else {
            let columns = row.cells.len().max(self.header.len());
            self.cells += columns;
            if self.cells > MAX_CELLS {
                return Err(TableError::TooManyCells { max: MAX_CELLS, columns, rows: MAX_CELLS / columns });
            }
            self.rows.push(row);
        }
        Ok(())
    }
}

/// Reads the file of a table with at most `max` rows below the first.
pub fn read(bytes: &[u8], max: usize) -> Result<Table, TableError> {
    let table = if bytes.starts_with(b"PK\x03\x04") { workbook::read(bytes, max)? } else { text(bytes, max)? };
    if table.header.is_empty() { Err(TableError::Unreadable) } else { Ok(table) }
}

/// CSV.
fn text(bytes: &[u8], max: usize) -> Result<Table, TableError> {
    let text = decoded(bytes);
    // No text has this sign; pictures and old workbooks do.
    if text.contains('\0') {
        return Err(TableError::Unreadable);
    }
    let separator = separator(&text);
    if has_wide_record(&text, separator, MAX_COLUMNS) {
        return Err(TableError::TooManyColumns { max: MAX_COLUMNS });
    }
    let mut table = Table::default();
    let mut reader = reader(&text, separator);
    let mut number = 0;
    for record in reader.records() {
        let record = record.map_err(|_| TableError::Unreadable)?;
        let start = record.position().and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or_default();
        let is_first = number == 0;
        number += blank_lines(&text, start) + 1;
        // Excel writes the separator into a first line of its own.
        if is_first && record.len() <= 2 && record.get(0).is_some_and(|cell| cell.starts_with("sep=")) {
            continue;
        }
        let cells = record.iter().map(str::to_owned).collect();
        table.push(TextRow { number, cells, ..TextRow::default() }, max)?;
    }
    Ok(table)
}

fn reader(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes())
}

/// Where a sign of CSV is in its cell.
enum Place {
    /// At its start.
    Start,
    /// Inside, where a quote is a sign like any other.
    Plain,
    /// Between its quotes.
    Quoted,
    /// After a quote between its quotes: a second one is a sign of the cell.
    Unquoted,
}

/// Whether a record has more than `max` cells. The reader takes a whole record, some dozens of bytes for each cell, before it shows how many it has.
fn has_wide_record(text: &str, separator: u8, max: usize) -> bool {
    let (mut cells, mut place) = (1, Place::Start);
    for byte in text.bytes() {
        place = match (place, byte) {
            (Place::Quoted, b'"') => Place::Unquoted,
            (Place::Quoted, _) | (Place::Start | Place::Unquoted, b'"') => Place::Quoted,
            (_, b'\r' | b'\n') => {
                cells = 1;
                Place::Start
            }
            (_, byte) if byte == separator => {
                cells += 1;
                if cells > max {
                    return true;
                }
                Place::Start
            }
            _ => Place::Plain,
        };
    }
    false
}

/// The empty lines before a record, which are rows of the spreadsheet and which the reader skips. `from`: where the record before ended.
fn blank_lines(text: &str, from: usize) -> usize {
    let (before, after) = text.split_at(from);
    // The reader ends a record at the first sign of `\r\n`.
    let after = if before.ends_with('\r') { after.strip_prefix('\n').unwrap_or(after) } else { after };
    let breaks = &after[..after.len() - after.trim_start_matches(['\r', '\n']).len()];
    breaks.len() - breaks.matches("\r\n").count()
}

/// The text of a file: UTF-16, Windows-1252, or UTF-8 whose invalid bytes are Windows-1252.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if Encoding::for_bom(bytes).is_some() {
        return trace::decoded(bytes);
    }
    match utf_16_without_mark(bytes).or_else(|| is_windows_1252(bytes).then_some(WINDOWS_1252)) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
        None => trace::decoded(bytes),
    }
}

/// The order of the bytes of UTF-16: every second byte of Latin letters is zero.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |from: usize| bytes.iter().take(1_000).skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let seen = bytes.len().min(1_000) / 2;
    match (zeros(0), zeros(1)) {
        (_, low) if seen > 0 && low * 2 > seen => Some(UTF_16LE),
        (high, _) if seen > 0 && high * 2 > seen => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether more bytes are invalid in UTF-8 than there are letters beyond ASCII in it. A few pairs of Windows-1252, such as `É` and a
/// space that does not break, are letters of UTF-8 by chance.
fn is_windows_1252(bytes: &[u8]) -> bool {
    let (mut letters, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        letters += chunk.valid().chars().filter(|sign| !sign.is_ascii()).count();
        invalid += chunk.invalid().len();
    }
    invalid > letters
}

/// The sign between the names of the first line: the most frequent of `;`, `,` and the tab outside quotes.
fn separator(text: &str) -> u8 {
    let mut counts = [0_usize; 3];
    let mut is_quoted = false;
    // Empty lines may come before it.
    for byte in text.trim_start_matches(['\r', '\n']).bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            b';' if !is_quoted => counts[0] += 1,
            b',' if !is_quoted => counts[1] += 1,
            b'\t' if !is_quoted => counts[2] += 1,
            _ => {}
        }
    }
    let signs = [b';', b',', b'\t'];
    let most = (0..3).rev().max_by_key(|at| counts[*at]).unwrap_or_default();
    signs[most]
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use rust_xlsxwriter::Workbook;

    use super::super::MAX_ROWS;
    use super::*;
    use crate::problem::AsProblem as _;

    fn cells(bytes: &[u8]) -> Vec<Vec<String>> {
        let table = read(bytes, MAX_ROWS).unwrap();
        std::iter::once(table.header).chain(table.rows.into_iter().map(|row| row.cells)).collect()
    }

    fn code(bytes: &[u8]) -> &'static str {
        read(bytes, MAX_ROWS).unwrap_err().problem().reason().0
    }

    #[test]
    fn every_encoding_and_separator_of_a_spreadsheet_is_read() {
        let table = "Id;title_fr\r\n3;\"Étang; œuf\"\r\n;\r\n";
        let expected = [vec!["id", "title_fr"], vec!["3", "Étang; œuf"]];
        assert_eq!(cells(table.as_bytes()), expected);
        assert_eq!(cells(format!("\u{feff}{table}").as_bytes()), expected);
        assert_eq!(cells(&WINDOWS_1252.encode(table).0), expected);
        let wide = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            mark.iter().copied().chain(table.encode_utf16().flat_map(bytes)).collect()
        };
        assert_eq!(cells(&wide(&[0xff, 0xfe], u16::to_le_bytes)), expected);
        assert_eq!(cells(&wide(&[0xfe, 0xff], u16::to_be_bytes)), expected);
        assert_eq!(cells(&wide(&[], u16::to_le_bytes)), expected);
        assert_eq!(cells("id,title_fr\n3,\"Étang; œuf\"\n".as_bytes()), expected);
        assert_eq!(cells("id\ttitle_fr\n3\tÉtang; œuf\n".as_bytes()), expected);
        assert_eq!(cells(format!("sep=;\r\n{table}").as_bytes()), expected);
        assert_eq!(cells(b";;\nid;title_fr\n;Lac\n"), [vec!["id", "title_fr"], vec!["", "Lac"]]);
        assert_eq!(cells(b"\nid,title_fr\n,Lac\n"), [vec!["id", "title_fr"], vec!["", "Lac"]]);
    }

    #[test]
    fn a_byte_of_windows_1252_leaves_the_utf_8_around_it() {
        let mixed = ["id;title_fr\n1;Étang à l’œil\n2;".as_bytes(), &b"For\xeat\n"[..]].concat();
        let expected = [vec!["id", "title_fr"], vec!["1", "Étang à l’œil"], vec!["2", "Forêt"]];
        assert_eq!(cells(&mixed), expected);
        assert_eq!(cells(&[&b"\xef\xbb\xbf"[..], mixed.as_slice()].concat()), expected, "with the mark of UTF-8");
        // The bytes of the first `É` and of the space after it are a letter in UTF-8.
        let old = b"id;title_fr\n1;FERM\xc9\xa0: for\xeat \xe0 c\xf4t\xe9\n";
        assert_eq!(cells(old), [vec!["id", "title_fr"], vec!["1", "FERMÉ\u{a0}: forêt à côté"]]);
    }

    #[test]
    fn a_lone_carriage_return_ends_a_row_and_a_line_of_a_quoted_cell() {
        let expected = [vec!["id", "title_fr"], vec!["1", "Lac, bois, col"], vec!["2", "Pré"]];
        assert_eq!(cells("id;title_fr\r1;Lac, bois, col\r2;Pré\r".as_bytes()), expected);
        assert_eq!(cells(b"id;words_fr\r1;\"un\rdeux\"\r"), [vec!["id", "words_fr"], vec!["1", "un\ndeux"]]);
        let mixed = b"id;words_fr\r\n1;\"un\rdeux\r\ntrois\"\r\n";
        assert_eq!(cells(mixed), [vec!["id", "words_fr"], vec!["1", "un\ndeux\ntrois"]]);
    }

    #[test]
    fn rows_have_the_numbers_of_the_spreadsheet() {
        let table = read("id;words_fr\n1;\"un\ndeux\"\n;;\n2;x\n".as_bytes(), MAX_ROWS).unwrap();
        assert_eq!(table.rows.iter().map(|row| row.number).collect::<Vec<_>>(), [2, 4]);
        for line in ["\n", "\r\n", "\r"] {
            let table = ["", "id;words_fr", "", "1;\"un", "deux\"", "", "", "2;x", "3;y", ""].join(line);
            let table = read(table.as_bytes(), MAX_ROWS).unwrap();
            let numbers: Vec<usize> = table.rows.iter().map(|row| row.number).collect();
            assert_eq!(numbers, [4, 7, 8], "with empty lines between, {line:?}");
        }
    }

    #[test]
    fn a_wide_record_is_found_as_the_reader_would() {
        let signs = [",", "\"", "a", "\n", "\r"];
        for number in 0..signs.len().pow(6) {
            let sign = |at: u32| signs[number / signs.len().pow(at) % signs.len()];
            let text: String = (0..6).map(sign).collect();
            let widest = reader(&text, b',').records().map(|record| record.unwrap().len()).max().unwrap_or_default();
            for max in 1..4 {
                assert_eq!(has_wide_record(&text, b',', max), widest > max, "{text:?}, {max}");
            }
        }
    }

    #[test]
    fn separators_in_quotes_make_no_columns() {
        let words = ",".repeat(1_000);
        assert_eq!(cells(format!("id,words_fr\n1,\"{words}\"\n").as_bytes())[1], ["1", words.as_str()]);
        assert_eq!(code(",".repeat(MAX_FILE_BYTES).as_bytes()), "table/too-many-columns");
        assert_eq!(code(format!("id,words_fr\n1,\"x\"{words}\n").as_bytes()), "table/too-many-columns");
    }

    #[test]
    fn the_cells_of_all_rows_are_bounded_with_those_that_short_rows_lack() {
        let of = |row: &str, rows: usize| format!("{}\n{}", "id;".repeat(199), row.repeat(rows)).into_bytes();
        let wide = format!("{}x\n", ";".repeat(199));
        assert_eq!(read(&of(&wide, 10_000), 20_000).unwrap().rows.len(), 10_000);
        for row in [wide.as_str(), "x\n"] {
            let error = read(&of(row, 10_001), 20_000).unwrap_err();
            let problem = error.problem();
            let (code, params) = problem.reason();
            assert_eq!(code, "table/too-many-cells");
            let expected = serde_json::json!({"max": 2_000_000, "columns": 200, "rows": 10_000});
            assert_eq!(serde_json::json!(params), expected);
        }
    }

    #[test]
    fn a_cell_has_the_place_that_spreadsheets_show() {
        assert_eq!(
            [0, 1, 25, 26, 51, 52, 299].map(|column| place(column, 7)),
            ["A7", "B7", "Z7", "AA7", "AZ7", "BA7", "KN7"]
        );
    }

    #[test]
    fn what_is_no_table_or_too_much_of_one_is_refused() {
        assert_eq!(code(b""), "table/unreadable");
        assert_eq!(code(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "table/unreadable");
        assert_eq!(code(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0"), "table/unreadable");
        assert_eq!(code(b"PK\x03\x04 and no more"), "table/unreadable");
        assert_eq!(code(format!("id\n{}", "1\n".repeat(MAX_ROWS + 1)).as_bytes()), "table/too-many-rows");
        assert_eq!(code("id;".repeat(MAX_COLUMNS + 1).as_bytes()), "table/too-many-columns");
        let mut far = Workbook::new();
        far.add_worksheet().write_string(1_000_000, 16_000, "x").unwrap();
        assert_eq!(code(&far.save_to_buffer().unwrap()), "table/too-many-columns");
    }
}
