//! Eight bytes by OpenStreetMap number: the place of a node, the record of a way. A country has hundreds of millions of them.

use super::Folder;
use crate::error::BasemapError;
use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// Length of an entry: number, then value. The number's sign is flipped and its highest byte is first, so that entries sort as their bytes.
const ENTRY: usize = 16;
/// Entries of one page of memory: the number of the first of each is kept, so that a search reads one page of the file.
const PAGE: usize = 4096 / ENTRY;

/// A table being written, in any order.
#[derive(Debug)]
pub(crate) struct TableWriter {
    folder: Folder,
    out: BufWriter<File>,
    last: [u8; ENTRY],
    is_sorted: bool,
}

impl TableWriter {
    pub(crate) fn create(folder: &Folder) -> Result<Self, BasemapError> {
        let out = BufWriter::with_capacity(1 << 16, folder.file()?);
        Ok(Self { folder: folder.clone(), out, last: [0; ENTRY], is_sorted: true })
    }

    pub(crate) fn push(&mut self, id: i64, value: [u8; 8]) -> Result<(), BasemapError> {
        let mut entry = [0; ENTRY];
        entry[..8].copy_from_slice(&key(id).to_be_bytes());
        entry[8..].copy_from_slice(&value);
        self.is_sorted &= self.last <= entry;
        self.last = entry;
        self.out.write_all(&entry).map_err(|source| self.folder.failed(source))
    }

    /// The table, to be searched. Extracts are sorted as a rule; one that is not is sorted in its file.
    pub(crate) fn finish(self) -> Result<Table, BasemapError> {
        let Self { folder, out, is_sorted, .. } = self;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error).map_err(|source| folder.failed(source))?;
        if !is_sorted {
            sort(&file).map_err(|source| folder.failed(source))?;
        }
        let map = folder.map(&file)?;
        let firsts = entries(&map).iter().step_by(PAGE).map(key_of).collect();
        Ok(Table { map, firsts })
    }
}

#[expect(unsafe_code, reason = "the file has no name, so that no other program can change or shorten it")]
fn sort(file: &File) -> io::Result<()> {
    // SAFETY: see the reason above; this is its only map.
    let mut map = unsafe { MmapMut::map_mut(file) }?;
    map.as_chunks_mut::<ENTRY>().0.sort_unstable();
    Ok(())
}

/// Values by number, mapped into memory.
#[derive(Debug)]
pub(crate) struct Table {
    map: Mmap,
    /// The number of the first entry of each page.
    firsts: Vec<u64>,
}

impl Table {
    /// The value of a number; the largest, where it was given several.
    pub(crate) fn get(&self, id: i64) -> Option<[u8; 8]> {
        let wanted = key(id);
        let page = self.firsts.partition_point(|first| *first <= wanted).checked_sub(1)?;
        let page = entries(&self.map).chunks(PAGE).nth(page)?;
        let entry = page.get(page.partition_point(|entry| key_of(entry) <= wanted).checked_sub(1)?)?;
        (key_of(entry) == wanted).then(|| entry.last_chunk().copied()).flatten()
    }
}

fn entries(map: &[u8]) -> &[[u8; ENTRY]] {
    map.as_chunks().0
}

/// Numbers in their order, without a sign.
fn key(id: i64) -> u64 {
    (id ^ i64::MIN).cast_unsigned()
}

fn key_of(entry: &[u8; ENTRY]) -> u64 {
    entry.first_chunk().map_or(0, |key| u64::from_be_bytes(*key))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn every_number_is_found_in_whatever_order_it_came(
            pairs in prop::collection::vec((-900_i64..900, any::<u64>()), 0..1200),
            sort: bool,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut pairs = pairs;
            if sort {
                pairs.sort_unstable();
            }
            let mut writer = TableWriter::create(&Folder::of(&folder.path().join("map"))).unwrap();
            let mut largest: BTreeMap<i64, u64> = BTreeMap::new();
            for (id, value) in &pairs {
                writer.push(*id, value.to_be_bytes()).unwrap();
                largest.entry(*id).and_modify(|known| *known = (*known).max(*value)).or_insert(*value);
            }
            let table = writer.finish().unwrap();
            for id in (-1000..1000).chain([i64::MIN, i64::MAX]) {
                prop_assert_eq!(table.get(id).map(u64::from_be_bytes), largest.get(&id).copied(), "{}", id);
            }
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the file has no name");
        }
    }
}
