//! How a recording's errors behave: how large they are, and over how many metres they stay alike.
//!
//! A receiver's errors drift: a point is off by nearly as much, and to the same side, as the one before. Taken for errors that know
//! nothing of each other, they would speak loudly for the wrong one of two ways side by side. So each point is judged by what is
//! new in its error, a first-order autoregression along the line.

use super::near::Found;
use crate::geometry::Xy;

/// From the median distance to the nearest way to the noise: 1.4826 for normal errors, more as the nearest way is not always the way.
const SEEMING: f64 = 2.0;
/// Bounds of the noise, and of the metres over which errors stay alike.
const SIGMA_M: std::ops::RangeInclusive<f64> = 4.0..=20.0;
const MEMORY_M: std::ops::RangeInclusive<f64> = 4.0..=200.0;
/// The map's own scatter, which no memory foretells.
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
            memory_m: memory_m.clamp(*MEMORY_M.start(), *MEMORY_M.end()),
        }
    }

    /// Share of an error that is left after some metres.
    pub(crate) fn kept(&self, gap_m: f64) -> f64 {
        (-gap_m / self.memory_m).exp()
    }

    /// How unlikely an error is of which nothing was known.
    pub(crate) fn anew(&self, residual: Xy) -> f64 {
        0.5 * dot(residual, residual) / (self.sigma_m.powi(2) + MAP_M.powi(2))
    }

    /// How unlikely an error is after another, of which a share is kept; `bend` is the cosine between the two ways.
    pub(crate) fn after(&self, before: Xy, residual: Xy, normal: Xy, bend: f64, kept: f64) -> f64 {
        // Only what was seen of the last error foretells this one: its part across the way.
        let foretold = kept * dot(before, normal);
        let fresh = Xy { x: residual.x - foretold * normal.x, y: residual.y - foretold * normal.y };
        let unknown = |bend: f64| self.sigma_m.powi(2) * (1.0 - (kept * bend).powi(2)) + MAP_M.powi(2);
        0.5 * dot(fresh, fresh) / unknown(bend) + 0.5 * (unknown(bend) / unknown(1.0)).ln()
    }

    /// How unlikely a point on no way is.
    pub(crate) fn off(&self, kept: f64) -> f64 {
        0.5 + 0.5 * (OFF_M / self.sigma_m).powi(2) * (1.0 - kept) / (1.0 + kept)
    }
}
