//! The stretches of a recording that do not fit the network: place, offset, cause, cost in points of the index, and remedies.

use super::{
    clean::Track,
    judge::{Step, Verdict},
    shift::Shift,
    ways::{Ways, proposal},
};
use routing::{Fix, FixKind, Gap, GapCause, Remedy};
use trace::Position;

/// Stretches of one cause with less than this between them are reported as one.
const JOIN_M: f64 = 25.0;
/// The largest number of samples of a stretch.
const MAX_SAMPLED_STEPS: usize = 40;
/// The largest number of proposals for one recording.
const MAX_FIXES: usize = 200;
fn cause(verdict: Verdict) -> Option<GapCause> {
    Some(match verdict {
        Verdict::On => return None,
        Verdict::Forbidden => GapCause::Forbidden,
        Verdict::NoWay => GapCause::NoWay,
        Verdict::Shifted => GapCause::ConstantShift,
        Verdict::Hole => GapCause::RecordingHole,
        Verdict::Outside => GapCause::OutsideExtract,
        Verdict::Sparse => GapCause::Sparse,
        Verdict::Kept => GapCause::KeptOffNetwork,
    })
}

/// Steps of one cause in a row, by index.
struct Run {
    cause: GapCause,
    first: usize,
    last: usize,
    way_id: Option<i64>,
}

/// All gaps of a judged track.
pub(crate) fn find(ways: &dyn Ways, track: &Track, steps: &[Step], shifts: &[Shift], judged_m: f64) -> Vec<Gap> {
    runs(ways, steps, shifts)
        .into_iter()
        .enumerate()
        .map(|(i, run)| gap(ways, track, steps, shifts, judged_m, &run, i < MAX_FIXES))
        .collect()
}

fn runs(ways: &dyn Ways, steps: &[Step], shifts: &[Shift]) -> Vec<Run> {
    let shifted_by = |i: usize| shifts.iter().position(|shift| shift.covers(i));
    let mut runs: Vec<Run> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let Some(cause) = cause(step.verdict) else { continue };
        let way_id = step.snap.filter(|_| cause == GapCause::Forbidden).map(|s| ways.way_id(s.link));
        match runs.last_mut() {
            Some(run)
                if run.cause == cause
                    && run.way_id == way_id
                    && step.from_m - steps[run.last].to_m < JOIN_M
                    && (cause != GapCause::ConstantShift || shifted_by(run.first) == shifted_by(i)) =>
            {
                run.last = i;
            }
            _ => runs.push(Run { cause, first: i, last: i, way_id }),
        }
    }
    runs
}

fn gap(
    ways: &dyn Ways,
    track: &Track,
    steps: &[Step],
    shifts: &[Shift],
    judged_m: f64,
    run: &Run,
    with_fix: bool,
) -> Gap {
    let (from, to) = (steps[run.first].from_m, steps[run.last].to_m);
    let missed_m: f64 =
        steps[run.first..=run.last].iter().filter(|s| cause(s.verdict) == Some(run.cause)).map(Step::length_m).sum();
    let is_judged = run.cause.is_judged();
    let shift = shifts.iter().find(|shift| run.cause == GapCause::ConstantShift && shift.covers(run.first));
    let (from_m, to_m) = (track.source_at(from), track.source_at(to));
    let line = track.cut(from, to);
    let fix = if with_fix { fix(ways, track, steps, shift, run) } else { None };
    Gap {
        remedies: remedies(run.cause, fix.as_ref()),
        edit_url: edit_url(run, track.at(f64::midpoint(from, to))),
        cause: run.cause,
        judged: is_judged,
        from_m,
        to_m,
        length_m: to - from,
        max_offset_m: max_offset_m(ways, &steps[run.first..=run.last], run.cause),
        points: if is_judged && judged_m > 0.0 { 100.0 * missed_m / judged_m } else { 0.0 },
        line,
        fix,
        shift: shift.map(|s| [s.east_m, s.north_m]),
        way_id: run.way_id,
    }
}

fn remedies(cause: GapCause, fix: Option<&Fix>) -> Vec<Remedy> {
    let own: &[Remedy] = match cause {
        GapCause::NoWay => &[Remedy::KeepOffNetwork, Remedy::ReportWay],
        GapCause::Forbidden => &[Remedy::ReportWay],
        // Already kept, outside the map, or without recorded points that could be kept.
        GapCause::ConstantShift
        | GapCause::RecordingHole
        | GapCause::OutsideExtract
        | GapCause::Sparse
        | GapCause::KeptOffNetwork => &[],
    };
    let first = fix.map(|fix| match fix.kind {
        FixKind::FollowWay => Remedy::FollowWay,
        FixKind::Snap => Remedy::Snap,
    });
    first.into_iter().chain(own.iter().copied()).collect()
}

/// The map's editor (iD) where a way is missing, or on the way that is closed.
fn edit_url(run: &Run, middle: Position) -> Option<String> {
    let way = run.way_id.map(|way| format!("&way={way}")).unwrap_or_default();
    let url =
        || format!("https://www.openstreetmap.org/edit?editor=id{way}#map=18/{:.5}/{:.5}", middle.lat, middle.lon);
    matches!(run.cause, GapCause::NoWay | GapCause::Forbidden).then(url)
}

fn max_offset_m(ways: &dyn Ways, steps: &[Step], cause: GapCause) -> f64 {
    let largest = match cause {
        GapCause::RecordingHole | GapCause::OutsideExtract => None,
        GapCause::Forbidden | GapCause::Sparse => {
            steps.iter().filter_map(|s| s.snap).map(|s| s.offset_m).reduce(f64::max)
        }
        GapCause::NoWay | GapCause::ConstantShift | GapCause::KeptOffNetwork => {
            let every = steps.len().div_ceil(MAX_SAMPLED_STEPS).max(1);
            Some(ways.furthest_m(&steps.iter().step_by(every).map(|s| s.middle).collect::<Vec<_>>()))
        }
    };
    largest.unwrap_or_default()
}

fn fix(ways: &dyn Ways, track: &Track, steps: &[Step], shift: Option<&Shift>, run: &Run) -> Option<Fix> {
    match run.cause {
        GapCause::OutsideExtract | GapCause::KeptOffNetwork => None,
        GapCause::ConstantShift => snapped(shift?, run),
        _ => follow(ways, track, steps, run),
    }
}

/// The stretch, moved back by the shift, on the ways that it then follows.
fn snapped(shift: &Shift, run: &Run) -> Option<Fix> {
    let mut line: Vec<Position> = Vec::new();
    for snap in shift.between(run.first, run.last).iter().filter_map(|s| s.snap) {
        if line.last().is_none_or(|last| trace::distance_m(*last, snap.position) > 0.5) {
            line.push(snap.position);
        }
    }
    proposal(FixKind::Snap, line)
}

/// The way from one end of the stretch to the other along the network.
fn follow(ways: &dyn Ways, track: &Track, steps: &[Step], run: &Run) -> Option<Fix> {
    let before = run
        .first
        .checked_sub(1)
        .and_then(|i| steps[i].snap)
        .map_or_else(|| track.at(steps[run.first].from_m), |s| s.position);
    let after =
        steps.get(run.last + 1).and_then(|s| s.snap).map_or_else(|| track.at(steps[run.last].to_m), |s| s.position);
    let stretch_m = steps[run.last].to_m - steps[run.first].from_m;
    ways.follow(before, after, stretch_m)
}
