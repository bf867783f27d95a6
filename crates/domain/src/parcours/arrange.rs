//! Steps on their line: each at its place along the trace, with the distance and the time to the next.

use super::line::Along;
use crate::step::{Step, StepKind};

/// A step nearer than this to the line stands on it; one further keeps its own position.
pub const SNAP_M: f64 = 150.0;

/// Places steps along a line, in their own order, and works out what is between them.
/// `old_length_m` is the length of the line their `at_m` was measured on: places keep their share of the way.
pub fn arrange(steps: &mut [Step], line: &Along<'_>, old_length_m: Option<f64>) {
    let length_m = line.length_m();
    let scale = old_length_m.filter(|old| *old > 0.0).map_or(1.0, |old| length_m / old);
    let mut after_m = 0.0;
    for step in &mut *steps {
        let hint = match step.kind {
            StepKind::Departure => Some(0.0),
            StepKind::Arrival => Some(length_m),
            _ => step.at_m.map(|at| at * scale),
        };
        let Some(foot) = line.nearest(step.position, hint, after_m) else { continue };
        step.at_m = Some(round_dm(match step.kind {
            StepKind::Departure => 0.0,
            StepKind::Arrival => length_m,
            _ => foot.at_m,
        }));
        if foot.offset_m <= SNAP_M {
            step.position = foot.position;
        }
        after_m = foot.at_m.max(after_m);
    }
    measure(steps, Some(line));
}

/// Distances and durations to the next, without moving anything; typed values win.
pub fn measure(steps: &mut [Step], line: Option<&Along<'_>>) {
    let places: Vec<Option<f64>> = steps.iter().map(|step| step.at_m).collect();
    for (index, step) in steps.iter_mut().enumerate() {
        let span = places[index].zip(places.get(index + 1).copied().flatten()).filter(|(from, to)| to >= from);
        let computed_m = line.and(span).map(|(from, to)| to - from);
        let computed_s = line.zip(span).map(|(line, (from, to))| line.seconds_at(to) - line.seconds_at(from));
        step.distance_to_next_m = step.distance_to_next_typed_m.or(computed_m).map(round_dm);
        step.duration_to_next_s = step.duration_to_next_typed_s.or(computed_s).map(f64::round);
    }
}

/// Forgets the distances and durations that were typed by hand ("forced update").
pub fn forget_typed(steps: &mut [Step]) {
    for step in steps {
        step.distance_to_next_typed_m = None;
        step.duration_to_next_typed_s = None;
    }
}

fn round_dm(metres: f64) -> f64 {
    (metres * 10.0).round() / 10.0
}
