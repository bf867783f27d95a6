//! The file of a table, read within bounds: CSV in the encodings and with the separators that spreadsheets write, or an XLSX workbook.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, copy, sink};

use calamine::{DataRef, ExcelDateTime, Reader as _, Sheet, SheetType, SheetVisible, Style, Xlsx};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use zip::ZipArchive;

use super::TableError;

/// The largest file, in bytes.
pub const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;
/// The most columns.
const MAX_COLUMNS: usize = 300;
/// The most bytes in the parts of a workbook and, counted apart, in its cells; and the most parts.
const MAX_UNPACKED_BYTES: u64 = 40 * 1024 * 1024;
const MAX_PARTS: usize = 1_000;

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
}

impl TextRow {
    /// The text of a cell, as a column of numbers or of texts reads it: a percentage is its number, or what the spreadsheet shows.
    pub(super) fn cell(&self, at: usize, as_number: bool) -> Option<&str> {
        let number = self.numbers.get(&at).filter(|_| as_number);
        number.or_else(|| self.cells.get(at)).map(String::as_str)
    }
}

/// Whether a cell shows that its formula failed: it has no value, and is not empty.
pub fn is_cell_error(cell: &str) -> bool {
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
}

impl Table {
    /// Adds a row, of `max` at most.
    fn push(&mut self, row: TextRow, max: usize) -> Result<(), TableError> {
        if row.cells.len() > MAX_COLUMNS {
            return Err(TableError::TooManyColumns { max: MAX_COLUMNS });
        }
        let is_blank = row.cells.iter().all(|cell| cell.trim().is_empty());
        if is_blank {
            return Ok(());
        }
        if self.header.is_empty() {
            self.header = row.cells.into_iter().map(|name| name.trim().to_lowercase()).collect();
        } else if self.rows.len() == max {
            return Err(TableError::TooManyRows { max });
        } else {
            self.rows.push(row);
        }
        Ok(())
    }
}

/// Reads the file of a table with at most `max` rows below the first.
pub fn read(bytes: &[u8], max: usize) -> Result<Table, TableError> {
    let table = if bytes.starts_with(b"PK\x03\x04") { workbook(bytes, max)? } else { text(bytes, max)? };
    if table.header.is_empty() { Err(TableError::Unreadable) } else { Ok(table) }
}

/// CSV.
fn text(bytes: &[u8], max: usize) -> Result<Table, TableError> {
    let text = decoded(bytes);
    // No text has this sign; pictures and old workbooks do.
    if text.contains('\0') {
        return Err(TableError::Unreadable);
    }
    let mut table = Table::default();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator(&text))
        .from_reader(text.as_bytes());
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
        table.push(TextRow { number, cells, numbers: BTreeMap::new() }, max)?;
    }
    Ok(table)
}

/// The empty lines before a record, which are rows of the spreadsheet and which the reader skips. `from`: where the record before ended.
fn blank_lines(text: &str, from: usize) -> usize {
    let (before, after) = text.split_at(from);
    // The reader ends a record at the first sign of `\r\n`.
    let after = if before.ends_with('\r') { after.strip_prefix('\n').unwrap_or(after) } else { after };
    let breaks = &after[..after.len() - after.trim_start_matches(['\r', '\n']).len()];
    breaks.len() - breaks.matches("\r\n").count()
}

/// The text of a file: UTF-8 or UTF-16 with their marks, UTF-8 or UTF-16 without, else Windows-1252.
fn decoded(bytes: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\0')
    {
        return text.to_owned();
    }
    // Every second byte of Latin letters in UTF-16 is zero.
    let zeros = |from: usize| bytes.iter().take(1_000).skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let seen = bytes.len().min(1_000) / 2;
    let encoding = match (zeros(0), zeros(1)) {
        (_, low) if seen > 0 && low * 2 > seen => UTF_16LE,
        (high, _) if seen > 0 && high * 2 > seen => UTF_16BE,
        _ => WINDOWS_1252,
    };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The sign between the names of the first line: the most frequent of `;`, `,` and the tab outside quotes.
fn separator(text: &str) -> u8 {
    let mut counts = [0_usize; 3];
    let mut is_quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
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

/// The first table of an XLSX workbook that is not hidden. Cells are taken one by one: a sheet that claims to be a million columns wide
/// costs no memory.
fn workbook(bytes: &[u8], max: usize) -> Result<Table, TableError> {
    check_unpacked(bytes)?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|_| TableError::Unreadable)?;
    let is_shown_table = |sheet: &&Sheet| sheet.visible == SheetVisible::Visible && sheet.typ == SheetType::WorkSheet;
    let visible = book.sheets_metadata().iter().find(is_shown_table);
    let name = visible.map(|sheet| sheet.name.clone()).ok_or(TableError::Unreadable)?;
    let mut cells = book.worksheet_cells_reader(&name).map_err(|_| TableError::Unreadable)?;
    // By the number of a style, which many cells have.
    let percentages: Vec<PercentageFormat> = cells.styles().iter().map(percentage_format).collect();
    let mut table = Table::default();
    let mut row = TextRow::default();
    // Many cells may show one shared text: together they can be far larger than the parts of the file.
    let mut left = MAX_UNPACKED_BYTES;
    while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(|_| TableError::Unreadable)? {
        let (number, at_column) = (cell.get_position().0 as usize + 1, cell.get_position().1 as usize);
        let text = cell_text(cell.get_value());
        if text.is_empty() {
            continue;
        }
        let format = percentages.get(style).copied().unwrap_or_default();
        let percentage = percentage_text(cell.get_value(), format);
        let bytes = text.len() + percentage.as_ref().map_or(0, String::len);
        left = left.checked_sub(bytes as u64).ok_or(TableError::UnpacksLarge)?;
        if at_column >= MAX_COLUMNS {
            return Err(TableError::TooManyColumns { max: MAX_COLUMNS });
        }
        if number != row.number && !row.cells.is_empty() {
            table.push(std::mem::take(&mut row), max)?;
        }
        row.number = number;
        if row.cells.len() <= at_column {
            row.cells.resize(at_column + 1, String::new());
        }
        row.cells[at_column] = if let Some(percentage) = percentage {
            row.numbers.insert(at_column, text);
            percentage
        } else {
            row.numbers.remove(&at_column);
            text
        };
    }
    if !row.cells.is_empty() {
        table.push(row, max)?;
    }
    Ok(table)
}

/// Unpacks every part of a workbook into nothing: what it says of its sizes need not be true.
fn check_unpacked(bytes: &[u8]) -> Result<(), TableError> {
    let mut parts = ZipArchive::new(Cursor::new(bytes)).map_err(|_| TableError::Unreadable)?;
    if parts.len() > MAX_PARTS {
        return Err(TableError::UnpacksLarge);
    }
    let mut left = MAX_UNPACKED_BYTES;
    for at in 0..parts.len() {
        let part = parts.by_index(at).map_err(|_| TableError::Unreadable)?;
        let unpacked = copy(&mut part.take(left + 1), &mut sink()).map_err(|_| TableError::Unreadable)?;
        left = left.checked_sub(unpacked).ok_or(TableError::UnpacksLarge)?;
    }
    Ok(())
}

fn cell_text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(yes) => yes.to_string(),
        DataRef::DateTime(time) => day_text(time),
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}

/// A day as `2026-11-25`, with its time where it has one: `2026-11-25 09:30`. A time of day or a duration as `09:30`.
fn day_text(time: &ExcelDateTime) -> String {
    // A day is 1: a minute is not a round number.
    let minutes = (time.as_f64() * 1_440.0).round() as i64;
    let (hour, minute) = (minutes / 60, minutes % 60);
    if time.is_duration() || time.as_f64() < 1.0 {
        return format!("{hour:02}:{minute:02}");
    }
    let (year, month, day, ..) = time.to_ymd_hms_milli();
    let day = format!("{year:04}-{month:02}-{day:02}");
    if minutes % 1_440 == 0 { day } else { format!("{day} {:02}:{minute:02}", hour % 24) }
}

/// The decimals of a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimals {
    /// Those that are always shown.
    fewest: u8,
    /// The most.
    most: u8,
}

/// How a number format shows percentages: of numbers from 0, and of negative ones; none where it shows something else.
type PercentageFormat = [Option<Decimals>; 2];

/// More decimals than a number has.
const MAX_DECIMALS: u8 = 15;
/// The longest number format of Excel, in bytes of up to four each.
const MAX_FORMAT_BYTES: usize = 255 * 4;

fn percentage_format(style: &Style) -> PercentageFormat {
    let code = style.number_format.as_ref().map(|format| format.format_code.as_str());
    code.filter(|code| code.len() <= MAX_FORMAT_BYTES).map(percentages).unwrap_or_default()
}

/// The percentages of a number format such as `0.0%;[Red]-0.0%`: a `%` that is neither quoted nor escaped makes one.
fn percentages(code: &str) -> PercentageFormat {
    let mut parts = [(false, false, Decimals { fewest: 0, most: 0 }); 2];
    let (mut at, mut quoted_until, mut is_escaped) = (0, None, false);
    for sign in code.chars() {
        let (is_percentage, has_point, decimals) = &mut parts[at];
        match (sign, quoted_until) {
            _ if is_escaped => is_escaped = false,
            (_, Some(end)) => quoted_until = Some(end).filter(|end| *end != sign),
            // The next sign is shown, left as a gap or repeated.
            ('\\' | '_' | '*', None) => is_escaped = true,
            ('"', None) => quoted_until = Some('"'),
            ('[', None) => quoted_until = Some(']'),
            // The third part is for zero, the fourth for texts.
            (';', None) if at == 1 => break,
            (';', None) => at = 1,
            ('%', None) => *is_percentage = true,
            ('.', None) => *has_point = true,
            ('0' | '#' | '?', None) if *has_point && decimals.most < MAX_DECIMALS => {
                decimals.most += 1;
                if sign == '0' {
                    decimals.fewest = decimals.most;
                }
            }
            _ => {}
        }
    }
    let of = |part: usize| Some(parts[part].2).filter(|_| parts[part].0);
    // A format of one part is that of all numbers.
    [of(0), of(at)]
}

/// A number that is shown as a percentage: `12.5%`. None for any other cell.
fn percentage_text(value: &DataRef<'_>, format: PercentageFormat) -> Option<String> {
    let DataRef::Float(number) = value else { return None };
    let Decimals { fewest, most } = format[usize::from(*number < 0.0)]?;
    // Fifteen digits, as spreadsheets reckon: 0.285 times 100 is 28.5, not 28.499999999999996.
    let hundredfold: f64 = format!("{:.14e}", number * 100.0).parse().ok()?;
    let scale = 10_f64.powi(i32::from(most));
    let rounded = (hundredfold * scale).round() / scale;
    if !rounded.is_finite() {
        return None;
    }
    // With 0 added, -0 is 0.
    let mut text = format!("{:.*}", usize::from(most), rounded + 0.0);
    for _ in fewest..most {
        if text.ends_with('0') {
            text.pop();
        }
    }
    let bare = text.strip_suffix('.').unwrap_or(&text);
    Some(format!("{bare}%"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::io::Write as _;

    use rust_xlsxwriter::{Format, Workbook};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

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
    fn a_workbook_is_read_as_its_cells_mean() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        for (column, name) in ["id", "phone", "location_lat", "distribute"].into_iter().enumerate() {
            sheet.write_string(0, column as u16, name).unwrap();
        }
        sheet.write_number(2, 0, 12).unwrap();
        sheet.write_string(2, 1, "+33 4 92").unwrap();
        sheet.write_number(2, 2, 47.25).unwrap();
        sheet.write_boolean(2, 3, true).unwrap();
        let table = read(&book.save_to_buffer().unwrap(), MAX_ROWS).unwrap();
        assert_eq!(table.header, ["id", "phone", "location_lat", "distribute"]);
        assert_eq!((table.rows[0].number, table.rows[0].cells.join("|")), (3, "12|+33 4 92|47.25|true".to_owned()));
    }

    #[test]
    fn the_first_visible_sheet_is_read_and_blank_rows_above_the_names_are_skipped() {
        let mut book = Workbook::new();
        book.add_worksheet().set_hidden(true).write_string(0, 0, "calculs").unwrap();
        let sheet = book.add_worksheet();
        sheet.set_active(true);
        sheet.write_string(2, 0, "id").unwrap().write_string(2, 1, "title_fr").unwrap();
        sheet.write_string(3, 1, "Étang").unwrap();
        let table = read(&book.save_to_buffer().unwrap(), MAX_ROWS).unwrap();
        assert_eq!(table.header, ["id", "title_fr"]);
        assert_eq!((table.rows[0].number, table.rows[0].cells.join("|")), (4, "|Étang".to_owned()));
        assert_eq!(cells(b";;\nid;title_fr\n;Lac\n"), [vec!["id", "title_fr"], vec!["", "Lac"]]);
    }

    #[test]
    fn a_formula_that_failed_is_no_empty_cell() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        sheet.write_string(0, 0, "phone").unwrap();
        sheet.write_formula(1, 0, rust_xlsxwriter::Formula::new("=1/0").set_result("#DIV/0!")).unwrap();
        let table = read(&book.save_to_buffer().unwrap(), MAX_ROWS).unwrap();
        assert!(is_cell_error(&table.rows[0].cells[0]), "{:?}", table.rows);
        assert!(is_cell_error(" #N/A ") && !is_cell_error("N/A") && !is_cell_error(""));
        assert!(is_cell_error("#VALEUR\u{a0}!") && !is_cell_error("# VALEUR du lac"));
    }

    #[test]
    fn a_day_and_a_time_of_day_are_read_as_they_are_shown() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let cells = [("jour", 46_082.0, "yyyy-mm-dd"), ("moment", 46_082.0 + 9.5 / 24.0, "yyyy-mm-dd hh:mm")];
        let times = [("heure", 9.5 / 24.0, "hh:mm"), ("duree", 26.5 / 24.0, "[h]:mm")];
        for (column, (name, number, format)) in cells.into_iter().chain(times).enumerate() {
            sheet.write_string(0, column as u16, name).unwrap();
            let format = Format::new().set_num_format(format);
            sheet.write_number_with_format(1, column as u16, number, &format).unwrap();
        }
        let table = read(&book.save_to_buffer().unwrap(), MAX_ROWS).unwrap();
        assert_eq!(table.rows[0].cells.join("|"), "2026-03-01|2026-03-01 09:30|09:30|26:30");
    }

    #[test]
    fn a_percentage_is_read_as_it_is_shown_and_keeps_its_number() {
        let shown = [
            (0.125, "0.0%", "12.5%"),
            (0.125, "0%", "13%"),
            (0.285, "0%", "29%"),
            (0.125, "0.00%", "12.50%"),
            (0.5, "0.##%", "50%"),
            (-0.07, "0.0%;[Red]-0.0%", "-7.0%"),
            (-0.001, "0%", "0%"),
            (1.5, "0\" %\"", "1.5"),
            (1.5, "0.0\\%", "1.5"),
            (1.5, "0.0;-0.0%", "1.5"),
            (1.5, "0.00", "1.5"),
        ];
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        for (column, (number, format, _)) in shown.into_iter().enumerate() {
            sheet.write_string(0, column as u16, format!("c{column}")).unwrap();
            let format = Format::new().set_num_format(format);
            sheet.write_number_with_format(1, column as u16, number, &format).unwrap();
        }
        let table = read(&book.save_to_buffer().unwrap(), MAX_ROWS).unwrap();
        let row = &table.rows[0];
        for (column, (number, format, text)) in shown.into_iter().enumerate() {
            assert_eq!(row.cell(column, false), Some(text), "{number} {format}");
            assert_eq!(row.cell(column, true), Some(number.to_string().as_str()), "{number} {format}");
        }
        assert_eq!(row.cell(shown.len(), true), None);
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

    #[test]
    fn a_small_workbook_that_unpacks_to_much_is_refused() {
        let mut bomb = ZipWriter::new(Cursor::new(Vec::new()));
        bomb.start_file("xl/sharedStrings.xml", SimpleFileOptions::default()).unwrap();
        for _ in 0..60 {
            bomb.write_all(&vec![b' '; 1024 * 1024]).unwrap();
        }
        let bytes = bomb.finish().unwrap().into_inner();
        assert!(bytes.len() < 200_000, "{}", bytes.len());
        assert_eq!(code(&bytes), "table/unpacks-large");
    }

    #[test]
    fn a_workbook_whose_cells_share_one_long_text_is_refused() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let long = "a".repeat(30_000);
        for cell in 0..1_500_u32 {
            sheet.write_string(cell / 100, (cell % 100) as u16, &long).unwrap();
        }
        assert_eq!(code(&book.save_to_buffer().unwrap()), "table/unpacks-large");
    }
}
