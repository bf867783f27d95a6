//! Departures by kind of day, and the hour at which a parcours is begun so that the last one is caught.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::transport_line::words;

words! {
    /// A kind of day, as timetables know them.
    DayKind {
        /// Monday to Friday.
        Weekday "weekday",
        /// Saturday.
        Saturday "saturday",
        /// Sunday.
        Sunday "sunday",
    } default Weekday
}

impl DayKind {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Weekday, Self::Saturday, Self::Sunday];
}

/// Departures of a line at a stop on one kind of day, or on some days of that kind: a kind whose days differ has several. Seconds
/// from midnight, above 86,400 after midnight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Departures {
    /// The kind of day.
    pub day: DayKind,
    pub first_s: u32,
    pub last_s: u32,
    /// Destination of the last departure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub towards: Option<String>,
    /// The last day it runs, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The days of the week that are meant, 1 is Monday; none where it is every day of the kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weekdays: Vec<u8>,
    /// The only day on which the last one runs, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
}

impl Departures {
    /// The days of the week that are meant, as bits: 1 is Monday, 64 Sunday.
    pub fn week(&self) -> u8 {
        let kind = match self.day {
            DayKind::Weekday => 0b1_1111,
            DayKind::Saturday => 0b10_0000,
            DayKind::Sunday => 0b100_0000,
        };
        let named =
            self.weekdays.iter().filter(|day| (1..=7).contains(*day)).fold(0, |week, day| week | 1 << (day - 1));
        if named == 0 { kind } else { named & kind }
    }

    /// The same for these days of the week alone.
    #[must_use]
    pub fn on_days(&self, week: u8) -> Self {
        let all = Self { weekdays: Vec::new(), ..self.clone() };
        if week == all.week() {
            return all;
        }
        Self { weekdays: (1..=7).filter(|day| week & (1 << (day - 1)) != 0).collect(), ..all }
    }
}

/// Metres a second on the way from the arrival to the stop.
const WALK_MS: f64 = 4.0 / 3.6;

/// The share of the duration that is kept for pauses, percent, where a white-label does not say another one.
pub const USUAL_PAUSES_PERCENT: i64 = 33;

/// The seconds that are kept for pauses, to the minute.
pub fn pauses_s(duration_s: f64, percent: i64) -> u32 {
    ((duration_s * percent as f64 / 100.0 / 60.0).round() as u32).saturating_mul(60)
}

/// The latest start of a parcours that catches a departure, in seconds from midnight: its duration, its pauses and the walk to the
/// stop come before it. None if that is the day before.
pub fn leave_before(last_s: u32, duration_s: f64, pauses_s: u32, walk_m: f64) -> Option<u32> {
    let latest = f64::from(last_s) - duration_s - f64::from(pauses_s) - walk_m / WALK_MS;
    // To the minute, and rather earlier.
    (latest.is_finite() && latest >= 0.0).then(|| (latest / 60.0).floor() as u32 * 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leaves_early_enough_for_the_way_and_the_walk_to_the_stop() {
        let six = 18 * 3_600;
        assert_eq!(leave_before(six, 5.0 * 3_600.0, 0, 0.0), Some(13 * 3_600));
        // A third of five hours.
        assert_eq!(pauses_s(5.0 * 3_600.0, USUAL_PAUSES_PERCENT), 99 * 60);
        assert_eq!(leave_before(six, 5.0 * 3_600.0, 99 * 60, 0.0), Some(11 * 3_600 + 21 * 60));
        assert_eq!(pauses_s(f64::NAN, 33), 0);
        // 400 m at 4 km/h are 6 minutes.
        assert_eq!(leave_before(six, 5.0 * 3_600.0, 0, 400.0), Some(12 * 3_600 + 54 * 60));
        assert_eq!(leave_before(7 * 3_600, 8.0 * 3_600.0, 0, 0.0), None);
        assert_eq!(leave_before(six, f64::NAN, 0, 0.0), None);
    }
}
