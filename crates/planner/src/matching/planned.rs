//! The planned trace of a match: the network's line where the recording follows it, the recording's elsewhere.

use super::{
    chain::Chain,
    clean::Track,
    judge::{Step as Judged, Verdict},
};
use crate::{
    file::View,
    line::{Ground, Line},
    search::Step,
};

/// Back-and-forth shorter than this along a way is noise, not a walk there and back.
const JITTER_M: f64 = 30.0;

/// Makes the planned line.
pub(crate) fn line(view: &View, track: &Track, chain: &Chain, steps: &[Judged]) -> Line {
    let mut out = Line::default();
    let mut on: Vec<Step> = Vec::new();
    let mut free_from: Option<f64> = None;
    for segment in 0..chain.points.len().saturating_sub(1) {
        let (from, to) = (track.along_m[chain.points[segment]], track.along_m[chain.points[segment + 1]]);
        if let Some(path) = chain.paths[segment].as_ref().filter(|_| fits(steps, from, to)) {
            if let Some(start) = free_from.take() {
                out.push(Ground::Free, &track.cut(start, from));
            }
            on.extend_from_slice(path);
        } else {
            flush(view, &mut out, &mut on);
            free_from.get_or_insert(from);
        }
    }
    flush(view, &mut out, &mut on);
    if let Some(start) = free_from {
        out.push(Ground::Free, &track.cut(start, track.length_m()));
    }
    out
}

/// Is most of a stretch on the network?
pub(crate) fn fits(steps: &[Judged], from: f64, to: f64) -> bool {
    let first = steps.partition_point(|s| s.to_m <= from + 1e-6);
    let (mut on, mut all) = (0.0, 0.0);
    for step in steps[first..].iter().take_while(|s| s.from_m < to - 1e-6) {
        all += step.length_m();
        on += if step.verdict == Verdict::On { step.length_m() } else { 0.0 };
    }
    on * 2.0 > all
}

fn flush(view: &View, out: &mut Line, on: &mut Vec<Step>) {
    for step in settled(view, on) {
        out.push_step(view, &step);
    }
    on.clear();
}

/// The same path without jitter: runs on one link are merged, spurs of a few metres removed.
fn settled(view: &View, steps: &[Step]) -> Vec<Step> {
    let mut runs: Vec<(u32, Vec<f64>)> = Vec::new();
    for step in steps {
        match runs.last_mut() {
            Some((link, at)) if *link == step.link => at.push(step.to_m),
            _ => runs.push((step.link, vec![step.from_m, step.to_m])),
        }
        // A spur that returns to its start is not part of the way. Without it, the runs of the link before and after it are one.
        while let Some(joined) = without_spur(view, &runs) {
            runs = joined;
        }
    }
    let mut out = Vec::new();
    for (link, at) in runs {
        for pair in turning_points(&at).windows(2) {
            out.push(Step { link, is_backward: pair[1] < pair[0], from_m: pair[0], to_m: pair[1] });
        }
    }
    out.retain(|s| (s.to_m - s.from_m).abs() > 1e-6);
    out
}

/// Where the last run but one went into a side way and came straight back: the runs without it.
fn without_spur(view: &View, runs: &[(u32, Vec<f64>)]) -> Option<Vec<(u32, Vec<f64>)>> {
    let [head @ .., _, (spur, at), (_, _)] = runs else { return None };
    let length_m = view.link(*spur).length_m();
    let (first, last) = (*at.first()?, *at.last()?);
    let is_closed = (first - last).abs() < 0.05 && (first < 0.05 || (first - length_m).abs() < 0.05);
    let depth = at.iter().map(|v| (v - first).abs()).fold(0.0, f64::max);
    if !is_closed || depth > JITTER_M {
        return None;
    }
    let (before, after) = (&runs[runs.len() - 3], &runs[runs.len() - 1]);
    let mut joined = head.to_vec();
    if before.0 == after.0 {
        joined.push((before.0, before.1.iter().chain(&after.1).copied().collect()));
    } else {
        joined.extend([before.clone(), after.clone()]);
    }
    Some(joined)
}

/// The first place, the last, and the turns between them that are longer than jitter.
fn turning_points(at: &[f64]) -> Vec<f64> {
    let Some((first, rest)) = at.split_first() else { return Vec::new() };
    let (mut out, mut extreme) = (vec![*first], *first);
    let mut direction = 0.0;
    for v in rest {
        if direction == 0.0 {
            if (v - first).abs() > 1e-9 {
                direction = (v - first).signum();
                extreme = *v;
            }
        } else if (v - extreme) * direction >= 0.0 {
            extreme = *v;
        } else if (v - extreme).abs() >= JITTER_M {
            out.push(extreme);
            direction = -direction;
            extreme = *v;
        }
    }
    // The line ends where the recording does, without a last jitter.
    let end = *at.last().unwrap_or(first);
    out.push(if out.len() > 1 || (end - first).abs() > 1e-9 { end } else { extreme });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_goes_and_there_and_back_stays() {
        assert_eq!(turning_points(&[0.0, 20.0, 15.0, 40.0, 38.0, 60.0]), [0.0, 60.0]);
        assert_eq!(turning_points(&[0.0, 200.0, 0.0]), [0.0, 200.0, 0.0]);
        assert_eq!(turning_points(&[10.0, 50.0, 45.0]), [10.0, 45.0]);
        assert_eq!(turning_points(&[5.0, 5.0]), [5.0, 5.0]);
    }
}
