//! XLSX workbooks: the sheet that is read, and its cells as the spreadsheet shows them.

use std::collections::HashSet;
use std::io::{Cursor, Read as _, copy, sink};

use calamine::{DataRef, ExcelDateTime, Reader as _, Sheet, SheetType, SheetVisible, Style, Xlsx, XlsxFormulaMetadata};
use trace::{ArchiveError, open_archive};

use super::{MAX_CELLS, MAX_COLUMNS, Table, TextRow};
use crate::record::table::TableError;

/// The most bytes in the parts of a workbook and, counted apart, in its cells; and the most parts.
const MAX_UNPACKED_BYTES: u64 = 40 * 1024 * 1024;
const MAX_PARTS: usize = 1_000;
/// How many sheets are looked into. Many may be one part of the file: the time must follow its length.
const MAX_SHEETS: usize = 20;
/// The most characters of a sheet's name in a report; spreadsheets allow 31.
const MAX_SHEET_NAME: usize = 60;

/// The sheets of a workbook.
type Book<'a> = Xlsx<Cursor<&'a [u8]>>;

/// The first sheet of a workbook with rows, of those that are not hidden; where none has rows, the first with a first row.
pub(super) fn read(bytes: &[u8], max: usize) -> Result<Table, TableError> {
    check_unpacked(bytes)?;
    let mut book: Book<'_> = Xlsx::new(Cursor::new(bytes)).map_err(|_| TableError::Unreadable)?;
    let is_shown_table = |sheet: &&Sheet| sheet.visible == SheetVisible::Visible && sheet.typ == SheetType::WorkSheet;
    let names: Vec<String> =
        book.sheets_metadata().iter().filter(is_shown_table).map(|sheet| sheet.name.clone()).collect();
    // Many cells may show one shared text: together they can be far larger than the parts of the file.
    let mut left = MAX_UNPACKED_BYTES;
    let mut chosen: Option<(usize, Table)> = None;
    let mut filled = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let has_rows = chosen.as_ref().is_some_and(|(_, table)| !table.rows.is_empty());
        if has_rows || at >= MAX_SHEETS {
            filled.extend((at >= MAX_SHEETS || shows_something(&mut book, name)).then_some(at));
            continue;
        }
        let table = read_sheet(&mut book, name, max, &mut left)?;
        if table.header.is_empty() {
            continue;
        }
        filled.push(at);
        if chosen.is_none() || !table.rows.is_empty() {
            chosen = Some((at, table));
        }
    }
    let (read_at, mut table) = chosen.ok_or(TableError::Unreadable)?;
    table.sheet = short(&names[read_at]);
    let unread = filled.into_iter().filter(|at| *at != read_at).take(MAX_SHEETS);
    table.unread_sheets = unread.map(|at| short(&names[at])).collect();
    Ok(table)
}

/// The name of a sheet, cut where it is too long.
fn short(name: &str) -> String {
    name.chars().take(MAX_SHEET_NAME).collect()
}

/// Whether a cell of a sheet shows something. A sheet that cannot be read shows nothing.
fn shows_something(book: &mut Book<'_>, name: &str) -> bool {
    let Ok(mut cells) = book.worksheet_cells_reader(name) else { return false };
    while let Ok(Some(cell)) = cells.next_cell() {
        if !cell_text(cell.get_value()).trim().is_empty() {
            return true;
        }
    }
    false
}

/// The cells of a sheet whose formula has no stored value, by row and column from 0. Of a sheet that cannot be read, those before the fault.
fn without_value(book: &mut Book<'_>, name: &str) -> HashSet<(u32, u32)> {
    let mut found = HashSet::new();
    let Ok(mut cells) = book.worksheet_cells_reader(name) else { return found };
    // A table with more cells is refused.
    while found.len() <= MAX_CELLS
        && let Ok(Some(cell)) = cells.next_cell_with_formula_metadata()
    {
        let has_formula = match &cell.formula {
            Some(XlsxFormulaMetadata::Normal { formula }) => !formula.trim().is_empty(),
            formula => formula.is_some(),
        };
        // A formula whose value is an empty text has that text.
        if has_formula && matches!(cell.value, DataRef::Empty) && (cell.pos.1 as usize) < MAX_COLUMNS {
            found.insert(cell.pos);
        }
    }
    found
}

/// Reads a sheet; its texts have `left` bytes at most. Cells are taken one by one: a sheet that claims to be a million columns wide costs
/// no memory.
fn read_sheet(book: &mut Book<'_>, name: &str, max: usize, left: &mut u64) -> Result<Table, TableError> {
    let not_stored = without_value(book, name);
    let mut cells = book.worksheet_cells_reader(name).map_err(|_| TableError::Unreadable)?;
    // By the number of a style, which many cells have.
    let percentages: Vec<PercentageFormat> = cells.styles().iter().map(percentage_format).collect();
    let mut table = Table::default();
    let mut row = TextRow::default();
    while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(|_| TableError::Unreadable)? {
        let (number, at_column) = (cell.get_position().0 as usize + 1, cell.get_position().1 as usize);
        let text = cell_text(cell.get_value());
        if text.is_empty() && !not_stored.contains(&cell.get_position()) {
            continue;
        }
        let format = percentages.get(style).copied().unwrap_or_default();
        let percentage = percentage_text(cell.get_value(), format);
        let bytes = text.len() + percentage.as_ref().map_or(0, String::len);
        *left = left.checked_sub(bytes as u64).ok_or(TableError::UnpacksLarge)?;
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
        if text.is_empty() {
            row.not_stored.insert(at_column);
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
    let mut parts = open_archive(Cursor::new(bytes), MAX_PARTS).map_err(|error| match error {
        ArchiveError::TooManyEntries => TableError::UnpacksLarge,
        ArchiveError::Damaged(_) => TableError::Unreadable,
    })?;
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

    use super::super::{is_cell_error, read};
    use super::{Cursor, MAX_PARTS, MAX_SHEETS};
    use crate::problem::AsProblem as _;
    use crate::record::table::MAX_ROWS;

    fn code(bytes: &[u8]) -> &'static str {
        read(bytes, MAX_ROWS).unwrap_err().problem().reason().0
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
    fn a_workbook_of_too_many_parts_is_not_opened() {
        let end = |parts: usize| [&b"PK\x05\x06\0\0\0\0\0\0"[..], &(parts as u16).to_le_bytes(), &[0; 10]].concat();
        let of = |parts: usize| [&b"PK\x03\x04"[..], &b"PK\x01\x02".repeat(parts), &end(parts)].concat();
        assert_eq!((code(&of(MAX_PARTS)), code(&of(MAX_PARTS + 1))), ("table/unreadable", "table/unpacks-large"));
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

    #[test]
    fn the_first_sheet_with_rows_is_read_and_others_that_show_something_are_named() {
        let read_of = |sheets: &[(&str, &[&str])]| {
            let mut book = Workbook::new();
            for (name, lines) in sheets {
                let sheet = book.add_worksheet().set_name(*name).unwrap();
                for (row, line) in lines.iter().enumerate() {
                    sheet.write_string(row as u32, 0, *line).unwrap();
                }
            }
            let table = read(&book.save_to_buffer().unwrap(), MAX_ROWS).unwrap();
            let first = table.rows.first().map(|row| row.cells.join("|")).unwrap_or_default();
            (table.header.join("|"), first, format!("{}<{}", table.sheet, table.unread_sheets.join("|")))
        };
        let of = |header: &str, row: &str, sheets: &str| (header.to_owned(), row.to_owned(), sheets.to_owned());
        let pois = ("POI", &["title_fr", "Lac"][..]);
        assert_eq!(read_of(&[("Vide", &[]), pois]), of("title_fr", "Lac", "POI<"));
        assert_eq!(read_of(&[("Aide", &["Lisez-moi"]), pois, ("Vide", &[" "])]), of("title_fr", "Lac", "POI<Aide"));
        let more = [pois, ("Hiver", &["title_fr", "Col"][..]), ("Aide", &["Lisez-moi"][..])];
        assert_eq!(read_of(&more), of("title_fr", "Lac", "POI<Hiver|Aide"));
        assert_eq!(read_of(&[("POI", &["title_fr"]), ("Aide", &["Lisez-moi"])]), of("title_fr", "", "POI<Aide"));
        let names: Vec<String> = (0..MAX_SHEETS + 5).map(|number| format!("F{number}")).collect();
        let many: Vec<(&str, &[&str])> = names.iter().map(|name| (name.as_str(), pois.1)).collect();
        assert_eq!(read_of(&many).2.split('|').count(), MAX_SHEETS, "the list of names is short");
    }
}
