//! The data of a PostgreSQL dump in plain text, as `pg_dump` and `pg_restore` write it: `COPY schema.table (columns) FROM stdin;`, a line
//! for each row with the values between tabs, and `\.` after the last one.

use std::io::{self, BufRead};

use super::tables::{Tables, Wanted};
use crate::incoming::projections::UnknownSystem;

/// The longest row: a line of a million points with its height.
const MAX_ROW_BYTES: usize = 64 * 1024 * 1024;

/// Why a dump cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// It cannot be read from the disk, or from the program that writes it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A row that is longer than any row of a Geotrek.
    #[error("a row of the table {0} is longer than {MAX_ROW_BYTES} bytes")]
    LongRow(String),
    /// Rows with another number of values than columns.
    #[error("the table {0} is damaged: a row has {1} values for {2} columns")]
    Damaged(String, usize, usize),
    /// It ends in the middle of a table.
    #[error("the dump is cut: it ends inside the table {0}")]
    Cut(String),
    /// Nothing of a Geotrek is in it.
    #[error("no data of a Geotrek are in it: it has no table {0} with COPY")]
    NoGeotrek(&'static str),
    /// Its coordinates are in a system that is not known here.
    #[error("its coordinates are in the system EPSG:{0}, which is not known here")]
    Projection(u32),
    /// A portal or structure of this name or number is not in it.
    #[error("it has no {0} {1:?}; it has: {2}")]
    NoPart(&'static str, String, String),
    /// The archive cannot be written.
    #[error("the archive cannot be written: {0}")]
    Archive(#[from] zip::result::ZipError),
}

impl From<UnknownSystem> for DumpError {
    fn from(UnknownSystem(srid): UnknownSystem) -> Self {
        Self::Projection(srid)
    }
}

/// Reads the wanted tables of a dump.
pub(super) fn read(reader: &mut impl BufRead) -> Result<Tables, DumpError> {
    let mut tables = Tables::default();
    let mut line = Vec::new();
    let mut open: Option<(String, usize, Option<Wanted>)> = None;
    loop {
        line.clear();
        let name = || open.as_ref().map(|(name, ..)| name.clone()).unwrap_or_default();
        let read = io::Read::take(&mut *reader, MAX_ROW_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return if open.is_some() { Err(DumpError::Cut(name())) } else { Ok(tables) };
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > MAX_ROW_BYTES {
            return Err(DumpError::LongRow(name()));
        }
        match &mut open {
            None => {
                open = header(&line).map(|(table, columns)| {
                    let count = columns.len();
                    let wanted = tables.begin(&table, columns);
                    (table, count, wanted)
                });
            }
            Some(_) if line == b"\\." => open = None,
            Some((_, _, None)) => {}
            Some((name, count, Some(wanted))) => {
                let values = line.split(|byte| *byte == b'\t').count();
                if values != *count {
                    return Err(DumpError::Damaged(name.clone(), values, *count));
                }
                let kept = line.split(|byte| *byte == b'\t').zip(wanted.keeps()).filter(|(_, kept)| **kept);
                let values = kept.map(|(value, _)| unescaped(value)).collect();
                tables.add(wanted, values);
            }
        }
    }
}

/// The table and the columns of `COPY public.trekking_trek (name, "order") FROM stdin;`; none of any other line.
fn header(line: &[u8]) -> Option<(String, Vec<String>)> {
    let line = std::str::from_utf8(line.strip_prefix(b"COPY ")?).ok()?;
    let (table, rest) = line.trim_end().strip_suffix(" FROM stdin;")?.split_once(" (")?;
    let plain = |name: &str| name.trim().trim_matches('"').to_owned();
    let table = plain(table.rsplit('.').next()?);
    Some((table, rest.strip_suffix(')')?.split(',').map(plain).collect()))
}

/// A value; none for NULL. Bytes that are not UTF-8 are read as Windows-1252.
fn unescaped(value: &[u8]) -> Option<String> {
    if value == b"\\N" {
        return None;
    }
    if !value.contains(&b'\\') {
        return Some(trace::decoded(value).into_owned());
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        match bytes.next() {
            Some(b'b') => plain.push(8),
            Some(b'f') => plain.push(12),
            Some(b'n') => plain.push(b'\n'),
            Some(b'r') => plain.push(b'\r'),
            Some(b't') => plain.push(b'\t'),
            Some(b'v') => plain.push(11),
            Some(digit @ b'0'..=b'7') => {
                let mut code = u32::from(digit - b'0');
                for _ in 0..2 {
                    let Some(digit) = bytes.next_if(|byte| (b'0'..=b'7').contains(byte)) else { break };
                    code = code * 8 + u32::from(digit - b'0');
                }
                plain.push((code & 0xFF) as u8);
            }
            Some(other) => plain.push(other),
            None => plain.push(b'\\'),
        }
    }
    Some(trace::decoded(&plain).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_postgresql_writes_them() {
        for (written, value) in [
            (r"\N", None),
            ("", Some("")),
            (r"a\tb\nc\\d", Some("a\tb\nc\\d")),
            (r"\303\251t\351", Some("été")),
            (r"\x", Some("x")),
        ] {
            let read = unescaped(written.as_bytes());
            if written.starts_with(r"\303") {
                assert!(read.is_some_and(|read| read.ends_with('é')), "one byte of Windows-1252 makes it all so");
            } else {
                assert_eq!(read.as_deref(), value, "{written}");
            }
        }
    }

    #[test]
    fn tables_are_found_by_their_header() {
        let found = header(br#"COPY public.core_topology (id, "offset", geom) FROM stdin;"#);
        let columns = ["id", "offset", "geom"].map(str::to_owned).to_vec();
        assert_eq!(found, Some(("core_topology".to_owned(), columns)));
        for other in ["COPY public.x FROM stdin;", "SET x = 1;", "COPY x (a) TO stdout;", "copied (a) FROM stdin;"] {
            assert_eq!(header(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn a_dump_that_is_cut_or_damaged_is_refused() {
        let head = "COPY public.trekking_trek (topo_object_id, name) FROM stdin;\n";
        let read =
            |rest: &str| read(&mut format!("{head}{rest}").as_bytes()).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(read("1\tBoucle\n\\.\n"), Ok(()));
        assert_eq!(read("1\tBoucle\n"), Err("the dump is cut: it ends inside the table trekking_trek".to_owned()));
        assert!(read("1\n\\.\n").is_err_and(|said| said.contains("1 values for 2 columns")));
    }
}
