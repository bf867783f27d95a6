//! The tiles that a map along a line may show: an app stores them for use without a network.

use std::collections::BTreeSet;
use trace::web_mercator;

/// Zoom, column, row.
pub type TileAddress = (u8, u32, u32);

/// The margin around the line, as a share of a tile. At lower zooms it is a whole tile, so that the corners of the map are included.
const AROUND: (f64, f64) = (1.0, 0.75);
/// From this zoom on the smaller margin is used: tiles are small, and there are many.
const DEEP: u8 = 13;
/// Width and height of a map of about 700 pixels, in tiles.
const SEEN: (f64, f64) = (1.4, 0.8);

/// At most `max_tiles` tiles along a line of `[lon, lat]` in degrees, the lowest zooms first, so that the bound leaves out the most detailed
/// ones. They begin two zooms below the one that shows the whole line.
pub fn tiles_along(line: &[[f64; 2]], zooms: [u8; 2], max_tiles: usize) -> Vec<TileAddress> {
    let mut kept = Vec::new();
    if line.is_empty() {
        return kept;
    }
    for zoom in fitting(line).saturating_sub(2).clamp(zooms[0], zooms[1])..=zooms[1] {
        let tiles = of_zoom(line, zoom);
        if kept.len() + tiles.len() > max_tiles {
            break;
        }
        kept.extend(tiles.into_iter().map(|(x, y)| (zoom, x, y)));
    }
    kept
}

/// Column and row of a place in the tiles of a zoom, with decimals, from the north-west (Web Mercator).
fn place(lon_lat: [f64; 2], zoom: u8) -> (f64, f64) {
    let across = f64::from(1_u32 << zoom);
    let [x, y] = web_mercator::project(lon_lat);
    (x * across, y * across)
}

/// The highest zoom at which the whole line is visible.
fn fitting(line: &[[f64; 2]]) -> u8 {
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for at in line {
        let (x, y) = place(*at, 0);
        (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
    }
    let widest = ((high.0 - low.0) / SEEN.0).max((high.1 - low.1) / SEEN.1).max(1e-6);
    (-widest.log2()).floor().clamp(0.0, 22.0) as u8
}

fn of_zoom(line: &[[f64; 2]], zoom: u8) -> BTreeSet<(u32, u32)> {
    let around = if zoom < DEEP { AROUND.0 } else { AROUND.1 };
    let last = (1_u32 << zoom) - 1;
    let span = |at: f64| ((at - around).floor().max(0.0) as u32)..=((at + around).floor().max(0.0) as u32).min(last);
    let mut found = BTreeSet::new();
    let mut before = None;
    for at in line {
        let here = place(*at, zoom);
        let from = before.unwrap_or(here);
        // A long straight stretch has no points on its way.
        let pieces = ((here.0 - from.0).abs().max((here.1 - from.1).abs()) / 0.5).ceil().max(1.0) as u32;
        for piece in 1..=pieces {
            let share = f64::from(piece) / f64::from(pieces);
            let (x, y) = (from.0 + (here.0 - from.0) * share, from.1 + (here.1 - from.1) * share);
            found.extend(span(x).flat_map(|column| span(y).map(move |row| (column, row))));
        }
        before = Some(here);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: [[f64; 2]; 4] = [[3.0, 44.9], [3.05, 44.93], [3.1, 44.9], [3.0, 44.9]];

    #[test]
    fn a_place_lies_in_the_tile_that_every_slippy_map_says() {
        // Paris, as in the OpenStreetMap wiki's example of tile names.
        let (x, y) = place([2.3522, 48.8566], 12);
        assert_eq!((x as u32, y as u32), (2074, 1409));
    }

    #[test]
    fn the_least_deep_come_first_and_a_bound_cuts_the_finest_alone() {
        let all = tiles_along(&LOOP, [0, 14], 10_000);
        assert_eq!((all[0].0, all[all.len() - 1].0), (fitting(&LOOP) - 2, 14));
        let but_the_finest = all.iter().filter(|tile| tile.0 < 14).count();
        assert_eq!(tiles_along(&LOOP, [0, 14], but_the_finest + 1).len(), but_the_finest);
        assert!(tiles_along(&[], [0, 14], 10).is_empty());
    }

    #[test]
    fn a_long_straight_stretch_leaves_no_gap_and_the_edge_of_the_world_is_the_end() {
        let columns: BTreeSet<u32> = of_zoom(&[[0.1, 45.0], [9.9, 45.0]], 9).into_iter().map(|(x, _)| x).collect();
        assert_eq!(columns.len() as u32, columns.last().unwrap_or(&0) - columns.first().unwrap_or(&0) + 1);
        for corner in [[-180.0, 85.0], [180.0, -85.0]] {
            assert!(tiles_along(&[corner, corner], [0, 6], 500).iter().all(|(z, x, y)| *x.max(y) < 1_u32 << z));
        }
    }
}
