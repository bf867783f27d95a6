//! Reads tiles from a memory-mapped file: opening reads the root directory only.

use super::directory::{self, Entry};
use super::header::{Header, Part};
use super::tile_id;
use crate::error::BasemapError;
use memmap2::Mmap;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, RwLock};

/// Decoded leaf directories in the cache; a country has some hundreds.
const KEPT_LEAVES: usize = 256;

/// An open tiles file.
#[derive(Debug)]
pub(crate) struct Reader {
    map: Mmap,
    header: Header,
    root: Vec<Entry>,
    metadata: serde_json::Value,
    leaves: RwLock<HashMap<u64, Arc<Vec<Entry>>>>,
}

impl Reader {
    pub(crate) fn open(path: &Path) -> Result<Self, BasemapError> {
        let file = File::open(path).map_err(|source| BasemapError::io(path, source))?;
        #[expect(
            unsafe_code,
            reason = "the file is written aside and renamed, never changed in place, so the map's bytes stay"
        )]
        // SAFETY: see the reason above; if another program truncates the mapped file, this process ends.
        let map = unsafe { Mmap::map(&file) }.map_err(|source| BasemapError::io(path, source))?;
        let header = Header::decode(&map).map_err(|why| BasemapError::bad(path, why))?;
        let root = slice(&map, header.root)
            .and_then(directory::decode)
            .ok_or_else(|| BasemapError::bad(path, "its directory is damaged"))?;
        let metadata = slice(&map, header.metadata)
            .and_then(directory::gunzip)
            .and_then(|json| serde_json::from_slice(&json).ok())
            .ok_or_else(|| BasemapError::bad(path, "its description is damaged"))?;
        Ok(Self { map, header, root, metadata, leaves: RwLock::default() })
    }

    /// A tile's gzip bytes.
    pub(crate) fn tile(&self, z: u8, x: u32, y: u32) -> Option<&[u8]> {
        let id = tile_id(z, x, y)?;
        let entry = *directory::find(&self.root, id)?;
        let entry = if entry.run == 0 {
            *directory::find(&self.leaf(&entry)?, id).filter(|found| found.run > 0)?
        } else {
            entry
        };
        self.within(self.header.tiles, &entry)
    }

    pub(crate) fn metadata(&self) -> &serde_json::Value {
        &self.metadata
    }

    pub(crate) fn bbox(&self) -> [f64; 4] {
        self.header.bbox
    }

    pub(crate) fn zooms(&self) -> [u8; 2] {
        self.header.zooms
    }

    fn leaf(&self, entry: &Entry) -> Option<Arc<Vec<Entry>>> {
        if let Some(known) = self.leaves.read().ok()?.get(&entry.offset) {
            return Some(Arc::clone(known));
        }
        let leaf = Arc::new(directory::decode(self.within(self.header.leaves, entry)?)?);
        let mut leaves = self.leaves.write().ok()?;
        if leaves.len() >= KEPT_LEAVES {
            leaves.clear();
        }
        leaves.insert(entry.offset, Arc::clone(&leaf));
        Some(leaf)
    }

    fn within(&self, part: Part, entry: &Entry) -> Option<&[u8]> {
        let end = entry.offset.checked_add(u64::from(entry.length)).filter(|end| *end <= part.length)?;
        slice(&self.map, Part { offset: part.offset + entry.offset, length: end - entry.offset })
    }
}

fn slice(map: &[u8], part: Part) -> Option<&[u8]> {
    let start = usize::try_from(part.offset).ok()?;
    let end = start.checked_add(usize::try_from(part.length).ok()?)?;
    map.get(start..end)
}
