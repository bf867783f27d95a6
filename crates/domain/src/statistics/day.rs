//! Days, and the period that statistics are asked for.

use std::fmt;

use serde::{Deserialize, Serialize};
use trace::{civil_from_days, days_from_civil};
use utoipa::ToSchema;

use crate::clock::DAY_S;
use crate::{Instant, TimeZone};

/// A day: days since 1970 in the database, `YYYY-MM-DD` in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, format = Date, example = "2026-05-01")]
pub struct Day(pub i64);

impl Day {
    /// The day of an instant in UTC. The day for people is [`Self::in_zone`].
    pub const fn of(instant: Instant) -> Self {
        Self(instant.0.div_euclid(DAY_S))
    }

    /// The day that it is in a time zone at an instant.
    pub fn in_zone(zone: &TimeZone, instant: Instant) -> Self {
        Self::parse(&zone.day(instant)).unwrap_or(Self::of(instant))
    }

    /// The day this number of days later; earlier where it is negative.
    #[must_use]
    pub const fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// A day of the calendar; none where there is no such day.
    pub fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let plausible = (1_970..=9_999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        let found = plausible.then(|| days_from_civil(year, month, day))?;
        (civil_from_days(found) == (year, month, day)).then_some(Self(found))
    }

    /// Reads `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let mut number = |length: usize| -> Option<i64> {
            let part = parts.next()?;
            (part.len() == length && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?
        };
        Self::new(number(4)?, number(2)?, number(2)?)
    }

    /// The first day of its month.
    fn month(self) -> Self {
        let (year, month, _) = civil_from_days(self.0);
        Self(days_from_civil(year, month, 1))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(self.0);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

impl TryFrom<String> for Day {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("a day is written YYYY-MM-DD")
    }
}

/// The longest period that statistics are asked for: ten years.
pub const MAX_PERIOD_DAYS: i64 = 3_660;
/// Up to a quarter is shown by day, up to a year by seven days, what is longer by month.
const BY_DAY: i64 = 92;
const BY_WEEK: i64 = 366;

/// From a day to a day, both counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatisticsPeriod)]
pub struct Period {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
}

/// The period of one point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    /// A day.
    Day,
    /// Seven days from the first one on.
    Week,
    /// A month of the calendar.
    Month,
}

impl Period {
    /// How many days.
    pub const fn days(self) -> i64 {
        self.to.0 - self.from.0 + 1
    }

    /// The period of the same length that ends on the day before this one begins.
    #[must_use]
    pub const fn before(self) -> Self {
        Self { from: self.from.plus(-self.days()), to: self.from.plus(-1) }
    }

    /// How many days one point of its curve covers.
    pub const fn bucket(self) -> Bucket {
        let days = self.days();
        if days <= BY_DAY {
            Bucket::Day
        } else if days <= BY_WEEK {
            Bucket::Week
        } else {
            Bucket::Month
        }
    }

    /// The points of its curve, each from a day to a day; the last one may be shorter.
    pub fn points(self, bucket: Bucket) -> Vec<Self> {
        let mut points = Vec::new();
        let mut from = self.from;
        while from <= self.to {
            let next = match bucket {
                Bucket::Day => from.plus(1),
                Bucket::Week => from.plus(7),
                Bucket::Month => from.month().plus(31).month(),
            };
            points.push(Self { from, to: next.plus(-1).min(self.to) });
            from = next;
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: &str, to: &str) -> Period {
        let day = |text| Day::parse(text).expect("a day");
        Period { from: day(from), to: day(to) }
    }

    #[test]
    fn a_day_is_read_as_it_is_written() {
        assert_eq!(Day::parse("2026-11-21").map(|day| day.to_string()).as_deref(), Some("2026-11-21"));
        assert_eq!(Day::of(Instant(1_795_132_799)).to_string(), "2026-11-19");
        assert_eq!(Day::in_zone(&TimeZone::default(), Instant(1_795_132_799)).to_string(), "2026-11-20", "in Paris");
        for wrong in ["2026-02-30", "2026-1-1", "21/11/2026", "+026-01-01", "2026-01-01T", "1969-12-31", ""] {
            assert_eq!(Day::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_time_before_is_as_long_and_ends_the_day_before() {
        assert_eq!(period("2026-03-01", "2026-03-31").before(), period("2026-01-29", "2026-02-28"));
        assert_eq!(period("2026-03-01", "2026-03-01").before(), period("2026-02-28", "2026-02-28"));
    }

    #[test]
    fn the_points_of_a_curve_cover_each_day_once() {
        for (from, to, bucket, count) in [
            ("2026-03-01", "2026-03-31", Bucket::Day, 31),
            ("2026-01-01", "2026-12-31", Bucket::Week, 53),
            ("2024-01-15", "2026-03-02", Bucket::Month, 27),
        ] {
            let asked = period(from, to);
            assert_eq!(asked.bucket(), bucket);
            let points = asked.points(bucket);
            assert_eq!(points.len(), count);
            assert_eq!((points[0].from, points[count - 1].to), (asked.from, asked.to));
            assert!(points.windows(2).all(|pair| pair[0].to.plus(1) == pair[1].from));
        }
    }
}
