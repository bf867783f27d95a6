//! Changes to a line, as the trace editor makes them. None alters its input; all keep the total length they should.

use crate::projection::between;
use crate::{Position, distance_m};

/// The line the other way round.
pub fn reverse(line: &[Position]) -> Vec<Position> {
    line.iter().rev().copied().collect()
}

/// Cuts a line in two at a distance; both halves hold the point of the cut. At an end, one half is that single point.
pub fn cut(line: &[Position], at_m: f64) -> (Vec<Position>, Vec<Position>) {
    let mut start_m = 0.0;
    for (i, pair) in line.windows(2).enumerate() {
        let length_m = distance_m(pair[0], pair[1]);
        if at_m <= start_m + length_m {
            let share = if length_m > 0.0 { (at_m - start_m) / length_m } else { 0.0 };
            let at = between(pair[0], pair[1], share);
            let mut before = line[..=i].to_vec();
            let mut after = line[i + 1..].to_vec();
            if share > 0.0 {
                before.push(at);
            }
            if share < 1.0 {
                after.insert(0, at);
            }
            return (before, after);
        }
        start_m += length_m;
    }
    (line.to_vec(), line.last().copied().into_iter().collect())
}

/// The part between two distances, in either order.
pub fn trim(line: &[Position], from_m: f64, to_m: f64) -> Vec<Position> {
    let (from_m, to_m) = if from_m <= to_m { (from_m.max(0.0), to_m) } else { (to_m.max(0.0), from_m) };
    let (before, _) = cut(line, to_m);
    cut(&before, from_m).1
}

/// One line after the other; a point that both share is kept once.
pub fn join(a: &[Position], b: &[Position]) -> Vec<Position> {
    let shared = a.last().zip(b.first()).is_some_and(|(end, start)| end.same_place(*start));
    a.iter().chain(&b[usize::from(shared)..]).copied().collect()
}

/// Brings the line back to its start with a straight stretch, unless it is there already.
pub fn close_loop(line: &[Position]) -> Vec<Position> {
    let mut closed = line.to_vec();
    if let [first, .., last] = line
        && !first.same_place(*last)
    {
        closed.push(*first);
    }
    closed
}

/// Replaces the part between two distances by another stretch, tied to the rest by straight stretches if need be.
pub fn replace_between(line: &[Position], from_m: f64, to_m: f64, new: &[Position]) -> Vec<Position> {
    let (from_m, to_m) = if from_m <= to_m { (from_m, to_m) } else { (to_m, from_m) };
    let (before, _) = cut(line, from_m.max(0.0));
    let (_, after) = cut(line, to_m);
    join(&join(&before, new), &after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure;

    fn line() -> Vec<Position> {
        [(6.0, 45.0), (6.01, 45.0), (6.01, 45.01), (6.02, 45.01)].map(|(lon, lat)| Position::new(lon, lat)).to_vec()
    }

    #[test]
    fn a_cut_at_an_end_leaves_a_point() {
        let line = line();
        assert_eq!(cut(&line, -5.0), (vec![line[0]], line.clone()));
        assert_eq!(cut(&line, 1e9), (line.clone(), vec![line[3]]));
        assert_eq!(cut(&[], 3.0), (vec![], vec![]));
    }

    #[test]
    fn a_cut_on_a_point_does_not_double_it() {
        let line = line();
        let (before, after) = cut(&line, distance_m(line[0], line[1]));
        assert_eq!((before, after), (line[..2].to_vec(), line[1..].to_vec()));
    }

    #[test]
    fn a_stretch_is_replaced() {
        let line = line();
        let (from_m, to_m) =
            (distance_m(line[0], line[1]), distance_m(line[0], line[1]) + distance_m(line[1], line[2]));
        let detour = [line[1], Position::new(6.02, 45.005), line[2]];
        let changed = replace_between(&line, from_m, to_m, &detour);
        assert_eq!(changed.len(), 5);
        assert_eq!(changed[2], detour[1]);
    }

    #[test]
    fn a_loop_is_closed_once() {
        let closed = close_loop(&line());
        assert_eq!(closed.first(), closed.last());
        assert_eq!(close_loop(&closed), closed);
        assert!(measure(&closed).distance_m > measure(&line()).distance_m);
    }
}
