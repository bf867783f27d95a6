//! Opens archives (ZIP) after counting their entries.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memmem;
use zip::ZipArchive;
use zip::result::ZipError;

/// What each record of an archive begins with.
const MARK: &[u8] = b"PK";
/// Bytes from the beginning of a record that are needed to read what it states.
const RECORD: usize = 40;
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
    if Records::read(&mut source).map_err(ZipError::from)?.may_be_more_than(max) {
        return Err(ArchiveError::TooManyEntries);
    }
    Ok(ZipArchive::new(source)?)
}

/// The records of an archive, wherever they stand, also in archives that are stored in it uncompressed.
#[derive(Debug, Default)]
struct Records {
    /// Entries of directories.
    entries: usize,
    /// The greatest number of entries that an end of a directory states, also one for large archives (ZIP64).
    stated: u64,
}

impl Records {
    fn read(source: &mut (impl Read + Seek)) -> io::Result<Self> {
        source.seek(SeekFrom::Start(0))?;
        let finder = memmem::Finder::new(MARK);
        let (mut piece, mut kept, mut found) = (vec![0; PIECE], 0, Self::default());
        loop {
            let read = source.read(&mut piece[kept..])?;
            let filled = kept + read;
            // What begins later is looked at with the next piece, which has the rest of it.
            let end = if read == 0 { filled } else { filled.saturating_sub(RECORD - 1) };
            for at in finder.find_iter(&piece[..filled]).take_while(|at| *at < end) {
                found.add(&piece[at..filled]);
            }
            if read == 0 {
                break;
            }
            piece.copy_within(end..filled, 0);
            kept = filled - end;
        }
        source.seek(SeekFrom::Start(0))?;
        Ok(found)
    }

    /// Adds the record that these bytes begin with. Numbers are little-endian, at the places that PKWARE's APPNOTE gives (4.3.14 and 4.3.16).
    fn add(&mut self, bytes: &[u8]) {
        match bytes.get(2..4) {
            Some(b"\x01\x02") => self.entries += 1,
            Some(b"\x05\x06") => {
                let stated = bytes.get(10..12).and_then(|at| at.try_into().ok()).map_or(0, u16::from_le_bytes);
                self.stated = self.stated.max(u64::from(stated));
            }
            Some(b"\x06\x06") => {
                let stated = bytes.get(32..40).and_then(|at| at.try_into().ok()).map_or(0, u64::from_le_bytes);
                self.stated = self.stated.max(stated);
            }
            _ => {}
        }
    }

    /// Whether the library may read more than `max` entries: it reads as many as an end of a directory states, while entries follow each other.
    fn may_be_more_than(&self, max: usize) -> bool {
        self.entries > max && self.stated > max as u64
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    /// An end of a directory that states this many entries.
    fn end(stated: u16) -> Vec<u8> {
        let mut bytes = b"PK\x05\x06".to_vec();
        bytes.resize(22, 0);
        bytes[10..12].copy_from_slice(&stated.to_le_bytes());
        bytes
    }

    fn large_end(stated: u64) -> Vec<u8> {
        let mut bytes = b"PK\x06\x06".to_vec();
        bytes.resize(56, 0);
        bytes[32..40].copy_from_slice(&stated.to_le_bytes());
        bytes
    }

    fn may_be_more(bytes: &[u8], max: usize) -> bool {
        Records::read(&mut Cursor::new(bytes)).unwrap().may_be_more_than(max)
    }

    /// An archive of these files, stored as they are.
    fn archive(files: usize, content: &[u8]) -> Vec<u8> {
        let mut made = ZipWriter::new(Cursor::new(Vec::new()));
        for number in 0..files {
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            made.start_file(format!("{number}.kmz"), stored).unwrap();
            made.write_all(content).unwrap();
        }
        made.finish().unwrap().into_inner()
    }

    #[test]
    fn entries_and_ends_are_found_across_pieces() {
        let entry = b"PK\x01\x02";
        for before in PIECE - RECORD..=PIECE {
            let bytes = [vec![b'-'; before], entry.to_vec(), vec![b'-'; PIECE], entry.to_vec(), end(2)].concat();
            assert_eq!((may_be_more(&bytes, 1), may_be_more(&bytes, 2)), (true, false), "{before}");
            let bytes = [vec![b'-'; before], large_end(2), vec![b'-'; PIECE], entry.repeat(2), end(u16::MAX)].concat();
            assert_eq!((may_be_more(&bytes, 1), may_be_more(&bytes, 2)), (true, false), "{before}");
        }
        // No record leads to this large end, which states none.
        assert!(may_be_more(&[large_end(0), entry.repeat(3), end(u16::MAX)].concat(), 2));
    }

    #[test]
    fn an_archive_with_too_many_entries_is_not_opened() {
        let bytes = archive(3, b"-");
        assert!(matches!(open_archive(Cursor::new(&bytes), 2).err(), Some(ArchiveError::TooManyEntries)));
        assert_eq!(open_archive(Cursor::new(&bytes), 3).unwrap().len(), 3);
        let damaged = open_archive(Cursor::new(b"PK\x01\x02".repeat(3)), 2).err();
        assert!(matches!(damaged, Some(ArchiveError::Damaged(_))), "{damaged:?}");
    }

    #[test]
    fn entries_of_archives_within_an_archive_are_not_its_own() {
        let bytes = archive(4, &archive(5, b"-"));
        assert_eq!(open_archive(Cursor::new(&bytes), 5).unwrap().len(), 4);
    }

    #[test]
    fn an_archive_is_read_as_far_as_it_states() {
        let mut bytes = archive(30, b"-");
        let at = bytes.len() - 22 + 10;
        bytes[at - 2..at + 2].copy_from_slice(&[2, 0, 2, 0]);
        let read = open_archive(Cursor::new(&bytes), 5).map_or(0, |opened| opened.len());
        assert!(read <= 2, "{read}");
    }
}
