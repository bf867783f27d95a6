//! The index, from the judged steps.

use super::{
    clean::Track,
    gaps,
    judge::{Noise, Step, Verdict},
    shift::Shift,
    ways::Ways,
};
use crate::profile::{Mode, Rules};
use routing::{NotCalculable, NotCalculableReason, Profile, Reliability, Remark, RemarkKind};

/// With more than this share not judged there is no index.
const MAX_UNJUDGED: f64 = 0.2;
/// A shorter stretch against a one-way is noise at a corner.
const WRONG_WAY_M: f64 = 30.0;

/// Score judged steps.
pub(crate) fn score(
    ways: &dyn Ways,
    profile: Profile,
    track: &Track,
    steps: &[Step],
    noise: Noise,
    shifts: &[Shift],
) -> Reliability {
    let sum = |wanted: fn(Verdict) -> bool| {
        let lengths = steps.iter().filter(|s| wanted(s.verdict)).map(Step::length_m);
        // The sum of nothing is -0; with 0 added, it is 0.
        lengths.sum::<f64>() + 0.0
    };
    let judged_m = sum(Verdict::is_judged);
    let on_network_m = sum(|v| v == Verdict::On);
    let (hole_m, outside_m, sparse_m) =
        (sum(|v| v == Verdict::Hole), sum(|v| v == Verdict::Outside), sum(|v| v == Verdict::Sparse));
    let kept_m = sum(|v| v == Verdict::Kept);
    let not_calculable = not_calculable(judged_m, hole_m, outside_m, sparse_m, kept_m);
    Reliability {
        percent: not_calculable.is_none().then(|| rounded_down(100.0 * on_network_m / judged_m)),
        not_calculable,
        judged_m,
        on_network_m,
        hole_m,
        outside_m,
        sparse_m,
        kept_m,
        sigma_m: noise.sigma_m,
        tolerance_m: noise.tolerance_m,
        p95_offset_m: p95(steps),
        gaps: gaps::find(ways, track, steps, shifts, judged_m),
        remarks: remarks(ways, profile, track, steps),
    }
}

/// One decimal, rounded down: 94.96 is 94.9. The small addition keeps 94.9 itself from becoming 94.8.
pub(crate) fn rounded_down(percent: f64) -> f64 {
    (percent * 10.0 + 1e-9).floor() / 10.0
}

fn not_calculable(judged_m: f64, hole_m: f64, outside_m: f64, sparse_m: f64, kept_m: f64) -> Option<NotCalculable> {
    let unjudged_m = hole_m + outside_m + sparse_m + kept_m;
    let total_m = judged_m + unjudged_m;
    if total_m <= 0.0 {
        return Some(NotCalculable { reason: NotCalculableReason::NoLength, share: 100.0 });
    }
    let share = unjudged_m / total_m;
    if share <= MAX_UNJUDGED {
        return None;
    }
    let largest = hole_m.max(outside_m).max(sparse_m);
    let reason = match largest {
        _ if largest / total_m <= MAX_UNJUDGED => NotCalculableReason::TooLittleJudged,
        _ if outside_m >= largest => NotCalculableReason::OutsideExtract,
        _ if hole_m >= largest => NotCalculableReason::RecordingHoles,
        _ => NotCalculableReason::Sparse,
    };
    Some(NotCalculable { reason, share: rounded_down(100.0 * share) })
}

fn p95(steps: &[Step]) -> Option<f64> {
    let mut offsets: Vec<f64> =
        steps.iter().filter(|s| s.verdict == Verdict::On).filter_map(|s| s.snap).map(|s| s.offset_m).collect();
    offsets.sort_by(f64::total_cmp);
    offsets.get((offsets.len() as f64 * 0.95) as usize).or(offsets.last()).copied()
}

/// Stretches ridden against a one-way.
fn remarks(ways: &dyn Ways, profile: Profile, track: &Track, steps: &[Step]) -> Vec<Remark> {
    if Rules::of(profile).mode == Mode::Foot {
        return Vec::new();
    }
    let is_wrong = |step: &Step| {
        step.verdict == Verdict::On && step.snap.is_some_and(|s| ways.is_wrong_way(s.link, s.is_backward))
    };
    let mut runs: Vec<(f64, f64)> = Vec::new();
    for step in steps.iter().filter(|s| is_wrong(s)) {
        match runs.last_mut() {
            Some(run) if step.from_m - run.1 < 1.0 => run.1 = step.to_m,
            _ => runs.push((step.from_m, step.to_m)),
        }
    }
    runs.into_iter()
        .filter(|(from, to)| to - from >= WRONG_WAY_M)
        .map(|(from, to)| Remark {
            kind: RemarkKind::WrongWay,
            from_m: track.source_at(from),
            to_m: track.source_at(to),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_rounded_down() {
        let tenths = [94.96, 95.0, 94.9, 99.999, 100.0, 0.05].map(|p| (rounded_down(p) * 10.0).round() as i32);
        assert_eq!(tenths, [949, 950, 949, 999, 1000, 0]);
    }

    #[test]
    fn too_much_unjudged_gives_no_index() {
        assert_eq!(not_calculable(800.0, 200.0, 0.0, 0.0, 0.0), None);
        let reason = |j, h, o, s| not_calculable(j, h, o, s, 0.0).map(|n| n.reason);
        assert_eq!(reason(700.0, 300.0, 0.0, 0.0), Some(NotCalculableReason::RecordingHoles));
        assert_eq!(reason(0.0, 0.0, 500.0, 0.0), Some(NotCalculableReason::OutsideExtract));
        assert_eq!(reason(700.0, 150.0, 150.0, 0.0), Some(NotCalculableReason::TooLittleJudged));
        assert_eq!(reason(0.0, 0.0, 0.0, 0.0), Some(NotCalculableReason::NoLength));
        assert_eq!(not_calculable(800.0, 0.0, 0.0, 0.0, 200.0), None);
        let kept = not_calculable(700.0, 0.0, 0.0, 0.0, 300.0).map(|n| n.reason);
        assert_eq!(kept, Some(NotCalculableReason::TooLittleJudged));
    }
}
