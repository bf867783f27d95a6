//! The wait after failed attempts to sign in. A failure counts for a limited time only.

/// The first wait; it doubles with each failure after that.
const FIRST_WAIT_S: i64 = 5;

/// How far a stored time may be ahead of now: the clocks of two servers differ by less.
pub const MAX_AHEAD_S: i64 = 60;

/// How many failed attempts one subject (an account, a network address, a device) has, and how long it waits after more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Failures before the first wait.
    pub free_tries: i64,
    /// Seconds after which one failure is forgotten. Several are forgotten one after the other.
    pub fade_s: i64,
    /// The longest wait between two attempts.
    pub max_wait_s: i64,
}

/// An account, known or not: at most 96 guesses a day once the free ones are used up.
pub const ACCOUNT: Limits = Limits { free_tries: 5, fade_s: 1_800, max_wait_s: 900 };
/// A device on which the account signed in before: the same limits, but its tries are counted apart.
pub const DEVICE: Limits = ACCOUNT;
/// An address, behind which a whole office may be: it slows down attacks on many accounts, and never blocks.
pub const ADDRESS: Limits = Limits { free_tries: 100, fade_s: 60, max_wait_s: 60 };
/// Mails that a stranger asks the server to send to one address.
pub const MAIL: Limits = Limits { free_tries: 3, fade_s: 1_800, max_wait_s: 900 };

/// The stored failures of a subject.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    /// When the last of them is forgotten, in seconds since 1970.
    pub faded_at_s: i64,
    /// When the last one was, in seconds since 1970.
    pub last_at_s: i64,
}

impl Limits {
    /// How many failures still count.
    pub fn count(&self, failures: Failures, now_s: i64) -> i64 {
        let left_s = self.faded_at_s(failures, now_s) - now_s;
        left_s / self.fade_s + i64::from(left_s % self.fade_s > 0)
    }

    /// When the failures that still count are all forgotten, in seconds since 1970; `now_s` if none counts.
    pub fn faded_at_s(&self, failures: Failures, now_s: i64) -> i64 {
        if self.is_of_a_clock_ahead(failures, now_s) { now_s } else { failures.faded_at_s.max(now_s) }
    }

    /// Whether failures were stored while a clock was ahead, and it was set back since. They do not count: the wait would last until the
    /// clock is there again.
    fn is_of_a_clock_ahead(&self, failures: Failures, now_s: i64) -> bool {
        let latest_s = now_s.saturating_add(MAX_AHEAD_S);
        failures.last_at_s > latest_s || failures.faded_at_s > latest_s + self.max_left_s()
    }

    /// Seconds to wait before the next attempt: none at first, then 5, 10, 20 … up to the longest.
    pub fn wait_s(&self, failures: Failures, now_s: i64) -> i64 {
        let count = self.count(failures, now_s);
        if count < self.free_tries {
            return 0;
        }
        let doublings = (count - self.free_tries).min(self.doublings()) as u32;
        let since_s = now_s.saturating_sub(failures.last_at_s).max(0);
        ((FIRST_WAIT_S << doublings).min(self.max_wait_s) - since_s).max(0)
    }

    /// When all failures will be forgotten, after one more at `now_s`, in seconds since 1970. Failures beyond those that make the longest wait are
    /// not added: a long attack is forgotten as soon as a short one.
    pub fn faded_at_s_after(&self, failures: Failures, now_s: i64) -> i64 {
        (self.faded_at_s(failures, now_s) + self.fade_s).min(now_s + self.max_left_s())
    }

    /// Seconds until all failures are forgotten, where there are so many that they make the longest wait.
    fn max_left_s(&self) -> i64 {
        (self.free_tries + self.doublings()) * self.fade_s
    }

    /// Doublings after which the wait is the longest.
    fn doublings(&self) -> i64 {
        let mut count = 0;
        while FIRST_WAIT_S << count < self.max_wait_s {
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stored failures after `times` failures in the same second.
    fn failed(limits: Limits, times: usize, at_s: i64) -> Failures {
        (0..times).fold(Failures::default(), |failures, _| Failures {
            faded_at_s: limits.faded_at_s_after(failures, at_s),
            last_at_s: at_s,
        })
    }

    #[test]
    fn the_wait_doubles_from_five_seconds_to_a_quarter_of_an_hour() {
        let waits: Vec<i64> =
            (0..16).map(|times| ACCOUNT.wait_s(failed(ACCOUNT, times, 1_000_000), 1_000_000)).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
    }

    #[test]
    fn an_address_is_never_held_longer_than_a_minute() {
        let waits = [99, 100, 101, 104, 1_000].map(|times| ADDRESS.wait_s(failed(ADDRESS, times, 5_000), 5_000));
        assert_eq!(waits, [0, 5, 10, 60, 60]);
    }

    #[test]
    fn a_wait_passes_and_each_failure_is_forgotten_in_its_turn() {
        let seven = failed(ACCOUNT, 7, 1_000_000);
        let after = |s: i64| (ACCOUNT.count(seven, 1_000_000 + s), ACCOUNT.wait_s(seven, 1_000_000 + s));
        assert_eq!([after(0), after(15), after(20)], [(7, 20), (7, 5), (7, 0)]);
        assert_eq!([after(1_800).0, after(3_600).0, after(7 * 1_800).0], [6, 5, 0]);
    }

    #[test]
    fn a_long_attack_fades_as_soon_as_a_short_one() {
        let (short, long) = (failed(ACCOUNT, 13, 1_000_000), failed(ACCOUNT, 10_000, 1_000_000));
        assert_eq!(short, long);
        assert_eq!(ACCOUNT.count(long, 1_000_000 + 13 * 1_800), 0);
    }

    #[test]
    fn failures_of_a_clock_that_was_ahead_do_not_count() {
        for limits in [ACCOUNT, ADDRESS, MAIL] {
            let ahead = failed(limits, 200, 1_000_000);
            assert_eq!(limits.wait_s(ahead, 1_000_000), limits.max_wait_s);
            assert_eq!((limits.count(ahead, 900_000), limits.wait_s(ahead, 900_000)), (0, 0));
            assert_eq!(limits.faded_at_s_after(ahead, 900_000), 900_000 + limits.fade_s, "the next one is the first");
            // A success took the last try back, not the time at which the failures are forgotten.
            assert_eq!(limits.count(Failures { last_at_s: 0, ..ahead }, 900_000), 0);
        }
    }

    #[test]
    fn a_clock_that_differs_by_seconds_makes_no_wait_longer_than_the_longest() {
        assert_eq!(ACCOUNT.wait_s(failed(ACCOUNT, 100, 1_000_000), 999_950), 900);
    }
}
