//! A model of a recording's errors: their size, and the distance over which they are correlated.
//!
//! The errors of a receiver drift: a point is off by nearly as much, and to the same side, as the one before. Treated as
//! independent errors, they would give too much evidence for the wrong one of two parallel ways. So the errors are a first-order
//! autoregression along the line (a Gauss-Markov process), a Kalman filter estimates them ([`ErrorEstimate`]), and a point is judged by
//! what its error adds to the predicted one. Costs are negative log-likelihoods.

use super::near::Found;
use crate::geometry::Xy;

/// Standard deviation of the errors for a median distance of 1 m to the nearest way: 1.4826 for normal errors, more because the nearest way
/// is not always the one travelled.
const SIGMA_PER_MEDIAN: f64 = 2.0;
/// Measured from the nearest way, errors are correlated over too few metres, as it changes more often than the way travelled. The correction:
const MEMORY_FACTOR: f64 = 1.3;
/// Bounds of the standard deviation, and of the distance after which the correlation is 1/e.
const SIGMA_M: std::ops::RangeInclusive<f64> = 4.0..=20.0;
const MEMORY_M: std::ops::RangeInclusive<f64> = 4.0..=200.0;
/// Standard deviation of the map's own errors, which earlier errors do not predict.
const MAP_SIGMA_M: f64 = 2.0;
/// A point on no way is as likely as one at this distance from a way.
const OFF_NETWORK_M: f64 = 40.0;

/// The errors of one recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorModel {
    pub sigma_m: f64,
    memory_m: f64,
}

fn dot(a: Xy, b: Xy) -> f64 {
    a.x * b.x + a.y * b.y
}

impl ErrorModel {
    /// Fits the model to the nearest way of each point; `gaps_m` has the distance from each point to the one before it.
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
            sigma_m: (SIGMA_PER_MEDIAN * median).clamp(*SIGMA_M.start(), *SIGMA_M.end()),
            memory_m: (MEMORY_FACTOR * memory_m).clamp(*MEMORY_M.start(), *MEMORY_M.end()),
        }
    }

    /// Correlation, 0 to 1, of the errors of two points this far apart.
    pub(crate) fn correlation(&self, gap_m: f64) -> f64 {
        (-gap_m / self.memory_m).exp()
    }

    /// The estimate before any observation.
    pub(crate) fn prior(&self) -> ErrorEstimate {
        let variance = self.sigma_m * self.sigma_m;
        ErrorEstimate { mean: Xy::default(), xx: variance, xy: 0.0, yy: variance }
    }

    /// Cost of an error without an estimate of it.
    pub(crate) fn cost_without_estimate(&self, residual: Xy) -> f64 {
        0.5 * dot(residual, residual) / (self.sigma_m.powi(2) + MAP_SIGMA_M.powi(2))
    }

    /// Variance across a way that runs straight on, observed at every point, in square metres: the reference of
    /// [`ErrorEstimate::cost`].
    pub(crate) fn reference_variance(&self, correlation: f64) -> f64 {
        self.sigma_m.powi(2) * (1.0 - correlation * correlation) + MAP_SIGMA_M.powi(2)
    }

    /// Cost of a point on no way.
    pub(crate) fn off_network_cost(&self, correlation: f64) -> f64 {
        0.5 + 0.5 * (OFF_NETWORK_M / self.sigma_m).powi(2) * (1.0 - correlation) / (1.0 + correlation)
    }
}

/// Estimate of a receiver's error: its mean and its covariance, east and north (a Kalman filter's state).
///
/// A way shows only the part of an error across it; after a corner the other part is observed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorEstimate {
    mean: Xy,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl ErrorEstimate {
    /// The filter's prediction for a point whose error has this correlation with the last one.
    pub(crate) fn predicted(&self, errors: &ErrorModel, correlation: f64) -> Self {
        let (share, fresh) = (correlation * correlation, errors.sigma_m.powi(2) * (1.0 - correlation * correlation));
        Self {
            mean: Xy { x: correlation * self.mean.x, y: correlation * self.mean.y },
            xx: share * self.xx + fresh,
            xy: share * self.xy,
            yy: share * self.yy + fresh,
        }
    }

    /// Covariance of the error with its component in a direction, and the variance of that component.
    fn covariance_along(&self, n: Xy) -> (Xy, f64) {
        let cross = Xy { x: self.xx * n.x + self.xy * n.y, y: self.xy * n.x + self.yy * n.y };
        (cross, dot(cross, n))
    }

    /// Cost of an observed error, against [`ErrorModel::reference_variance`].
    pub(crate) fn cost(&self, residual: Xy, normal: Xy, reference: f64) -> f64 {
        let variance = self.covariance_along(normal).1 + MAP_SIGMA_M.powi(2);
        let new = dot(residual, normal) - dot(self.mean, normal);
        // Past a way's end the rest of the error lies along it.
        let past = dot(residual, residual) - dot(residual, normal).powi(2);
        0.5 * (new * new / variance + past / reference + (variance / reference).ln())
    }

    /// The filter's update after an error was observed across a way.
    pub(crate) fn updated(&self, residual: Xy, normal: Xy) -> Self {
        let (cross, variance) = self.covariance_along(normal);
        let variance = variance + MAP_SIGMA_M.powi(2);
        let new = (dot(residual, normal) - dot(self.mean, normal)) / variance;
        Self {
            mean: Xy { x: self.mean.x + cross.x * new, y: self.mean.y + cross.y * new },
            xx: self.xx - cross.x * cross.x / variance,
            xy: self.xy - cross.x * cross.y / variance,
            yy: self.yy - cross.y * cross.y / variance,
        }
    }
}
