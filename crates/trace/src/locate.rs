//! The distance of a place along a line, and the place at a distance along it.

use crate::projection::{Projection, between, nearest};
use crate::{Position, cumulative_m, distance_m};

/// A passage of the line is taken for the nearest one if it comes first and is at most this much further off.
const SAME_PASSAGE_M: f64 = 15.0;

/// The point of a line nearest to a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Located {
    /// How far along the line, from its start.
    pub at_m: f64,
    /// How far the place is from there.
    pub offset_m: f64,
    /// The point on the line.
    pub position: Position,
    /// The index of the line's point at or before it.
    pub index: usize,
}

/// The nearest point on the whole line; the first of several equally near.
pub fn locate(line: &[Position], p: Position) -> Option<Located> {
    let candidates = candidates(line, p, 0.0);
    let index = (0..candidates.len()).min_by(|a, b| candidates[*a].offset_m.total_cmp(&candidates[*b].offset_m))?;
    Some(candidates[index])
}

/// The first passage near a place that is not before `after_m`: steps keep their order on loops and return trips.
///
/// Where the line passes several times, the first passage counts that is at most 15 m further off than the nearest.
pub fn locate_from(line: &[Position], p: Position, after_m: f64) -> Option<Located> {
    let candidates = candidates(line, p, after_m);
    let least = candidates.iter().map(|found| found.offset_m).reduce(f64::min)?;
    let first = candidates.iter().position(|found| found.offset_m <= least + SAME_PASSAGE_M)?;
    // Walk on while the line still comes nearer: the bottom of this passage.
    let passage = &candidates[first..];
    let until = passage.iter().position(|found| found.offset_m > least + SAME_PASSAGE_M).unwrap_or(passage.len());
    passage[..until].iter().copied().min_by(|a, b| a.offset_m.total_cmp(&b.offset_m))
}

/// The nearest point of each segment that ends at or after `after_m`, and not before it.
fn candidates(line: &[Position], p: Position, after_m: f64) -> Vec<Located> {
    let projection = Projection::around(p);
    let mut found = Vec::new();
    if let [only] = line {
        found.push(Located { at_m: 0.0, offset_m: distance_m(*only, p), position: *only, index: 0 });
    }
    let mut start_m = 0.0;
    for (index, pair) in line.windows(2).enumerate() {
        let length_m = distance_m(pair[0], pair[1]);
        let end_m = start_m + length_m;
        if end_m >= after_m || index + 2 == line.len() {
            let (share, _) = nearest((0.0, 0.0), projection.xy(pair[0]), projection.xy(pair[1]));
            let least = if length_m > 0.0 { ((after_m - start_m) / length_m).clamp(0.0, 1.0) } else { 0.0 };
            let share = share.max(least);
            let position = between(pair[0], pair[1], share);
            found.push(Located {
                at_m: start_m + share * length_m,
                offset_m: distance_m(position, p),
                position,
                index,
            });
        }
        start_m = end_m;
    }
    found
}

/// The place at a distance along the line; its ends below 0 and beyond its length.
pub fn position_at(line: &[Position], at_m: f64) -> Option<Position> {
    let mut start_m = 0.0;
    if at_m <= 0.0 {
        return line.first().copied();
    }
    for pair in line.windows(2) {
        let length_m = distance_m(pair[0], pair[1]);
        if at_m <= start_m + length_m && length_m > 0.0 {
            return Some(between(pair[0], pair[1], (at_m - start_m) / length_m));
        }
        start_m += length_m;
    }
    line.last().copied()
}

/// Places at even distances along a line, at most `most_m` apart, both ends included. They do not depend on where the line has its points.
pub fn even_places(line: &[Position], most_m: f64) -> Vec<Position> {
    let along_m = cumulative_m(line);
    let (Some(length_m), Some(last)) = (along_m.last().copied(), line.len().checked_sub(2)) else {
        return line.to_vec();
    };
    let count = ((length_m / most_m).ceil() as usize).max(1);
    let mut piece = 0;
    let place = |number: usize| {
        let at_m = length_m * (number as f64 / count as f64);
        while piece < last && along_m[piece + 1] < at_m {
            piece += 1;
        }
        let piece_m = along_m[piece + 1] - along_m[piece];
        let share = if piece_m > 0.0 { (at_m - along_m[piece]) / piece_m } else { 0.0 };
        between(line[piece], line[piece + 1], share)
    };
    (0..=count).map(place).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    /// East for about 790 m a step, and back on itself.
    fn return_trip() -> Vec<Position> {
        [6.0, 6.01, 6.02, 6.01, 6.0].map(|lon| Position::new(lon, 45.0)).to_vec()
    }

    #[test]
    fn the_nearest_point_is_found() {
        let found = locate(&return_trip(), Position::new(6.005, 45.001)).unwrap();
        assert!((found.at_m - 393.1).abs() < 0.5, "{found:?}");
        assert!((found.offset_m - 111.2).abs() < 0.2, "{found:?}");
        assert_eq!(found.index, 0);
        assert!(locate(&[], Position::new(0.0, 0.0)).is_none());
        assert_eq!(
            locate(&[Position::new(6.0, 45.0)], Position::new(6.0, 45.0)).map(|found| found.offset_m),
            Some(0.0)
        );
    }

    #[test]
    fn steps_keep_their_order_on_a_return_trip() {
        let (line, start) = (return_trip(), Position::new(6.0, 45.0));
        let total_m = crate::measure(&line).distance_m;
        assert_eq!(locate_from(&line, start, 0.0).map(|found| found.at_m), Some(0.0));
        let back = locate_from(&line, start, 1_000.0).unwrap();
        assert!((back.at_m - total_m).abs() < 0.01, "{back:?}");
        let middle = Position::new(6.01, 45.0);
        let out = locate_from(&line, middle, 100.0).unwrap().at_m;
        let again = locate_from(&line, middle, out + 100.0).unwrap().at_m;
        assert!((out - total_m / 4.0).abs() < 1.0 && (again - total_m * 0.75).abs() < 1.0, "{out} {again}");
        assert!(locate_from(&line, middle, total_m + 5.0).is_some(), "past the end, the end");
    }

    #[test]
    fn a_distance_gives_a_place_and_back() {
        let mut line = return_trip();
        line[0].ele = Some(100.0);
        line[1].ele = Some(200.0);
        let at = position_at(&line, 393.13).unwrap();
        assert!((at.lon - 6.005).abs() < 1e-5 && (at.ele.unwrap() - 150.0).abs() < 0.1, "{at:?}");
        assert_eq!(position_at(&line, -1.0), line.first().copied());
        assert_eq!(position_at(&line, 1e9), line.last().copied());
        assert_eq!(position_at(&[], 0.0), None);
    }

    #[test]
    fn even_places_do_not_depend_on_the_points_of_a_line() {
        let east = |pieces: u32| -> Vec<Position> {
            (0..=pieces).map(|i| Position::new(6.0 + 0.1 * f64::from(i) / f64::from(pieces), 45.0)).collect()
        };
        let (few, many) = (even_places(&east(1), 20.0), even_places(&east(777), 20.0));
        assert_eq!((few.len(), few.first(), few.last()), (395, east(1).first(), east(1).last()));
        assert_eq!(many.len(), few.len());
        assert!(few.iter().zip(&many).all(|(a, b)| distance_m(*a, *b) < 0.5));
        assert!(few.windows(2).all(|pair| distance_m(pair[0], pair[1]) <= 20.01));
        let still = [Position::new(6.0, 45.0); 3];
        assert_eq!(even_places(&still, 20.0), still[..2]);
        assert_eq!((even_places(&still[..1], 20.0).len(), even_places(&[], 20.0).len()), (1, 0));
    }
}
