//! The sea, from coastlines (the sea lies to their right) closed along the extract's box.

use crate::feature::Feature;
use crate::geometry::rings::{Polygon, contains};
use crate::geometry::simplify::{self, Detail};
use crate::geometry::{Point, Rect, clip, doubled_area, join::join};
use crate::schema::{Kind, Layer, MIN_ZOOM};
use crate::source::SourceWay;

/// The coastlines of an extract.
#[derive(Debug, Default)]
pub(crate) struct Coast(Vec<Vec<Point>>);

impl Coast {
    /// Notes a way, if it is a coastline.
    pub(crate) fn note(&mut self, way: &SourceWay) {
        if way.tags.get("natural") == Some("coastline") && way.line.len() > 1 {
            self.0.push(way.line.clone());
        }
    }

    /// The sea within the extract's box.
    pub(crate) fn sea(self, frame: Rect) -> Vec<Polygon> {
        sea(join(&self.0, true).collect(), frame)
    }
}

/// The features of the sea.
pub(crate) fn features(sea: &[Polygon]) -> impl Iterator<Item = Feature> {
    sea.iter().filter_map(|shape| Feature::area(Kind::class(Layer::Water, MIN_ZOOM, "sea"), shape, i64::MIN))
}

/// The polygons of sea in a frame. A coastline that ends inside it is extended to the nearest side.
fn sea(coast: Vec<Vec<Point>>, frame: Rect) -> Vec<Polygon> {
    let (mut open, mut waters, mut islands) = (Vec::new(), Vec::new(), Vec::new());
    for line in coast {
        if line.len() > 3 && line.first() == line.last() && frame.holds(&Rect::around(line.iter().copied())) {
            let ring = line[..line.len() - 1].to_vec();
            if doubled_area(&ring) > 0 { waters.push(vec![ring]) } else { islands.push(ring) }
        } else {
            let pieces = clip::line(&simplify::line(&line, Detail::Drawn), &frame);
            open.extend(pieces.into_iter().map(|piece| piece.iter().map(|v| v.at).collect::<Vec<_>>()));
        }
    }
    for piece in &mut open {
        if let (Some(&first), Some(&last)) = (piece.first(), piece.last()) {
            piece.insert(0, on_side(first, frame));
            piece.push(on_side(last, frame));
        }
    }
    if open.is_empty() && waters.is_empty() && !islands.is_empty() {
        waters.push(vec![corners(frame).to_vec()]);
    }
    waters.extend(close(&open, frame).into_iter().map(|ring| vec![ring]));
    for island in islands {
        if let Some(water) = waters.iter_mut().find(|water| contains(&water[0], island[0])) {
            water.push(island);
        }
    }
    waters
}

/// Follows each coastline to its end, then the frame clockwise to the next one's start.
fn close(open: &[Vec<Point>], frame: Rect) -> Vec<Vec<Point>> {
    let starts: Vec<f64> = open.iter().map(|piece| along(piece[0], frame)).collect();
    let mut used = vec![false; open.len()];
    let mut rings = Vec::new();
    for first in 0..open.len() {
        let (mut ring, mut at) = (Vec::new(), first);
        while !used[at] {
            used[at] = true;
            ring.extend_from_slice(&open[at]);
            let from = along(open[at][open[at].len() - 1], frame);
            let ahead = |to: f64| (to - from).rem_euclid(4.0);
            let Some(next) = (0..open.len()).min_by(|&a, &b| ahead(starts[a]).total_cmp(&ahead(starts[b]))) else {
                break;
            };
            let way = ahead(starts[next]);
            let mut passed: Vec<(f64, Point)> =
                corners(frame).into_iter().enumerate().map(|(k, corner)| (ahead(k as f64), corner)).collect();
            passed.sort_by(|a, b| a.0.total_cmp(&b.0));
            ring.extend(passed.into_iter().filter(|(far, _)| *far < way).map(|(_, corner)| corner));
            at = next;
        }
        if ring.len() > 2 {
            rings.push(ring);
        }
    }
    rings
}

/// The corners clockwise from the north-west: the k-th lies at k along the frame.
fn corners(frame: Rect) -> [Point; 4] {
    let (Rect { min: [west, north], max: [east, south] },) = (frame,);
    [[west, north], [east, north], [east, south], [west, south]]
}

/// The distance along the frame, clockwise from the north-west, 0 to 4.
fn along(at: Point, frame: Rect) -> f64 {
    let share = |from: i32, to: i32, value: i32| {
        (f64::from(value) - f64::from(from)) / (f64::from(to) - f64::from(from)).max(1.0)
    };
    let Rect { min: [west, north], max: [east, south] } = frame;
    if at[1] == north {
        share(west, east, at[0])
    } else if at[0] == east {
        1.0 + share(north, south, at[1])
    } else if at[1] == south {
        2.0 + 1.0 - share(west, east, at[0])
    } else {
        3.0 + 1.0 - share(north, south, at[1])
    }
}

/// The nearest point on the frame's sides.
fn on_side(at: Point, frame: Rect) -> Point {
    let Rect { min: [west, north], max: [east, south] } = frame;
    let sides = [[at[0], north], [east, at[1]], [at[0], south], [west, at[1]]];
    let distance =
        |to: &Point| (i64::from(to[0]) - i64::from(at[0])).abs() + (i64::from(to[1]) - i64::from(at[1])).abs();
    sides.into_iter().min_by_key(distance).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rect = Rect { min: [0, 0], max: [100_000, 100_000] };

    #[test]
    fn the_sea_lies_to_the_right_of_the_coast() {
        // Walking east along the middle, the right hand is to the south.
        let shapes = sea(vec![vec![[-5000, 50_000], [105_000, 50_000]]], FRAME);
        assert_eq!(shapes.len(), 1);
        assert!(contains(&shapes[0][0], [50_000, 90_000]) && !contains(&shapes[0][0], [50_000, 10_000]));
    }

    #[test]
    fn an_island_is_a_hole() {
        let island = vec![[40_000, 40_000], [40_000, 60_000], [60_000, 60_000], [60_000, 40_000], [40_000, 40_000]];
        let shapes = sea(vec![island], FRAME);
        assert_eq!(shapes.iter().map(Vec::len).collect::<Vec<_>>(), vec![2]);
    }

    #[test]
    fn a_coast_cut_short_still_closes() {
        let shapes = sea(vec![vec![[10_000, 50_000], [90_000, 50_000]]], FRAME);
        assert!(contains(&shapes[0][0], [50_000, 90_000]));
        assert!(sea(Vec::new(), FRAME).is_empty());
    }
}
