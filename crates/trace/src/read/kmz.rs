//! KMZ: a ZIP whose first KML is the document. What it inflates to is bounded before and while it is read.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::archive::{ArchiveError, open_archive};
use crate::error::{MAX_BYTES, NotATrace, ReadError, ReadErrorKind};

/// More files than any map archive has.
const MAX_ENTRIES: usize = 2_000;
/// KML deflates by 5 to 20; beyond this, and past a first megabyte, it is a bomb.
const MAX_RATIO: usize = 200;
const FREE_BYTES: usize = 1024 * 1024;

/// The bytes of the document.
pub fn document(bytes: &[u8]) -> Result<Vec<u8>, ReadError> {
    let damaged = |error: &dyn std::fmt::Display| ReadError::malformed(format!("the ZIP archive: {error}"), None);
    let mut archive = open_archive(Cursor::new(bytes), MAX_ENTRIES).map_err(|error| match error {
        ArchiveError::TooManyEntries => ReadError::new(ReadErrorKind::ZipBomb),
        ArchiveError::Damaged(error) => damaged(&error),
    })?;
    let Some(index) = document_index(&archive) else {
        let office = names(&archive).any(|name| name == "[Content_Types].xml" || name == "mimetype");
        return Err(ReadError::new(ReadErrorKind::NotATrace(if office {
            NotATrace::Office
        } else {
            NotATrace::Archive
        })));
    };
    let file = archive.by_index(index).map_err(|error| damaged(&error))?;
    let compressed = usize::try_from(file.compressed_size()).unwrap_or(usize::MAX).min(bytes.len());
    let most = compressed.saturating_mul(MAX_RATIO).max(FREE_BYTES);
    if file.size() > most as u64 {
        return Err(ReadError::new(ReadErrorKind::ZipBomb));
    }
    let limit = most.min(MAX_BYTES);
    let mut document = Vec::new();
    // The declared size may be wrong: the unpacked bytes are counted.
    file.take(limit as u64 + 1).read_to_end(&mut document).map_err(|error| damaged(&error))?;
    if document.len() > limit {
        let is_large = limit == MAX_BYTES;
        let large = ReadErrorKind::TooLarge { bytes: document.len() };
        return Err(ReadError::new(if is_large { large } else { ReadErrorKind::ZipBomb }));
    }
    Ok(document)
}

/// The names in the archive, in its order; a name that is not text is empty.
fn names<'a>(archive: &'a ZipArchive<Cursor<&[u8]>>) -> impl Iterator<Item = Cow<'a, str>> {
    archive.file_names().map(Result::unwrap_or_default)
}

/// `doc.kml` at the root, else the first KML.
fn document_index(archive: &ZipArchive<Cursor<&[u8]>>) -> Option<usize> {
    let at_root = names(archive).position(|name| name.eq_ignore_ascii_case("doc.kml"));
    at_root.or_else(|| names(archive).position(|name| name.to_ascii_lowercase().ends_with(".kml")))
}
