//! Heights that a recording carries, asked for at places beside it.

use crate::geometry::{Frame, Xy, between, cumulative_m, project};
use trace::{Heights, Position};

/// How far beyond the piece between two points where the last place was the next is looked for, and how many points back.
const AHEAD_M: f64 = 400.0;
const BACK: usize = 8;
/// Share of the points that must know their height.
const LEAST_KNOWN: f64 = 0.9;

/// A recording with heights.
pub(crate) struct Recorded {
    points: Vec<Position>,
    along_m: Vec<f64>,
    is_calm: bool,
}

impl Recorded {
    /// `None` where too few points know their height, or all say 0, as programs write "unknown".
    pub(crate) fn of(points: &[Position]) -> Option<Self> {
        let known = points.iter().filter(|p| p.ele.is_some_and(f64::is_finite)).count();
        let says_something = points.iter().any(|p| p.ele.is_some_and(|e| e.is_finite() && e.abs() > 0.01));
        let is_enough = points.len() > 1 && known as f64 >= LEAST_KNOWN * points.len() as f64;
        let heights = Heights::of(points).filter(|_| is_enough && says_something)?;
        let along_m = cumulative_m(&heights.points);
        Some(Self { along_m, is_calm: heights.jitter < 0.5, points: heights.points })
    }

    /// Do its heights come from a barometer, by their own quiet?
    pub(crate) fn is_calm(&self) -> bool {
        self.is_calm
    }

    /// Asked place by place in the order of travel: each answer is looked for from where the last one was found,
    /// so that a trace that passes twice keeps the heights of each passage.
    pub(crate) fn sampler(&self) -> impl FnMut(Position) -> Option<f64> {
        let mut at = 0_usize;
        move |place| {
            let frame = Frame::at(place);
            let mut best: Option<(f64, usize, f64)> = None;
            for i in at.saturating_sub(BACK)..self.points.len() - 1 {
                if i > at && self.along_m[i] > self.along_m[at + 1] + AHEAD_M {
                    break;
                }
                let (a, b) = (frame.xy(self.points[i]), frame.xy(self.points[i + 1]));
                let (share, offset_m) = project(Xy::default(), a, b);
                if best.is_none_or(|(known, ..)| offset_m < known) {
                    best = Some((offset_m, i, share));
                }
            }
            let (_, i, share) = best?;
            at = i;
            between(self.points[i], self.points[i + 1], share).ele.filter(|e| e.is_finite())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testmap::at;

    #[test]
    fn each_passage_keeps_its_heights() {
        let high = |x: f64, ele: f64| Position { ele: Some(ele), ..at(x, 0.0) };
        let mut line: Vec<Position> = (0..=60).map(|i| high(f64::from(i) * 10.0, 100.0)).collect();
        line.extend((0..60).rev().map(|i| high(f64::from(i) * 10.0, 200.0)));
        let recorded = Recorded::of(&line).expect("heights");
        let mut sampler = recorded.sampler();
        let there: Vec<f64> = (0..50).filter_map(|i| sampler(at(f64::from(i) * 10.0, 5.0))).collect();
        let turn = [50, 55, 58].map(|i| sampler(at(f64::from(i) * 10.0, 5.0)));
        assert!(there.iter().all(|h| (*h - 100.0).abs() < 1e-9) && turn.iter().all(Option::is_some));
    }

    #[test]
    fn points_far_apart_are_passed() {
        let high = |x: f64, ele: f64| Position { ele: Some(ele), ..at(x, 0.0) };
        let recorded = Recorded::of(&[high(0.0, 0.0), high(900.0, 90.0), high(1900.0, 190.0)]).expect("heights");
        let mut sampler = recorded.sampler();
        let heights: Vec<f64> = (0..=19).filter_map(|i| sampler(at(f64::from(i) * 100.0, 5.0))).collect();
        assert!((0..=19).all(|i| (heights[i] - 10.0 * i as f64).abs() < 0.1), "{heights:?}");
    }

    #[test]
    fn missing_and_zero_heights_are_no_heights() {
        assert!(Recorded::of(&[at(0.0, 0.0), at(9.0, 0.0)]).is_none());
        let zero = Position { ele: Some(0.0), ..at(0.0, 0.0) };
        assert!(Recorded::of(&[zero, zero]).is_none());
    }
}
