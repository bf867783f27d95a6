//! Contours: lines of one height through the grid, by marching squares.

use super::grid::{BLOCK_SIDE, Block, SIDE, middle};
use crate::assemble::{Ground, Groups};
use crate::error::BasemapError;
use crate::geometry::Point;
use crate::schema::{Kind, Layer};
use std::collections::HashMap;

/// Metres between contours.
const STEP_M: i32 = 20;

/// Adds the contours of one tile's covered ground. Pieces meet at the tiles' borders, where they are joined.
pub(super) fn add(block: &Block, [x, y]: [u32; 2], ground: &Ground, groups: &mut Groups) -> Result<(), BasemapError> {
    let place = |column: usize, row: usize| [middle(x, column, 0), middle(y, row, 0)];
    let lines = lines(block, &place, &|at| ground.contains(at));
    lines.into_iter().try_for_each(|(level, line)| groups.add(&kind(level), false, &line))
}

/// Every 20 m from zoom 14, 40 m from 13, 100 m from 11.
fn kind(level: i32) -> Kind {
    let min_zoom = match level {
        _ if level % 100 == 0 => 11,
        _ if level % 40 == 0 => 13,
        _ => 14,
    };
    Kind::new(Layer::Contour, min_zoom).with("ele", i64::from(level))
}

/// A crossing: the edge of the grid that it lies on (to the right of a sample, or below it), and where.
type Crossing = (u32, Point);

/// The contours of a block, in pieces, by height.
fn lines(
    block: &Block,
    place: &dyn Fn(usize, usize) -> Point,
    is_wanted: &dyn Fn(Point) -> bool,
) -> Vec<(i32, Vec<Point>)> {
    let mut by_level: HashMap<i32, Vec<[Crossing; 2]>> = HashMap::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dx, dy)| (column + dx, row + dy));
            let index = corners.map(|(c, r)| r * BLOCK_SIDE + c);
            let heights = index.map(|i| block.heights[i]);
            let low = heights.into_iter().fold(f32::INFINITY, f32::min);
            let high = heights.into_iter().fold(f32::NEG_INFINITY, f32::max);
            let (first, last) = ((low / STEP_M as f32).floor() as i32 + 1, (high / STEP_M as f32).floor() as i32);
            if first > last || !index.iter().all(|i| block.known[*i]) || !is_wanted(place(column, row)) {
                continue;
            }
            // The level of the sea is drawn by the coastline.
            for level in (first..=last).map(|n| n * STEP_M).filter(|level| *level != 0) {
                let segments = by_level.entry(level).or_default();
                cell(corners, heights, level as f32, place, segments);
            }
        }
    }
    let mut found: Vec<(i32, Vec<Point>)> = by_level
        .into_iter()
        .flat_map(|(level, segments)| chained(&segments).into_iter().map(move |l| (level, l)))
        .collect();
    // The order of a hash map differs from run to run; sorted, the same extract gives the same file.
    found.sort_unstable();
    found
}

/// The one or two pieces in a cell. Corners run clockwise from the north-west.
fn cell(
    corners: [(usize, usize); 4],
    heights: [f32; 4],
    level: f32,
    place: &dyn Fn(usize, usize) -> Point,
    segments: &mut Vec<[Crossing; 2]>,
) {
    let is_above = heights.map(|h| h >= level);
    let crossing = |side: usize| -> Crossing {
        // From west to east and from north to south in every cell, so that the neighbour computes the same point.
        let (a, b) = if side < 2 { (side, side + 1) } else { ((side + 1) % 4, side) };
        let share = f64::from((level - heights[a]) / (heights[b] - heights[a]));
        let (from, to) = (place(corners[a].0, corners[a].1), place(corners[b].0, corners[b].1));
        let at = [0, 1].map(|axis| from[axis] + (f64::from(to[axis] - from[axis]) * share).round() as i32);
        let is_down = side % 2 == 1;
        let (column, row) = corners[a];
        (((row * BLOCK_SIDE + column) * 2 + usize::from(is_down)) as u32, at)
    };
    let crossed: Vec<usize> = (0..4).filter(|side| is_above[*side] != is_above[(side + 1) % 4]).collect();
    match crossed.as_slice() {
        [a, b] => segments.push([crossing(*a), crossing(*b)]),
        // A saddle: the mean of the corners decides which two of them are connected.
        [_, _, _, _] => {
            let middle_above = heights.iter().sum::<f32>() / 4.0 >= level;
            let pairs = if middle_above == is_above[0] { [(0, 1), (2, 3)] } else { [(3, 0), (1, 2)] };
            segments.extend(pairs.map(|(a, b)| [crossing(a), crossing(b)]));
        }
        _ => {}
    }
}

/// Pieces joined where they share an edge of the grid: at most two meet there.
fn chained(segments: &[[Crossing; 2]]) -> Vec<Vec<Point>> {
    let mut at_edge: HashMap<u32, Vec<usize>> = HashMap::new();
    for (i, segment) in segments.iter().enumerate() {
        for (edge, _) in segment {
            at_edge.entry(*edge).or_default().push(i);
        }
    }
    let mut used = vec![false; segments.len()];
    let mut out = Vec::new();
    // From loose ends first; the remaining ones are rings.
    for only_ends in [true, false] {
        for start in 0..segments.len() {
            let is_loose = |end: usize| at_edge[&segments[start][end].0].len() == 1;
            let Some(first) = (0..2).find(|end| !only_ends || is_loose(*end)).filter(|_| !used[start]) else {
                continue;
            };
            out.push(walked(segments, &at_edge, &mut used, start, first));
        }
    }
    out.retain(|line| line.len() > 1);
    out
}

fn walked(
    segments: &[[Crossing; 2]],
    at_edge: &HashMap<u32, Vec<usize>>,
    used: &mut [bool],
    start: usize,
    first: usize,
) -> Vec<Point> {
    let mut line = vec![segments[start][first].1];
    let (mut here, mut enter) = (start, first);
    loop {
        used[here] = true;
        let (edge, at) = segments[here][1 - enter];
        if line.last() != Some(&at) {
            line.push(at);
        }
        let Some(next) = at_edge[&edge].iter().copied().find(|i| !used[*i]) else { return line };
        enter = usize::from(segments[next][1].0 == edge);
        here = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(height: impl Fn(usize, usize) -> f32) -> Block {
        let all = BLOCK_SIDE * BLOCK_SIDE;
        Block { heights: (0..all).map(|i| height(i % BLOCK_SIDE, i / BLOCK_SIDE)).collect(), known: vec![true; all] }
    }

    fn lines_of(block: &Block) -> Vec<(i32, Vec<Point>)> {
        lines(block, &|column, row| [column as i32 * 1000, row as i32 * 1000], &|_| true)
    }

    #[test]
    fn a_slope_has_straight_lines_across_the_tile() {
        let found = lines_of(&block(|column, _| column as f32));
        assert_eq!(found.len(), 12);
        for (level, line) in found {
            assert_eq!(line.len(), BLOCK_SIDE, "{level}");
            assert!(line.iter().all(|at| at[0] == level * 1000), "{level}");
        }
    }

    #[test]
    fn a_hill_has_rings_that_close() {
        let found = lines_of(&block(|c, r| 100.0 - (c as f32 - 128.5).hypot(r as f32 - 128.5)));
        let rings = found.iter().filter(|(level, _)| *level > 0).collect::<Vec<_>>();
        assert_eq!(rings.len(), 4, "80, 60, 40, 20");
        assert!(rings.iter().all(|(_, line)| line.first() == line.last() && line.len() > 50));
    }

    #[test]
    fn a_saddle_and_a_hole_break_nothing() {
        let saddle = lines_of(&block(|c, r| if (c + r) % 2 == 0 { 30.0 } else { 10.0 }));
        assert!(saddle.iter().all(|(level, line)| *level == 20 && line.len() > 1));
        let mut holed = block(|column, _| column as f32);
        for i in 100..200 {
            holed.known[128 * BLOCK_SIDE + i] = false;
        }
        let found = lines_of(&holed);
        assert_eq!(found.iter().filter(|(level, _)| *level == 120).count(), 2, "cut at the hole");
    }
}
