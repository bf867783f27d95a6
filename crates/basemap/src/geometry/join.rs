//! Joins lines of the same kind at shared ends, straightest continuation first: fewer features, longer labels.

use super::Point;

/// One end of one line: its number, and whether it is the last point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End(u32);

impl End {
    fn start_of(line: usize) -> Self {
        Self(line as u32 * 2)
    }

    fn line(self) -> usize {
        self.0 as usize / 2
    }

    fn at_start(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// The line's other end.
    fn other(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Joins lines (at most 2^31). Directed ones (one-way streets, streams) only end to start.
pub(crate) fn join(lines: &[Vec<Point>], directed: bool) -> impl Iterator<Item = Vec<Point>> {
    let partners = pair_ends(lines, directed);
    let mut used = vec![false; lines.len()];
    let starts = move || {
        let both = (0..lines.len()).map(End::start_of).flat_map(|start| [start, start.other()]);
        both.filter(move |end| !directed || end.at_start())
    };
    // Lines with a free start first; the remaining ones are closed circles.
    let open = starts().map(|end| (end, false));
    open.chain(starts().map(|end| (end, true))).filter_map(move |(start, closed)| {
        let free = partners[start.0 as usize].is_none();
        (!used[start.line()] && (free || closed)).then(|| walk(lines, &mut used, start, &partners))
    })
}

fn walk(lines: &[Vec<Point>], used: &mut [bool], start: End, partners: &[Option<End>]) -> Vec<Point> {
    let mut path: Vec<Point> = Vec::new();
    let mut enter = Some(start);
    while let Some(end) = enter.filter(|end| !used[end.line()]) {
        used[end.line()] = true;
        let skip = usize::from(!path.is_empty());
        let line = &lines[end.line()];
        if end.at_start() {
            path.extend(line.iter().skip(skip));
        } else {
            path.extend(line.iter().rev().skip(skip));
        }
        enter = partners[end.other().0 as usize];
    }
    path
}

/// For each end (two a line: start, then end) the end of its continuation, if any.
fn pair_ends(lines: &[Vec<Point>], directed: bool) -> Vec<Option<End>> {
    let mut at: Vec<(Point, End)> = Vec::with_capacity(lines.len() * 2);
    for (line, points) in lines.iter().enumerate() {
        if let [first, .., last] = points.as_slice() {
            at.extend([(*first, End::start_of(line)), (*last, End::start_of(line).other())]);
        }
    }
    at.sort_unstable();
    let mut partners = vec![None; lines.len() * 2];
    for ends in at.chunk_by(|a, b| a.0 == b.0) {
        let mut pairs = candidates(lines, ends, directed);
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1.line(), a.2.line()).cmp(&(b.1.line(), b.2.line()))));
        for (_, a, b) in pairs {
            let [at_a, at_b] = [a, b].map(|end| end.0 as usize);
            if partners[at_a].is_none() && partners[at_b].is_none() {
                (partners[at_a], partners[at_b]) = (Some(b), Some(a));
            }
        }
    }
    partners
}

/// The pairs of ends at one place that may continue each other, with how far they turn (0 straight, 2 back).
fn candidates(lines: &[Vec<Point>], ends: &[(Point, End)], directed: bool) -> Vec<(f64, End, End)> {
    let mut pairs = Vec::new();
    for (index, &(_, a)) in ends.iter().enumerate() {
        for &(_, b) in &ends[index + 1..] {
            if a.line() == b.line() || (directed && a.at_start() == b.at_start()) {
                continue;
            }
            let (from, to) = (heading(&lines[a.line()], a.at_start()), heading(&lines[b.line()], b.at_start()));
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

    fn joined(lines: &[Vec<Point>], directed: bool) -> Vec<Vec<Point>> {
        join(lines, directed).collect()
    }

    #[test]
    fn three_pieces_of_a_street_become_one() {
        let found = joined(&[vec![[0, 0], [10, 0]], vec![[30, 1], [20, 0]], vec![[10, 0], [20, 0]]], false);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].len(), 4);
    }

    #[test]
    fn at_a_fork_the_straight_one_wins() {
        let found = joined(&[vec![[0, 0], [10, 0]], vec![[10, 0], [10, 10]], vec![[10, 0], [20, 0]]], false);
        assert!(found.contains(&vec![[0, 0], [10, 0], [20, 0]]) || found.contains(&vec![[20, 0], [10, 0], [0, 0]]));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn one_way_streets_that_face_each_other_stay_apart() {
        assert_eq!(joined(&[vec![[0, 0], [10, 0]], vec![[20, 0], [10, 0]]], true).len(), 2);
        assert_eq!(
            joined(&[vec![[0, 0], [10, 0]], vec![[10, 0], [20, 0]]], true),
            vec![vec![[0, 0], [10, 0], [20, 0]]]
        );
    }

    #[test]
    fn a_circle_is_walked_once() {
        let found = joined(&[vec![[0, 0], [10, 0]], vec![[10, 0], [10, 10]], vec![[10, 10], [0, 0]]], false);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].first(), found[0].last());
    }
}
