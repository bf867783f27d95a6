//! Instants, and the clock that gives them: injected, so that tests can stop it.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use trace::{civil_from_days, days_from_civil};
use utoipa::ToSchema;

/// An instant: whole seconds since 1970, UTC. In JSON an RFC 3339 text, in the database the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, format = DateTime, example = "2026-05-01T08:30:00Z")]
pub struct Instant(pub i64);

/// Seconds of an hour.
pub const HOUR_S: i64 = 3_600;
/// Seconds of a day.
pub const DAY_S: i64 = 24 * HOUR_S;

impl Instant {
    /// Seconds since 1970.
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// The instant a number of seconds later.
    #[must_use]
    pub const fn plus_s(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    /// Seconds from `earlier` to this one; negative when it is not earlier.
    pub const fn since_s(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The day in UTC, `YYYY-MM-DD`. The day for people is [`crate::TimeZone::day`].
    pub fn day(self) -> String {
        let (year, month, day) = civil_from_days(self.0.div_euclid(DAY_S));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The day a number of days after another, both `YYYY-MM-DD`; `None` if the given one is not a day.
    pub fn day_after(day: &str, days: i64) -> Option<String> {
        Self::parse(&format!("{day}T00:00:00Z")).map(|start| start.plus_s(days * DAY_S).day())
    }

    /// How many days the second day is after the first, both `YYYY-MM-DD`; `None` if one of them is not a day.
    pub fn days_between(first: &str, second: &str) -> Option<i64> {
        let midnight = |day: &str| Self::parse(&format!("{day}T00:00:00Z"));
        Some(midnight(second)?.since_s(midnight(first)?) / DAY_S)
    }

    /// Reads `YYYY-MM-DDTHH:MM:SSZ`, the form this type writes, of the years 1 to 9999.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 20 || bytes[10] != b'T' || bytes[19] != b'Z' {
            return None;
        }
        let number = |at: usize, length: usize| -> Option<i64> {
            let digits = text.get(at..at + length)?;
            digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let (hours, minutes, seconds) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
        let year = number(0, 4).filter(|year| *year > 0)?;
        let days = days_from_civil(year, number(5, 2)?, number(8, 2)?);
        let instant = Self(days * DAY_S + hours * HOUR_S + minutes * 60 + seconds);
        // Written back, anything outside the calendar or the clock reads differently.
        (instant.to_string() == text).then_some(instant)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_day = self.0.rem_euclid(DAY_S);
        write!(f, "{}T{:02}:{:02}:{:02}Z", self.day(), of_day / HOUR_S, of_day / 60 % 60, of_day % 60)
    }
}

impl From<Instant> for String {
    fn from(instant: Instant) -> Self {
        instant.to_string()
    }
}

impl TryFrom<String> for Instant {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("an instant is written YYYY-MM-DDTHH:MM:SSZ")
    }
}

/// A source of the present time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The present instant.
    fn now(&self) -> Instant;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Instant {
        // Before 1970 the answer is 1970: no record is older.
        Instant(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64))
    }
}

/// A clock that only a test moves.
#[derive(Debug)]
pub struct FrozenClock(AtomicI64);

impl FrozenClock {
    /// A clock with a fixed time.
    pub const fn at(instant: Instant) -> Self {
        Self(AtomicI64::new(instant.0))
    }

    /// Moves it forward.
    pub fn advance_s(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for FrozenClock {
    fn now(&self) -> Instant {
        Instant(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_and_read_back() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_795_132_800, "2026-11-20T00:00:00Z"),
            (4_102_444_799, "2099-12-31T23:59:59Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Instant(seconds).to_string(), text);
            assert_eq!(Instant::parse(text), Some(Instant(seconds)));
        }
    }

    #[test]
    fn a_day_is_counted_on_from_another() {
        assert_eq!(Instant::day_after("2027-02-27", 3).as_deref(), Some("2027-03-02"));
        assert_eq!(Instant::day_after("2027-02-30", 1), None);
        assert_eq!(Instant::days_between("2027-02-27", "2027-03-02"), Some(3));
        assert_eq!(Instant::days_between("2027-03-02", "2027-02-27"), Some(-3));
        assert_eq!(Instant::days_between("2027-02-30", "2027-03-02"), None);
    }

    #[test]
    fn what_is_no_instant_is_refused() {
        for text in [
            "2026-02-30T00:00:00Z",
            "2026-01-01T25:00:00Z",
            "2026-01-01",
            "2026-01-01T00:00:00+1",
            "0000-12-31T23:59:59Z",
            "-001-01-01T00:00:00Z",
            "10000-01-01T00:00:00Z",
            "é",
        ] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }
}
