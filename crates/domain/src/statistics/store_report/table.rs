//! A table in a text, as spreadsheets and stores write them.

use crate::fold;
use crate::statistics::Day;

/// The header is among the first lines.
const HEADER_WITHIN: usize = 30;

/// A row, and the line it starts on.
pub struct Row {
    /// From 1.
    pub line: usize,
    /// Its cells, without quotes.
    pub cells: Vec<String>,
}

/// The text of bytes: UTF-16 by its byte order mark, UTF-8, else Latin-1. Old spreadsheets write Windows-1252, which differs from Latin-1 only in
/// 0x80 to 0x9F: `œ` and `€` are lost, accented letters are not.
pub fn text(bytes: &[u8]) -> String {
    let wide = |of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            // The code points of Latin-1 are its bytes.
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    }
}

/// The first line that names one of these columns, and the lines below, split as that line is.
pub fn below_header(text: &str, named: &[&str]) -> Option<(Row, Vec<Row>)> {
    [',', ';', '\t'].into_iter().find_map(|separator| {
        let mut rows = rows(text, separator);
        let is_header =
            |row: &Row| row.cells.len() > 1 && row.cells.iter().any(|cell| named.contains(&fold(cell).as_str()));
        let at = rows.iter().take(HEADER_WITHIN).position(is_header)?;
        let below = rows.split_off(at + 1);
        Some((rows.pop()?, below))
    })
}

/// The rows of a text (RFC 4180, lenient): a quote that is not closed ends with the text; empty rows are left out.
fn rows(text: &str, separator: char) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut keep = |line, cells: Vec<String>| {
        if cells.iter().any(|cell| !cell.trim().is_empty()) {
            rows.push(Row { line, cells });
        }
    };
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut quoted, mut line, mut started) = (false, 1, 1);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                cell.push('"');
                letters.next();
            }
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                quoted = true;
            }
            '\r' if !quoted => {}
            '\n' if !quoted => {
                cells.push(std::mem::take(&mut cell));
                keep(started, std::mem::take(&mut cells));
                line += 1;
                started = line;
            }
            letter if letter == separator && !quoted => cells.push(std::mem::take(&mut cell)),
            letter => {
                line += usize::from(letter == '\n');
                cell.push(letter);
            }
        }
    }
    cells.push(cell);
    keep(started, cells);
    rows
}

/// Which part of `10/1/26` is the month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOrder {
    /// The first, as the App Store writes.
    MonthFirst,
    /// The second, as a French spreadsheet writes.
    DayFirst,
}

/// The order of the days in a report: the month first, unless a first number is above 12.
pub fn day_order<'a>(mut days: impl Iterator<Item = &'a String>) -> DayOrder {
    let past_december =
        |day: &String| parts(day.trim()).is_some_and(|(parts, slashes)| slashes && (13..=31).contains(&parts[0]));
    if days.any(past_december) { DayOrder::DayFirst } else { DayOrder::MonthFirst }
}

/// A day: `2026-10-01`, `10/1/26`, `31/10/2026`, `31.10.2026`, with or without a time behind.
pub fn day(text: &str, order: DayOrder) -> Option<Day> {
    let text = text.split(['T', ' ']).next()?;
    if let Some(day) = Day::parse(text) {
        return Some(day);
    }
    let ([first, second, year], slashes) = parts(text)?;
    let year = if year < 100 { year + 2000 } else { year };
    match order {
        DayOrder::MonthFirst if slashes => Day::new(year, first, second),
        _ => Day::new(year, second, first),
    }
}

/// The three numbers of a day, and whether slashes are between them.
fn parts(text: &str) -> Option<([i64; 3], bool)> {
    let slashes = text.contains('/');
    let mut numbers = text.split(if slashes { '/' } else { '.' }).map(|part| part.parse::<u16>().ok().map(i64::from));
    let found = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some((found, slashes))
}

/// A whole number, with any separators between its thousands; nothing and a dash are 0.
pub fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.is_empty() || text == "-" || text == "–" {
        return Some(0);
    }
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    let whole: String =
        digits.chars().filter(|c| !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | ',' | '.' | '\'' | '’')).collect();
    let is_number = !whole.is_empty() && whole.len() <= 12 && whole.bytes().all(|b| b.is_ascii_digit());
    let starts_well =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.ends_with(|c: char| c.is_ascii_digit());
    (is_number && starts_well).then(|| whole.parse::<i64>().ok().map(|number| sign * number))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, read) in [
            ("12", Some(12)),
            ("1 204", Some(1204)),
            ("1\u{202f}204", Some(1204)),
            ("1.204", Some(1204)),
            ("12.0", Some(12)),
            ("-3", Some(-3)),
            ("", Some(0)),
            ("-", Some(0)),
            ("1e3", None),
            ("douze", None),
            ("1,", None),
            ("9999999999999", None),
        ] {
            assert_eq!(number(text), read, "{text}");
        }
    }

    #[test]
    fn slashes_are_read_as_the_whole_report_writes_them() {
        let american = ["10/1/26".to_owned(), "10/13/26".to_owned()];
        assert_eq!(day_order(american.iter()), DayOrder::MonthFirst);
        let french = ["01/10/2026".to_owned(), "13/10/2026".to_owned()];
        assert_eq!(day_order(french.iter()), DayOrder::DayFirst);
        let read = |text, order| day(text, order).map(|day| day.to_string());
        assert_eq!(read("10/1/26", DayOrder::MonthFirst).as_deref(), Some("2026-10-01"));
        assert_eq!(read("01/10/2026", DayOrder::DayFirst).as_deref(), Some("2026-10-01"));
        assert_eq!(read("1.10.2026 00:00", DayOrder::MonthFirst).as_deref(), Some("2026-10-01"));
        assert_eq!(read("32/10/2026", DayOrder::DayFirst), None);
    }
}
