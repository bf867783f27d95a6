//! Length, ascent and descent of a line.

use serde::{Deserialize, Serialize};

use crate::{Position, distance_m};

/// A climb or a drop counts from this on: below it is the recorder's noise.
pub const ASCENT_THRESHOLD_M: f64 = 5.0;
/// Elevations are smoothed by the median over this way on each side…
const SMOOTH_WITHIN_M: f64 = 25.0;
/// …and over at most this many points on each side.
const SMOOTH_POINTS: usize = 7;

/// The measures of a line. Elevations are none where fewer than two points have one.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Measure {
    /// Length on the ground, in metres.
    pub distance_m: f64,
    /// Sum of the climbs, in metres.
    pub ascent_m: Option<f64>,
    /// Sum of the drops, in metres, positive.
    pub descent_m: Option<f64>,
    /// Lowest elevation, as recorded.
    pub min_ele_m: Option<f64>,
    /// Highest elevation, as recorded.
    pub max_ele_m: Option<f64>,
}

impl Measure {
    /// The measures of two pieces together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let either = |a: Option<f64>, b: Option<f64>, both: fn(f64, f64) -> f64| match (a, b) {
            (Some(a), Some(b)) => Some(both(a, b)),
            (a, b) => a.or(b),
        };
        Self {
            distance_m: self.distance_m + other.distance_m,
            ascent_m: either(self.ascent_m, other.ascent_m, |a, b| a + b),
            descent_m: either(self.descent_m, other.descent_m, |a, b| a + b),
            min_ele_m: either(self.min_ele_m, other.min_ele_m, f64::min),
            max_ele_m: either(self.max_ele_m, other.max_ele_m, f64::max),
        }
    }
}

/// The way from the start to each point, in metres; as long as the line.
pub fn cumulative_m(line: &[Position]) -> Vec<f64> {
    let mut at_m = 0.0;
    let mut cumulative = Vec::with_capacity(line.len());
    for (i, position) in line.iter().enumerate() {
        if i > 0 {
            at_m += distance_m(line[i - 1], *position);
        }
        cumulative.push(at_m);
    }
    cumulative
}

/// Measures a line.
///
/// Ascent and descent: elevations are smoothed by a moving median (±25 m, at most 7 points each way), then summed
/// between turning points that differ by at least 5 m ([`ASCENT_THRESHOLD_M`]). A climb counts from its true foot to its
/// true top, so that ascent − descent is the difference between the ends, to within the threshold.
pub fn measure(line: &[Position]) -> Measure {
    let cumulative = cumulative_m(line);
    let distance_m = cumulative.last().copied().unwrap_or(0.0);
    let profile: Vec<(f64, f64)> = line
        .iter()
        .zip(&cumulative)
        .filter_map(|(position, at_m)| Some((*at_m, position.ele.filter(|ele| ele.is_finite())?)))
        .collect();
    if profile.len() < 2 {
        return Measure { distance_m, ..Measure::default() };
    }
    let (ascent_m, descent_m) = climbs(&smoothed(&profile));
    let elevations = || profile.iter().map(|(_, ele)| *ele);
    Measure {
        distance_m,
        ascent_m: Some(ascent_m),
        descent_m: Some(descent_m),
        min_ele_m: elevations().reduce(f64::min),
        max_ele_m: elevations().reduce(f64::max),
    }
}

fn smoothed(profile: &[(f64, f64)]) -> Vec<f64> {
    let mut window = Vec::with_capacity(2 * SMOOTH_POINTS + 1);
    (0..profile.len())
        .map(|i| {
            let at_m = profile[i].0;
            // The same number of points on both sides, so that a steady slope and the line's ends stay as they are.
            let side = (1..=SMOOTH_POINTS)
                .take_while(|n| {
                    let before = i.checked_sub(*n).map(|j| at_m - profile[j].0);
                    let after = profile.get(i + n).map(|(after_m, _)| after_m - at_m);
                    before
                        .zip(after)
                        .is_some_and(|(before, after)| before <= SMOOTH_WITHIN_M && after <= SMOOTH_WITHIN_M)
                })
                .count();
            window.clear();
            window.extend(profile[i - side..=i + side].iter().map(|(_, ele)| *ele));
            *window.select_nth_unstable_by(side, f64::total_cmp).1
        })
        .collect()
}

/// Sums of climbs and drops between turning points.
fn climbs(elevations: &[f64]) -> (f64, f64) {
    let (mut ascent_m, mut descent_m) = (0.0, 0.0);
    let Some(&start) = elevations.first() else { return (0.0, 0.0) };
    // The ends of the climb or drop under way, and which of them it is once it is more than noise.
    let (mut low, mut high) = (start, start);
    let mut rising = None;
    for &ele in elevations {
        if rising != Some(false) {
            high = high.max(ele);
        }
        if rising != Some(true) {
            low = low.min(ele);
        }
        let (drop_m, climb_m) = (high - ele, ele - low);
        match rising {
            None if climb_m >= ASCENT_THRESHOLD_M => rising = Some(true),
            None if drop_m >= ASCENT_THRESHOLD_M => rising = Some(false),
            Some(true) if drop_m >= ASCENT_THRESHOLD_M => {
                ascent_m += high - low;
                (low, rising) = (ele, Some(false));
            }
            Some(false) if climb_m >= ASCENT_THRESHOLD_M => {
                descent_m += high - low;
                (high, rising) = (ele, Some(true));
            }
            _ => {}
        }
    }
    match rising {
        Some(true) => ascent_m += high - low,
        Some(false) => descent_m += high - low,
        None => {}
    }
    (ascent_m, descent_m)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn profile(elevations: &[f64]) -> Vec<Position> {
        elevations
            .iter()
            .enumerate()
            .map(|(i, ele)| Position { lon: 6.0, lat: 45.0 + i as f64 * 5e-4, ele: Some(*ele) })
            .collect()
    }

    fn up_and_down(elevations: &[f64]) -> (f64, f64) {
        let measure = measure(&profile(elevations));
        (measure.ascent_m.unwrap(), measure.descent_m.unwrap())
    }

    #[test]
    fn climbs_count_from_foot_to_top() {
        assert_eq!(up_and_down(&[100.0, 150.0, 200.0]), (100.0, 0.0));
        assert_eq!(up_and_down(&[100.0, 150.0, 120.0, 180.0, 90.0]), (110.0, 120.0));
        assert_eq!(up_and_down(&[200.0, 198.0, 100.0, 103.0, 100.0]), (0.0, 100.0));
    }

    #[test]
    fn noise_below_the_threshold_is_no_climb() {
        let noisy: Vec<f64> = (0..200).map(|i| 500.0 + if i % 2 == 0 { 2.0 } else { -2.0 }).collect();
        assert_eq!(up_and_down(&noisy), (0.0, 0.0));
    }

    #[test]
    fn a_spike_of_the_barometer_is_smoothed_away() {
        let mut line: Vec<Position> =
            (0..50).map(|i| Position { lon: 6.0, lat: 45.0 + f64::from(i) * 5e-5, ele: Some(500.0) }).collect();
        line[20].ele = Some(560.0);
        assert_eq!(measure(&line).ascent_m, Some(0.0));
        assert_eq!(measure(&line).max_ele_m, Some(560.0));
    }

    #[test]
    fn a_line_without_elevation_has_a_length_only() {
        let line = [Position::new(6.0, 45.0), Position::new(6.0, 45.001)];
        let measure = measure(&line);
        assert!((measure.distance_m - 111.2).abs() < 0.1, "{}", measure.distance_m);
        assert_eq!((measure.ascent_m, measure.min_ele_m), (None, None));
        assert_eq!(super::measure(&[]), Measure::default());
    }
}
