//! Walks the tile pyramid from the top. Down to the blocks each tile has its own list of pieces; in a block each tile passes to its children
//! only their part, already cut.

use crate::blocks::{Blocks, quarters};
use crate::encode;
use crate::error::BasemapError;
use crate::geometry::{Rect, Tile};
use crate::piece::Piece;
use crate::schema::{Layer, MAX_ZOOM, MIN_ZOOM};

/// Receives each finished tile: zoom, column, row, uncompressed bytes.
pub(crate) type Sink<'a> = dyn FnMut(u8, u32, u32, &[u8]) -> Result<(), BasemapError> + 'a;

/// Makes every tile with some covered ground. `progress` gets the share done, 0 to 1.
pub(crate) fn run(blocks: Blocks, sink: &mut Sink<'_>, progress: &mut dyn FnMut(f64)) -> Result<(), BasemapError> {
    let mut walk = Walk { blocks, sink, progress, done: 0.0 };
    walk.above((0, 0, 0), 1.0)
}

struct Walk<'a, 'b> {
    blocks: Blocks,
    sink: &'a mut Sink<'b>,
    progress: &'a mut dyn FnMut(f64),
    done: f64,
}

impl Walk<'_, '_> {
    /// A tile that is a block or has blocks in it.
    fn above(&mut self, tile: Tile, share: f64) -> Result<(), BasemapError> {
        let (z, ..) = tile;
        if z == self.blocks.zoom() {
            let pieces = self.blocks.take(tile)?;
            return self.within(tile, &pieces, share);
        }
        if z >= MIN_ZOOM {
            let pieces = self.blocks.take(tile)?;
            self.write(tile, &pieces)?;
        }
        let with_ground = quarters(tile).into_iter().filter(|quarter| self.blocks.has_ground(*quarter));
        let with_ground: Vec<Tile> = with_ground.collect();
        if with_ground.is_empty() {
            // Its ground is in its margin alone, which is wider than those of its quarters.
            self.finished(share);
        }
        let share = share / with_ground.len().max(1) as f64;
        with_ground.into_iter().try_for_each(|quarter| self.above(quarter, share))
    }

    /// A tile in a block.
    fn within(&mut self, tile: Tile, pieces: &[Piece], share: f64) -> Result<(), BasemapError> {
        let (z, ..) = tile;
        // Beyond the covered ground the map's background looks the same as a tile would.
        let has_ground = pieces.iter().any(|piece| piece.kind.layer == Layer::Coverage);
        if has_ground && z >= MIN_ZOOM {
            self.write(tile, pieces)?;
        }
        if !has_ground || z == MAX_ZOOM {
            self.finished(share);
            return Ok(());
        }
        // Only quarters with ground share the progress, so that a small extract does not jump to the end.
        let mut inside = Vec::with_capacity(4);
        for quarter in quarters(tile) {
            let rect = Rect::of_tile(quarter);
            let pieces: Vec<Piece> = pieces.iter().filter_map(|piece| piece.cut(&rect)).collect();
            if !pieces.is_empty() {
                inside.push((quarter, pieces));
            }
        }
        let share = share / inside.len().max(1) as f64;
        inside.into_iter().try_for_each(|(quarter, pieces)| self.within(quarter, &pieces, share))
    }

    fn finished(&mut self, share: f64) {
        self.done += share;
        (self.progress)(self.done.min(1.0));
    }

    fn write(&mut self, (z, x, y): Tile, pieces: &[Piece]) -> Result<(), BasemapError> {
        let bytes = encode::tile(z, x, y, pieces).map_err(|source| BasemapError::Encode { z, x, y, source })?;
        if bytes.is_empty() { Ok(()) } else { (self.sink)(z, x, y, &bytes) }
    }
}
