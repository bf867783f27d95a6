//! A table as text: commas (or semicolons, or tabs), quotes around some of it, any end of line, any encoding.

use std::io::{BufRead, Cursor, ErrorKind, Read};
use std::ops::Range;

use crate::incoming::Refused;

/// The longest row: beyond it a quotation mark is not closed, or the file is not a table.
const MAX_ROW: usize = 256 * 1024;
/// The most bytes of a table in an encoding of two bytes a letter, which is turned whole.
const MAX_WIDE: u64 = 64 * 1024 * 1024;

/// A table, read row by row.
pub(super) struct Table<'a> {
    reader: Box<dyn BufRead + 'a>,
    name: &'static str,
    separator: u8,
    columns: Vec<String>,
    line: Vec<u8>,
    /// The fields of the current row, as places in `line`.
    fields: Vec<Range<usize>>,
    /// Rows so far.
    pub rows: u64,
}

/// The place of a column; none where the table has it not.
pub(super) type Column = Option<usize>;

impl<'a> Table<'a> {
    /// Reads the names of the columns.
    pub(super) fn open(mut reader: Box<dyn BufRead + 'a>, name: &'static str) -> Result<Self, Refused> {
        let wide = reader.fill_buf().is_ok_and(|head| head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff"));
        if wide {
            let mut bytes = Vec::new();
            reader.take(MAX_WIDE).read_to_end(&mut bytes).map_err(|error| broken(name, &error))?;
            reader = Box::new(Cursor::new(trace::decoded(&bytes).into_owned().into_bytes()));
        }
        let mut table = Self {
            reader,
            name,
            separator: b',',
            columns: Vec::new(),
            line: Vec::with_capacity(1_024),
            fields: Vec::with_capacity(32),
            rows: 0,
        };
        if table.read_line()? {
            if table.line.starts_with(b"\xef\xbb\xbf") {
                table.line.drain(..3);
            }
            let most = |separator: &u8| memchr::memchr_iter(*separator, &table.line).count();
            table.separator = [b',', b';', b'\t'].into_iter().rev().max_by_key(most).unwrap_or(b',');
            table.split();
            let names = (0..table.fields.len()).map(|at| trace::decoded(table.at(at)).trim().to_ascii_lowercase());
            table.columns = names.collect();
        }
        Ok(table)
    }

    /// The place of a column.
    pub(super) fn column(&self, name: &str) -> Column {
        self.columns.iter().position(|column| column == name)
    }

    /// The place of a column that has several spellings: that of the first of these names.
    pub(super) fn column_of(&self, names: &[&str]) -> Column {
        names.iter().find_map(|name| self.column(name))
    }

    /// Goes to the next row. False after the last one.
    pub(super) fn next(&mut self) -> Result<bool, Refused> {
        loop {
            if !self.read_line()? {
                return Ok(false);
            }
            if self.line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            self.rows += 1;
            self.split();
            return Ok(true);
        }
    }

    /// The cell of a column; empty where the table lacks the column.
    pub(super) fn get(&self, column: Column) -> &[u8] {
        column.map_or(&[], |at| self.at(at))
    }

    fn at(&self, at: usize) -> &[u8] {
        self.fields.get(at).and_then(|place| self.line.get(place.clone())).unwrap_or_default()
    }

    /// Reads a row into `line`: to the end of the line, or beyond it where a quote is open.
    fn read_line(&mut self) -> Result<bool, Refused> {
        self.line.clear();
        let mut quotes = 0;
        loop {
            let before = self.line.len();
            if !self.take_line()? {
                return Ok(before > 0);
            }
            quotes += memchr::memchr_iter(b'"', &self.line[before..]).count();
            if quotes % 2 == 0 {
                return Ok(true);
            }
            if self.line.len() >= MAX_ROW {
                let kilobytes = (MAX_ROW / 1024).to_string();
                return Err(Refused::new("transport/endless-row").with("file", self.name).with("kilobytes", kilobytes));
            }
        }
    }

    /// Adds one line of the file, its end with it. False at the end of the file.
    fn take_line(&mut self) -> Result<bool, Refused> {
        let mut taken = 0;
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(broken(self.name, &error)),
            };
            if chunk.is_empty() {
                return Ok(taken > 0);
            }
            let end = memchr::memchr(b'\n', chunk);
            let part = end.map_or(chunk.len(), |end| end + 1);
            if self.line.len() + part <= MAX_ROW {
                self.line.extend_from_slice(&chunk[..part]);
            } else {
                let kilobytes = (MAX_ROW / 1024).to_string();
                return Err(Refused::new("transport/endless-row").with("file", self.name).with("kilobytes", kilobytes));
            }
            self.reader.consume(part);
            taken += part;
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Finds the fields of the line. Quotes are taken away in place: what is read never grows.
    fn split(&mut self) {
        self.fields.clear();
        while self.line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.pop();
        }
        if memchr::memchr(b'"', &self.line).is_some() {
            self.split_quoted();
            return;
        }
        let mut start = 0;
        for at in memchr::memchr_iter(self.separator, &self.line) {
            self.fields.push(trimmed(&self.line, start..at));
            start = at + 1;
        }
        self.fields.push(trimmed(&self.line, start..self.line.len()));
    }

    fn split_quoted(&mut self) {
        let (mut write, mut start, mut quoted) = (0, 0, false);
        let mut at = 0;
        while at < self.line.len() {
            let byte = self.line[at];
            at += 1;
            match byte {
                b'"' if quoted && self.line.get(at) == Some(&b'"') => at += 1,
                b'"' => {
                    quoted = !quoted;
                    continue;
                }
                _ if byte == self.separator && !quoted => {
                    self.fields.push(start..write);
                    // The separator stays in the line, so that the next field starts behind the end of this one.
                    self.line[write] = byte;
                    write += 1;
                    start = write;
                    continue;
                }
                _ => {}
            }
            self.line[write] = byte;
            write += 1;
        }
        self.fields.push(start..write);
        for place in &mut self.fields {
            *place = trimmed(&self.line, place.clone());
        }
    }
}

fn trimmed(line: &[u8], place: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (place.start, place.end);
    while start < end && line[start].is_ascii_whitespace() {
        start += 1;
    }
    while start < end && line[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    start..end
}

fn broken(file: &str, error: &std::io::Error) -> Refused {
    if error.kind() == ErrorKind::FileTooLarge {
        return Refused::new("trace/zip-bomb");
    }
    Refused::new("transport/broken-file").with("file", file)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn rows(text: &[u8]) -> Vec<Vec<String>> {
        let mut table = Table::open(Box::new(text), "stops.txt").unwrap();
        let mut rows = vec![table.columns.clone()];
        while table.next().unwrap() {
            rows.push((0..table.fields.len()).map(|at| trace::decoded(table.at(at)).into_owned()).collect());
        }
        rows
    }

    #[test]
    fn a_table_is_read_however_it_is_written() {
        let plain = [["a", "b"], ["1", "deux, trois"], ["4", "dit \"cinq\""]];
        let with_mark = b"\xef\xbb\xbfa,B \r\n1 , \"deux, trois\"\r\n\r\n4,\"dit \"\"cinq\"\"\"";
        assert_eq!(rows(with_mark), plain);
        assert_eq!(rows(b"a;b\n1;deux, trois\n4;dit \"\"\"cinq\"\"\"\n"), plain);
        // Windows-1252 in one row, UTF-8 in the next.
        assert_eq!(rows("a\nété\n".as_bytes())[1], ["été"]);
        assert_eq!(rows(b"a\n\xe9t\xe9\n")[1], ["été"]);
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("a,b\n1,é\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(rows(&wide)[1], ["1", "é"]);
        assert_eq!(rows(b"a,b\n\"deux\nlignes\",x\n")[1], ["deux\nlignes", "x"]);
        assert_eq!(rows(b""), [Vec::<String>::new()]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_reported() {
        let mut text = b"a,b\n\"1,2\n".to_vec();
        text.extend(std::iter::repeat_n(b"x,y\n", 100_000).flatten());
        let mut table = Table::open(Box::new(text.as_slice()), "stops.txt").unwrap();
        let refused = table.next().unwrap_err();
        assert_eq!(refused.code, "transport/endless-row");
    }
}
