//! How long a job waits after a failure.

/// Exponential backoff: each wait is twice the one before, up to a maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The wait after the first failure, seconds.
    pub first_s: i64,
    /// The longest wait, seconds, without the jitter.
    pub max_s: i64,
}

impl Backoff {
    /// 10 s, 20 s, 40 s … up to one hour.
    pub const DEFAULT: Self = Self { first_s: 10, max_s: 3_600 };

    /// Seconds to wait after `attempts` failed attempts (1 or more). A jitter of up to a fifth is added; it depends on the job and the
    /// attempt, so that jobs that failed together do not all run again in the same second.
    pub fn after_s(self, attempts: i64, job: i64) -> i64 {
        let doublings = u32::try_from((attempts - 1).clamp(0, 30)).unwrap_or_default();
        let wait_s = self.first_s.saturating_mul(1 << doublings).min(self.max_s);
        // A multiplicative hash spreads consecutive numbers.
        let spread = job.wrapping_mul(31).wrapping_add(attempts).wrapping_mul(2_654_435_761).rem_euclid(1_001);
        wait_s + wait_s * spread / 5_000
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn waits_double_up_to_the_longest() {
        for (attempts, wait_s) in [(1, 10), (2, 20), (3, 40), (9, 2_560), (10, 3_600), (1_000, 3_600)] {
            for job in 1..50 {
                let found = Backoff::DEFAULT.after_s(attempts, job);
                assert!(found >= wait_s && found <= wait_s + wait_s / 5, "{attempts} attempts: {found} s");
            }
        }
    }

    #[test]
    fn jobs_that_failed_together_wait_different_times() {
        let mut waits: Vec<i64> = (1..=100).map(|job| Backoff::DEFAULT.after_s(8, job)).collect();
        waits.sort_unstable();
        waits.dedup();
        assert!(waits.len() > 60, "{} different waits of 100", waits.len());
    }
}
