//! Walks the tile pyramid from the top: each tile passes to its children only their part, already cut.

use crate::encode;
use crate::error::BasemapError;
use crate::feature::Feature;
use crate::geometry::Rect;
use crate::piece::Piece;
use crate::schema::{Layer, MAX_ZOOM, MIN_ZOOM};

/// Receives each finished tile: zoom, column, row, uncompressed bytes.
pub(crate) type Sink<'a> = dyn FnMut(u8, u32, u32, &[u8]) -> Result<(), BasemapError> + 'a;

/// Makes every tile with some covered ground. `progress` gets the share done, 0 to 1.
pub(crate) fn run(
    features: &[Feature],
    sink: &mut Sink<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<(), BasemapError> {
    let pieces: Vec<Piece<'_>> = features.iter().map(Piece::whole).collect();
    let mut walk = Walk { sink, progress, done: 0.0 };
    walk.tile(0, 0, 0, &pieces, 1.0)
}

struct Walk<'a, 'b> {
    sink: &'a mut Sink<'b>,
    progress: &'a mut dyn FnMut(f64),
    done: f64,
}

impl Walk<'_, '_> {
    fn tile(&mut self, z: u8, x: u32, y: u32, pieces: &[Piece<'_>], share: f64) -> Result<(), BasemapError> {
        // Beyond the covered ground the map's background looks the same as a tile would.
        let has_ground = pieces.iter().any(|piece| piece.feature.kind.layer == Layer::Coverage);
        if has_ground && z >= MIN_ZOOM {
            let bytes = encode::tile(z, x, y, pieces).map_err(|source| BasemapError::Encode { z, x, y, source })?;
            if !bytes.is_empty() {
                (self.sink)(z, x, y, &bytes)?;
            }
        }
        if !has_ground || z == MAX_ZOOM {
            self.done += share;
            (self.progress)(self.done.min(1.0));
            return Ok(());
        }
        // Only quarters with ground share the progress, so that a small extract does not jump to the end.
        let mut quarters = Vec::with_capacity(4);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (x * 2 + dx, y * 2 + dy);
            let rect = Rect::of_tile(z + 1, x, y);
            let inside: Vec<Piece<'_>> = pieces.iter().filter_map(|piece| piece.cut(&rect)).collect();
            if !inside.is_empty() {
                quarters.push((x, y, inside));
            }
        }
        let share = share / quarters.len().max(1) as f64;
        for (x, y, inside) in quarters {
            self.tile(z + 1, x, y, &inside, share)?;
        }
        Ok(())
    }
}
