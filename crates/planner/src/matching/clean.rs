//! A recording made fit for judging: doubled points, spikes and the scribble of a stop go, holes are marked.

use crate::geometry::{Ruler, at_m, cumulative_m};
use trace::Position;

/// Points closer than this to the last one are dropped, in metres.
const SAME_M: f64 = 2.0;
/// A stop: at least this many points within this many metres, without a direction.
const STOP_POINTS: usize = 5;
const STOP_M: f64 = 15.0;
/// A hole: longer than this many metres, and than this many times the usual distance between points.
const HOLE_M: f64 = 200.0;
const HOLE_SPACINGS: f64 = 10.0;
/// A lone point this far from both its neighbours is a spike.
const SPIKE_M: f64 = 100.0;

/// A cleaned recording. All lists have one entry a point.
#[derive(Debug, Clone, Default)]
pub(crate) struct Track {
    pub points: Vec<Position>,
    /// Metres along this line.
    pub along_m: Vec<f64>,
    /// Metres along the source's line.
    pub source_m: Vec<f64>,
    /// Nothing was recorded between the point before and this one.
    pub hole_before: Vec<bool>,
}

impl Track {
    pub(crate) fn length_m(&self) -> f64 {
        self.along_m.last().copied().unwrap_or_default()
    }

    pub(crate) fn at(&self, along: f64) -> Position {
        at_m(&self.points, &self.along_m, along)
    }

    /// From metres along this line to metres along the source's.
    pub(crate) fn source_at(&self, along: f64) -> f64 {
        let i = self.along_m.partition_point(|d| *d < along).clamp(1, self.points.len() - 1);
        let length = self.along_m[i] - self.along_m[i - 1];
        let share = if length > 0.0 { ((along - self.along_m[i - 1]) / length).clamp(0.0, 1.0) } else { 0.0 };
        self.source_m[i - 1] + (self.source_m[i] - self.source_m[i - 1]) * share
    }

    /// The line's points between two distances along it, ends included.
    pub(crate) fn cut(&self, from: f64, to: f64) -> Vec<Position> {
        let first = self.along_m.partition_point(|at| *at <= from + 0.01);
        let last = self.along_m.partition_point(|at| *at < to - 0.01).max(first);
        let inner = self.points[first..last].iter().copied();
        std::iter::once(self.at(from)).chain(inner).chain(std::iter::once(self.at(to))).collect()
    }

    /// The stretch between two distances along the line, as a separate track.
    pub(crate) fn piece(&self, from: f64, to: f64) -> Self {
        let points = self.cut(from, to);
        let first = self.along_m.partition_point(|at| *at <= from + 0.01);
        let inner = points.len() - 2;
        let holes = self.hole_before[first..first + inner].iter().copied();
        let after = self.hole_before.get(first + inner).copied().unwrap_or_default();
        let along_m = cumulative_m(&points);
        let source_m = along_m.iter().map(|at| self.source_at(from + at)).collect();
        let hole_before = std::iter::once(false).chain(holes).chain(std::iter::once(after)).collect();
        Self { points, along_m, source_m, hole_before }
    }

    /// The same line moved by metres east and north.
    pub(crate) fn moved(&self, east_m: f64, north_m: f64) -> Self {
        let shift = |p: &Position| {
            let moved = crate::geometry::Projection::at(*p).position(crate::geometry::Xy { x: east_m, y: north_m });
            Position { ele: p.ele, ..moved }
        };
        Self { points: self.points.iter().map(shift).collect(), ..self.clone() }
    }
}

/// Clean a line whose points are all places on the Earth.
pub(crate) fn clean(line: &[Position]) -> Track {
    let source = cumulative_m(line);
    let ruler = Ruler::at(line.first().map_or(0.0, |p| p.lat));
    let mut kept: Vec<(Position, f64)> = Vec::with_capacity(line.len());
    for (i, (p, along)) in line.iter().zip(&source).enumerate() {
        let is_new = kept.last().is_none_or(|(last, _)| ruler.distance_m(*last, *p) >= SAME_M);
        if is_new {
            kept.push((*p, *along));
        } else if i + 1 == line.len() && kept.len() > 1 {
            // The end is the end, even where the last metres are few.
            kept.pop();
            kept.push((*p, *along));
        }
    }
    let kept = without_stops(&without_spikes(&kept, &ruler), &ruler);
    let points: Vec<Position> = kept.iter().map(|(p, _)| *p).collect();
    let along_m = cumulative_m(&points);
    let hole_before = holes(&along_m);
    Track { along_m, source_m: kept.into_iter().map(|(_, m)| m).collect(), hole_before, points }
}

fn without_spikes(points: &[(Position, f64)], ruler: &Ruler) -> Vec<(Position, f64)> {
    let apart_m = |a: usize, b: usize| ruler.distance_m(points[a].0, points[b].0);
    let is_spike = |i: usize| {
        if i == 0 || i + 1 >= points.len() || apart_m(i - 1, i) <= SPIKE_M {
            return false;
        }
        let (to, from, across) = (apart_m(i - 1, i), apart_m(i, i + 1), apart_m(i - 1, i + 1));
        from > SPIKE_M && across < to.min(from) * 0.3
    };
    (0..points.len()).filter(|i| !is_spike(*i)).map(|i| points[i]).collect()
}

/// Each run of points that scribbles around one place becomes its middle.
fn without_stops(points: &[(Position, f64)], ruler: &Ruler) -> Vec<(Position, f64)> {
    let distance_m = |a: Position, b: Position| ruler.distance_m(a, b);
    let mut out: Vec<(Position, f64)> = Vec::with_capacity(points.len());
    let mut i = 0;
    while i < points.len() {
        let mut end = i + 1;
        let mut walked = 0.0;
        while end < points.len() && distance_m(points[i].0, points[end].0) <= STOP_M {
            walked += distance_m(points[end - 1].0, points[end].0);
            end += 1;
        }
        let run = &points[i..end];
        let went = if run.len() < STOP_POINTS { 0.0 } else { distance_m(points[i].0, points[end - 1].0) };
        if run.len() >= STOP_POINTS && walked > 3.0 * went + STOP_M {
            let count = run.len() as f64;
            let mean = |pick: fn(&Position) -> f64| run.iter().map(|(p, _)| pick(p)).sum::<f64>() / count;
            let middle = Position { lon: mean(|p| p.lon), lat: mean(|p| p.lat), ele: run[0].0.ele };
            out.push((middle, f64::midpoint(run[0].1, run[run.len() - 1].1)));
            i = end;
        } else {
            out.push(points[i]);
            i += 1;
        }
    }
    out
}

fn holes(along_m: &[f64]) -> Vec<bool> {
    let mut spacings: Vec<f64> = along_m.windows(2).map(|w| w[1] - w[0]).collect();
    spacings.sort_by(f64::total_cmp);
    let median = spacings.get(spacings.len() / 2).copied().unwrap_or_default();
    let is_hole = |i: usize| i > 0 && along_m[i] - along_m[i - 1] > HOLE_M.max(HOLE_SPACINGS * median);
    (0..along_m.len()).map(is_hole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testmap::at;

    fn walk(metres: usize, step: usize) -> Vec<Position> {
        (0..=metres / step).map(|i| at((i * step) as f64, 0.0)).collect()
    }

    #[test]
    fn doubled_points_and_spikes_go() {
        let mut line = walk(1000, 10);
        line.insert(50, line[50]);
        line.insert(20, at(190.0, 400.0));
        let track = clean(&line);
        assert_eq!(track.points.len(), 101);
        assert!((track.length_m() - 1000.0).abs() < 0.1);
        assert!(track.source_m[100] > 1700.0);
    }

    #[test]
    fn a_stop_becomes_a_point_and_dense_walking_stays() {
        let mut line = walk(300, 10);
        let scribble = (0..40).map(|i| at(300.0 + f64::from(i * 7 % 13) - 6.0, f64::from(i * 5 % 11) - 5.0));
        line.extend(scribble);
        line.extend(walk(300, 10).into_iter().map(|p| Position::new(p.lon + 0.004, p.lat)));
        assert!(clean(&line).length_m() < 660.0, "{}", clean(&line).length_m());
        assert_eq!(clean(&walk(300, 3)).points.len(), 101);
    }

    #[test]
    fn a_hole_is_marked_and_sparse_points_are_not() {
        let mut line = walk(500, 10);
        line.extend(walk(500, 10).into_iter().map(|p| Position::new(p.lon + 0.02, p.lat)));
        let track = clean(&line);
        assert_eq!(track.hole_before.iter().filter(|h| **h).count(), 1);
        assert!(!clean(&walk(3000, 250)).hole_before.contains(&true));
    }

    #[test]
    fn places_are_reported_along_the_source() {
        let mut line = walk(100, 10);
        line.extend(walk(100, 10).into_iter().rev().skip(1));
        let track = clean(&line);
        assert!((track.source_at(150.0) - 150.0).abs() < 0.1);
        assert_eq!(track.cut(95.0, 115.0).len(), 4);
    }
}
