//! Directories: the offset and length of each tile. Entries are delta-coded varints in columns, then gzip.

use crate::bytes::{put, take};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

/// A larger directory is treated as damaged.
const MAX_BYTES: u64 = 64 << 20;

/// One run of tiles with the same bytes; a run of 0 is a leaf directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: u64,
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) run: u32,
}

pub(super) fn gzip(bytes: &[u8], level: Compression) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 2), level);
    encoder.write_all(bytes)?;
    encoder.finish()
}

pub(super) fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    GzDecoder::new(bytes).take(MAX_BYTES).read_to_end(&mut out).ok()?;
    Some(out)
}

pub(super) fn encode(entries: &[Entry]) -> std::io::Result<Vec<u8>> {
    let mut raw = Vec::with_capacity(entries.len() * 8);
    put(&mut raw, entries.len() as u64);
    let mut last = 0;
    for entry in entries {
        put(&mut raw, entry.id - last);
        last = entry.id;
    }
    for entry in entries {
        put(&mut raw, u64::from(entry.run));
    }
    for entry in entries {
        put(&mut raw, u64::from(entry.length));
    }
    for (index, entry) in entries.iter().enumerate() {
        let follows = index > 0 && {
            let before = &entries[index - 1];
            entry.offset == before.offset + u64::from(before.length)
        };
        put(&mut raw, if follows { 0 } else { entry.offset + 1 });
    }
    gzip(&raw, Compression::default())
}

/// Reads a directory; none when it is damaged.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<Entry>> {
    let raw = gunzip(bytes)?;
    let mut rest = raw.as_slice();
    let count = usize::try_from(take(&mut rest)?).ok().filter(|count| *count <= raw.len())?;
    let mut entries = Vec::with_capacity(count);
    let mut id = 0_u64;
    for _ in 0..count {
        id = id.checked_add(take(&mut rest)?)?;
        entries.push(Entry { id, offset: 0, length: 0, run: 0 });
    }
    for entry in &mut entries {
        entry.run = u32::try_from(take(&mut rest)?).ok()?;
    }
    for entry in &mut entries {
        entry.length = u32::try_from(take(&mut rest)?).ok()?;
    }
    let mut end = 0_u64;
    for entry in &mut entries {
        entry.offset = match take(&mut rest)? {
            0 => end,
            offset => offset - 1,
        };
        end = entry.offset.checked_add(u64::from(entry.length))?;
    }
    Some(entries)
}

/// The entry of a tile, or of the directory that leads to it.
pub(super) fn find(entries: &[Entry], id: u64) -> Option<&Entry> {
    let after = entries.partition_point(|entry| entry.id <= id);
    let entry = entries.get(after.checked_sub(1)?)?;
    (entry.run == 0 || id - entry.id < u64::from(entry.run)).then_some(entry)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_directory_reads_back_as_written() {
        let entries = vec![
            Entry { id: 5, offset: 0, length: 100, run: 1 },
            Entry { id: 6, offset: 100, length: 20, run: 40 },
            Entry { id: 900, offset: 0, length: 100, run: 1 },
            Entry { id: u64::from(u32::MAX) * 4, offset: 1 << 40, length: 7, run: 0 },
        ];
        assert_eq!(decode(&encode(&entries).unwrap()), Some(entries.clone()));
        assert_eq!(find(&entries, 45).map(|e| e.length), Some(20));
        assert_eq!(find(&entries, 46), None);
        assert_eq!(find(&entries, 4), None);
    }

    proptest! {
        #[test]
        fn damaged_directories_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&gzip(&bytes, Compression::fast()).unwrap());
            let _ = decode(&bytes);
        }
    }
}
