//! The ground for which the extract has data, in cells: its bounding box covers more than that at a border.

use crate::geometry::Coord;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use trace::Position;

/// Side of a cell in stored units: 0.005 degree, about 500 m.
const CELL: i32 = 50_000;
/// Cells further than this from any way hold only fragments (a relation that leaves the extract).
const NEAR_WAYS: i32 = 6;
/// Above this many cells in the frame, enclosed empty land is not looked for.
const MAX_FRAME_CELLS: i64 = 16_000_000;

type Cell = (i32, i32);

fn cell_of(c: Coord) -> Cell {
    (c[0].div_euclid(CELL), c[1].div_euclid(CELL))
}

/// Row and column in one number: 36,001 × 72,001 cells cover the Earth and fit 32 bits.
fn pack(cell: Cell) -> u32 {
    ((cell.1 + 18_000) as u32) * 72_001 + (cell.0 + 36_000) as u32
}

fn unpack(packed: u32) -> Cell {
    ((packed % 72_001) as i32 - 36_000, (packed / 72_001) as i32 - 18_000)
}

/// Collects cells while the extract is read.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    data: HashSet<Cell>,
    ways: HashSet<Cell>,
}

impl Collector {
    pub(crate) fn node(&mut self, c: Coord) {
        self.data.insert(cell_of(c));
    }

    pub(crate) fn way_node(&mut self, c: Coord) {
        self.ways.insert(cell_of(c));
    }

    /// The covered cells, packed and sorted: data near ways, grown by one cell, enclosed holes filled.
    pub(crate) fn finish(self) -> Vec<u32> {
        let near = grown(&self.ways, NEAR_WAYS);
        let kept: HashSet<Cell> = self.data.union(&self.ways).filter(|c| near.contains(c)).copied().collect();
        let mut covered = grown(&kept, 1);
        fill_holes(&mut covered);
        let mut packed: Vec<u32> =
            covered.into_iter().filter(|c| c.0.abs() <= 36_000 && c.1.abs() <= 18_000).map(pack).collect();
        packed.sort_unstable();
        packed
    }
}

fn grown(cells: &HashSet<Cell>, by: i32) -> HashSet<Cell> {
    let mut out = HashSet::with_capacity(cells.len() * 2);
    for (x, y) in cells {
        for dx in -by..=by {
            out.extend((-by..=by).map(|dy| (x + dx, y + dy)));
        }
    }
    out
}

fn fill_holes(cells: &mut HashSet<Cell>) {
    let Some(first) = cells.iter().next().copied() else { return };
    let (mut low, mut high) = (first, first);
    for (x, y) in cells.iter() {
        low = (low.0.min(*x), low.1.min(*y));
        high = (high.0.max(*x), high.1.max(*y));
    }
    let (width, height) = (i64::from(high.0 - low.0) + 3, i64::from(high.1 - low.1) + 3);
    if width * height > MAX_FRAME_CELLS {
        return;
    }
    let index = |c: Cell| ((i64::from(c.1 - low.1) + 1) * width + i64::from(c.0 - low.0) + 1) as usize;
    let mut outside = vec![false; (width * height) as usize];
    let start = (low.0 - 1, low.1 - 1);
    outside[index(start)] = true;
    let mut stack = vec![start];
    while let Some((x, y)) = stack.pop() {
        for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            let is_framed = next.0 >= low.0 - 1 && next.0 <= high.0 + 1 && next.1 >= low.1 - 1 && next.1 <= high.1 + 1;
            if is_framed && !outside[index(next)] && !cells.contains(&next) {
                outside[index(next)] = true;
                stack.push(next);
            }
        }
    }
    for y in low.1..=high.1 {
        cells.extend((low.0..=high.0).map(|x| (x, y)).filter(|c| !outside[index(*c)]));
    }
}

/// Is the place's cell among the covered ones?
pub(crate) fn covers(cells: &[u32], p: Position) -> bool {
    crate::geometry::is_on_earth(p) && cells.binary_search(&pack(cell_of(crate::geometry::coord(p.lon, p.lat)))).is_ok()
}

/// Rings around the covered cells, counter-clockwise outside, clockwise around holes.
pub(crate) fn outline(cells: &[u32]) -> Vec<Vec<Position>> {
    rings(&cells.iter().map(|c| unpack(*c)).collect(), CELL)
}

/// Rings around cells of any size, counter-clockwise outside, clockwise around holes.
pub(crate) fn rings(set: &BTreeSet<Cell>, side: i32) -> Vec<Vec<Position>> {
    let mut edges: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
    for (x, y) in set {
        let sides = [
            ((*x, *y - 1), (*x, *y), (*x + 1, *y)),
            ((*x + 1, *y), (*x + 1, *y), (*x + 1, *y + 1)),
            ((*x, *y + 1), (*x + 1, *y + 1), (*x, *y + 1)),
            ((*x - 1, *y), (*x, *y + 1), (*x, *y)),
        ];
        for (neighbour, from, to) in sides {
            if !set.contains(&neighbour) {
                edges.entry(from).or_default().push(to);
            }
        }
    }
    let corner = |c: Cell| crate::geometry::position([c.0.saturating_mul(side), c.1.saturating_mul(side)]);
    let mut rings = Vec::new();
    while let Some((start, _)) = edges.first_key_value() {
        let start = *start;
        let (mut at, mut ring) = (start, vec![start]);
        while let Some(next) = edges.get_mut(&at).and_then(Vec::pop) {
            if edges.get(&at).is_some_and(Vec::is_empty) {
                edges.remove(&at);
            }
            let count = ring.len();
            let is_straight = count > 1 && (ring[count - 2].0 == next.0 || ring[count - 2].1 == next.1);
            if is_straight {
                ring[count - 1] = next;
            } else {
                ring.push(next);
            }
            at = next;
            if at == start {
                break;
            }
        }
        rings.push(ring.into_iter().map(corner).collect());
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(collector: &mut Collector, from: i32, to: i32) {
        for x in from..=to {
            for y in [from, to] {
                collector.way_node([x * CELL + 1, y * CELL + 1]);
                collector.way_node([y * CELL + 1, x * CELL + 1]);
            }
        }
    }

    #[test]
    fn enclosed_land_is_covered_and_far_fragments_are_not() {
        let mut collector = Collector::default();
        square(&mut collector, 0, 20);
        collector.node([200 * CELL, 10 * CELL]);
        let cells = collector.finish();
        let at = |x: i32, y: i32| covers(&cells, crate::geometry::position([x * CELL + 1, y * CELL + 1]));
        assert!(at(0, 0) && at(10, 10) && at(21, 21));
        assert!(!at(200, 10) && !at(23, 10));
        assert!(!covers(&cells, Position::new(f64::NAN, 1.0)));
    }

    #[test]
    fn cells_keep_their_place_when_packed() {
        for cell in [(0, 0), (-36_000, -18_000), (36_000, 18_000), (300, 8500)] {
            assert_eq!(unpack(pack(cell)), cell);
        }
    }

    #[test]
    fn the_outline_of_a_block_is_one_ring_of_four_corners() {
        let mut collector = Collector::default();
        square(&mut collector, 0, 3);
        let rings = outline(&collector.finish());
        assert_eq!(rings.len(), 1);
        assert_eq!(rings[0].len(), 5);
        assert_eq!(rings[0][0], rings[0][4]);
    }
}
