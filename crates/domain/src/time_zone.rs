//! The time zone that decides which day it is.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{TimeZone as Zone, TimeZoneDatabase};

use crate::Instant;

/// A time zone of the IANA database. The binary holds the database, so that the answer is the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone(Zone);

impl TimeZone {
    /// The zone of a new installation.
    pub const DEFAULT_NAME: &'static str = "Europe/Paris";

    /// The zone of a name such as `Europe/Paris` or `Indian/Reunion`; `None` if the database has no zone of this name.
    pub fn parse(name: &str) -> Option<Self> {
        // `Etc/Unknown` is read too, and has no name.
        TimeZoneDatabase::bundled().get(name).ok().filter(|zone| zone.iana_name().is_some()).map(Self)
    }

    /// The day that it is in the zone at an instant, `YYYY-MM-DD`.
    pub fn day(&self, at: Instant) -> String {
        let offset_s = Timestamp::from_second(at.seconds()).map_or(0, |at| self.0.to_offset(at).seconds());
        at.plus_s(offset_s.into()).day()
    }

    /// The instant at which a day, `YYYY-MM-DD`, begins in the zone: midnight, or the end of the hour that is left out where clocks are
    /// put forward at midnight. `None` if the text is not a day.
    pub fn start_of(&self, day: &str) -> Option<Instant> {
        let in_utc = Instant::parse(&format!("{day}T00:00:00Z"))?;
        let start = day.parse::<Date>().and_then(|day| self.0.to_timestamp(day.at(0, 0, 0, 0)));
        // The database ends with the year 9999.
        Some(start.map_or(in_utc, |start| Instant(start.as_second())))
    }
}

impl Default for TimeZone {
    fn default() -> Self {
        Self::parse(Self::DEFAULT_NAME).unwrap_or(Self(Zone::UTC))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_of_the_zone_in_summer_and_in_winter() {
        for (zone, at, day) in [
            ("Europe/Paris", "2026-07-01T21:59:59Z", "2026-07-01"),
            ("Europe/Paris", "2026-07-01T22:00:00Z", "2026-07-02"),
            ("Europe/Paris", "2026-12-01T22:59:59Z", "2026-12-01"),
            ("Europe/Paris", "2026-12-01T23:00:00Z", "2026-12-02"),
            ("Pacific/Noumea", "2026-12-01T13:00:00Z", "2026-12-02"),
            ("America/Cayenne", "2026-12-01T02:59:59Z", "2026-11-30"),
            ("UTC", "2026-12-01T23:59:59Z", "2026-12-01"),
        ] {
            let found = TimeZone::parse(zone).zip(Instant::parse(at)).map(|(zone, at)| zone.day(at));
            assert_eq!(found.as_deref(), Some(day), "{zone} {at}");
        }
    }

    #[test]
    fn a_day_starts_at_midnight_of_the_zone_also_where_clocks_change() {
        for (zone, day, start) in [
            ("Europe/Paris", "2026-03-29", "2026-03-28T23:00:00Z"),
            ("Europe/Paris", "2026-03-30", "2026-03-29T22:00:00Z"),
            ("Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z"),
            ("Europe/Paris", "2026-10-26", "2026-10-25T23:00:00Z"),
            ("Pacific/Noumea", "2026-12-01", "2026-11-30T13:00:00Z"),
            ("UTC", "2026-12-01", "2026-12-01T00:00:00Z"),
            // Midnight is put forward to one o'clock.
            ("America/Asuncion", "2023-10-01", "2023-10-01T04:00:00Z"),
            ("Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00Z"),
            // The hour after midnight comes twice.
            ("America/Havana", "2024-11-03", "2024-11-03T04:00:00Z"),
        ] {
            let known = TimeZone::parse(zone).unwrap_or_default();
            let found = known.start_of(day);
            assert_eq!(found, Instant::parse(start), "{zone} {day}");
            let days = found.map(|start| (known.day(start.plus_s(-1)) == day, known.day(start) == day));
            assert_eq!(days, Some((false, true)), "{zone} {day}");
        }
        for wrong in ["", "tomorrow", "2026-02-30", "2026-1-1", "2026-01-01T00:00:00Z", "+2026-01-01"] {
            assert_eq!(TimeZone::default().start_of(wrong), None, "{wrong}");
        }
        assert!(TimeZone::default().start_of("9999-12-31").is_some());
    }

    #[test]
    fn a_zone_that_the_database_does_not_have_is_refused_and_the_default_is_that_of_paris() {
        for name in ["", "Paris", "Europe/Pariis", "+02:00", "CEST", "Etc/Unknown"] {
            assert_eq!(TimeZone::parse(name), None, "{name}");
        }
        assert_eq!(Some(TimeZone::default()), TimeZone::parse("Europe/Paris"));
        assert_ne!(Some(TimeZone::default()), TimeZone::parse("UTC"));
    }
}
