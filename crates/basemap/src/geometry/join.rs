//! Joins lines of the same kind at shared ends, straightest continuation first: fewer features, longer labels.

use super::Point;
use std::collections::HashMap;

/// One end of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End {
    line: usize,
    at_start: bool,
}

/// Joins lines. Directed ones (one-way streets, streams) only end to start.
pub(crate) fn join(lines: &[Vec<Point>], directed: bool) -> Vec<Vec<Point>> {
    let partners = pair_ends(lines, directed);
    let partner = |end: End| partners[end.line * 2 + usize::from(!end.at_start)];
    let mut used = vec![false; lines.len()];
    let mut out = Vec::with_capacity(lines.len());
    // Lines with a free start first; the remaining ones are closed circles.
    for closed in [false, true] {
        for first in 0..lines.len() {
            for enter_at_start in if directed { vec![true] } else { vec![true, false] } {
                let free = partner(End { line: first, at_start: enter_at_start }).is_none();
                if !used[first] && (free || closed) {
                    out.push(walk(lines, &mut used, End { line: first, at_start: enter_at_start }, partner));
                }
            }
        }
    }
    out
}

fn walk(lines: &[Vec<Point>], used: &mut [bool], start: End, partner: impl Fn(End) -> Option<End>) -> Vec<Point> {
    let mut path: Vec<Point> = Vec::new();
    let mut enter = Some(start);
    while let Some(end) = enter.filter(|end| !used[end.line]) {
        used[end.line] = true;
        let skip = usize::from(!path.is_empty());
        let line = &lines[end.line];
        if end.at_start {
            path.extend(line.iter().skip(skip));
        } else {
            path.extend(line.iter().rev().skip(skip));
        }
        enter = partner(End { line: end.line, at_start: !end.at_start });
    }
    path
}

/// For each end (two a line: start, then end) the end of its continuation, if any.
fn pair_ends(lines: &[Vec<Point>], directed: bool) -> Vec<Option<End>> {
    let mut at: HashMap<Point, Vec<End>> = HashMap::new();
    for (line, points) in lines.iter().enumerate() {
        if let ([first, .., last], true) = (points.as_slice(), points.len() > 1) {
            at.entry(*first).or_default().push(End { line, at_start: true });
            at.entry(*last).or_default().push(End { line, at_start: false });
        }
    }
    let mut partners = vec![None; lines.len() * 2];
    let slot = |end: End| end.line * 2 + usize::from(!end.at_start);
    for ends in at.values() {
        let mut pairs = candidates(lines, ends, directed);
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1.line, a.2.line).cmp(&(b.1.line, b.2.line))));
        for (_, a, b) in pairs {
            if partners[slot(a)].is_none() && partners[slot(b)].is_none() {
                partners[slot(a)] = Some(b);
                partners[slot(b)] = Some(a);
            }
        }
    }
    partners
}

/// The pairs of ends at one place that may continue each other, with how far they turn (0 straight, 2 back).
fn candidates(lines: &[Vec<Point>], ends: &[End], directed: bool) -> Vec<(f64, End, End)> {
    let mut pairs = Vec::new();
    for (index, &a) in ends.iter().enumerate() {
        for &b in &ends[index + 1..] {
            if a.line == b.line || (directed && a.at_start == b.at_start) {
                continue;
            }
            let (from, to) = (heading(&lines[a.line], a.at_start), heading(&lines[b.line], b.at_start));
            let turn = 1.0 + from[0] * to[0] + from[1] * to[1];
            // A line that turns back is another street of the same name, unless no other line meets here.
            if turn < 1.4 || ends.len() == 2 {
                pairs.push((turn, a, b));
            }
        }
    }
    pairs
}

/// The direction in which a line leaves one of its ends, of length one.
fn heading(line: &[Point], from_start: bool) -> [f64; 2] {
    let (end, next) = if from_start { (line[0], line[1]) } else { (line[line.len() - 1], line[line.len() - 2]) };
    let [dx, dy] = [f64::from(next[0]) - f64::from(end[0]), f64::from(next[1]) - f64::from(end[1])];
    let length = dx.hypot(dy).max(1e-9);
    [dx / length, dy / length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_pieces_of_a_street_become_one() {
        let joined = join(&[vec![[0, 0], [10, 0]], vec![[30, 1], [20, 0]], vec![[10, 0], [20, 0]]], false);
        assert_eq!(joined.len(), 1);
        assert_eq!(joined[0].len(), 4);
    }

    #[test]
    fn at_a_fork_the_straight_one_wins() {
        let joined = join(&[vec![[0, 0], [10, 0]], vec![[10, 0], [10, 10]], vec![[10, 0], [20, 0]]], false);
        assert!(joined.contains(&vec![[0, 0], [10, 0], [20, 0]]) || joined.contains(&vec![[20, 0], [10, 0], [0, 0]]));
        assert_eq!(joined.len(), 2);
    }

    #[test]
    fn one_way_streets_that_face_each_other_stay_apart() {
        assert_eq!(join(&[vec![[0, 0], [10, 0]], vec![[20, 0], [10, 0]]], true).len(), 2);
        assert_eq!(join(&[vec![[0, 0], [10, 0]], vec![[10, 0], [20, 0]]], true), vec![vec![[0, 0], [10, 0], [20, 0]]]);
    }

    #[test]
    fn a_circle_is_walked_once() {
        let joined = join(&[vec![[0, 0], [10, 0]], vec![[10, 0], [10, 10]], vec![[10, 10], [0, 0]]], false);
        assert_eq!(joined.len(), 1);
        assert_eq!(joined[0].first(), joined[0].last());
    }
}
