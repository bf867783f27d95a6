//! Length, ascent and descent of a line.

use serde::{Deserialize, Serialize};

use crate::{
    Position,
    climb::{HeightSource, Heights},
    distance_m,
};

/// The measures of a line. Elevations are `None` where fewer than two points have one.
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

/// Measures a line whose heights were recorded, or are of unknown origin.
pub fn measure(line: &[Position]) -> Measure {
    measure_by(line, HeightSource::Recorder)
}

/// Measures a line; `climb.rs` defines what counts as a climb.
pub fn measure_by(line: &[Position], source: HeightSource) -> Measure {
    let mut at_m = 0.0;
    for pair in line.windows(2) {
        at_m += distance_m(pair[0], pair[1]);
    }
    let Some(heights) = Heights::of(line) else { return Measure { distance_m: at_m, ..Measure::default() } };
    let (ascent_m, descent_m) = heights.climb(source);
    let elevations = || line.iter().filter_map(|p| p.ele.filter(|ele| ele.is_finite()));
    Measure {
        distance_m: at_m,
        ascent_m: Some(ascent_m),
        descent_m: Some(descent_m),
        min_ele_m: elevations().reduce(f64::min),
        max_ele_m: elevations().reduce(f64::max),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn profile(elevations: &[f64]) -> Vec<Position> {
        elevations
            .iter()
            .enumerate()
            .map(|(i, ele)| Position { lon: 6.0, lat: 45.0 + i as f64 * 2e-3, ele: Some(*ele) })
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
    fn calm_heights_count_from_two_metres_and_stops_count_nothing() {
        // A gentle wave of 3 m every 400 m: a barometer sees it, a ground model must not.
        let mut line: Vec<Position> = (0..=800)
            .map(|i| Position {
                lon: 6.0,
                lat: 45.0 + f64::from(i) * 4.5e-5,
                ele: Some(500.0 + 1.5 * (f64::from(i) * 5.0 / 400.0 * std::f64::consts::TAU).sin()),
            })
            .collect();
        let up = |line: &[Position], source| measure_by(line, source).ascent_m.unwrap();
        assert!((up(&line, HeightSource::Recorder) - 27.0).abs() < 1.0, "{}", up(&line, HeightSource::Recorder));
        assert!(up(&line, HeightSource::Model) < 0.01);
        // A rest of an hour on the spot: the barometer drifts up and down by 4 m.
        let rest = line[400];
        line.splice(400..400, (0..200).map(|i| Position { ele: Some(500.0 + f64::from(i % 9) / 2.0), ..rest }));
        assert!((up(&line, HeightSource::Recorder) - 27.0).abs() < 3.0, "{}", up(&line, HeightSource::Recorder));
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
