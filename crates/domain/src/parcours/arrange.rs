//! Steps on their line: each at its place along the trace, with the distance and the time to the next.

use super::line::Along;
use crate::step::{Step, StepKind};

/// A step nearer than this to the line is put on it; a farther one keeps its own position and is marked as beside it.
pub const SNAP_M: f64 = 50.0;

/// Places steps along a line and works out what is between them: the departure at its start, the arrival at its end, the others
/// in the order in which they are met. `old_length_m` is the length of the line their `at_m` was measured on: places keep their
/// share of the way.
pub fn arrange(steps: &mut [Step], line: &Along<'_>, old_length_m: Option<f64>) {
    let length_m = line.length_m();
    let scale = old_length_m.filter(|old| *old > 0.0).map_or(1.0, |old| length_m / old);
    let mut after_m = 0.0;
    for step in &mut *steps {
        let foot = match step.kind {
            StepKind::Departure => line.end(0.0),
            StepKind::Arrival => line.end(length_m),
            _ => line.nearest_in_order(step.position, step.at_m.map(|at| at * scale), after_m),
        };
        let Some(foot) = foot else { continue };
        step.at_m = Some(round_dm(foot.at_m));
        step.beside_m = (foot.offset_m > SNAP_M).then(|| round_dm(foot.offset_m));
        if foot.offset_m <= SNAP_M {
            step.position = foot.position;
        }
        if step.kind != StepKind::Arrival {
            after_m = foot.at_m.max(after_m);
        }
    }
    let rank = |step: &Step| match step.kind {
        StepKind::Departure => -1,
        StepKind::Arrival => 1,
        _ => 0,
    };
    let at_m = |step: &Step| step.at_m.unwrap_or(0.0);
    if length_m > 0.0 {
        steps.sort_by(|a, b| rank(a).cmp(&rank(b)).then(at_m(a).total_cmp(&at_m(b))));
    }
    measure(steps, Some(line));
}

/// The fault of a step of a saved trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Misplaced {
    /// Its distance in metres from its place on the line; it is not marked as beside the line.
    OffLine(f64),
    /// The departure is not at the start, or the arrival not at the end.
    NotAtEnd,
    /// It comes after a step that is further along.
    OutOfOrder,
}

/// Steps that are not where [`arrange`] puts them, by their identifiers.
pub fn misplaced(steps: &[Step], line: &Along<'_>) -> Vec<(i64, Misplaced)> {
    let mut found = Vec::new();
    let mut before_m = 0.0;
    for step in steps {
        // The measured length and that of the line differ by what rounding leaves.
        let at_m = step.at_m.unwrap_or(0.0);
        let end_m = match step.kind {
            StepKind::Departure => Some(0.0),
            StepKind::Arrival => Some(line.length_m()),
            _ => None,
        };
        let off_m = line.at(at_m).map_or(0.0, |place| trace::distance_m(place, step.position));
        if end_m.is_some_and(|end_m| (end_m - at_m).abs() > SAME_PLACE_M) {
            found.push((step.id, Misplaced::NotAtEnd));
        } else if off_m > SNAP_M + SAME_PLACE_M && (step.beside_m.is_none() || end_m.is_some()) {
            found.push((step.id, Misplaced::OffLine(round_dm(off_m))));
        } else if at_m < before_m {
            found.push((step.id, Misplaced::OutOfOrder));
        }
        before_m = at_m.max(before_m);
    }
    found
}

/// Rounding moves a place by less than this.
const SAME_PLACE_M: f64 = 1.0;

/// Distances and durations to the next, without moving anything; typed values win. Durations are differences of rounded seconds from the
/// start: together they are the rounded duration of the whole, where each of its own rounding would add up.
pub fn measure(steps: &mut [Step], line: Option<&Along<'_>>) {
    let places: Vec<Option<f64>> = steps.iter().map(|step| step.at_m).collect();
    for (index, step) in steps.iter_mut().enumerate() {
        let span = places[index].zip(places.get(index + 1).copied().flatten()).filter(|(from, to)| to >= from);
        let computed_m = line.and(span).map(|(from, to)| to - from);
        let computed_s =
            line.zip(span).map(|(line, (from, to))| line.seconds_at(to).round() - line.seconds_at(from).round());
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use proptest::prelude::*;
    use trace::{Position, distance_m};

    use super::*;
    use crate::parcours::line::Pace;
    use crate::step::number_steps;

    /// A walk that turns, crosses itself and comes back: steps of up to 150 m in any direction.
    fn walk() -> impl Strategy<Value = Vec<Position>> {
        let piece = (-1.3e-3..1.3e-3_f64, -1.0e-3..1.0e-3_f64);
        (proptest::collection::vec(piece, 2..60), any::<bool>()).prop_map(|(pieces, comes_back)| {
            let mut line = vec![Position::new(2.0, 45.0)];
            for (lon, lat) in pieces {
                let last = line[line.len() - 1];
                line.push(Position::new(last.lon + lon, last.lat + lat));
            }
            if comes_back {
                let back: Vec<_> = line.iter().rev().skip(1).copied().collect();
                line.extend(back);
            }
            line
        })
    }

    /// Steps at any place, in any order, some with a place along another line.
    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let kind = proptest::sample::select(vec!["step", "waypoint", "night", "advice"]);
        let one = (kind, 1.99..2.03_f64, 44.99..45.03_f64, proptest::option::of(0.0..9_000.0_f64));
        (proptest::collection::vec(one, 0..12), any::<(bool, prop::sample::Index)>()).prop_map(|(inner, (ends, at))| {
            let step = |kind: &str, lon: f64, lat: f64, at_m: Option<f64>| serde_json::json!({"kind": kind, "position": [lon, lat], "at_m": at_m});
            let mut all: Vec<_> = inner.iter().map(|(kind, lon, lat, at_m)| step(kind, *lon, *lat, *at_m)).collect();
            if ends {
                all.insert(at.index(all.len() + 1), step("departure", 2.02, 45.02, None));
                all.insert(at.index(all.len() + 1), step("arrival", 1.99, 44.99, None));
            }
            let inputs = all.into_iter().map(|step| serde_json::from_value(step).unwrap()).collect();
            number_steps(inputs, &[], 0).0
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn steps_of_a_saved_trace_lie_on_its_line_or_are_marked(line in walk(), mut steps in steps(), old_m in proptest::option::of(500.0..9_000.0_f64)) {
            let along = Along::new(&line, Pace::default(), Some(3_600.0));
            let sent: Vec<_> = steps.iter().map(|step| (step.id, step.position)).collect();
            arrange(&mut steps, &along, old_m);
            prop_assert_eq!(misplaced(&steps, &along), vec![]);
            for pair in steps.windows(2) {
                prop_assert!(pair[0].at_m <= pair[1].at_m, "{:?}", steps);
                prop_assert!(pair[0].distance_to_next_m.unwrap() >= 0.0);
            }
            for step in &steps {
                let near_m = line.iter().map(|p| distance_m(*p, step.position)).fold(f64::INFINITY, f64::min);
                // The nearest point of the line is at most half a piece further than the line itself.
                prop_assert!(step.beside_m.is_some() || near_m <= SNAP_M + 90.0, "{near_m} {step:?}");
                match step.kind {
                    StepKind::Departure => prop_assert!(distance_m(step.position, line[0]) < 0.01 && step.id == steps[0].id),
                    StepKind::Arrival => prop_assert!(distance_m(step.position, line[line.len() - 1]) < 0.01),
                    _ if step.beside_m.is_some() => prop_assert!(sent.contains(&(step.id, step.position)), "what stands beside stays there"),
                    _ => {}
                }
            }
        }

        #[test]
        fn steps_that_are_arranged_stay_where_they_are(line in walk(), mut steps in steps()) {
            let along = Along::new(&line, Pace::default(), Some(3_600.0));
            arrange(&mut steps, &along, None);
            let once = steps.clone();
            arrange(&mut steps, &along, Some(along.length_m()));
            for (before, after) in once.iter().zip(&steps) {
                prop_assert_eq!(before.id, after.id);
                prop_assert!((before.at_m.unwrap() - after.at_m.unwrap()).abs() < 1.0, "{:?} {:?}", before, after);
            }
        }
    }

    #[test]
    fn what_is_misplaced_is_reported() {
        let line: Vec<_> = (0..=100).map(|i| Position::new(2.0 + f64::from(i) * 0.001, 45.0)).collect();
        let along = Along::new(&line, Pace::default(), None);
        let inputs = ["departure", "step", "step", "arrival"]
            .map(|kind| serde_json::json!({"kind": kind, "position": [2.05, 45.0]}));
        let inputs = inputs.into_iter().map(|step| serde_json::from_value(step).unwrap()).collect();
        let (mut steps, _) = number_steps(inputs, &[], 0);
        steps[1].position.lat = 45.01;
        arrange(&mut steps, &along, None);
        assert!(steps.iter().find(|step| step.id == 2).unwrap().beside_m.is_some_and(|m| (m - 1_112.0).abs() < 2.0));
        assert_eq!(misplaced(&steps, &along), []);
        // A line that was replaced, and steps left where they were.
        let mut left = steps.clone();
        left[0].position = Position::new(2.05, 45.0);
        left[1].beside_m = None;
        left[2].at_m = Some(0.5);
        left[3].at_m = Some(along.length_m() - 50.0);
        let reasons: Vec<_> = misplaced(&left, &along).into_iter().map(|(_, why)| why).collect();
        assert!(
            matches!(
                reasons[..],
                [Misplaced::OffLine(_), Misplaced::OffLine(_), Misplaced::OffLine(_), Misplaced::NotAtEnd]
            ),
            "{reasons:?}"
        );
        let mut turned = steps.clone();
        turned.swap(0, 3);
        assert!(misplaced(&turned, &along).iter().any(|(_, why)| *why == Misplaced::OutOfOrder));
    }
}
