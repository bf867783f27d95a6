//! The grid of a tile, and the blocks of samples in which its heights are read.

use crate::crs::Crs;

/// A sample of an HGT tile that knows no height.
pub(crate) const VOID: i16 = i16::MIN;
/// Metres of a degree of latitude; only compares how fine tiles are. This crate does not know `trace`, which has the exact length.
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

    /// Column and row of a projected place, where it is on the tile: up to half a step beyond its outer samples.
    pub(crate) fn place(&self, [east, north]: [f64; 2]) -> Option<[f64; 2]> {
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
    pub(crate) fn at(&self, [column, row]: [u32; 2]) -> Option<f64> {
        let (x, y) = (column.checked_sub(self.first[0])?, row.checked_sub(self.first[1])?);
        let index = (x < self.columns).then(|| y as usize * self.columns as usize + x as usize)?;
        match &self.samples {
            Samples::Whole(list) => list.get(index).filter(|h| **h != VOID).map(|h| f64::from(*h)),
            Samples::Real(list) => list.get(index).filter(|h| h.is_finite()).map(|h| f64::from(*h)),
        }
    }
}
