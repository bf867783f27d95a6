//! The shape of a line: whether it is a loop, and its drawing on a stamp.

use std::fmt::Write as _;

use crate::projection::Projection;
use crate::{Position, distance_m, measure, simplify};

/// Start and arrival closer than this make a loop…
const LOOP_BELOW_M: f64 = 100.0;
/// …or closer than this share of the length, on a long line.
const LOOP_BELOW_SHARE: f64 = 0.01;

/// How far the arrival is from the start.
pub fn start_end_distance_m(line: &[Position]) -> f64 {
    line.first().zip(line.last()).map_or(0.0, |(start, end)| distance_m(*start, *end))
}

/// Whether the line comes back: start and arrival closer than 100 m or 1 % of its length.
pub fn is_loop_like(line: &[Position]) -> bool {
    let length_m = measure(line).distance_m;
    length_m > 0.0 && start_end_distance_m(line) < LOOP_BELOW_M.max(LOOP_BELOW_SHARE * length_m)
}

/// About as many points as a picture of this size can show: one a pixel of its side.
const POINTS_PER_PIXEL: f64 = 1.0;

/// The path data of an SVG picture of `size` × `size`: north up, in proportion, centred, within a margin of one.
///
/// Coordinates have one decimal; an empty line is an empty path.
pub fn glyph(line: &[Position], size: f64) -> String {
    let Some(projection) = Projection::of(line) else { return String::new() };
    let inner = (size - 2.0).max(1.0);
    let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    for p in line {
        let (x, y) = projection.xy(*p);
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    }
    let extent_m = (high.0 - low.0).max(high.1 - low.1).max(1.0);
    let scale = inner / extent_m;
    let most = (size * POINTS_PER_PIXEL).max(8.0) as usize;
    let mut tolerance_m = 0.4 / scale;
    let mut shown = simplify(line, tolerance_m);
    while shown.len() > most {
        tolerance_m *= 1.4;
        shown = simplify(&shown, tolerance_m);
    }
    let middle = (f64::midpoint(low.0, high.0), f64::midpoint(low.1, high.1));
    let mut path = String::new();
    for (i, p) in shown.iter().enumerate() {
        let (x, y) = projection.xy(*p);
        let (px, py) = (size / 2.0 + (x - middle.0) * scale, size / 2.0 - (y - middle.1) * scale);
        path.push(if i == 0 { 'M' } else { 'L' });
        // Writing to a string cannot fail.
        let _ = write!(path, "{} {}", tenth(px), tenth(py));
    }
    path
}

fn tenth(value: f64) -> f64 {
    // + 0.0 makes of -0 a plain 0.
    (value * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn circle(len: usize, share: f64) -> Vec<Position> {
        (0..len)
            .map(|i| {
                let angle = i as f64 / (len - 1) as f64 * std::f64::consts::TAU * share;
                Position::new(6.0 + 0.02 * angle.cos() / 0.7, 45.0 + 0.02 * angle.sin())
            })
            .collect()
    }

    #[test]
    fn loops_are_distinguished_from_one_way_lines() {
        assert!(is_loop_like(&circle(100, 1.0)));
        assert!(!is_loop_like(&circle(100, 0.8)));
        assert!(!is_loop_like(&[Position::new(6.0, 45.0)]));
    }

    #[test]
    fn a_glyph_is_small_and_inside_its_picture() {
        let path = glyph(&circle(20_000, 1.0), 40.0);
        let points: Vec<f64> =
            path.split(['M', 'L', ' ']).filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect();
        assert!((20..=80).contains(&points.len()), "{path}");
        assert!(points.iter().all(|value| (0.0..=40.0).contains(value)), "{path}");
    }

    #[test]
    fn a_glyph_has_north_up() {
        let north = [Position::new(6.0, 45.0), Position::new(6.0, 45.1)];
        assert_eq!(glyph(&north, 40.0), "M20 39L20 1");
        assert_eq!(glyph(&[], 40.0), "");
        assert_eq!(glyph(&north[..1], 40.0), "M20 20");
    }
}
