//! Archives of records, read without unpacking them to disk: a flux of DATAtourisme, an export of Apidae.

use std::collections::HashMap;
use std::io::{Read, Seek};
use std::sync::{Arc, Mutex, PoisonError};

use zip::ZipArchive;

use super::super::archives;
use super::super::route::Refused;

/// The largest ratio of unpacked to packed bytes: JSON has 5 to 30, so more than this is a ZIP bomb.
const MAX_RATIO: u64 = 200;
/// Entries of up to these unpacked bytes are read whatever their ratio.
const FREE_BYTES: u64 = 1024 * 1024;
/// The most bytes of one entry: an export of Apidae has some thousands of objects in each.
const MAX_ENTRY_BYTES: u64 = 64 * 1024 * 1024;
/// The most entries, and the most records: more than the whole country has.
pub(super) const MAX_ENTRIES: usize = 1_000_000;

/// What an archive is read from.
pub(super) trait Source: Read + Seek + Send + std::fmt::Debug {}
impl<T: Read + Seek + Send + std::fmt::Debug> Source for T {}

/// An archive; its last entry is kept, since one entry may hold many items.
#[derive(Debug)]
pub(super) struct Archive {
    names: HashMap<String, usize>,
    held: Mutex<OpenArchive>,
}

/// The open ZIP file, and the index and the bytes of the entry that was read last.
#[derive(Debug)]
struct OpenArchive {
    zip: ZipArchive<Box<dyn Source>>,
    last: Option<(usize, Arc<Vec<u8>>)>,
}

impl Archive {
    pub(super) fn open(source: Box<dyn Source>) -> Result<Self, Refused> {
        let zip = archives::open(source, MAX_ENTRIES, damaged)?;
        let named = zip.file_names().enumerate().filter_map(|(index, name)| Some((name.ok()?.into_owned(), index)));
        Ok(Self { names: named.collect(), held: Mutex::new(OpenArchive { zip, last: None }) })
    }

    /// Name and index of each entry whose name ends with `ending`, sorted by name; the files that macOS adds are left out.
    pub(super) fn ending(&self, ending: &str) -> Vec<(&str, usize)> {
        let hidden = |name: &str| name.starts_with("__MACOSX/") || name.contains("/._") || name.starts_with("._");
        let mut found: Vec<(&str, usize)> = self
            .names
            .iter()
            .filter(|(name, _)| name.ends_with(ending) && !hidden(name))
            .map(|(name, at)| (name.as_str(), *at))
            .collect();
        found.sort_unstable();
        found
    }

    pub(super) fn at(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// A mark that changes with the content of an entry, without unpacking it.
    pub(super) fn mark(&self, index: usize) -> Result<String, Refused> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = held.zip.by_index_raw(index).map_err(|error| damaged(&error))?;
        Ok(format!("{:08x}{:x}", entry.crc32(), entry.size()))
    }

    /// The unpacked bytes of an entry. A name that leads out of the archive, such as `../../etc/passwd`, is refused, although nothing is written
    /// to the disk under it.
    pub(super) fn entry(&self, index: usize) -> Result<Arc<Vec<u8>>, Refused> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = held.last.as_ref().filter(|(last, _)| *last == index) {
            return Ok(Arc::clone(bytes));
        }
        let file = held.zip.by_index(index).map_err(|error| damaged(&error))?;
        if file.enclosed_name().is_none() {
            return Err(Refused::new("import/bad-path"));
        }
        let most = file.compressed_size().saturating_mul(MAX_RATIO).max(FREE_BYTES);
        let limit = most.min(MAX_ENTRY_BYTES);
        if file.size() > limit {
            return Err(Refused::new("trace/zip-bomb"));
        }
        let mut found = Vec::with_capacity(file.size() as usize);
        // The declared size may be wrong: the unpacked bytes are counted.
        file.take(limit + 1).read_to_end(&mut found).map_err(|error| damaged(&error))?;
        if found.len() as u64 > limit {
            return Err(Refused::new("trace/zip-bomb"));
        }
        let bytes = Arc::new(found);
        held.last = Some((index, Arc::clone(&bytes)));
        Ok(bytes)
    }
}

fn damaged(error: &dyn std::fmt::Display) -> Refused {
    Refused::new("sit/archive-damaged").with("detail", error.to_string())
}
