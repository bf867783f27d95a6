//! The features of a build, cut to blocks: the tiles of one zoom, each small enough to be held in memory with all its features.
//!
//! A feature is cut from zoom to zoom on its way to its blocks, as the tiler cuts it on the way to a tile, so that its vertices are the same. On
//! the way it leaves in each larger tile what is visible there.

mod runs;

use crate::error::BasemapError;
use crate::feature::Feature;
use crate::geometry::{Rect, Tile};
use crate::piece::Piece;
use crate::records::put_shape;
use crate::schema::{Layer, MAX_ZOOM, MIN_ZOOM};
use crate::temporary::Folder;
use runs::Runs;
use std::collections::HashSet;

/// The zoom of the blocks of a build: 28 km a side at our latitudes.
pub(crate) const ZOOM: u8 = 10;

/// The four tiles of the next zoom in a tile.
pub(crate) fn quarters((z, x, y): Tile) -> [Tile; 4] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| (z + 1, x * 2 + dx, y * 2 + dy))
}

/// Features by block, in a temporary file.
#[derive(Debug)]
pub(crate) struct Blocks {
    zoom: u8,
    /// The tiles with covered ground, up to the zoom of the blocks.
    ground: HashSet<Tile>,
    runs: Runs,
}

impl Blocks {
    /// Blocks of a zoom for the tiles in which one of the features is covered ground, and these features.
    pub(crate) fn over(shown: Vec<Feature>, zoom: u8, folder: &Folder) -> Result<Self, BasemapError> {
        let mut blocks = Self { zoom, ground: HashSet::new(), runs: Runs::create(folder)? };
        for feature in shown.iter().filter(|feature| feature.kind.layer == Layer::Coverage) {
            note((0, 0, 0), &feature.clone().into(), zoom, &mut blocks.ground);
        }
        blocks.add(shown)?;
        Ok(blocks)
    }

    /// Adds features, each after those of the same layer and order that were added before.
    pub(crate) fn add(&mut self, features: impl IntoIterator<Item = Feature>) -> Result<(), BasemapError> {
        features.into_iter().try_for_each(|feature| self.place((0, 0, 0), &Piece::from(feature)))
    }

    fn place(&mut self, tile: Tile, piece: &Piece) -> Result<(), BasemapError> {
        let (z, ..) = tile;
        let is_block = z == self.zoom;
        if is_block || (z >= MIN_ZOOM && piece.kind.min_zoom <= z) {
            let zoom = if is_block { MAX_ZOOM } else { z };
            self.runs.add(tile, &piece.kind, |out| put_shape(out, piece.order, &piece.shape, zoom))?;
        }
        if !is_block {
            for quarter in quarters(tile) {
                let rect = Rect::of_tile(quarter);
                if rect.meets(&piece.rect)
                    && self.ground.contains(&quarter)
                    && let Some(part) = piece.cut(&rect)
                {
                    self.place(quarter, &part)?;
                }
            }
        }
        Ok(())
    }

    /// The zoom of the blocks.
    pub(crate) fn zoom(&self) -> u8 {
        self.zoom
    }

    /// Is there covered ground in a tile of the zoom of the blocks, or of one before it?
    pub(crate) fn has_ground(&self, tile: Tile) -> bool {
        self.ground.contains(&tile)
    }

    /// Takes out what was added to a tile, by layer and order: a block with all its features, a tile of a zoom before with those visible there.
    pub(crate) fn take(&mut self, tile: Tile) -> Result<Vec<Piece>, BasemapError> {
        let mut pieces = self.runs.take(tile)?;
        pieces.sort_by_key(|piece| (piece.kind.layer, piece.order));
        Ok(pieces)
    }
}

/// Notes the tiles that a piece is in.
fn note(tile: Tile, piece: &Piece, last: u8, tiles: &mut HashSet<Tile>) {
    tiles.insert(tile);
    if tile.0 < last {
        for quarter in quarters(tile) {
            if let Some(part) = piece.cut(&Rect::of_tile(quarter)) {
                note(quarter, &part, last, tiles);
            }
        }
    }
}
