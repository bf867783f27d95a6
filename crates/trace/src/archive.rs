//! Opens archives (ZIP) after counting their entries.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memmem;
use zip::ZipArchive;
use zip::result::ZipError;

/// What each entry of the directory of an archive begins with.
const ENTRY: &[u8] = b"PK\x01\x02";
/// Bytes that are looked through at once.
const PIECE: usize = 256 * 1024;

/// Why an archive is not opened.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It may have more entries than are allowed.
    #[error("too many entries")]
    TooManyEntries,
    /// It is no archive, or damaged.
    #[error(transparent)]
    Damaged(#[from] ZipError),
}

/// Opens an archive of at most `max` entries. The library reads the whole directory, with some hundred bytes for each entry, before it says how many
/// there are.
pub fn open_archive<R: Read + Seek>(mut source: R, max: usize) -> Result<ZipArchive<R>, ArchiveError> {
    if has_more(&mut source, max).map_err(ZipError::from)? {
        return Err(ArchiveError::TooManyEntries);
    }
    Ok(ZipArchive::new(source)?)
}

/// Whether an archive may have more than `max` entries.
fn has_more(source: &mut (impl Read + Seek), max: usize) -> io::Result<bool> {
    source.seek(SeekFrom::Start(0))?;
    let finder = memmem::Finder::new(ENTRY);
    let (mut piece, mut kept, mut count) = (vec![0; PIECE], 0, 0);
    while count <= max {
        let read = source.read(&mut piece[kept..])?;
        if read == 0 {
            break;
        }
        let filled = kept + read;
        count += finder.find_iter(&piece[..filled]).count();
        // The next piece may have the rest of an entry's beginning.
        kept = filled.min(ENTRY.len() - 1);
        piece.copy_within(filled - kept..filled, 0);
    }
    source.seek(SeekFrom::Start(0))?;
    Ok(count > max)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn entries_are_counted_across_pieces() {
        for before in PIECE - 4..=PIECE {
            let bytes = [vec![b'-'; before], ENTRY.to_vec(), vec![b'-'; PIECE], ENTRY.to_vec()].concat();
            let more_than = |max: usize| has_more(&mut Cursor::new(&bytes), max).ok();
            assert_eq!((more_than(1), more_than(2)), (Some(true), Some(false)), "{before}");
        }
    }

    #[test]
    fn an_archive_with_too_many_entries_is_not_opened() {
        let bytes = ENTRY.repeat(3);
        let error = |max: usize| open_archive(Cursor::new(&bytes), max).err();
        assert!(matches!(error(2), Some(ArchiveError::TooManyEntries)));
        assert!(matches!(error(3), Some(ArchiveError::Damaged(_))));
    }
}
