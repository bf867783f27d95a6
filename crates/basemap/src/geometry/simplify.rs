//! Douglas-Peucker once for all zooms: each vertex gets the zoom from which it matters, so that simplifying a tile is a filter.

use super::{Point, Vertex, WORLD_BITS};
use crate::schema::MAX_ZOOM;

/// How close a simplified line is to the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Half a pixel at each zoom, and at the last zoom the detail that is visible four zooms deeper.
    Drawn,
    /// A pixel and a half at each zoom, the last one too: a label needs a smooth line.
    Label,
}

impl Detail {
    /// The zoom from which a vertex that lies `distance` off the simpler line matters; none: never.
    fn zoom(self, distance: f64) -> Option<u8> {
        // One 512-pixel tile: a pixel at zoom z is 2^(30-9-z) units.
        let one_pixel = f64::from(WORLD_BITS - 9) - distance.max(f64::MIN_POSITIVE).log2();
        let (zoom, spare) = match self {
            Self::Drawn => ((one_pixel - 1.0).ceil(), 3.0),
            Self::Label => ((one_pixel + 0.6).ceil(), 0.0),
        };
        let max = f64::from(MAX_ZOOM);
        (zoom <= max + spare).then(|| zoom.clamp(0.0, max) as u8)
    }
}

/// A line with the zoom of each vertex; vertices that never matter are left out.
pub(crate) fn line(points: &[Point], detail: Detail) -> Vec<Vertex> {
    let mut zooms = vec![None; points.len()];
    if let [.., _] = points {
        zooms[0] = Some(0);
        zooms[points.len() - 1] = Some(0);
        rank(points, &mut zooms, 0, points.len() - 1, detail);
    }
    keep(points, &zooms)
}

/// A closed ring given without its repeated first point. Four corners are always kept.
pub(crate) fn ring(points: &[Point], detail: Detail) -> Vec<Vertex> {
    let Some(first) = points.first() else { return Vec::new() };
    let far = |from: Point| (0..points.len()).max_by_key(|&i| square_distance(points[i], from)).unwrap_or(0);
    let split = far(*first);
    let mut closed = points.to_vec();
    closed.push(*first);
    let mut zooms = vec![None; closed.len()];
    let last = closed.len() - 1;
    for fixed in [0, split, last] {
        zooms[fixed] = Some(0);
    }
    for (from, to) in [(0, split), (split, last)] {
        // The corner furthest from each chord is kept, so that the ring does not collapse to a line.
        if let Some((middle, _)) = furthest(&closed, from, to) {
            zooms[middle] = Some(0);
            rank(&closed, &mut zooms, from, middle, detail);
            rank(&closed, &mut zooms, middle, to, detail);
        }
    }
    closed.pop();
    zooms.pop();
    keep(&closed, &zooms)
}

fn keep(points: &[Point], zooms: &[Option<u8>]) -> Vec<Vertex> {
    points.iter().zip(zooms).filter_map(|(&at, zoom)| zoom.map(|zoom| Vertex { at, zoom })).collect()
}

/// Ranks the points between two kept vertices. Uses a stack on the heap: a long line must not exhaust the thread's.
fn rank(points: &[Point], zooms: &mut [Option<u8>], from: usize, to: usize, detail: Detail) {
    let mut work = vec![(from, to, 0_u8)];
    while let Some((from, to, least)) = work.pop() {
        let Some((middle, distance)) = furthest(points, from, to) else { continue };
        let Some(zoom) = detail.zoom(distance) else { continue };
        let zoom = zoom.max(least);
        zooms[middle] = Some(zooms[middle].map_or(zoom, |known| known.min(zoom)));
        work.push((from, middle, zoom));
        work.push((middle, to, zoom));
    }
}

/// The vertex strictly between `from` and `to` furthest from their chord.
fn furthest(points: &[Point], from: usize, to: usize) -> Option<(usize, f64)> {
    (from + 1..to)
        .map(|i| (i, segment_distance(points[i], points[from], points[to])))
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

fn square_distance(a: Point, b: Point) -> i64 {
    let [dx, dy] = [i64::from(a[0]) - i64::from(b[0]), i64::from(a[1]) - i64::from(b[1])];
    dx * dx + dy * dy
}

fn segment_distance(point: Point, a: Point, b: Point) -> f64 {
    let [px, py] = [f64::from(point[0]) - f64::from(a[0]), f64::from(point[1]) - f64::from(a[1])];
    let [dx, dy] = [f64::from(b[0]) - f64::from(a[0]), f64::from(b[1]) - f64::from(a[1])];
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - along * dx).hypot(py - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(vertices: &[Vertex], zoom: u8) -> Vec<Point> {
        vertices.iter().filter(|v| v.zoom <= zoom).map(|v| v.at).collect()
    }

    #[test]
    fn a_straight_line_keeps_its_two_ends() {
        let points: Vec<Point> = (0..100).map(|i| [i * 1000, i * 2000]).collect();
        assert_eq!(at(&line(&points, Detail::Drawn), MAX_ZOOM), vec![points[0], points[99]]);
    }

    #[test]
    fn a_bend_appears_at_the_zoom_where_it_is_half_a_pixel() {
        // 2^10 units is one pixel at zoom 11, half a pixel at zoom 10.
        let points = [[0, 0], [100_000, 1 << 10], [200_000, 0]];
        let vertices = line(&points, Detail::Drawn);
        assert_eq!(at(&vertices, 9).len(), 2);
        assert_eq!(at(&vertices, 10).len(), 3);
    }

    #[test]
    fn no_kept_line_strays_more_than_half_a_pixel() {
        let points: Vec<Point> =
            (0..400).map(|i| [i * 5000, ((f64::from(i) * 0.37).sin() * 40_000.0) as i32]).collect();
        let vertices = line(&points, Detail::Drawn);
        for zoom in 4..=MAX_ZOOM {
            let kept = at(&vertices, zoom);
            let pixel = f64::from(1 << (WORLD_BITS - 9 - u32::from(zoom)));
            for point in &points {
                let off = kept.windows(2).map(|w| segment_distance(*point, w[0], w[1])).fold(f64::MAX, f64::min);
                assert!(off <= pixel * 0.5 + 1e-6, "zoom {zoom}: {off} units off, a pixel is {pixel}");
            }
        }
    }

    #[test]
    fn a_ring_never_loses_its_last_corners() {
        let circle: Vec<Point> = (0..60)
            .map(|i| (f64::from(i) / 60.0 * std::f64::consts::TAU).sin_cos())
            .map(|(s, c)| [(c * 500.0) as i32, (s * 500.0) as i32])
            .collect();
        assert_eq!(at(&ring(&circle, Detail::Drawn), 0).len(), 4);
        assert!(at(&ring(&circle, Detail::Drawn), MAX_ZOOM).len() > 8);
    }

    #[test]
    fn nothing_and_one_point_are_no_line_but_no_panic() {
        assert!(line(&[], Detail::Drawn).is_empty());
        assert_eq!(line(&[[1, 1]], Detail::Drawn).len(), 1);
        assert!(ring(&[], Detail::Label).is_empty());
        assert_eq!(ring(&[[1, 1]], Detail::Label).len(), 1);
    }
}
