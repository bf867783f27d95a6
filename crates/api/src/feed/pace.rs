//! How many questions one may ask: a bucket for each asker, filled at a steady pace, which a burst may empty.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, PoisonError};

use domain::Instant;

/// More askers than this and the full buckets are forgotten.
const MAX_ASKERS: usize = 20_000;

/// The buckets, by who asks. Nobody's address is kept: only a number made of it, with a seed that ends with the process.
#[derive(Debug, Default)]
pub struct Pace {
    seed: RandomState,
    buckets: Mutex<HashMap<u64, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Pace {
    /// Takes a question out of the bucket of who asks; the seconds to wait where it is empty. `a_minute` 0 is no limit.
    pub fn take(&self, who: impl Hash, now: Instant, a_minute: u32) -> Result<(), i64> {
        self.ask(who, now, a_minute, 1.0)
    }

    /// The same without taking.
    pub fn look(&self, who: impl Hash, now: Instant, a_minute: u32) -> Result<(), i64> {
        self.ask(who, now, a_minute, 0.0)
    }

    fn ask(&self, who: impl Hash, now: Instant, a_minute: u32, taken: f64) -> Result<(), i64> {
        if a_minute == 0 {
            return Ok(());
        }
        let (full, a_second) = (f64::from(a_minute), f64::from(a_minute) / 60.0);
        let filled = |bucket: Bucket| (bucket.left + now.since_s(bucket.at).max(0) as f64 * a_second).min(full);
        // A panic elsewhere leaves the map whole: it holds no half-written bucket.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_ASKERS {
            buckets.retain(|_, bucket| filled(*bucket) < full);
        }
        let bucket = buckets.entry(self.seed.hash_one(who)).or_insert(Bucket { left: full, at: now });
        let left = filled(*bucket);
        if left < 1.0 {
            return Err((((1.0 - left) / a_second).ceil() as i64).max(1));
        }
        *bucket = Bucket { left: left - taken, at: now };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_empties_the_bucket_and_time_fills_it() {
        let pace = Pace::default();
        let at = |seconds: i64| Instant(1_000 + seconds);
        assert!((0..30).all(|_| pace.take("me", at(0), 30).is_ok()));
        assert_eq!(pace.take("me", at(0), 30), Err(2));
        assert_eq!(pace.take("you", at(0), 30), Ok(()), "others have their own");
        assert_eq!(pace.take("me", at(1), 30), Err(1));
        assert_eq!(pace.take("me", at(2), 30), Ok(()));
        assert_eq!(pace.take("me", at(2), 30), Err(2));
        assert_eq!(pace.take("me", at(2), 0), Ok(()), "no limit");
    }

    #[test]
    fn looking_takes_nothing() {
        let pace = Pace::default();
        assert!((0..100).all(|_| pace.look("me", Instant(0), 1).is_ok()));
        assert_eq!((pace.take("me", Instant(0), 1), pace.look("me", Instant(0), 1)), (Ok(()), Err(60)));
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing_away() {
        let pace = Pace::default();
        assert_eq!(pace.take("me", Instant(100), 1), Ok(()));
        assert!(pace.take("me", Instant(0), 1).is_err());
    }
}
