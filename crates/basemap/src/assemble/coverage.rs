//! The ground for which the extract has data, in cells: its bounding box covers more than that at a border.

use crate::feature::Feature;
use crate::geometry::rings::{Polygon, chain, crossings, polygons};
use crate::geometry::{Point, Rect, Vertex, WORLD, WORLD_BITS, clip, doubled_area};
use crate::schema::{Kind, Layer, MIN_ZOOM};
use crate::source::SourceWay;
use extract::Tags;
use std::collections::HashSet;

type Cell = (i32, i32);

/// Side of a cell: 2^14 units, about 450 m at our latitudes.
const CELL_BITS: u32 = 14;
/// Gaps up to twice this many cells are closed: an empty mountain side is no missing data.
const CLOSE: i32 = 5;
/// How many of these cells are taken back, so that the outline stays near the data.
const SHRINK: i32 = 4;
/// Smaller islands of data are fragments of a way that leaves the extract.
const MIN_CELLS: usize = 12;
/// Above this many cells in the frame, enclosed empty land is not looked for.
const MAX_FRAME_CELLS: i64 = 8_000_000;

/// The covered ground.
pub(crate) struct Ground {
    cells: HashSet<Cell>,
    pub(crate) rect: Rect,
}

impl Ground {
    /// Whether a place lies on it; beyond it, no name or sign is shown.
    pub(crate) fn contains(&self, at: Point) -> bool {
        self.rect.holds(&Rect { min: at, max: at }) && self.cells.contains(&(at[0] >> CELL_BITS, at[1] >> CELL_BITS))
    }
}

/// The cells of the ways that show that their ground is covered.
#[derive(Debug, Default)]
pub(crate) struct Marks(HashSet<Cell>);

impl Marks {
    /// Notes a way of an extract that gives a box, or none.
    pub(crate) fn note(&mut self, way: &SourceWay, frame: Option<Rect>) {
        let is_inside = |frame: Rect| is_land(&way.tags) && frame.holds(&Rect::around(way.line.iter().copied()));
        if is_ground(&way.tags) || frame.is_some_and(is_inside) {
            way.line.windows(2).for_each(|pair| mark(&mut self.0, pair[0], pair[1]));
        }
    }

    /// The covered ground (land and sea), and the features that show it and the ground outside it; `None` without covered ground.
    pub(crate) fn ground(self, sea: &[Polygon], frame: Option<Rect>) -> Option<(Ground, Vec<Feature>)> {
        let Self(mut cells) = self;
        if cells.is_empty() {
            return None;
        }
        for shape in sea {
            mark_inside(&mut cells, shape);
        }
        let closed = shrunk(&grown(&cells, CLOSE), SHRINK);
        let filled = without_fragments(fill_holes(closed));
        let rings = outlines(&filled).into_iter().map(|ring| smooth(&ring));
        let rings = rings.map(|ring| frame.map_or(ring.clone(), |frame| cut(&ring, frame)));
        let shapes = polygons(rings.filter(|ring| ring.len() > 2).collect());
        let rect = Rect::around(shapes.iter().flatten().flatten().copied());
        let covered = shapes.iter().filter_map(|shape| Feature::area(Kind::new(Layer::Coverage, MIN_ZOOM), shape, 0));
        let veil = Feature::area(Kind::new(Layer::Outside, MIN_ZOOM), &outside(&shapes, rect), 0);
        (!rect.is_empty()).then(|| (Ground { cells: filled, rect }, covered.chain(veil).collect()))
    }
}

/// A ring within the box that the extract gives.
fn cut(ring: &[Point], frame: Rect) -> Vec<Point> {
    let vertices: Vec<Vertex> = ring.iter().map(|&at| Vertex { at, zoom: 0 }).collect();
    clip::ring(&vertices, &frame).into_iter().map(|vertex| vertex.at).collect()
}

/// Marks the cells whose middle lies in a polygon, row by row.
fn mark_inside(cells: &mut HashSet<Cell>, shape: &Polygon) {
    let rect = Rect::around(shape.iter().flatten().copied());
    let [columns, rows] = [0, 1].map(|axis| (i64::from(rect.max[axis]) - i64::from(rect.min[axis])) >> CELL_BITS);
    if rect.is_empty() || columns * rows > MAX_FRAME_CELLS {
        return;
    }
    for row in rect.min[1] >> CELL_BITS..=rect.max[1] >> CELL_BITS {
        let y = (row << CELL_BITS) + (1 << (CELL_BITS - 1));
        let mut crossings: Vec<f64> = shape.iter().flat_map(|ring| crossings(ring, y)).collect();
        crossings.sort_by(f64::total_cmp);
        for span in crossings.chunks_exact(2) {
            cells.extend((span[0] as i32 >> CELL_BITS..=span[1] as i32 >> CELL_BITS).map(|column| (column, row)));
        }
    }
}

/// What an extract cuts near its edge, unlike woods, borders and rivers, which run on beyond it.
fn is_ground(tags: &Tags) -> bool {
    ["highway", "building", "railway", "aerialway"].iter().any(|key| tags.get(key).is_some())
        || matches!(tags.get("landuse"), Some("residential" | "farmland" | "meadow" | "orchard" | "vineyard"))
}

/// Woods and rock count where they are wholly within the box that the extract gives.
fn is_land(tags: &Tags) -> bool {
    ["landuse", "natural", "leisure"].iter().any(|key| tags.get(key).is_some())
        && tags.get("natural") != Some("coastline")
}

fn mark(cells: &mut HashSet<Cell>, a: Point, b: Point) {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let steps = (dx.abs().max(dy.abs()) >> CELL_BITS).min(64) + 1;
    for step in 0..=steps {
        let at = [0, 1].map(|axis| a[axis] + (i64::from([dx, dy][axis]) * i64::from(step) / i64::from(steps)) as i32);
        cells.insert((at[0] >> CELL_BITS, at[1] >> CELL_BITS));
    }
}

fn around(cell: Cell, by: i32) -> impl Iterator<Item = Cell> {
    let round = by * by + by;
    (-by..=by)
        .flat_map(move |dx| (-by..=by).map(move |dy| (dx, dy)))
        .filter(move |(dx, dy)| dx * dx + dy * dy <= round)
        .map(move |(dx, dy)| (cell.0 + dx, cell.1 + dy))
}

const SIDES: [Cell; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

fn beside(cell: Cell) -> impl Iterator<Item = Cell> {
    SIDES.into_iter().map(move |(dx, dy)| (cell.0 + dx, cell.1 + dy))
}

/// All cells within a distance. Only those at the edge reach further than the cells themselves: on the way from any other, in
/// steps to one side, an edge is nearer.
fn grown(cells: &HashSet<Cell>, by: i32) -> HashSet<Cell> {
    let edge = cells.iter().filter(|&&cell| beside(cell).any(|near| !cells.contains(&near)));
    let mut all = cells.clone();
    all.extend(edge.flat_map(|&cell| around(cell, by)));
    all
}

/// The cells without any uncovered cell within a distance.
fn shrunk(cells: &HashSet<Cell>, by: i32) -> HashSet<Cell> {
    let outside: HashSet<Cell> =
        cells.iter().flat_map(|&cell| beside(cell)).filter(|near| !cells.contains(near)).collect();
    let mut left = cells.clone();
    for cell in outside.into_iter().flat_map(|cell| around(cell, by)) {
        left.remove(&cell);
    }
    left
}

fn fill_holes(mut cells: HashSet<Cell>) -> HashSet<Cell> {
    let frame = Rect::around(cells.iter().map(|cell| [cell.0, cell.1]));
    let [width, height] = [0, 1].map(|axis| i64::from(frame.max[axis]) - i64::from(frame.min[axis]) + 3);
    if frame.is_empty() || width * height > MAX_FRAME_CELLS {
        return cells;
    }
    // A grid with a border of one: what the border reaches is open land.
    let at = |cell: Cell| {
        let (x, y) = (i64::from(cell.0) - i64::from(frame.min[0]) + 1, i64::from(cell.1) - i64::from(frame.min[1]) + 1);
        ((0..width).contains(&x) && (0..height).contains(&y)).then_some((y * width + x) as usize)
    };
    let mut taken = vec![false; (width * height) as usize];
    for place in cells.iter().filter_map(|&cell| at(cell)) {
        taken[place] = true;
    }
    let mut work = vec![(frame.min[0] - 1, frame.min[1] - 1)];
    while let Some(cell) = work.pop() {
        for near in beside(cell) {
            if let Some(place) = at(near).filter(|&place| !taken[place]) {
                taken[place] = true;
                work.push(near);
            }
        }
    }
    for x in frame.min[0]..=frame.max[0] {
        for y in frame.min[1]..=frame.max[1] {
            if at((x, y)).is_some_and(|place| !taken[place]) {
                cells.insert((x, y));
            }
        }
    }
    cells
}

/// Drops small islands, but never everything.
fn without_fragments(cells: HashSet<Cell>) -> HashSet<Cell> {
    let mut left = cells;
    let mut parts: Vec<Vec<Cell>> = Vec::new();
    while let Some(&start) = left.iter().next() {
        left.remove(&start);
        let (mut part, mut work) = (vec![start], vec![start]);
        while let Some((x, y)) = work.pop() {
            for (dx, dy) in SIDES {
                if left.remove(&(x + dx, y + dy)) {
                    part.push((x + dx, y + dy));
                    work.push((x + dx, y + dy));
                }
            }
        }
        parts.push(part);
    }
    let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
    parts.into_iter().filter(|part| part.len() >= MIN_CELLS.min(largest)).flatten().collect()
}

/// The borders between cells in and out, as rings of cell corners in world units.
fn outlines(cells: &HashSet<Cell>) -> Vec<Vec<Point>> {
    let corner = |x: i32, y: i32| [x << CELL_BITS, y << CELL_BITS];
    let mut edges: Vec<[Point; 2]> = Vec::new();
    let mut sorted: Vec<Cell> = cells.iter().copied().collect();
    sorted.sort_unstable();
    for (x, y) in sorted {
        for ((dx, dy), edge) in SIDES.into_iter().zip([
            [corner(x + 1, y), corner(x + 1, y + 1)],
            [corner(x, y + 1), corner(x, y)],
            [corner(x + 1, y + 1), corner(x, y + 1)],
            [corner(x, y), corner(x + 1, y)],
        ]) {
            if !cells.contains(&(x + dx, y + dy)) {
                edges.push(edge);
            }
        }
    }
    let lines: Vec<&[Point]> = edges.iter().map(<[Point; 2]>::as_slice).collect();
    chain(&lines)
}

/// Rounds a staircase: the middles of its edges, then three times the corners cut (Chaikin).
fn smooth(ring: &[Point]) -> Vec<Point> {
    let blend = |a: Point, b: Point, of_b: i64| {
        [0, 1].map(|axis| ((i64::from(a[axis]) * (4 - of_b) + i64::from(b[axis]) * of_b) / 4) as i32)
    };
    let next = |ring: &[Point], index: usize| ring[(index + 1) % ring.len()];
    let mut out: Vec<Point> = ring.iter().enumerate().map(|(index, &a)| blend(a, next(ring, index), 2)).collect();
    for _ in 0..3 {
        out = out
            .iter()
            .enumerate()
            .flat_map(|(index, &a)| [blend(a, next(&out, index), 1), blend(a, next(&out, index), 3)])
            .collect();
    }
    out
}

/// A wide frame with the covered ground as its holes.
fn outside(shapes: &[Polygon], rect: Rect) -> Polygon {
    let margin = 1_i32 << (WORLD_BITS - u32::from(MIN_ZOOM));
    let [west, north] = rect.min.map(|c| c.saturating_sub(margin).max(0));
    let [east, south] = rect.max.map(|c| c.saturating_add(margin).min(WORLD - 1));
    let mut polygon = vec![vec![[west, north], [east, north], [east, south], [west, south]]];
    polygon.extend(shapes.iter().filter_map(|shape| shape.first()).filter(|ring| doubled_area(ring) != 0).cloned());
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speckled(seed: u32) -> HashSet<Cell> {
        let mut state = seed;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        (0..40).flat_map(|x| (0..40).map(move |y| (x, y))).filter(|_| next() % 5 < 3 + seed % 2).collect()
    }

    #[test]
    fn growing_and_shrinking_look_at_the_edge_alone_and_find_the_same() {
        for seed in 1..20 {
            let cells = speckled(seed);
            let every: HashSet<Cell> = cells.iter().flat_map(|&cell| around(cell, CLOSE)).collect();
            assert_eq!(grown(&cells, CLOSE), every);
            let is_whole = |cell: &&Cell| around(**cell, SHRINK).all(|near| every.contains(&near));
            assert_eq!(shrunk(&every, SHRINK), every.iter().filter(is_whole).copied().collect());
        }
    }

    #[test]
    fn what_is_enclosed_is_filled_and_what_is_open_is_not() {
        let ring: HashSet<Cell> = (0..10).flat_map(|at| [(at, 0), (at, 9), (0, at), (9, at)]).collect();
        assert_eq!(fill_holes(ring.clone()).len(), 100);
        let open: HashSet<Cell> = ring.into_iter().filter(|cell| *cell != (4, 0)).collect();
        assert_eq!(fill_holes(open.clone()), open);
    }

    #[test]
    fn a_gap_inside_is_covered_and_a_lone_cell_is_not() {
        let mut cells: HashSet<Cell> = (0..20).flat_map(|x| (0..20).map(move |y| (x, y))).collect();
        cells.retain(|(x, y)| !((5..15).contains(x) && (5..15).contains(y)));
        cells.insert((100, 100));
        let ground = without_fragments(fill_holes(cells));
        assert!(ground.contains(&(10, 10)) && !ground.contains(&(100, 100)));
    }

    #[test]
    fn the_outline_of_a_square_is_one_ring_of_its_size() {
        let cells: HashSet<Cell> = (0..4).flat_map(|x| (0..4).map(move |y| (x, y))).collect();
        let rings = outlines(&cells);
        assert_eq!(rings.len(), 1);
        assert_eq!(doubled_area(&rings[0]).abs(), 2 * (4_i128 << CELL_BITS).pow(2));
        assert!(doubled_area(&smooth(&rings[0])).abs() < 2 * (4_i128 << CELL_BITS).pow(2));
    }
}
