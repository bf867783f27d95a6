//! Opens archives (ZIP) after counting their entries, with the refusals of imports.

use std::fmt::Display;
use std::io::{Read, Seek};

use trace::{ArchiveError, open_archive};
use zip::ZipArchive;

use super::route::Refused;

/// Opens an archive of at most `max` entries. `damaged` makes the refusal of one that cannot be opened.
pub(crate) fn open<R: Read + Seek>(
    source: R,
    max: usize,
    damaged: impl FnOnce(&dyn Display) -> Refused,
) -> Result<ZipArchive<R>, Refused> {
    open_archive(source, max).map_err(|error| match error {
        ArchiveError::TooManyEntries => Refused::new("trace/zip-bomb"),
        ArchiveError::Damaged(error) => damaged(&error),
    })
}
