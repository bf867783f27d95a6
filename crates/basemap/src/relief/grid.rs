//! Heights of the ground on the pixels of one zoom, smoothed to the resolution of the model.

use crate::geometry::{Rect, WORLD_BITS, unproject};
use terrain::Dem;
use trace::web_mercator::EQUATOR_M;

/// The zoom whose tiles the grid is cut in: 28 m a pixel at our latitudes, enough for contours and shading.
pub(super) const ZOOM: u8 = 12;
/// Pixels a side of a tile.
pub(super) const SIDE: usize = 256;
/// Pixels beyond a tile's border that its smoothing reads, and so the largest number of passes.
const MARGIN: usize = 8;
/// World units of a pixel, as a power of two.
const PIXEL_BITS: u32 = WORLD_BITS - ZOOM as u32 - 8;

/// Reads heights from a ground model.
pub(super) struct Sampler<'a> {
    dem: &'a Dem,
    /// How often each pixel is averaged with its neighbours.
    passes: usize,
}

/// The heights of one tile, and of the first row and column of its neighbours.
pub(super) struct Block {
    /// In metres, row by row, [`SIDE`] + 1 a side; holes are filled from their edges.
    pub(super) heights: Vec<f32>,
    /// Where the model has a height.
    pub(super) known: Vec<bool>,
}

/// Samples a side of a [`Block`].
pub(super) const BLOCK_SIDE: usize = SIDE + 1;

impl<'a> Sampler<'a> {
    /// For the ground in a box. A model of 90 m a sample is bilinear between samples: its edges would show as steps
    /// in contours and as facets in shading, so it is smoothed by about half a sample.
    pub(super) fn new(dem: &'a Dem, rect: &Rect) -> Self {
        let [_, lat] = unproject([0, i32::midpoint(rect.min[1], rect.max[1])]);
        let pixel_m = EQUATOR_M * lat.to_radians().cos() / f64::from(1_u32 << (u32::from(ZOOM) + 8));
        // Each pass of 1-2-1 adds half a pixel squared to the variance.
        let passes = (dem.finest_m() / pixel_m).powi(2) / 2.0;
        Self { dem, passes: passes.round().clamp(1.0, MARGIN as f64) as usize }
    }

    /// Heights of tile x, y at [`ZOOM`]; none where the model has none.
    pub(super) fn block(&self, x: u32, y: u32) -> Option<Block> {
        let wide = BLOCK_SIDE + 2 * MARGIN;
        let lons: Vec<f64> = (0..wide).map(|i| unproject([middle(x, i, MARGIN), 0])[0]).collect();
        let lats: Vec<f64> = (0..wide).map(|i| unproject([0, middle(y, i, MARGIN)])[1]).collect();
        let mut heights: Vec<f32> = Vec::with_capacity(wide * wide);
        for lat in &lats {
            heights.extend(lons.iter().map(|lon| self.dem.elevation_m(*lon, *lat).map_or(f32::NAN, |h| h as f32)));
        }
        let known: Vec<bool> = heights.iter().map(|h| h.is_finite()).collect();
        fill(&mut heights, wide)?;
        for _ in 0..self.passes {
            heights = averaged(&heights, wide);
        }
        let inner = |i: usize| (i / BLOCK_SIDE + MARGIN) * wide + i % BLOCK_SIDE + MARGIN;
        Some(Block {
            heights: (0..BLOCK_SIDE * BLOCK_SIDE).map(|i| heights[inner(i)]).collect(),
            known: (0..BLOCK_SIDE * BLOCK_SIDE).map(|i| known[inner(i)]).collect(),
        })
    }
}

/// The middle of a tile's pixel in world units.
pub(super) fn middle(tile: u32, pixel: usize, margin: usize) -> i32 {
    let pixels = i64::from(tile) * SIDE as i64 + pixel as i64 - margin as i64;
    let units = (pixels << PIXEL_BITS) + (1 << (PIXEL_BITS - 1));
    units.clamp(0, (1_i64 << WORLD_BITS) - 1) as i32
}

/// Columns and rows of the tiles of a zoom that a box touches: first and last of each.
pub(super) fn tiles_of(rect: &Rect, zoom: u8) -> [[u32; 2]; 2] {
    let tile = |units: i32| (units.max(0) >> (WORLD_BITS - u32::from(zoom))) as u32;
    [0, 1].map(|axis| [tile(rect.min[axis]), tile(rect.max[axis])])
}

/// Fills holes from their edges inwards, ring by ring; none where no height is known.
fn fill(heights: &mut [f32], side: usize) -> Option<()> {
    let around = |i: usize| {
        let (row, column) = (i / side, i % side);
        let up = (row > 0).then(|| i - side);
        let down = (row + 1 < side).then(|| i + side);
        let left = (column > 0).then(|| i - 1);
        let right = (column + 1 < side).then(|| i + 1);
        [up, down, left, right].into_iter().flatten()
    };
    let mut rim: Vec<usize> =
        (0..heights.len()).filter(|i| heights[*i].is_nan() && around(*i).any(|n| heights[n].is_finite())).collect();
    if rim.is_empty() && heights.first()?.is_nan() {
        return None;
    }
    while !rim.is_empty() {
        let filled: Vec<(usize, f32)> = rim
            .iter()
            .map(|i| {
                let known = around(*i).map(|n| heights[n]).filter(|h| h.is_finite());
                let (sum, count) = known.fold((0.0, 0.0), |(sum, count), h| (sum + h, count + 1.0));
                (*i, sum / count)
            })
            .collect();
        for (i, height) in &filled {
            heights[*i] = *height;
        }
        rim = filled.iter().flat_map(|(i, _)| around(*i)).filter(|n| heights[*n].is_nan()).collect();
        rim.sort_unstable();
        rim.dedup();
    }
    Some(())
}

/// 1-2-1 across, then down; the outermost do not change.
fn averaged(heights: &[f32], side: usize) -> Vec<f32> {
    let pass = |from: &[f32], step: usize, place: &dyn Fn(usize) -> usize| -> Vec<f32> {
        (0..from.len())
            .map(|i| match place(i) {
                0 => from[i],
                at if at == side - 1 => from[i],
                _ => (from[i - step] + 2.0 * from[i] + from[i + step]) / 4.0,
            })
            .collect()
    };
    let across = pass(heights, 1, &|i| i % side);
    pass(&across, side, &|i| i / side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_and_nothing_known_is_reported() {
        let mut heights = vec![f32::NAN; 9];
        assert_eq!(fill(&mut heights, 3), None);
        heights[4] = 7.0;
        assert_eq!(fill(&mut heights, 3), Some(()));
        assert!(heights.iter().all(|h| (h - 7.0).abs() < 1e-6));
    }

    #[test]
    fn averaging_keeps_a_slope_and_flattens_a_spike() {
        let slope: Vec<f32> = (0..25).map(|i| (i % 5) as f32).collect();
        assert_eq!(averaged(&slope, 5), slope);
        let mut spike = vec![0.0; 25];
        spike[12] = 16.0;
        assert!((averaged(&spike, 5)[12] - 4.0).abs() < 1e-6);
    }
}
