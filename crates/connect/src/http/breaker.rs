//! A circuit breaker (Nygard, *Release It!*): after several failures in a row a server gets no calls for a while, then one trial.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures in a row after which the breaker opens.
pub const BREAKS_AFTER: u32 = 5;
/// Time for which it then refuses calls.
pub const OPEN_FOR: Duration = Duration::from_secs(30);

/// The source of the time; tests use another one.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// Closed: calls pass. Open: none passes. Half open: one call passes, and its outcome closes or opens the breaker.
pub struct Breaker {
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Closed { failures: u32 },
    Open { since: Instant },
    HalfOpen { since: Instant },
}

impl std::fmt::Debug for Breaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Breaker").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Default for Breaker {
    fn default() -> Self {
        Self::new(Arc::new(Instant::now))
    }
}

impl Breaker {
    /// A closed breaker.
    pub fn new(clock: Clock) -> Self {
        Self { clock, state: Mutex::new(State::Closed { failures: 0 }) }
    }

    /// Whether a call may be made. A caller that may must report its outcome.
    pub fn lets_pass(&self) -> bool {
        let now = (self.clock)();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match *state {
            State::Closed { .. } => true,
            // A trial whose outcome was never reported does not keep the breaker open for good.
            State::Open { since } | State::HalfOpen { since } if now.duration_since(since) >= OPEN_FOR => {
                *state = State::HalfOpen { since: now };
                true
            }
            State::Open { .. } | State::HalfOpen { .. } => false,
        }
    }

    /// The call succeeded.
    pub fn succeeded(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::Closed { failures: 0 };
    }

    /// The call failed. True when the breaker is open from now on.
    pub fn failed(&self) -> bool {
        let now = (self.clock)();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match *state {
            State::Closed { failures } if failures + 1 < BREAKS_AFTER => State::Closed { failures: failures + 1 },
            // Calls that were under way when the breaker opened do not prolong the time for which it is open.
            State::Open { since } => State::Open { since },
            State::Closed { .. } | State::HalfOpen { .. } => State::Open { since: now },
        };
        matches!(*state, State::Open { .. })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn with_clock() -> (Breaker, Arc<Mutex<Instant>>) {
        let now = Arc::new(Mutex::new(Instant::now()));
        let clock = Arc::clone(&now);
        (Breaker::new(Arc::new(move || *clock.lock().unwrap())), now)
    }

    #[test]
    fn it_opens_after_five_failures_and_one_trial_closes_it() {
        let (breaker, now) = with_clock();
        for i in 1..=BREAKS_AFTER {
            assert!(breaker.lets_pass());
            assert_eq!(breaker.failed(), i == BREAKS_AFTER);
        }
        assert!(!breaker.lets_pass());
        *now.lock().unwrap() += OPEN_FOR;
        assert!(breaker.lets_pass(), "one trial");
        assert!(!breaker.lets_pass(), "and one alone");
        breaker.succeeded();
        assert!(breaker.lets_pass() && breaker.lets_pass());
    }

    #[test]
    fn a_trial_that_fails_opens_it_again_and_a_success_forgets_failures() {
        let (breaker, now) = with_clock();
        (1..BREAKS_AFTER).for_each(|_| assert!(!breaker.failed()));
        breaker.succeeded();
        (1..BREAKS_AFTER).for_each(|_| assert!(!breaker.failed()));
        assert!(breaker.failed());
        *now.lock().unwrap() += OPEN_FOR;
        assert!(breaker.lets_pass());
        assert!(breaker.failed());
        assert!(!breaker.lets_pass());
    }
}
