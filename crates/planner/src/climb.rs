//! Height along a line, and its climb.
//!
//! Heights of a ground model are read every 20 m, stretches off the ground (bridges, tunnels) and without data are replaced by
//! straight lines, spikes are removed by a moving median, the model's grain by a moving average, and only then rises
//! and falls of 5 m and more are summed. Calm heights of a recorder (`trace::Heights`) are read every 10 m without
//! smoothing, and 2 m count: smoothed like a model's they would lose a tenth of the climb.

use crate::{
    geometry::{at_m, cumulative_m},
    recorded::RecordedHeights,
};
use trace::{ASCENT_THRESHOLD_M, CALM_THRESHOLD_M, Position};

/// Distance between samples in metres.
const STEP_M: f64 = 20.0;
/// The largest number of samples of a line.
const MAX_SAMPLES: usize = 200_000;
/// Half the window of the average, in samples: three to each side is about 140 m.
const HALF_WINDOW: usize = 3;
/// Distance between samples of calm heights of a recorder, in metres.
const CALM_STEP_M: f64 = 10.0;

/// The places along a line at which its height is read: every 20 m, both ends included.
pub(crate) fn places(line: &[Position], along_m: &[f64]) -> Vec<Position> {
    let length_m = along_m.last().copied().unwrap_or_default();
    let (step_m, count) = steps(length_m, STEP_M);
    (0..=count).map(|i| at_m(line, along_m, step_m * i as f64)).collect()
}

/// Heights of a ground model at the points of a line, smoothed along it: read point by point, a level road on a slope would climb.
/// A height that is not known stays so. `height` is asked for the ground at places between two points of the line; each place has the
/// elevation that is interpolated between these points.
pub(crate) fn smoothed(
    line: &[Position],
    mut heights: Vec<Option<f64>>,
    height: impl FnMut(Position) -> Option<f64>,
) -> Vec<Option<f64>> {
    let along_m = cumulative_m(line);
    let known: Vec<Position> = line.iter().zip(&heights).map(|(p, ele)| Position { ele: *ele, ..*p }).collect();
    if let Some(profile) = Profile::of_ground(&known, &along_m, height, |_| false) {
        for (height, at) in heights.iter_mut().zip(&along_m).filter(|(height, _)| height.is_some()) {
            *height = Some(decimetres(profile.height_m(*at)));
        }
    }
    heights
}

/// A smoothed height profile.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    step_m: f64,
    /// Samples for each metre, 0 where there is only one sample.
    per_m: f64,
    length_m: f64,
    heights: Vec<f64>,
    /// Rises and falls below this are noise.
    threshold_m: f64,
}

impl Profile {
    /// From a recording's own heights.
    pub(crate) fn of_recording(line: &[Position], along_m: &[f64], recorded: &RecordedHeights) -> Option<Self> {
        if !recorded.is_calm() {
            return Self::of_ground(line, along_m, recorded.sampler(), |_| false);
        }
        let length_m = *along_m.last()?;
        let (step_m, count) = steps(length_m, CALM_STEP_M);
        let mut sampler = recorded.sampler();
        let samples: Vec<_> = (0..=count).map(|i| sampler(at_m(line, along_m, step_m * i as f64))).collect();
        Some(Self::new(step_m, length_m, bridged(&samples)?, CALM_THRESHOLD_M))
    }

    /// From a ground model; `off_ground(metres)` marks bridges and tunnels. `None` where the model has no height of the line.
    pub(crate) fn of_ground(
        line: &[Position],
        along_m: &[f64],
        mut height: impl FnMut(Position) -> Option<f64>,
        off_ground: impl Fn(f64) -> bool,
    ) -> Option<Self> {
        let length_m = *along_m.last()?;
        let (step_m, count) = steps(length_m, STEP_M);
        let mut samples: Vec<Option<f64>> = Vec::with_capacity(count + 1);
        for i in 0..=count {
            let at = step_m * i as f64;
            // The portals themselves are on the ground.
            let is_inside = i > 0 && i < count && off_ground(at);
            samples.push(if is_inside { None } else { height(at_m(line, along_m, at)) });
        }
        Self::smoothed(step_m, length_m, &samples)
    }

    /// From heights at even distances along a line of this length, both ends included.
    pub(crate) fn of_samples(length_m: f64, samples: &[Option<f64>]) -> Option<Self> {
        Self::smoothed(length_m / (samples.len() - 1).max(1) as f64, length_m, samples)
    }

    /// The same, where every height is known.
    pub(crate) fn of_heights(length_m: f64, heights: Vec<f64>) -> Self {
        Self::calmed(length_m / (heights.len() - 1).max(1) as f64, length_m, heights)
    }

    fn smoothed(step_m: f64, length_m: f64, samples: &[Option<f64>]) -> Option<Self> {
        Some(Self::calmed(step_m, length_m, bridged(samples)?))
    }

    fn calmed(step_m: f64, length_m: f64, mut heights: Vec<f64>) -> Self {
        median_of_three(&mut heights);
        average(&mut heights);
        Self::new(step_m, length_m, heights, ASCENT_THRESHOLD_M)
    }

    fn new(step_m: f64, length_m: f64, heights: Vec<f64>, threshold_m: f64) -> Self {
        let per_m = if step_m > 0.0 { 1.0 / step_m } else { 0.0 };
        Self { step_m, per_m, length_m, heights, threshold_m }
    }

    /// Heights at many distances, to ten centimetres.
    pub(crate) fn heights_at<'a>(&self, along_m: &[f64], heights: impl Iterator<Item = &'a mut Option<f64>>) {
        let last = self.heights.len() - 1;
        for (height, at) in heights.zip(along_m) {
            let place = at * self.per_m;
            let i = (place as usize).min(last);
            let (a, b) = (self.heights[i], self.heights[(i + 1).min(last)]);
            *height = Some(decimetres(a + (b - a) * (place - i as f64)));
        }
    }

    /// Smoothed height at a distance along the line.
    pub(crate) fn height_m(&self, at: f64) -> f64 {
        let last = self.heights.len() - 1;
        let place = (at.clamp(0.0, self.length_m) * self.per_m).min(last as f64);
        // A cast truncates as `floor` does, without the call.
        let i = (place as usize).min(last);
        let next = self.heights[(i + 1).min(last)];
        self.heights[i] + (next - self.heights[i]) * (place - i as f64)
    }

    /// Heights at the borders of the samples between two distances.
    fn between(&self, from: f64, to: f64) -> impl Iterator<Item = f64> {
        let first = if self.step_m > 0.0 { (from / self.step_m).floor() as usize + 1 } else { 1 };
        let inner = (first..).map(|i| self.step_m * i as f64).take_while(move |at| *at < to && self.step_m > 0.0);
        std::iter::once(from).chain(inner).chain(std::iter::once(to)).map(|at| self.height_m(at))
    }

    /// Rise and fall without a threshold: for links, which are too short for one.
    pub(crate) fn raw_climb(&self, from: f64, to: f64) -> (f64, f64) {
        let (mut up, mut down, mut last) = (0.0, 0.0, None);
        for h in self.between(from, to) {
            let step = last.map_or(0.0, |l| h - l);
            up += f64::max(step, 0.0);
            down += f64::max(-step, 0.0);
            last = Some(h);
        }
        (up, down)
    }

    /// Ascent and descent between two distances: a turn of the line counts once it is as high as the threshold.
    pub(crate) fn climb(&self, from: f64, to: f64) -> (f64, f64) {
        if from <= 0.0 && to >= self.length_m {
            return trace::turns(self.heights.iter().copied(), self.threshold_m);
        }
        trace::turns(self.between(from, to), self.threshold_m)
    }
}

/// Length and number of equal steps along a line, each of about a given number of metres.
fn steps(length_m: f64, wanted_m: f64) -> (f64, usize) {
    let count = ((length_m / wanted_m).ceil() as usize).clamp(1, MAX_SAMPLES);
    (length_m / count as f64, count)
}

/// A height to ten centimetres.
pub(crate) fn decimetres(height_m: f64) -> f64 {
    // A cast rounds without the call to `round`.
    f64::from((height_m * 10.0 + if height_m < 0.0 { -0.5 } else { 0.5 }) as i32) / 10.0
}

/// Straight lines over unknown heights; `None` where all are unknown.
fn bridged(samples: &[Option<f64>]) -> Option<Vec<f64>> {
    let mut out: Vec<f64> = Vec::with_capacity(samples.len());
    let mut last: Option<(usize, f64)> = None;
    for (i, sample) in samples.iter().enumerate() {
        let Some(h) = sample else { continue };
        match last {
            // Without a hole there is nothing to bridge.
            Some((from, _)) if from + 1 == i => out.push(*h),
            Some((from, before)) => {
                out.extend((from + 1..=i).map(|k| before + (h - before) * (k - from) as f64 / (i - from) as f64));
            }
            None => out.extend(std::iter::repeat_n(*h, i + 1)),
        }
        last = Some((i, *h));
    }
    let (_, h) = last?;
    out.resize(samples.len(), h);
    Some(out)
}

fn median_of_three(heights: &mut [f64]) {
    let source = heights.to_vec();
    for (i, window) in source.windows(3).enumerate() {
        let (low, high) = (window[0].min(window[1]), window[0].max(window[1]));
        heights[i + 1] = low.max(high.min(window[2]));
    }
}

/// A moving average whose window shrinks towards the ends, which do not change.
fn average(heights: &mut [f64]) {
    const WHOLE: usize = 2 * HALF_WINDOW + 1;
    let source = heights.to_vec();
    let mean = |window: &[f64]| window.iter().sum::<f64>() / window.len() as f64;
    let last = source.len() - 1;
    for i in (0..HALF_WINDOW.min(last)).chain(last.saturating_sub(HALF_WINDOW - 1)..=last) {
        let half = i.min(last - i).min(HALF_WINDOW);
        heights[i] = mean(&source[i - half..=i + half]);
    }
    // Most windows are whole: their size is a constant, so that the compiler vectorises them.
    let whole = source.windows(WHOLE).filter_map(|w| <&[f64; WHOLE]>::try_from(w).ok());
    for (height, window) in heights.iter_mut().skip(HALF_WINDOW).zip(whole) {
        *height = mean(window);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(metres: f64, height: impl Fn(f64) -> f64) -> (Vec<Position>, Vec<f64>) {
        let points: Vec<Position> = (0..=(metres / 10.0) as usize)
            .map(|i| Position {
                lon: 0.0,
                lat: (i as f64 * 10.0 / trace::EARTH_RADIUS_M).to_degrees(),
                ele: Some(height(i as f64 * 10.0)),
            })
            .collect();
        let along = cumulative_m(&points);
        (points, along)
    }

    fn climb_of(metres: f64, height: impl Fn(f64) -> f64) -> (f64, f64) {
        let (points, along) = line(metres, &height);
        let at = |p: Position| Some(height(p.lat.to_radians() * trace::EARTH_RADIUS_M));
        Profile::of_ground(&points, &along, at, |_| false).expect("heights").climb(0.0, metres)
    }

    #[test]
    fn a_hill_climbs_once_and_falls_once() {
        let (up, down) = climb_of(4000.0, |at| 100.0 - (at - 2000.0).abs() / 20.0);
        assert!((up - 100.0).abs() < 2.0 && (down - 100.0).abs() < 2.0, "{up} {down}");
    }

    #[test]
    fn ripples_below_the_threshold_climb_nothing() {
        let (up, down) = climb_of(4000.0, |at| 2.0 * (at / 60.0).sin());
        assert_eq!((up, down), (0.0, 0.0));
        let (up, _) = climb_of(4000.0, |at| at / 20.0 + 2.0 * (at / 60.0).sin());
        assert!((up - 200.0).abs() < 5.0, "{up}");
    }

    #[test]
    fn a_bridge_does_not_dip_into_the_valley() {
        let (points, along) = line(1000.0, |_| 0.0);
        let valley = |p: Position| {
            let at = p.lat.to_radians() * trace::EARTH_RADIUS_M;
            Some(if (300.0..700.0).contains(&at) { 50.0 } else { 100.0 })
        };
        let dip = Profile::of_ground(&points, &along, valley, |_| false).expect("heights").climb(0.0, 1000.0);
        let bridge = Profile::of_ground(&points, &along, valley, |at| (290.0..710.0).contains(&at))
            .expect("heights")
            .climb(0.0, 1000.0);
        assert!(dip.0 > 40.0);
        assert_eq!(bridge, (0.0, 0.0));
    }

    #[test]
    fn unknown_heights_are_reported() {
        let (points, along) = line(1000.0, |_| 0.0);
        assert!(Profile::of_ground(&points, &along, |_| None, |_| false).is_none());
    }

    #[test]
    fn heights_of_a_server_are_smoothed_along_the_line() {
        // A level road whose points fall on two cells in turn, 12 m apart in height.
        let (points, _) = line(4000.0, |_| 0.0);
        let raw: Vec<Option<f64>> = (0..points.len()).map(|i| Some(if i % 4 < 2 { 500.0 } else { 512.0 })).collect();
        let climbs = |heights: &[Option<f64>]| trace::turns(heights.iter().flatten().copied(), ASCENT_THRESHOLD_M).0;
        assert!(climbs(&raw) > 1_000.0);
        let mut found = smoothed(&points, raw, |p| p.ele);
        assert!(climbs(&found) < 20.0, "{}", climbs(&found));
        found[7] = None;
        assert_eq!(smoothed(&points, found, |p| p.ele)[7], None);
        assert_eq!(smoothed(&points[..1], vec![None], |p| p.ele), [None]);
    }
}
