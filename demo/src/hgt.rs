//! The elevation tile: SRTM's three-second format, 1201 × 1201 big-endian heights from north to south.

use crate::ground::{BBOX, HEIGHT_M, WIDTH_M, spot};
use crate::terrain;

/// Rows and columns of a tile.
pub const SIDE: usize = 1201;
const STEP: usize = 8;

/// The tile N44E003, whole: exact over the region, coarser beyond it.
pub fn tile() -> Vec<u8> {
    let (west, north) = (BBOX[0].floor(), BBOX[3].ceil());
    let at = |row: usize, column: usize| {
        spot(west + column as f64 / (SIDE - 1) as f64, north - row as f64 / (SIDE - 1) as f64)
    };
    // Far from the region heights do not matter: the land there is made of one height in eight each way.
    let coarse_side = SIDE / STEP + 2;
    let coarse: Vec<f64> = (0..coarse_side * coarse_side)
        .map(|i| {
            let [x, y] = at(i / coarse_side * STEP, i % coarse_side * STEP);
            terrain::height([x.clamp(-4_000.0, WIDTH_M + 4_000.0), y.clamp(-4_000.0, HEIGHT_M + 4_000.0)])
        })
        .collect();
    let mut bytes = Vec::with_capacity(SIDE * SIDE * 2);
    for row in 0..SIDE {
        for column in 0..SIDE {
            let [x, y] = at(row, column);
            let near = (-300.0..WIDTH_M + 300.0).contains(&x) && (-300.0..HEIGHT_M + 300.0).contains(&y);
            let height_m = if near { terrain::height([x, y]) } else { blended(&coarse, coarse_side, row, column) };
            bytes.extend((height_m.round() as i16).to_be_bytes());
        }
    }
    bytes
}

fn blended(coarse: &[f64], side: usize, row: usize, column: usize) -> f64 {
    let (i, j) = (row / STEP, column / STEP);
    let (v, u) = ((row % STEP) as f64 / STEP as f64, (column % STEP) as f64 / STEP as f64);
    let at = |i: usize, j: usize| coarse[i * side + j];
    (at(i, j) * (1.0 - u) + at(i, j + 1) * u) * (1.0 - v) + (at(i + 1, j) * (1.0 - u) + at(i + 1, j + 1) * u) * v
}
