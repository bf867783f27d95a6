//! A tile as a grid of samples in some plane, read block by block.

use crate::{cache::Cache, crs::Crs, geotiff, hgt};
use std::{path::PathBuf, sync::Arc};

/// A sample of an HGT tile that knows no height.
pub(crate) const VOID: i16 = i16::MIN;
/// Metres of a degree of latitude.
const DEGREE_M: f64 = 111_195.0;

/// Where the samples lie: the middle of the first (north-west) one, and the steps between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grid {
    pub(crate) crs: Crs,
    /// East and north of the first sample.
    pub(crate) first: [f64; 2],
    /// Eastwards a column, southwards a row; both above zero.
    pub(crate) step: [f64; 2],
    /// Columns and rows, both at least 1.
    pub(crate) size: [u32; 2],
}

impl Grid {
    /// Distance between rows in metres: how fine the tile is.
    pub(crate) fn fineness_m(&self) -> f64 {
        self.step[1] * if self.crs == Crs::Degrees { DEGREE_M } else { 1.0 }
    }

    /// Column and row of a place in the plane, where it lies on the tile: up to half a step beyond its outer samples.
    fn place(&self, [east, north]: [f64; 2]) -> Option<[f64; 2]> {
        let place = [(east - self.first[0]) / self.step[0], (self.first[1] - north) / self.step[1]];
        // A millionth more: the very border is on both tiles, not on none.
        let is_on = |i: usize| place[i] >= -0.500_001 && place[i] <= f64::from(self.size[i]) - 0.499_999;
        (is_on(0) && is_on(1)).then(|| [0, 1].map(|i| place[i].clamp(0.0, f64::from(self.size[i] - 1))))
    }

    /// West, south, east, north of all that [`Self::place`] takes.
    pub(crate) fn frame(&self) -> [f64; 4] {
        let [columns, rows] = self.size.map(f64::from);
        let (west, north) = (self.first[0] - self.step[0] / 2.0, self.first[1] + self.step[1] / 2.0);
        [west, north - self.step[1] * rows, west + self.step[0] * columns, north]
    }
}

/// Heights of a rectangle of samples.
#[derive(Debug)]
pub(crate) struct Block {
    /// First column and row in the tile.
    pub(crate) first: [u32; 2],
    pub(crate) columns: u32,
    pub(crate) samples: Samples,
}

/// Heights in metres, row by row.
#[derive(Debug)]
pub(crate) enum Samples {
    /// Whole metres; [`VOID`] is unknown.
    Whole(Vec<i16>),
    /// NaN is unknown.
    Real(Vec<f32>),
}

impl Block {
    pub(crate) fn bytes(&self) -> usize {
        64 + match &self.samples {
            Samples::Whole(list) => list.len() * 2,
            Samples::Real(list) => list.len() * 4,
        }
    }

    /// Height of a sample by its place in the tile; `None` where it is unknown or not in this block.
    fn at(&self, [column, row]: [u32; 2]) -> Option<f64> {
        let (x, y) = (column.checked_sub(self.first[0])?, row.checked_sub(self.first[1])?);
        let index = (x < self.columns).then(|| y as usize * self.columns as usize + x as usize)?;
        match &self.samples {
            Samples::Whole(list) => list.get(index).filter(|h| **h != VOID).map(|h| f64::from(*h)),
            Samples::Real(list) => list.get(index).filter(|h| h.is_finite()).map(|h| f64::from(*h)),
        }
    }
}

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
    /// Height between the four samples around a place in the plane; those that know none leave it to the others.
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
        // Under a tenth known is a guess from afar, not a height.
        (weight > 0.1).then(|| sum / weight)
    }

    fn block_of(&self, sample: [u32; 2]) -> u32 {
        match &self.format {
            Format::Hgt => 0,
            Format::Tiff(layout) => layout.block_of(sample),
        }
    }

    /// Decode one block, or say what is wrong with it.
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
