//! Pieces by tile in one file: each tile's in chunks, in the order in which they were added.

use crate::bytes::{put_slice, take_slice};
use crate::error::BasemapError;
use crate::geometry::Tile;
use crate::piece::Piece;
use crate::records::{put_kind, take_feature, take_kind};
use crate::schema::{Kind, SharedKind};
use crate::temporary::Folder;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A tile's pieces are kept in memory until they are so long: a country has a thousand tiles that are written to at once.
const CHUNK: usize = 32 << 10;

/// The pieces of one tile.
#[derive(Debug, Default)]
struct Run {
    /// Place and length of what is in the file.
    chunks: Vec<(u64, usize)>,
    tail: Vec<u8>,
}

/// The pieces of all tiles.
#[derive(Debug)]
pub(super) struct Runs {
    folder: Folder,
    file: File,
    end: u64,
    of_tile: HashMap<Tile, Run>,
    /// The bytes of the kind that is being added.
    kind: Vec<u8>,
}

impl Runs {
    pub(super) fn create(folder: &Folder) -> Result<Self, BasemapError> {
        let file = folder.file()?;
        Ok(Self { folder: folder.clone(), file, end: 0, of_tile: HashMap::new(), kind: Vec::new() })
    }

    /// Appends a piece to those of a tile: its kind, and what `shape` writes.
    pub(super) fn add(
        &mut self,
        tile: Tile,
        kind: &Kind,
        shape: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), BasemapError> {
        let run = self.of_tile.entry(tile).or_default();
        self.kind.clear();
        put_kind(&mut self.kind, kind);
        put_slice(&mut run.tail, &self.kind);
        shape(&mut run.tail);
        if run.tail.len() >= CHUNK {
            self.file.write_all(&run.tail).map_err(|source| self.folder.failed(source))?;
            run.chunks.push((self.end, run.tail.len()));
            self.end += run.tail.len() as u64;
            // A chunk with a long piece is not kept.
            run.tail.clear();
            run.tail.shrink_to(2 * CHUNK);
        }
        Ok(())
    }

    /// Takes out the pieces of a tile. Nothing may be added after.
    pub(super) fn take(&mut self, tile: Tile) -> Result<Vec<Piece>, BasemapError> {
        let Run { chunks, tail } = self.of_tile.remove(&tile).unwrap_or_default();
        let (mut pieces, mut kinds) = (Vec::new(), HashMap::new());
        let mut chunk = Vec::new();
        for (at, length) in chunks {
            chunk.resize(length, 0);
            self.read(at, &mut chunk).map_err(|source| self.folder.failed(source))?;
            decode(&chunk, &mut kinds, &mut pieces).ok_or_else(|| self.folder.damaged())?;
        }
        decode(&tail, &mut kinds, &mut pieces).ok_or_else(|| self.folder.damaged())?;
        Ok(pieces)
    }

    fn read(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(bytes)
    }
}

/// Reads the pieces of a chunk; pieces of one kind share it.
fn decode(mut rest: &[u8], kinds: &mut HashMap<Vec<u8>, SharedKind>, pieces: &mut Vec<Piece>) -> Option<()> {
    while !rest.is_empty() {
        let mut bytes = take_slice(&mut rest)?;
        let kind = if let Some(kind) = kinds.get(bytes) {
            SharedKind::clone(kind)
        } else {
            let key = bytes.to_vec();
            let kind = SharedKind::new(take_kind(&mut bytes)?);
            kinds.insert(key, SharedKind::clone(&kind));
            kind
        };
        pieces.push(take_feature(&mut rest, &kind)?.into());
    }
    Some(())
}
