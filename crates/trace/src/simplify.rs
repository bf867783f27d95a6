//! Fewer points for display (Douglas-Peucker), without recursion and with a bound on the worst case.

use crate::Position;
use crate::projection::{Projection, nearest};

/// A line is cut into pieces of this many points first, so that a hostile shape costs n × 2,000 and not n².
const PIECE: usize = 2_000;
/// The simplified pieces are simplified once more as a whole, when that is at most this many points.
const WHOLE: usize = 6_000;

/// Simplifies a line: no point of the original lies further than `tolerance_m` from the result.
///
/// Ends stay. The tolerance is judged against segments, in a projection at the line's middle latitude.
pub fn simplify(line: &[Position], tolerance_m: f64) -> Vec<Position> {
    let Some(projection) = Projection::of(line).filter(|_| line.len() > 2 && tolerance_m > 0.0) else {
        return line.to_vec();
    };
    let xy: Vec<(f64, f64)> = line.iter().map(|p| projection.xy(*p)).collect();
    if line.len() <= PIECE {
        return kept(&xy, tolerance_m).map(|i| line[i]).collect();
    }
    // Two passes of half the tolerance keep the promise of the whole one.
    let first = kept_by_pieces(&xy, tolerance_m / 2.0);
    if first.len() > WHOLE {
        let full = kept_by_pieces(&xy, tolerance_m);
        return full.into_iter().map(|i| line[i]).collect();
    }
    let rest: Vec<(f64, f64)> = first.iter().map(|i| xy[*i]).collect();
    kept(&rest, tolerance_m / 2.0).map(|i| line[first[i]]).collect()
}

fn kept_by_pieces(xy: &[(f64, f64)], tolerance_m: f64) -> Vec<usize> {
    let mut all = vec![0];
    let mut start = 0;
    while start + 1 < xy.len() {
        let end = (start + PIECE).min(xy.len() - 1);
        all.extend(kept(&xy[start..=end], tolerance_m).skip(1).map(|i| start + i));
        start = end;
    }
    all
}

/// The indices that stay, in order.
fn kept(xy: &[(f64, f64)], tolerance_m: f64) -> impl Iterator<Item = usize> {
    let mut keep = vec![false; xy.len()];
    let limit = tolerance_m * tolerance_m;
    let mut todo = Vec::new();
    if let Some(last) = xy.len().checked_sub(1) {
        keep[0] = true;
        keep[last] = true;
        todo.push((0, last));
    }
    while let Some((from, to)) = todo.pop() {
        let mut worst = (limit, None);
        for (i, p) in xy.iter().enumerate().take(to).skip(from + 1) {
            let (_, off) = nearest(*p, xy[from], xy[to]);
            if off > worst.0 {
                worst = (off, Some(i));
            }
        }
        if let (_, Some(middle)) = worst {
            keep[middle] = true;
            todo.push((from, middle));
            todo.push((middle, to));
        }
    }
    keep.into_iter().enumerate().filter(|(_, keep)| *keep).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zigzag(len: usize, offset: f64) -> Vec<Position> {
        (0..len).map(|i| Position::new(6.0 + i as f64 * 1e-4, 45.0 + if i % 2 == 0 { 0.0 } else { offset })).collect()
    }

    #[test]
    fn what_is_within_the_tolerance_goes() {
        assert_eq!(simplify(&zigzag(101, 1e-6), 1.0).len(), 2);
        assert_eq!(simplify(&zigzag(101, 1e-3), 1.0).len(), 101);
        assert_eq!(simplify(&zigzag(101, 1e-6), 0.0).len(), 101);
        assert_eq!(simplify(&[], 5.0), []);
    }

    #[test]
    fn a_long_line_is_simplified_to_its_ends_too() {
        assert_eq!(simplify(&zigzag(100_000, 1e-7), 5.0).len(), 2);
    }

    #[test]
    fn a_return_trip_keeps_its_far_end() {
        let far = Position::new(6.1, 45.0);
        let line = [Position::new(6.0, 45.0), far, Position::new(6.0, 45.0)];
        assert_eq!(simplify(&line, 10.0), line);
    }
}
