//! Cuts lines (Liang-Barsky) and rings (Sutherland-Hodgman) to a box. A cut adds a vertex that matters at every zoom.

use super::{Point, Rect, Vertex};

/// The pieces of a line inside the box.
pub(crate) fn line(vertices: &[Vertex], rect: &Rect) -> Vec<Vec<Vertex>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<Vertex> = Vec::new();
    for pair in vertices.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let Some((start, end)) = segment(a.at, b.at, rect) else {
            finish(&mut piece, &mut pieces);
            continue;
        };
        if piece.is_empty() || start > 0.0 {
            finish(&mut piece, &mut pieces);
            piece.push(if start > 0.0 {
                Vertex { at: between(a.at, b.at, start), zoom: 0 }
            } else {
                Vertex { at: a.at, zoom: 0 }
            });
        }
        if end < 1.0 {
            piece.push(Vertex { at: between(a.at, b.at, end), zoom: 0 });
            finish(&mut piece, &mut pieces);
        } else {
            piece.push(b);
        }
    }
    finish(&mut piece, &mut pieces);
    pieces
}

fn finish(piece: &mut Vec<Vertex>, pieces: &mut Vec<Vec<Vertex>>) {
    if piece.len() > 1 {
        if let Some(last) = piece.last_mut() {
            last.zoom = 0;
        }
        pieces.push(std::mem::take(piece));
    } else {
        piece.clear();
    }
}

/// The part of a segment inside the box, as two fractions of it.
fn segment(a: Point, b: Point, rect: &Rect) -> Option<(f64, f64)> {
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let from = f64::from(a[axis]);
        let delta = f64::from(b[axis]) - from;
        for (step, room) in [(-delta, from - f64::from(rect.min[axis])), (delta, f64::from(rect.max[axis]) - from)] {
            if step == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if step < 0.0 {
                start = start.max(room / step);
            } else {
                end = end.min(room / step);
            }
        }
    }
    (start <= end).then_some((start, end))
}

fn between(a: Point, b: Point, fraction: f64) -> Point {
    [0, 1].map(|axis| (f64::from(a[axis]) + (f64::from(b[axis]) - f64::from(a[axis])) * fraction).round() as i32)
}

/// The ring inside the box; edges along the box's border may join separate pieces (fills do not show it).
pub(crate) fn ring(vertices: &[Vertex], rect: &Rect) -> Vec<Vertex> {
    let mut current = vertices.to_vec();
    for axis in 0..2 {
        for (limit, keep_above) in [(rect.min[axis], true), (rect.max[axis], false)] {
            current = half_plane(&current, axis, limit, keep_above);
            if current.len() < 3 {
                return Vec::new();
            }
        }
    }
    current
}

fn half_plane(ring: &[Vertex], axis: usize, limit: i32, keep_above: bool) -> Vec<Vertex> {
    let inside = |v: &Vertex| if keep_above { v.at[axis] >= limit } else { v.at[axis] <= limit };
    let mut out = Vec::with_capacity(ring.len() + 4);
    for (index, vertex) in ring.iter().enumerate() {
        let before = &ring[(index + ring.len() - 1) % ring.len()];
        if inside(before) != inside(vertex) {
            let whole = f64::from(vertex.at[axis]) - f64::from(before.at[axis]);
            let mut at = between(before.at, vertex.at, (f64::from(limit) - f64::from(before.at[axis])) / whole);
            at[axis] = limit;
            out.push(Vertex { at, zoom: 0 });
        }
        if inside(vertex) {
            out.push(*vertex);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::doubled_area;
    use proptest::prelude::*;

    const BOX: Rect = Rect { min: [0, 0], max: [100, 100] };

    fn vertices(points: &[Point]) -> Vec<Vertex> {
        points.iter().map(|&at| Vertex { at, zoom: 3 }).collect()
    }

    fn points(vertices: &[Vertex]) -> Vec<Point> {
        vertices.iter().map(|v| v.at).collect()
    }

    #[test]
    fn a_line_that_leaves_and_comes_back_is_two_pieces() {
        let pieces = line(&vertices(&[[10, 50], [150, 50], [150, 80], [10, 80]]), &BOX);
        assert_eq!(
            pieces.iter().map(|p| points(p)).collect::<Vec<_>>(),
            vec![vec![[10, 50], [100, 50]], vec![[100, 80], [10, 80]]]
        );
    }

    #[test]
    fn a_line_that_crosses_without_a_vertex_inside_is_seen() {
        assert_eq!(points(&line(&vertices(&[[-50, 20], [150, 20]]), &BOX)[0]), vec![[0, 20], [100, 20]]);
    }

    #[test]
    fn a_line_outside_is_nothing_and_one_inside_is_itself() {
        assert!(line(&vertices(&[[-50, -20], [150, -20]]), &BOX).is_empty());
        let inside = [[1, 1], [50, 2], [99, 99]];
        assert_eq!(points(&line(&vertices(&inside), &BOX)[0]), inside);
    }

    #[test]
    fn a_ring_around_the_box_becomes_the_box() {
        let clipped = ring(&vertices(&[[-50, -50], [150, -50], [150, 150], [-50, 150]]), &BOX);
        assert_eq!(doubled_area(&points(&clipped)).abs(), 20_000);
    }

    #[test]
    fn a_ring_beside_the_box_is_nothing() {
        assert!(ring(&vertices(&[[200, 0], [300, 0], [300, 100]]), &BOX).is_empty());
        assert!(ring(&[], &BOX).is_empty());
    }

    proptest! {
        #[test]
        fn whatever_is_cut_lies_in_the_box(path in prop::collection::vec(prop::array::uniform2(-400_i32..400), 0..40)) {
            let path = vertices(&path);
            for vertex in line(&path, &BOX).iter().flatten().chain(&ring(&path, &BOX)) {
                prop_assert!((0..2).all(|axis| (0..=100).contains(&vertex.at[axis])), "{:?}", vertex);
            }
        }
    }
}
