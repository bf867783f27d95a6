//! Every stretch that does not fit: where, how far off, why, what it costs, what can be done.

use super::{
    clean::Track,
    judge::{Step, Verdict},
    shift::Shift,
    types::{Fix, FixKind, Gap, GapCause, Remedy},
};
use crate::{embedded::Planner, geometry::cumulative_m, line::Line, search, snap};
use trace::Position;

/// Stretches of one cause with less than this between them are told as one.
const JOIN_M: f64 = 25.0;
/// How far the nearest way is looked for.
const LOOK_M: f64 = 500.0;
/// Places of a stretch where it is looked for.
const LOOKS: usize = 40;
/// How far the ends of a stretch may be from the network to be joined along it.
const FIX_SNAP_M: f64 = 60.0;
/// A way round longer than this many times the stretch is no proposal.
const FIX_RATIO: f64 = 3.0;
const FIX_MORE_M: f64 = 500.0;
/// Proposals worked out for one recording.
const MAX_FIXES: usize = 200;
/// Junctions looked at for one proposal.
const FIX_SETTLED: usize = 50_000;

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
pub(crate) fn find(planner: &Planner, track: &Track, steps: &[Step], shifts: &[Shift], judged_m: f64) -> Vec<Gap> {
    runs(planner, steps, shifts)
        .into_iter()
        .enumerate()
        .map(|(i, run)| gap(planner, track, steps, shifts, judged_m, &run, i < MAX_FIXES))
        .collect()
}

fn runs(planner: &Planner, steps: &[Step], shifts: &[Shift]) -> Vec<Run> {
    let shifted_by = |i: usize| shifts.iter().position(|shift| shift.covers(i));
    let mut runs: Vec<Run> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let Some(cause) = cause(step.verdict) else { continue };
        let way_id = step.seat.filter(|_| cause == GapCause::Forbidden).map(|s| planner.view.link(s.link).way_id);
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
    planner: &Planner,
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
    let fix = if with_fix { fix(planner, track, steps, shift, run) } else { None };
    Gap {
        remedies: remedies(run.cause, fix.as_ref()),
        edit_url: edit_url(run, track.at(f64::midpoint(from, to))),
        cause: run.cause,
        judged: is_judged,
        from_m,
        to_m,
        length_m: to - from,
        max_offset_m: max_offset_m(planner, &steps[run.first..=run.last], run.cause),
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
        // Kept already, outside what the map holds, or nothing was recorded that could be kept.
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

fn max_offset_m(planner: &Planner, steps: &[Step], cause: GapCause) -> f64 {
    let largest = match cause {
        GapCause::RecordingHole | GapCause::OutsideExtract => None,
        GapCause::Forbidden | GapCause::Sparse => {
            steps.iter().filter_map(|s| s.seat).map(|s| s.offset_m).reduce(f64::max)
        }
        GapCause::NoWay | GapCause::ConstantShift | GapCause::KeptOffNetwork => {
            let every = steps.len().div_ceil(LOOKS).max(1);
            steps.iter().step_by(every).map(|s| nearest_m(planner, s.middle)).reduce(f64::max)
        }
    };
    largest.unwrap_or_default()
}

fn nearest_m(planner: &Planner, p: Position) -> f64 {
    let nearest = |radius_m: f64| snap::near(&planner.view, p, radius_m, |_| true).first().map(|s| s.offset_m);
    [60.0, 200.0, LOOK_M].into_iter().find_map(nearest).unwrap_or(LOOK_M)
}

fn fix(planner: &Planner, track: &Track, steps: &[Step], shift: Option<&Shift>, run: &Run) -> Option<Fix> {
    match run.cause {
        GapCause::OutsideExtract | GapCause::KeptOffNetwork => None,
        GapCause::ConstantShift => snapped(shift?, run),
        _ => follow(planner, track, steps, run),
    }
}

/// The stretch laid on the ways that its moved self runs on.
fn snapped(shift: &Shift, run: &Run) -> Option<Fix> {
    let mut line: Vec<Position> = Vec::new();
    for seat in shift.between(run.first, run.last).iter().filter_map(|s| s.seat) {
        if line.last().is_none_or(|last| trace::distance_m(*last, seat.position) > 0.5) {
            line.push(seat.position);
        }
    }
    proposal(FixKind::Snap, line)
}

/// The way from one end of the stretch to the other along the network.
fn follow(planner: &Planner, track: &Track, steps: &[Step], run: &Run) -> Option<Fix> {
    let before = run
        .first
        .checked_sub(1)
        .and_then(|i| steps[i].seat)
        .map_or_else(|| track.at(steps[run.first].from_m), |s| s.position);
    let after =
        steps.get(run.last + 1).and_then(|s| s.seat).map_or_else(|| track.at(steps[run.last].to_m), |s| s.position);
    let join = |p: Position| snap::for_profile(&planner.view, planner.weights, p, FIX_SNAP_M);
    let (from, to) = (join(before)?, join(after)?);
    let path = search::plain(&planner.view, planner.weights, &from, &to, FIX_SETTLED).ok()??;
    let length_m: f64 = path.steps.iter().map(|s| (s.to_m - s.from_m).abs()).sum();
    let stretch_m = steps[run.last].to_m - steps[run.first].from_m;
    if length_m > stretch_m * FIX_RATIO + FIX_MORE_M || length_m < 1.0 {
        return None;
    }
    let mut line = Line::default();
    path.steps.iter().for_each(|s| line.push_step(&planner.view, s));
    proposal(FixKind::FollowWay, line.points)
}

fn proposal(kind: FixKind, line: Vec<Position>) -> Option<Fix> {
    let distance_m = cumulative_m(&line).last().copied()?;
    (line.len() >= 2).then_some(Fix { kind, line, distance_m })
}
