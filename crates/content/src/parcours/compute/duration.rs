//! The duration of a line. It is rounded where it is stored.

use domain::parcours::line::Pace;
use trace::{Measure, Position};

/// Lines whose lengths differ by less have one length: points are rounded to a centimetre.
const SAME_LENGTH_M: f64 = 1.0;

/// Seconds of a line on the network, from its figures and the planner's line and its seconds: these in proportion to the length where the lengths
/// differ, and in proportion to what the line takes at the pace of the practice and at the usual one of the profile.
pub(super) fn planned_s(line: Measure, (planner_line, planner_s): (&[Position], f64), pace: Pace, usual: Pace) -> f64 {
    let (length_m, planner_m) = (line.distance_m, trace::measure(planner_line).distance_m);
    let is_same = (length_m - planner_m).abs() < SAME_LENGTH_M || planner_m <= 0.0;
    let usual_s = paced_s(line, usual);
    let slower = if usual_s > 0.0 { paced_s(line, pace) / usual_s } else { 1.0 };
    let longer = if is_same { 1.0 } else { length_m / planner_m };
    planner_s * slower * longer
}

/// Seconds of a line at a pace, from the length and the climb that are shown. Not a sum over its points: the rule is not additive, and
/// each metre that a height jitters would count as a climb.
pub(super) fn paced_s(line: Measure, pace: Pace) -> f64 {
    pace.seconds(line.distance_m, line.ascent_m.unwrap_or_default(), line.descent_m.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::practice::{planned_as, usual_pace};
    use super::*;
    use domain::vocabulary::PracticeTypeAttributes;
    use routing::Profile;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6 * b
    }

    fn practice(profile: &str, speeds: [f64; 3]) -> Pace {
        let [flat_kmh, ascent_mh, descent_mh] = speeds.map(Some);
        let profile = Some(profile.to_owned());
        planned_as(&PracticeTypeAttributes { profile, flat_kmh, ascent_mh, descent_mh, ..Default::default() }).1
    }

    /// A line of about 7.9 km, in pieces.
    fn east(pieces: u32) -> Vec<Position> {
        (0..=pieces).map(|at| Position::new(2.0 + 0.1 * f64::from(at) / f64::from(pieces), 45.0)).collect()
    }

    #[test]
    fn one_line_takes_one_time_however_many_points_it_has() {
        let usual = usual_pace(Profile::Hiking);
        let trail = practice("hiking", [9.0, 700.0, 1_500.0]);
        let (few, many) = (east(10), east(200));
        for line in [&few, &many] {
            let took_s = planned_s(trace::measure(line), (&many, 9_000.0), trail, usual);
            assert!(close(took_s, 9_000.0 * 4.0 / 9.0), "{took_s}");
        }
        let half_s = planned_s(trace::measure(&many[..=100]), (&many, 9_000.0), usual, usual);
        assert!(close(half_s, 4_500.0), "a shorter line takes less: {half_s}");
    }

    #[test]
    fn heights_that_jitter_change_no_time_however_far_apart_the_points_are() {
        let usual = usual_pace(Profile::Hiking);
        let trail = practice("hiking", [9.0, 700.0, 1_500.0]);
        let calm = east(80);
        let length_m = trace::measure(&calm).distance_m;
        // A point each 10, 20, 50 and 100 m.
        for pieces in [790, 395, 158, 79] {
            let mut line = east(pieces);
            for (at, point) in line.iter_mut().enumerate() {
                point.ele = Some(if at.is_multiple_of(2) { 499.0 } else { 501.0 });
            }
            let walked_s = paced_s(trace::measure(&line), Pace::default());
            assert!((walked_s - length_m / 4.0 * 3.6).abs() < 1.0, "{pieces} pieces: {walked_s}");
            let run_s = planned_s(trace::measure(&line), (&calm, 9_000.0), trail, usual);
            assert!((run_s - 9_000.0 * 4.0 / 9.0).abs() < 1.0, "{pieces} pieces: {run_s}");
        }
    }

    #[test]
    fn a_climb_counts_as_the_standard_says_however_many_points_it_has() {
        for pieces in [10, 100, 800] {
            let mut line = east(pieces);
            for (at, point) in line.iter_mut().enumerate() {
                point.ele = Some(500.0 + 600.0 * at as f64 / f64::from(pieces));
            }
            let length_m = trace::measure(&line).distance_m;
            let expected_s = 7_200.0_f64.max(length_m / 4.0 * 3.6) + 7_200.0_f64.min(length_m / 4.0 * 3.6) / 2.0;
            let took_s = paced_s(trace::measure(&line), Pace::default());
            assert!((took_s - expected_s).abs() < 1.0, "{pieces} pieces: {took_s}");
        }
    }

    #[test]
    fn the_typical_practice_and_one_without_speeds_take_the_time_of_the_planner() {
        let line = east(20);
        let usual = usual_pace(Profile::Touring);
        let without = planned_as(&PracticeTypeAttributes { profile: Some("touring".to_owned()), ..Default::default() });
        for pace in [practice("touring", [15.0, 350.0, 1_500.0]), without.1] {
            assert!(close(planned_s(trace::measure(&line), (&line, 2_000.0), pace, usual), 2_000.0));
        }
        assert!(!without.1.is_set && practice("touring", [15.0, 350.0, 1_500.0]).is_set);
    }

    #[test]
    fn a_line_without_length_takes_what_the_planner_gives() {
        let place = [Position::new(2.0, 45.0); 2];
        let usual = usual_pace(Profile::Hiking);
        assert!(planned_s(trace::measure(&place), (&place, 0.0), usual, usual).abs() < f64::EPSILON);
    }
}
