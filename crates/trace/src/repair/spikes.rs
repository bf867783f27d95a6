//! Points that leap away at an impossible pace, and holes that are only reported.

use crate::distance_m;
use crate::draft::{Note, RawPoint};
use crate::model::RepairKind;

use super::place;

/// Faster than any walker, rider or boat, downhill included: 45 m/s is 162 km/h.
const IMPOSSIBLE_M_S: f64 = 45.0;
/// Below this a leap is ordinary noise, whatever its pace.
const LEAP_FROM_M: f64 = 50.0;
/// With no times to judge by, a leap is at least this long and this many times the usual spacing.
const UNTIMED_LEAP_FROM_M: f64 = 2_000.0;
const UNTIMED_LEAP_SPACINGS: f64 = 100.0;
/// Runs of up to this many points between two leaps can be a spike.
const MAX_SPIKE_POINTS: usize = 3;
/// Fewer points than this say nothing about what is usual.
const MIN_POINTS: usize = 8;
/// A hole that is reported: this long, and this many times the usual spacing.
const HOLE_FROM_M: f64 = 500.0;
const HOLE_SPACINGS: f64 = 20.0;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Usual,
    /// Out of all proportion, but slow enough to be true.
    Far,
    Impossible,
}

fn spacings_m(points: &[RawPoint]) -> Vec<f64> {
    points.windows(2).map(|pair| distance_m(place(&pair[0]), place(&pair[1]))).collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    let middle = sorted.len() / 2;
    *sorted.select_nth_unstable_by(middle, f64::total_cmp).1
}

fn judge(a: &RawPoint, b: &RawPoint, length_m: f64, usual_m: f64) -> Step {
    let far = length_m > UNTIMED_LEAP_FROM_M.max(UNTIMED_LEAP_SPACINGS * usual_m);
    match (a.time_ms, b.time_ms) {
        (Some(from), Some(to)) if from != to => {
            let seconds = (to - from) as f64 / 1000.0;
            // Time that runs backwards over a short way is a clock being set.
            let backwards = seconds < 0.0 && length_m > 300.0;
            let fast =
                seconds > 0.0 && length_m > LEAP_FROM_M.max(10.0 * usual_m) && length_m / seconds > IMPOSSIBLE_M_S;
            if backwards || fast {
                Step::Impossible
            } else if far {
                Step::Far
            } else {
                Step::Usual
            }
        }
        _ if far => Step::Impossible,
        _ => Step::Usual,
    }
}

/// Removes short runs between leaps: those the line returns from, and those that hang at an end.
pub fn remove(points: &mut Vec<RawPoint>) -> Option<Note> {
    if points.len() < MIN_POINTS {
        return None;
    }
    let lengths = spacings_m(points);
    let usual_m = median(&lengths);
    let steps: Vec<Step> =
        lengths.iter().enumerate().map(|(i, length)| judge(&points[i], &points[i + 1], *length, usual_m)).collect();
    let runs = runs_between(&steps, points.len());
    let mut out = vec![false; points.len()];
    for (i, run) in runs.iter().enumerate() {
        let before = run.start.checked_sub(1);
        let after = Some(run.end).filter(|end| *end < points.len());
        let short = run.len() <= MAX_SPIKE_POINTS && run.len() * 4 <= points.len() && runs.len() > 1;
        let touches_impossible = before.is_some_and(|at| steps[at] == Step::Impossible)
            || after.is_some_and(|at| steps[at - 1] == Step::Impossible);
        if !short || !touches_impossible {
            continue;
        }
        let spike = match (before, after) {
            // In the middle: the line goes on near where it left, or its neighbour is itself a short run at the end.
            (Some(from), Some(to)) => {
                let apart_m = distance_m(place(&points[from]), place(&points[to]));
                let leap_m = lengths[from].min(lengths[run.end - 1]);
                apart_m < 0.5 * leap_m || i + 2 == runs.len() && runs[i + 1].len() <= MAX_SPIKE_POINTS
            }
            // At an end there is no way back to judge by: only an impossible pace counts, not a long first stretch.
            _ => points[run.start].time_ms.is_some(),
        };
        out[run.clone()].fill(spike);
    }
    let count = out.iter().filter(|out| **out).count();
    let at = out.iter().position(|out| *out).map(|i| points[i].at);
    let mut out = out.into_iter();
    points.retain(|_| !out.next().unwrap_or(false));
    (count > 0).then_some(Note { kind: RepairKind::Spikes, count, at })
}

fn runs_between(steps: &[Step], len: usize) -> Vec<std::ops::Range<usize>> {
    let mut starts = vec![0];
    starts.extend(steps.iter().enumerate().filter(|(_, step)| **step != Step::Usual).map(|(i, _)| i + 1));
    starts.push(len);
    starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Long jumps that stay, as straight lines.
pub fn holes(points: &[RawPoint]) -> Option<Note> {
    if points.len() < MIN_POINTS {
        return None;
    }
    let lengths = spacings_m(points);
    let from_m = HOLE_FROM_M.max(HOLE_SPACINGS * median(&lengths));
    let count = lengths.iter().filter(|length| **length > from_m).count();
    let at = lengths.iter().position(|length| *length > from_m).map(|i| points[i + 1].at);
    (count > 0).then_some(Note { kind: RepairKind::Holes, count, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten metres a point along a meridian, one point each ten seconds.
    fn walk(len: usize) -> Vec<RawPoint> {
        (0..len)
            .map(|i| RawPoint {
                lon: 6.0,
                lat: 45.0 + i as f64 * 9e-5,
                ele: None,
                time_ms: Some(i as i64 * 10_000),
                at: i,
            })
            .collect()
    }

    #[test]
    fn a_leap_away_and_back_is_removed() {
        let mut points = walk(30);
        points[12].lon += 0.02;
        assert_eq!(remove(&mut points).map(|note| (note.count, note.at)), Some((1, Some(12))));
        assert_eq!(points.len(), 29);
    }

    #[test]
    fn without_times_only_a_leap_out_of_all_proportion_is_removed() {
        let untimed = |offset: f64| {
            let mut points = walk(30);
            for point in &mut points {
                point.time_ms = None;
            }
            points[12].lon += offset;
            remove(&mut points).map_or(0, |note| note.count)
        };
        assert_eq!(untimed(0.01), 0, "800 m may be a drawn return trip");
        assert_eq!(untimed(1.0), 1);
    }

    #[test]
    fn a_stray_tail_is_removed_and_a_long_hole_is_reported() {
        let mut points = walk(40);
        points[39].lat += 0.2;
        assert_eq!(remove(&mut points).map(|note| note.count), Some(1));
        let mut points = walk(40);
        for point in &mut points[20..] {
            point.lat += 0.02;
            point.time_ms = point.time_ms.map(|time| time + 3_600_000);
        }
        assert!(remove(&mut points).is_none());
        assert_eq!(holes(&points).map(|note| (note.count, note.at)), Some((1, Some(20))));
    }

    #[test]
    fn a_short_sparse_line_is_left_alone() {
        let mut points = walk(5);
        points[2].lat += 3.0;
        assert!(remove(&mut points).is_none());
        assert!(holes(&points).is_none());
    }
}
