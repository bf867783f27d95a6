//! Multipolygons without trusting roles: chain member lines end to end into rings, then separate outer from inner by depth.

use super::{Point, Rect, doubled_area};
use std::collections::HashMap;

/// A polygon: its outer ring, then its holes. Rings do not repeat their first point.
pub(crate) type Polygon = Vec<Vec<Point>>;

/// Chains lines that share end points into closed rings; open chains (cut by the extract) are dropped.
pub(crate) fn chain(lines: &[&[Point]]) -> Vec<Vec<Point>> {
    let mut ends: HashMap<Point, Vec<usize>> = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        if let [first, .., last] = line {
            ends.entry(*first).or_default().push(index);
            ends.entry(*last).or_default().push(index);
        }
    }
    let mut used = vec![false; lines.len()];
    let mut rings = Vec::new();
    for start in 0..lines.len() {
        if used[start] || lines[start].len() < 2 {
            continue;
        }
        used[start] = true;
        let mut ring = lines[start].to_vec();
        while let (Some(&first), Some(&last)) = (ring.first(), ring.last()) {
            if first == last {
                break;
            }
            let Some(next) = ends.get(&last).and_then(|here| here.iter().copied().find(|&i| !used[i])) else { break };
            used[next] = true;
            append(&mut ring, lines[next], last);
        }
        if ring.len() > 3 && ring.first() == ring.last() {
            ring.pop();
            rings.push(ring);
        }
    }
    rings
}

fn append(ring: &mut Vec<Point>, line: &[Point], joint: Point) {
    if line.first() == Some(&joint) {
        ring.extend_from_slice(&line[1..]);
    } else {
        ring.extend(line[..line.len() - 1].iter().rev());
    }
}

/// Sorts rings into polygons: an even depth of enclosing rings is an outer one, odd a hole of the smallest around it.
pub(crate) fn polygons(mut rings: Vec<Vec<Point>>) -> Vec<Polygon> {
    rings.sort_by_key(|ring| std::cmp::Reverse(doubled_area(ring).abs()));
    let rects: Vec<Rect> = rings.iter().map(|ring| Rect::around(ring.iter().copied())).collect();
    let mut out: Vec<Polygon> = Vec::new();
    let mut owner: Vec<Option<usize>> = Vec::with_capacity(rings.len());
    for (index, ring) in rings.iter().enumerate() {
        let around: Vec<usize> =
            (0..index).filter(|&other| rects[other].meets(&rects[index]) && is_inside(ring, &rings[other])).collect();
        let parent = around.last().and_then(|&smallest| owner[smallest]);
        if let (1, Some(parent)) = (around.len() % 2, parent) {
            out[parent].push(ring.clone());
            owner.push(Some(parent));
        } else {
            owner.push(Some(out.len()));
            out.push(vec![ring.clone()]);
        }
    }
    out
}

/// Whether most of a ring's sampled vertices lie inside another: touching rings share some.
fn is_inside(ring: &[Point], other: &[Point]) -> bool {
    let step = (ring.len() / 7).max(1);
    let sampled = ring.iter().step_by(step);
    let (mut inside, mut all) = (0, 0);
    for point in sampled {
        all += 1;
        inside += usize::from(contains(other, *point));
    }
    inside * 2 > all
}

/// Whether a ring contains a point (even-odd rule).
pub(crate) fn contains(ring: &[Point], point: Point) -> bool {
    let [px, py] = point.map(f64::from);
    let mut inside = false;
    for (index, a) in ring.iter().enumerate() {
        let [ax, ay] = a.map(f64::from);
        let [bx, by] = ring[(index + 1) % ring.len()].map(f64::from);
        if (ay > py) != (by > py) && px < (bx - ax) * (py - ay) / (by - ay) + ax {
            inside = !inside;
        }
    }
    inside
}

/// Where a horizontal line crosses a ring, unsorted.
pub(crate) fn crossings(ring: &[Point], y: i32) -> Vec<f64> {
    let mut found = Vec::new();
    for (index, a) in ring.iter().enumerate() {
        let b = ring[(index + 1) % ring.len()];
        if (a[1] > y) != (b[1] > y) {
            let along = (f64::from(y) - f64::from(a[1])) / (f64::from(b[1]) - f64::from(a[1]));
            found.push(f64::from(a[0]) + along * (f64::from(b[0]) - f64::from(a[0])));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(at: i32, side: i32) -> Vec<Point> {
        vec![[at, at], [at + side, at], [at + side, at + side], [at, at + side]]
    }

    #[test]
    fn pieces_in_any_direction_chain_into_one_ring() {
        let a = [[0, 0], [10, 0], [10, 10]];
        let b = [[0, 0], [0, 10]];
        let c = [[10, 10], [0, 10]];
        let rings = chain(&[&a, &b, &c]);
        assert_eq!(rings.len(), 1);
        assert_eq!(doubled_area(&rings[0]).abs(), 200);
    }

    #[test]
    fn an_open_chain_is_dropped() {
        assert!(chain(&[&[[0, 0], [10, 0]], &[[10, 0], [10, 10]], &[]]).is_empty());
    }

    #[test]
    fn a_hole_belongs_to_its_ring_and_an_island_in_the_hole_is_a_polygon_again() {
        let found = polygons(vec![square(40, 10), square(0, 100), square(20, 50), square(500, 10)]);
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        assert_eq!(sizes, vec![2, 1, 1]);
    }
}
