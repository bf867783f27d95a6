//! A trip cut into days: a night ends one.

use crate::step::{Step, StepKind};

/// A day of a trip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DayCut {
    /// Metres along the trace.
    pub from_m: f64,
    /// Metres along the trace.
    pub to_m: f64,
    /// Index of its first step.
    pub first: usize,
    /// Index of its last step, which is also the first of the next day.
    pub last: usize,
    /// Index of the step where one sleeps.
    pub night: Option<usize>,
    /// How many days lie between its start and the first: more than its rank where one stays for several nights.
    pub after_days: i64,
}

/// Two nights nearer to each other than this are one place: a night on the arrival does not make a day of nothing.
const MIN_DAY_M: f64 = 50.0;

/// The days of steps along a trace of `length_m`: each step of kind `night`, `nights` or `step_night` ends one. A trip
/// without nights is one day; steps without a place on the trace take the place of the step before them.
pub fn days(steps: &[Step], length_m: f64) -> Vec<DayCut> {
    let places = places(steps, length_m);
    let last = steps.len().saturating_sub(1);
    let mut found: Vec<DayCut> = Vec::new();
    let (mut first, mut from_m, mut after_days) = (0, 0.0, 0);
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| ends_a_day(step.kind)) {
        let at_m = places[index];
        if at_m - from_m < MIN_DAY_M {
            // Slept at before having moved: the day before ends here, or the trip begins with a night.
            match found.last_mut() {
                Some(before) if before.night.is_none() => (before.night, before.last) = (Some(index), index),
                _ => {}
            }
            after_days += if found.is_empty() { step.nights_spent() } else { 0 };
            continue;
        }
        found.push(DayCut { from_m, to_m: at_m, first, last: index, night: Some(index), after_days });
        (first, from_m) = (index, at_m);
        after_days += step.nights_spent();
    }
    if found.is_empty() || length_m - from_m >= MIN_DAY_M {
        found.push(DayCut { from_m, to_m: length_m, first, last, night: None, after_days });
    } else if let Some(end) = found.last_mut() {
        (end.to_m, end.last) = (length_m, last);
    }
    found
}

/// How many days lie between the start of a trip and its last day. Of several nights at its end, all but the last are followed by a day
/// there: these days are days of the trip too.
pub fn last_after_days(cuts: &[DayCut], steps: &[Step]) -> i64 {
    let Some(cut) = cuts.last() else { return 0 };
    let resting = cut.night.and_then(|at| steps.get(at)).map_or(0, |step| step.nights_spent() - 1);
    cut.after_days + resting
}

const fn ends_a_day(kind: StepKind) -> bool {
    matches!(kind, StepKind::Night | StepKind::Nights | StepKind::StepNight)
}

/// Where each step is, never before the one that precedes it.
fn places(steps: &[Step], length_m: f64) -> Vec<f64> {
    let mut reached = 0.0_f64;
    steps
        .iter()
        .map(|step| {
            reached = step.at_m.unwrap_or(reached).clamp(reached, length_m.max(reached));
            reached
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "whole numbers compare")]
mod tests {
    use trace::Position;

    use super::*;
    use crate::Text;

    fn step(kind: StepKind, at_m: f64, nights: Option<i64>) -> Step {
        Step {
            id: at_m as i64,
            kind,
            title: Text::default(),
            description: Text::default(),
            position: Position::new(4.0, 47.0),
            at_m: Some(at_m),
            distance_to_next_m: None,
            duration_to_next_s: None,
            beside_m: None,
            distance_to_next_typed_m: None,
            duration_to_next_typed_s: None,
            practice_type_id: None,
            nights,
            line_ids: Vec::new(),
            rest: crate::rest::Rest::default(),
        }
    }

    fn cuts(steps: &[Step], length_m: f64) -> Vec<(f64, f64, usize, usize, bool, i64)> {
        let summary = |day: &DayCut| (day.from_m, day.to_m, day.first, day.last, day.night.is_some(), day.after_days);
        days(steps, length_m).iter().map(summary).collect()
    }

    #[test]
    fn every_kind_of_night_ends_a_day_and_several_nights_move_the_dates() {
        use StepKind::{Arrival, Departure, Favourite, Night, Nights, StepNight};
        let steps = [
            step(Departure, 0.0, None),
            step(Favourite, 10_000.0, None),
            step(Night, 30_000.0, None),
            step(Nights, 60_000.0, Some(3)),
            step(StepNight, 90_000.0, None),
            step(Arrival, 110_000.0, None),
        ];
        assert_eq!(
            cuts(&steps, 110_000.0),
            [
                (0.0, 30_000.0, 0, 2, true, 0),
                (30_000.0, 60_000.0, 2, 3, true, 1),
                (60_000.0, 90_000.0, 3, 4, true, 4),
                (90_000.0, 110_000.0, 4, 5, false, 5),
            ]
        );
    }

    #[test]
    fn a_stay_at_the_end_counts_its_days() {
        use StepKind::{Arrival, Departure, Night, Nights};
        let last = |kind: StepKind, nights: Option<i64>| {
            let steps = [
                step(Departure, 0.0, None),
                step(Night, 30_000.0, None),
                step(kind, 60_000.0, nights),
                step(Arrival, 60_010.0, None),
            ];
            last_after_days(&days(&steps, 60_010.0), &steps)
        };
        assert_eq!([last(Night, None), last(Nights, None), last(Nights, Some(4)), last(Night, Some(3))], [1, 2, 4, 3]);
        let goes_on = [step(Departure, 0.0, None), step(Nights, 30_000.0, Some(3)), step(Arrival, 60_000.0, None)];
        assert_eq!(last_after_days(&days(&goes_on, 60_000.0), &goes_on), 3, "the last day is walked");
        assert_eq!(last_after_days(&[], &[]), 0);
    }

    #[test]
    fn without_nights_the_trip_is_one_day() {
        let steps = [step(StepKind::Departure, 0.0, None), step(StepKind::Arrival, 9_000.0, None)];
        assert_eq!(cuts(&steps, 9_000.0), [(0.0, 9_000.0, 0, 1, false, 0)]);
        assert_eq!(cuts(&[], 0.0), [(0.0, 0.0, 0, 0, false, 0)]);
    }

    #[test]
    fn a_night_at_an_end_makes_no_day_of_nothing() {
        use StepKind::{Arrival, Departure, Night};
        let at_the_end = [
            step(Departure, 0.0, None),
            step(Night, 20_000.0, None),
            step(Night, 40_000.0, None),
            step(Arrival, 40_010.0, None),
        ];
        assert_eq!(cuts(&at_the_end, 40_010.0), [(0.0, 20_000.0, 0, 1, true, 0), (20_000.0, 40_010.0, 1, 3, true, 1)]);
        let before_leaving = [step(Departure, 0.0, None), step(Night, 0.0, None), step(Arrival, 9_000.0, None)];
        assert_eq!(cuts(&before_leaving, 9_000.0), [(0.0, 9_000.0, 0, 2, false, 1)]);
    }

    #[test]
    fn a_step_without_a_place_ends_no_day_by_going_back() {
        let mut lost = step(StepKind::Night, 0.0, None);
        lost.at_m = None;
        let steps = [step(StepKind::Departure, 0.0, None), step(StepKind::Step, 5_000.0, None), lost];
        assert_eq!(cuts(&steps, 9_000.0), [(0.0, 5_000.0, 0, 2, true, 0), (5_000.0, 9_000.0, 2, 2, false, 1)]);
    }
}
