//! How a recording's errors behave: how large they are, and over how many metres they stay alike.
//!
//! A receiver's errors drift: a point is off by nearly as much, and to the same side, as the one before. Treated as
//! independent errors, they would give too much evidence for the wrong one of two parallel ways. So each point is judged by what is
//! new in its error, a first-order autoregression along the line.

use super::near::Found;
use crate::geometry::Xy;

/// From the median distance to the nearest way to the noise: 1.4826 for normal errors, more as the nearest way is not always the way.
const SEEMING: f64 = 2.0;
/// Seen from the nearest way, errors seem shorter-lived than they are: it changes sooner than the way.
const LONGER: f64 = 1.3;
/// Bounds of the noise, and of the metres over which errors stay alike.
const SIGMA_M: std::ops::RangeInclusive<f64> = 4.0..=20.0;
const MEMORY_M: std::ops::RangeInclusive<f64> = 4.0..=200.0;
/// The map's own scatter, which earlier errors do not predict.
const MAP_M: f64 = 2.0;
/// Being on no way is as likely as staying so far from one.
const OFF_M: f64 = 40.0;

/// The errors of one recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Errors {
    pub sigma_m: f64,
    memory_m: f64,
}

fn dot(a: Xy, b: Xy) -> f64 {
    a.x * b.x + a.y * b.y
}

impl Errors {
    /// Seen from the nearest way of each point; `gaps_m` lie between each point and the one before.
    pub(crate) fn of(nearest: &[Option<Found>], gaps_m: &[f64]) -> Self {
        let mut offsets: Vec<f64> = nearest.iter().flatten().map(|found| found.snap.offset_m).collect();
        let middle = offsets.len() / 2;
        let median = if offsets.is_empty() { 0.0 } else { *offsets.select_nth_unstable_by(middle, f64::total_cmp).1 };
        let (mut alike, mut all, mut gap_m, mut count) = (0.0, 0.0, 0.0, 0.0);
        for (pair, gap) in nearest.windows(2).zip(&gaps_m[1..]) {
            if let [Some(a), Some(b)] = pair
                && a.snap.link == b.snap.link
            {
                let (before, now) = (dot(a.residual, b.normal), dot(b.residual, b.normal));
                alike += before * now;
                all += f64::midpoint(before * before, now * now);
                gap_m += gap;
                count += 1.0;
            }
        }
        let share = if all > 0.0 { (alike / all).clamp(0.01, 0.99) } else { 0.5 };
        let memory_m = -(gap_m / f64::max(count, 1.0)) / share.ln();
        Self {
            sigma_m: (SEEMING * median).clamp(*SIGMA_M.start(), *SIGMA_M.end()),
            memory_m: (LONGER * memory_m).clamp(*MEMORY_M.start(), *MEMORY_M.end()),
        }
    }

    /// Share of an error that is left after some metres.
    pub(crate) fn kept(&self, gap_m: f64) -> f64 {
        (-gap_m / self.memory_m).exp()
    }

    /// The belief before any observation.
    pub(crate) fn nothing(&self) -> Belief {
        let variance = self.sigma_m * self.sigma_m;
        Belief { mean: Xy::default(), xx: variance, xy: 0.0, yy: variance }
    }

    /// How unlikely an error is of which nothing was known.
    pub(crate) fn anew(&self, residual: Xy) -> f64 {
        0.5 * dot(residual, residual) / (self.sigma_m.powi(2) + MAP_M.powi(2))
    }

    /// The error's variance across a way that runs straight on, seen at every point: what others are compared with.
    pub(crate) fn usual(&self, kept: f64) -> f64 {
        self.sigma_m.powi(2) * (1.0 - kept * kept) + MAP_M.powi(2)
    }

    /// How unlikely a point on no way is.
    pub(crate) fn off(&self, kept: f64) -> f64 {
        0.5 + 0.5 * (OFF_M / self.sigma_m).powi(2) * (1.0 - kept) / (1.0 + kept)
    }
}

/// Estimate of a receiver's error: its mean and its covariance, east and north (a Kalman filter's state).
///
/// A way shows only the part of an error across it; after a corner the other part is observed, and kept in turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Belief {
    mean: Xy,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Belief {
    /// Some metres later: a share is kept, the rest is new.
    pub(crate) fn later(&self, errors: &Errors, kept: f64) -> Self {
        let (share, fresh) = (kept * kept, errors.sigma_m.powi(2) * (1.0 - kept * kept));
        Self {
            mean: Xy { x: kept * self.mean.x, y: kept * self.mean.y },
            xx: share * self.xx + fresh,
            xy: share * self.xy,
            yy: share * self.yy + fresh,
        }
    }

    /// Along a direction: covariance with it, and its own variance.
    fn along(&self, n: Xy) -> (Xy, f64) {
        let cross = Xy { x: self.xx * n.x + self.xy * n.y, y: self.xy * n.x + self.yy * n.y };
        (cross, dot(cross, n))
    }

    /// How unlikely an error is, `usual` being the usual variance.
    pub(crate) fn surprise(&self, residual: Xy, normal: Xy, usual: f64) -> f64 {
        let variance = self.along(normal).1 + MAP_M.powi(2);
        let new = dot(residual, normal) - dot(self.mean, normal);
        // Past a way's end the rest of the error lies along it.
        let past = dot(residual, residual) - dot(residual, normal).powi(2);
        0.5 * (new * new / variance + past / usual + (variance / usual).ln())
    }

    /// The estimate after an error was observed across a way.
    pub(crate) fn seen(&self, residual: Xy, normal: Xy) -> Self {
        let (cross, variance) = self.along(normal);
        let variance = variance + MAP_M.powi(2);
        let new = (dot(residual, normal) - dot(self.mean, normal)) / variance;
        Self {
            mean: Xy { x: self.mean.x + cross.x * new, y: self.mean.y + cross.y * new },
            xx: self.xx - cross.x * cross.x / variance,
            xy: self.xy - cross.x * cross.y / variance,
            yy: self.yy - cross.y * cross.y / variance,
        }
    }
}
