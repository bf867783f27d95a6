//! Requests a minute: a token bucket for each key, such as a client network. A burst may empty it, time fills it.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, PoisonError};

use domain::Instant;

/// With fewer buckets than this, full ones are not searched for.
const FEW: usize = 20_000;

/// The buckets, by key. No address is kept: only a hash of it, with a seed that ends with the process.
#[derive(Debug, Default)]
pub struct RateLimiter {
    seed: RandomState,
    buckets: Mutex<Buckets>,
}

#[derive(Debug, Default)]
struct Buckets {
    by_key: HashMap<u64, Bucket>,
    /// Number of buckets at which full ones are removed: twice the number that stayed the last time, so that the cost per request
    /// does not depend on the number of keys. All buckets are full after a minute without requests.
    forget_at: usize,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl RateLimiter {
    /// Takes a request out of the bucket of a key; the seconds to wait where it is empty. `a_minute` 0 is no limit.
    pub fn take(&self, key: impl Hash, now: Instant, a_minute: u32) -> Result<(), i64> {
        self.ask(key, now, a_minute, 1.0)
    }

    /// Whether the bucket of a key has a request left, without taking it; the seconds to wait where it is empty.
    pub fn look(&self, key: impl Hash, now: Instant, a_minute: u32) -> Result<(), i64> {
        self.ask(key, now, a_minute, 0.0)
    }

    /// Empties the bucket of a key: another server counted too many.
    pub fn empty(&self, key: impl Hash, now: Instant) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.by_key.insert(self.seed.hash_one(key), Bucket { left: 0.0, at: now });
    }

    fn ask(&self, key: impl Hash, now: Instant, a_minute: u32, taken: f64) -> Result<(), i64> {
        if a_minute == 0 {
            return Ok(());
        }
        let (full, a_second) = (f64::from(a_minute), f64::from(a_minute) / 60.0);
        let filled = |bucket: Bucket| (bucket.left + now.since_s(bucket.at).max(0) as f64 * a_second).min(full);
        // A panic elsewhere leaves the map valid: no bucket is half-written.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.by_key.len() >= buckets.forget_at.max(FEW) {
            buckets.by_key.retain(|_, bucket| filled(*bucket) < full);
            buckets.forget_at = buckets.by_key.len() * 2;
        }
        let bucket = buckets.by_key.entry(self.seed.hash_one(key)).or_insert(Bucket { left: full, at: now });
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
        let limiter = RateLimiter::default();
        let at = |seconds: i64| Instant(1_000 + seconds);
        assert!((0..30).all(|_| limiter.take("me", at(0), 30).is_ok()));
        assert_eq!(limiter.take("me", at(0), 30), Err(2));
        assert_eq!(limiter.take("you", at(0), 30), Ok(()), "others have their own");
        assert_eq!(limiter.take("me", at(1), 30), Err(1));
        assert_eq!(limiter.take("me", at(2), 30), Ok(()));
        assert_eq!(limiter.take("me", at(2), 30), Err(2));
        assert_eq!(limiter.take("me", at(2), 0), Ok(()), "no limit");
    }

    #[test]
    fn looking_takes_nothing() {
        let limiter = RateLimiter::default();
        assert!((0..100).all(|_| limiter.look("me", Instant(0), 1).is_ok()));
        assert_eq!((limiter.take("me", Instant(0), 1), limiter.look("me", Instant(0), 1)), (Ok(()), Err(60)));
    }

    #[test]
    fn an_emptied_bucket_is_filled_by_time() {
        let limiter = RateLimiter::default();
        limiter.empty("me", Instant(0));
        assert_eq!(limiter.look("me", Instant(0), 30), Err(2));
        assert_eq!((limiter.take("me", Instant(2), 30), limiter.take("you", Instant(0), 30)), (Ok(()), Ok(())));
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing_away() {
        let limiter = RateLimiter::default();
        assert_eq!(limiter.take("me", Instant(100), 1), Ok(()));
        assert!(limiter.take("me", Instant(0), 1).is_err());
    }

    #[test]
    fn full_buckets_are_forgotten_and_the_search_for_them_is_rare() {
        let limiter = RateLimiter::default();
        for key in 0..FEW {
            assert!(limiter.take(key, Instant(0), 60).is_ok());
        }
        assert!(limiter.take("me", Instant(60), 60).is_ok());
        let buckets = limiter.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((buckets.by_key.len(), buckets.forget_at), (1, 0));
        drop(buckets);
        for key in 0..FEW {
            assert!(limiter.take(key, Instant(60), 60).is_ok());
        }
        let buckets = limiter.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((buckets.by_key.len(), buckets.forget_at), (FEW + 1, FEW * 2), "none was full");
    }
}
