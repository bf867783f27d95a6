//! The files of a feed: in an archive, in any of its folders, or as separate files.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Cursor};

use zip::ZipArchive;

use super::bounded::Bounded;
use super::remarks::Remarks;
use super::table::Table;
use crate::incoming::{Refused, archives};

/// The most entries of an archive: more than any feed has.
const MAX_ENTRIES: usize = 5_000;
/// Timetables compress 10 to 30 times. A higher ratio than this, after the first mebibyte, is a decompression bomb.
const MAX_RATIO: u64 = 200;
const FREE_BYTES: u64 = 1024 * 1024;
/// The most unpacked bytes of one file.
const MAX_FILE_BYTES: u64 = 6 * 1024 * 1024 * 1024;
/// Size of the read buffer, in bytes.
const BUFFER: usize = 128 * 1024;

/// The files of a feed.
#[derive(Debug)]
pub struct Files<'a> {
    form: Form<'a>,
    /// How many entries were skipped, with an example.
    pub(super) remarks: Remarks,
}

#[derive(Debug)]
enum Form<'a> {
    Archive { archive: Box<ZipArchive<Cursor<&'a [u8]>>>, places: BTreeMap<String, usize>, bytes: u64 },
    Loose(BTreeMap<String, Vec<u8>>),
}

impl<'a> Files<'a> {
    /// Opens a ZIP archive.
    ///
    /// # Errors
    /// If the bytes are empty, a web page, not a ZIP archive or damaged, or if there are too many entries.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Refused> {
        if bytes.iter().take(1_000).all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
            return Err(Refused::new("trace/empty"));
        }
        let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or_default();
        if !bytes.starts_with(b"PK") {
            let page = bytes[start..].first() == Some(&b'<');
            return Err(Refused::new(if page { "import/web-page" } else { "transport/not-an-archive" }));
        }
        let archive = archives::open(Cursor::new(bytes), MAX_ENTRIES, damaged)?;
        let mut remarks = Remarks::default();
        let mut places: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (index, name) in archive.file_names().enumerate() {
            let Ok(name) = name else { continue };
            let path = name.replace('\\', "/");
            let Some(last) = path.rsplit('/').next().filter(|last| !last.is_empty()) else { continue };
            // Metadata that the Finder of macOS adds beside each file.
            if last.starts_with("._") || path.starts_with("__MACOSX/") {
                continue;
            }
            // A path that leads out of the archive is reported; no file is written to the disk under its name anyway.
            if path.starts_with('/') || path.split('/').any(|part| part == "..") {
                remarks.add("transport/bad-path", path.as_bytes());
                continue;
            }
            // Of two files with the same name, the one in the upper folder is used.
            let depth = path.matches('/').count();
            let place = places.entry(last.to_ascii_lowercase()).or_insert((depth, index));
            if depth < place.0 {
                *place = (depth, index);
            }
        }
        let places = places.into_iter().map(|(name, (_, index))| (name, index)).collect();
        let form = Form::Archive { archive: Box::new(archive), places, bytes: bytes.len() as u64 };
        Ok(Self { form, remarks })
    }

    /// Files that are in no archive, by name.
    pub fn loose(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self { form: Form::Loose(files), remarks: Remarks::default() }
    }

    /// Opens a table; `None` if the feed does not have it.
    ///
    /// # Errors
    /// If the entry of the archive or the heading of the table cannot be read.
    pub(super) fn table(&mut self, name: &'static str) -> Result<Option<Table<'_>>, Refused> {
        let reader: Box<dyn BufRead + '_> = match &mut self.form {
            Form::Loose(files) => match files.get(name) {
                Some(bytes) => Box::new(bytes.as_slice()),
                None => return Ok(None),
            },
            Form::Archive { archive, places, bytes } => {
                let Some(index) = places.get(name) else { return Ok(None) };
                let file = archive.by_index(*index).map_err(|error| damaged(&error))?;
                let packed = file.compressed_size().min(*bytes);
                let most = packed.saturating_mul(MAX_RATIO).clamp(FREE_BYTES, MAX_FILE_BYTES);
                Box::new(BufReader::with_capacity(BUFFER, Bounded::new(file, most)))
            }
        };
        Table::open(reader, name).map(Some)
    }
}

fn damaged(error: &dyn std::fmt::Display) -> Refused {
    Refused::new("transport/broken-archive").with("detail", error.to_string())
}
