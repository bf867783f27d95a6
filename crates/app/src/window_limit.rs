//! A fixed-window rate limiter: counts per client network. Only a hash of the address is kept, with a key that is never written to
//! disk, and it is deleted with its window.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use domain::{ClientNetwork, Instant};

/// Amounts that client networks sent in the current window of `WINDOW_S` seconds.
#[derive(Debug, Default)]
pub struct WindowLimiter<const WINDOW_S: i64> {
    key: RandomState,
    current: Mutex<Window>,
}

#[derive(Debug, Default)]
struct Window {
    number: i64,
    counts: HashMap<u64, u64>,
}

impl<const WINDOW_S: i64> WindowLimiter<WINDOW_S> {
    /// Adds `sent` to the count of a client network. `most` 0 sets no limit.
    ///
    /// # Errors
    /// The seconds to wait if the count of this window is above `most`.
    pub fn admit(&self, client: ClientNetwork, sent: usize, most: u64, now: Instant) -> Result<(), i64> {
        if most == 0 {
            return Ok(());
        }
        let place = self.key.hash_one(client);
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let number = now.0.div_euclid(WINDOW_S);
        if current.number != number {
            *current = Window { number, counts: HashMap::new() };
        }
        let count = current.counts.entry(place).or_default();
        *count += sent as u64;
        if *count > most { Err(WINDOW_S - now.0.rem_euclid(WINDOW_S)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> ClientNetwork {
        ClientNetwork::V4([203, 0, 113, last].into())
    }

    #[test]
    fn an_address_waits_for_the_next_window_and_others_do_not() {
        let limiter = WindowLimiter::<60>::default();
        assert_eq!(limiter.admit(client(7), 3, 3, Instant(70)), Ok(()));
        assert_eq!(limiter.admit(client(7), 1, 3, Instant(70)), Err(50));
        assert_eq!(limiter.admit(client(8), 1, 3, Instant(70)), Ok(()));
        assert_eq!(limiter.admit(client(7), 1, 3, Instant(120)), Ok(()));
        assert_eq!(limiter.admit(client(7), 9_999, 0, Instant(120)), Ok(()));
    }
}
