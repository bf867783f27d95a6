//! Writes tiles in the order of arrival, then the directories.

use super::directory::{self, Entry, gzip};
use super::header::{self, Content, Header, Part};
use super::tile_id;
use flate2::Compression;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// Header and root directory are smaller than this; the tiles begin here.
const TILES_AT: u64 = 16_384;
/// Entries in one leaf directory.
const LEAF: usize = 4_096;

/// The metadata of the file.
pub(crate) struct About {
    pub(crate) zooms: [u8; 2],
    /// West, south, east, north in degrees.
    pub(crate) bbox: [f64; 4],
    pub(crate) metadata: serde_json::Value,
}

/// A tiles file being written.
pub(crate) struct Writer {
    out: BufWriter<File>,
    content: Content,
    entries: Vec<Entry>,
    seen: HashMap<Vec<u8>, (u64, u32)>,
    /// The offset of the next tile, from [`TILES_AT`].
    end: u64,
    contents: u64,
}

impl Writer {
    pub(crate) fn create(path: &Path, content: Content) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        out.seek(SeekFrom::Start(TILES_AT))?;
        Ok(Self { out, content, entries: Vec::new(), seen: HashMap::new(), end: 0, contents: 0 })
    }

    /// Adds a tile; vector tiles are compressed here. Repeated small tiles (sea, forest) are written once.
    pub(crate) fn add(&mut self, z: u8, x: u32, y: u32, tile: &[u8]) -> io::Result<()> {
        let Some(id) = tile_id(z, x, y) else { return Err(io::Error::other("no such tile")) };
        let known = self.seen.get(tile).copied();
        let (offset, length) = match known {
            Some(place) => place,
            None => self.write(tile)?,
        };
        self.entries.push(Entry { id, offset, length, run: 1 });
        Ok(())
    }

    fn write(&mut self, tile: &[u8]) -> io::Result<(u64, u32)> {
        const SMALL: usize = 400;
        let bytes = match self.content {
            Content::Vector => gzip(tile, Compression::default())?,
            Content::Png => tile.to_vec(),
        };
        self.out.write_all(&bytes)?;
        let place = (self.end, bytes.len() as u32);
        self.end += bytes.len() as u64;
        self.contents += 1;
        if tile.len() <= SMALL {
            self.seen.insert(tile.to_vec(), place);
        }
        Ok(place)
    }

    /// Writes directories, metadata and header; returns the number of tiles and the file's length.
    pub(crate) fn finish(mut self, about: &About) -> io::Result<(u64, u64)> {
        self.entries.sort_by_key(|entry| entry.id);
        let addressed = self.entries.len() as u64;
        let entries = merge_runs(&self.entries);
        let (root, leaves) = directories(&entries)?;
        let metadata = gzip(about.metadata.to_string().as_bytes(), Compression::default())?;
        self.out.write_all(&leaves)?;
        self.out.write_all(&metadata)?;
        let after = TILES_AT + self.end;
        let header = Header {
            content: self.content,
            root: Part { offset: header::LENGTH as u64, length: root.len() as u64 },
            tiles: Part { offset: TILES_AT, length: self.end },
            leaves: Part { offset: after, length: leaves.len() as u64 },
            metadata: Part { offset: after + leaves.len() as u64, length: metadata.len() as u64 },
            addressed,
            entries: entries.len() as u64,
            contents: self.contents,
            zooms: about.zooms,
            bbox: about.bbox,
        };
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header.encode())?;
        self.out.write_all(&root)?;
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok((addressed, file.metadata()?.len()))
    }
}

/// Neighbours on the curve with the same bytes become one entry.
fn merge_runs(entries: &[Entry]) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match out.last_mut() {
            Some(last)
                if last.id + u64::from(last.run) == entry.id
                    && last.offset == entry.offset
                    && last.length == entry.length =>
            {
                last.run += 1;
            }
            _ => out.push(*entry),
        }
    }
    out
}

/// The root directory, and the leaves where the root alone would be too large.
fn directories(entries: &[Entry]) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let room = TILES_AT as usize - header::LENGTH;
    let root = directory::encode(entries)?;
    if root.len() <= room {
        return Ok((root, Vec::new()));
    }
    let mut size = LEAF;
    loop {
        let (mut top, mut leaves) = (Vec::new(), Vec::new());
        for chunk in entries.chunks(size) {
            let bytes = directory::encode(chunk)?;
            top.push(Entry { id: chunk[0].id, offset: leaves.len() as u64, length: bytes.len() as u32, run: 0 });
            leaves.extend_from_slice(&bytes);
        }
        let root = directory::encode(&top)?;
        if root.len() <= room {
            return Ok((root, leaves));
        }
        size *= 2;
    }
}
