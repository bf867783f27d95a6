//! How much a line climbs: heights from recorders and ground models, and which of their ups and downs are real.
//!
//! Recorders with a barometer are calm: every rise of 2 m counts. Others jitter: those are smoothed, and only 5 m count. (Strava's
//! help page "Elevation Gain" describes the same two ways; the figures were chosen here, from totals that devices state.) A
//! recording's own jitter decides between the two. At a stop a recorder scribbles; points nearer than 2 m are left out.

use crate::{Position, cumulative_m};

/// A rise or drop of a calm recording counts from this on, in metres.
pub const CALM_THRESHOLD_M: f64 = 2.0;
/// One of a jittery recording or of a ground model.
pub const ASCENT_THRESHOLD_M: f64 = 5.0;
/// Points nearer than this to the last one are left out.
const STEP_M: f64 = 2.0;
/// A height that sticks out of both its neighbours by more than this, and steeper than one in one, is a fault.
const SPIKE_M: f64 = 5.0;
/// Mean jitter, in metres, up to which a recording is calm, and from which it is not.
const JITTER_M: [f64; 2] = [0.5, 0.7];
/// Jittery heights are smoothed by the median over this way on each side…
const SMOOTH_WITHIN_M: f64 = 25.0;
/// …and over at most this many points on each side.
const SMOOTH_POINTS: usize = 7;

/// Where a line's heights come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeightSource {
    /// A recorder, or an unknown source.
    Recorder,
    /// A ground model, smoothed already.
    Model,
}

/// A line's known heights without scribbles and spikes.
#[derive(Debug, Clone)]
pub struct Heights {
    /// The points kept; each has a finite height.
    pub points: Vec<Position>,
    /// 0 for calm heights, 1 for jittery ones.
    pub jitter: f64,
}

impl Heights {
    /// The heights of a line; `None` if fewer than two points have one.
    pub fn of(line: &[Position]) -> Option<Self> {
        let known = || line.iter().filter(|p| p.ele.is_some_and(f64::is_finite));
        let last = known().next_back()?;
        known().nth(1)?;
        let mut points: Vec<Position> = Vec::with_capacity(line.len());
        for point in known() {
            if points.last().is_none_or(|kept| crate::distance_m(*kept, *point) >= STEP_M) {
                points.push(*point);
            }
        }
        // A line ends at its end, however near the last kept point is.
        match points.len() {
            0 | 1 => points.push(*last),
            n => points[n - 1].ele = last.ele,
        }
        without_spikes(&mut points);
        let jitter = jitter(&points);
        Some(Self { points, jitter })
    }

    /// Ascent and descent in metres.
    pub fn climb(&self, source: HeightSource) -> (f64, f64) {
        let heights: Vec<f64> = self.points.iter().filter_map(|p| p.ele).collect();
        if source == HeightSource::Model {
            return turns(heights, ASCENT_THRESHOLD_M);
        }
        let calm = if self.jitter < 1.0 { turns(heights.iter().copied(), CALM_THRESHOLD_M) } else { (0.0, 0.0) };
        let smooth = if self.jitter > 0.0 { turns(self.smoothed(&heights), ASCENT_THRESHOLD_M) } else { (0.0, 0.0) };
        let mix = |calm: f64, smooth: f64| calm + (smooth - calm) * self.jitter;
        (mix(calm.0, smooth.0), mix(calm.1, smooth.1))
    }

    /// Ascent and descent on the way to each place of the line: the parts of a way make the whole of [`Self::climb`].
    pub fn climbed(&self, source: HeightSource) -> Climbed {
        let heights: Vec<f64> = self.points.iter().filter_map(|p| p.ele).collect();
        let climbed = if source == HeightSource::Model {
            on_the_way(&heights, ASCENT_THRESHOLD_M)
        } else {
            let calm = on_the_way(&heights, CALM_THRESHOLD_M);
            let smooth = on_the_way(&self.smoothed(&heights), ASCENT_THRESHOLD_M);
            let mix = |calm: f64, smooth: f64| calm + (smooth - calm) * self.jitter;
            calm.iter().zip(smooth).map(|(calm, smooth)| (mix(calm.0, smooth.0), mix(calm.1, smooth.1))).collect()
        };
        Climbed { along_m: cumulative_m(&self.points), climbed }
    }

    fn smoothed(&self, heights: &[f64]) -> Vec<f64> {
        let along = cumulative_m(&self.points);
        let mut window = Vec::with_capacity(2 * SMOOTH_POINTS + 1);
        (0..heights.len())
            .map(|i| {
                // The same number of points on both sides, so that a steady slope and the line's ends do not change.
                let side = (1..=SMOOTH_POINTS)
                    .take_while(|n| {
                        let before = i.checked_sub(*n).map(|j| along[i] - along[j]);
                        let after = along.get(i + n).map(|after_m| after_m - along[i]);
                        before.zip(after).is_some_and(|(b, a)| b <= SMOOTH_WITHIN_M && a <= SMOOTH_WITHIN_M)
                    })
                    .count();
                window.clear();
                window.extend_from_slice(&heights[i - side..=i + side]);
                *window.select_nth_unstable_by(side, f64::total_cmp).1
            })
            .collect()
    }
}

/// Ascent and descent on the way to the places of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Climbed {
    /// Metres from the start to each point with a height.
    along_m: Vec<f64>,
    /// Ascent and descent from the start to each of them.
    climbed: Vec<(f64, f64)>,
}

impl Climbed {
    /// Ascent and descent of the whole.
    pub fn total(&self) -> (f64, f64) {
        self.climbed.last().copied().unwrap_or_default()
    }

    /// Ascent and descent between two shares of the way, from 0 to 1.
    pub fn between(&self, from: f64, to: f64) -> (f64, f64) {
        let length_m = self.along_m.last().copied().unwrap_or_default();
        let (start, end) = (self.at(length_m * from), self.at(length_m * to));
        (end.0 - start.0, end.1 - start.1)
    }

    fn at(&self, at_m: f64) -> (f64, f64) {
        let after = self.along_m.partition_point(|m| *m < at_m).min(self.along_m.len().saturating_sub(1));
        let Some(before) = after.checked_sub(1) else { return (0.0, 0.0) };
        let ((a_m, b_m), (a, b)) =
            ((self.along_m[before], self.along_m[after]), (self.climbed[before], self.climbed[after]));
        let share = if b_m > a_m { ((at_m - a_m) / (b_m - a_m)).clamp(0.0, 1.0) } else { 1.0 };
        (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
    }
}

/// Spikes take the height between their neighbours. All are judged by the heights as they came, so that a line has the same
/// ones on the way back.
fn without_spikes(points: &mut [Position]) {
    let came = points.to_vec();
    for (i, around) in came.windows(3).enumerate() {
        let [Some(before), Some(here), Some(after)] = [around[0].ele, around[1].ele, around[2].ele] else { continue };
        let (left, right) = (here - before, here - after);
        let is_spike = |rise: f64, to: Position| rise.abs() > SPIKE_M && rise.abs() > crate::distance_m(around[1], to);
        if left * right > 0.0 && is_spike(left, around[0]) && is_spike(right, around[2]) {
            points[i + 1].ele = Some(f64::midpoint(before, after));
        }
    }
}

/// How restless heights are from point to point, 0 to 1: the mean distance from the middle of the neighbours, of the
/// nine in ten that are nearest to it.
fn jitter(points: &[Position]) -> f64 {
    let mut off: Vec<f64> =
        points.windows(3).filter_map(|w| Some((w[1].ele? - f64::midpoint(w[0].ele?, w[2].ele?)).abs())).collect();
    off.sort_by(f64::total_cmp);
    off.truncate((off.len() * 9).div_ceil(10));
    let mean = off.iter().sum::<f64>() / off.len().max(1) as f64;
    ((mean - JITTER_M[0]) / (JITTER_M[1] - JITTER_M[0])).clamp(0.0, 1.0)
}

/// Sums of rises and drops between turning points that differ by at least `threshold_m`. A climb counts from its true
/// foot to its true top, so that ascent less descent is the difference between the ends, to within the threshold.
pub fn turns(heights_m: impl IntoIterator<Item = f64>, threshold_m: f64) -> (f64, f64) {
    let (mut ascent_m, mut descent_m) = (0.0, 0.0);
    let mut heights_m = heights_m.into_iter();
    let Some(start) = heights_m.next() else { return (0.0, 0.0) };
    // The ends of the climb or drop under way, and which of them it is once it is more than noise.
    let (mut low, mut high) = (start, start);
    let mut rising = None;
    for ele in heights_m {
        if rising != Some(false) {
            high = high.max(ele);
        }
        if rising != Some(true) {
            low = low.min(ele);
        }
        let (drop_m, climb_m) = (high - ele, ele - low);
        match rising {
            None if climb_m >= threshold_m => rising = Some(true),
            None if drop_m >= threshold_m => rising = Some(false),
            Some(true) if drop_m >= threshold_m => {
                ascent_m += high - low;
                (low, rising) = (ele, Some(false));
            }
            Some(false) if climb_m >= threshold_m => {
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

/// Ascent and descent from the start to each height: between two of the turning points of [`turns`] what was gained of the
/// climb or lost of the drop so far.
fn on_the_way(heights_m: &[f64], threshold_m: f64) -> Vec<(f64, f64)> {
    let mut climbed = vec![(0.0, 0.0); heights_m.len()];
    let (mut up_m, mut down_m) = (0.0, 0.0);
    let turning = turning_points(heights_m, threshold_m);
    for pair in turning.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let is_climb = heights_m[to] > heights_m[from];
        let mut gone_m: f64 = 0.0;
        for (height_m, at) in heights_m[from + 1..=to].iter().zip(&mut climbed[from + 1..=to]) {
            let rise_m = height_m - heights_m[from];
            gone_m = gone_m.max(if is_climb { rise_m } else { -rise_m });
            *at = if is_climb { (up_m + gone_m, down_m) } else { (up_m, down_m + gone_m) };
        }
        (up_m, down_m) = climbed[to];
    }
    for at in climbed.iter_mut().skip(turning.last().map_or(0, |last| last + 1)) {
        *at = (up_m, down_m);
    }
    climbed
}

/// Where the climbs and drops that [`turns`] adds up begin and end; none where nothing counts.
fn turning_points(heights_m: &[f64], threshold_m: f64) -> Vec<usize> {
    let (mut low, mut high, mut rising) = (0, 0, None);
    let mut found = Vec::new();
    for (i, ele) in heights_m.iter().enumerate() {
        if rising != Some(false) && *ele > heights_m[high] {
            high = i;
        }
        if rising != Some(true) && *ele < heights_m[low] {
            low = i;
        }
        let (is_drop, is_climb) = (heights_m[high] - ele >= threshold_m, ele - heights_m[low] >= threshold_m);
        match rising {
            None if is_climb => {
                found.push(low);
                rising = Some(true);
            }
            None if is_drop => {
                found.push(high);
                rising = Some(false);
            }
            Some(true) if is_drop => {
                found.push(high);
                (low, rising) = (i, Some(false));
            }
            Some(false) if is_climb => {
                found.push(low);
                (high, rising) = (i, Some(true));
            }
            _ => {}
        }
    }
    match rising {
        Some(true) => found.push(high),
        Some(false) => found.push(low),
        None => {}
    }
    found
}
