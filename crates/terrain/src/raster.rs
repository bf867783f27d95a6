//! A tile: its file, its grid, and the height of a place from the samples around it.

use crate::{
    cache::Cache,
    geotiff,
    grid::{Block, Grid, Samples},
    hgt,
};
use std::{path::PathBuf, sync::Arc};

/// How a file is read.
#[derive(Debug)]
pub(crate) enum Format {
    Hgt,
    Tiff(geotiff::Layout),
}

/// One tile.
#[derive(Debug)]
pub(crate) struct Raster {
    pub(crate) path: PathBuf,
    pub(crate) grid: Grid,
    pub(crate) format: Format,
}

impl Raster {
    /// Height in metres at a projected place, bilinear between its four samples; samples without a height are left out of the mean.
    pub(crate) fn height_m(&self, own: u32, at: [f64; 2], cache: &Cache) -> Option<f64> {
        let [x, y] = self.grid.place(at)?;
        let [left, top] = [x as u32, y as u32];
        let [right, bottom] = [(left + 1).min(self.grid.size[0] - 1), (top + 1).min(self.grid.size[1] - 1)];
        let (dx, dy) = (x - f64::from(left), y - f64::from(top));
        let corners = [
            ([left, top], (1.0 - dx) * (1.0 - dy)),
            ([right, top], dx * (1.0 - dy)),
            ([left, bottom], (1.0 - dx) * dy),
            ([right, bottom], dx * dy),
        ];
        let mut held: Option<(u32, Arc<Block>)> = None;
        let (mut sum, mut weight) = (0.0, 0.0);
        for (sample, share) in corners {
            if share <= 0.0 {
                continue;
            }
            let index = self.block_of(sample);
            let block = match held.take() {
                Some((known, block)) if known == index => block,
                _ => cache.get((own, index), || self.block(index).unwrap_or_else(|_| unknown())),
            };
            if let Some(height) = block.at(sample) {
                sum += share * height;
                weight += share;
            }
            held = Some((index, block));
        }
        // Where samples with less than a tenth of the weight are known, the height is unknown.
        (weight > 0.1).then(|| sum / weight)
    }

    fn block_of(&self, sample: [u32; 2]) -> u32 {
        match &self.format {
            Format::Hgt => 0,
            Format::Tiff(layout) => layout.block_of(sample),
        }
    }

    /// Decodes one block.
    ///
    /// # Errors
    /// A sentence that says why the block cannot be read.
    fn block(&self, index: u32) -> Result<Block, String> {
        match &self.format {
            Format::Hgt => hgt::read(&self.path, self.grid.size[0]),
            Format::Tiff(layout) => geotiff::read_block(&self.path, layout, self.grid.size, index),
        }
    }

    /// Read a block from the middle: is the file what its name or header says?
    pub(crate) fn check(&self) -> Result<(), String> {
        self.block(self.block_of(self.grid.size.map(|n| n / 2))).map(|_| ())
    }
}

/// Replaces a block that cannot be read, so that it is tried once and not at every place.
fn unknown() -> Block {
    Block { first: [0, 0], columns: 0, samples: Samples::Whole(Vec::new()) }
}
