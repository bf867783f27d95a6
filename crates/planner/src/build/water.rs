//! Finds the ways that run beside a river or a canal: towpaths, with or without the tag of a towpath.

use crate::geometry::{Coord, Projection, coord, position};
use std::collections::HashSet;
use trace::Position;

/// The greatest distance, about, from a way to the centre line of the water beside it, in metres.
const BESIDE_M: f64 = 35.0;
/// The share of a way's sampled places that must have water beside them.
const MIN_SHARE: f64 = 0.7;

/// The grid cells, of about 35 m, that water runs through.
#[derive(Debug, Default)]
pub(crate) struct Water {
    cells: HashSet<(i32, i32)>,
}

impl Water {
    /// Marks the cells along a line of water.
    pub(crate) fn add(&mut self, line: &[Coord]) {
        for p in places(line) {
            self.cells.insert(cell(p));
        }
    }

    /// Whether most of a way has water in its own cell or in a neighbour cell.
    pub(crate) fn runs_beside(&self, shape: &[Coord]) -> bool {
        if self.cells.is_empty() {
            return false;
        }
        let (mut near, mut all) = (0, 0);
        for p in places(shape) {
            let (x, y) = cell(p);
            near += u32::from((-1..=1).any(|dx| (-1..=1).any(|dy| self.cells.contains(&(x + dx, y + dy)))));
            all += 1;
        }
        f64::from(near) >= MIN_SHARE * f64::from(all)
    }
}

/// Places along a line, no further apart than half a cell.
fn places(line: &[Coord]) -> impl Iterator<Item = Position> + '_ {
    line.windows(2).flat_map(|pair| {
        let (a, b) = (position(pair[0]), position(pair[1]));
        let projection = Projection::at(a);
        let to = projection.xy(b);
        let count = (to.distance_m(projection.xy(a)) / (BESIDE_M / 2.0)).ceil().clamp(1.0, 10_000.0);
        (0..count as u32).map(move |i| projection.position(projection.xy(a).along(to, f64::from(i) / count)))
    })
}

fn cell(p: Position) -> (i32, i32) {
    // Cells are square on the ground at their own latitude, in bands of a tenth of a degree.
    let band = (p.lat * 10.0).floor() / 10.0;
    let size = f64::from(coord(0.0, (BESIDE_M / trace::EARTH_RADIUS_M).to_degrees())[1]);
    let c = coord(p.lon * band.to_radians().cos().max(1e-3), p.lat);
    ((f64::from(c[0]) / size).floor() as i32, (f64::from(c[1]) / size).floor() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testmap::at;

    fn line(points: &[(f64, f64)]) -> Vec<Coord> {
        points.iter().map(|(x, y)| at(*x, *y)).map(|p| coord(p.lon, p.lat)).collect()
    }

    #[test]
    fn a_towpath_runs_beside_its_canal_and_a_bridge_does_not() {
        let mut water = Water::default();
        water.add(&line(&[(0.0, 0.0), (2000.0, 300.0)]));
        assert!(water.runs_beside(&line(&[(0.0, 20.0), (2000.0, 320.0)])));
        assert!(!water.runs_beside(&line(&[(1000.0, -200.0), (1000.0, 500.0)])));
        assert!(!water.runs_beside(&line(&[(0.0, 500.0), (2000.0, 800.0)])));
    }
}
