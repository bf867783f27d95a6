//! The time zone that decides which day it is.

use jiff::Timestamp;
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
    fn a_zone_that_the_database_does_not_have_is_refused_and_the_default_is_that_of_paris() {
        for name in ["", "Paris", "Europe/Pariis", "+02:00", "CEST", "Etc/Unknown"] {
            assert_eq!(TimeZone::parse(name), None, "{name}");
        }
        assert_eq!(Some(TimeZone::default()), TimeZone::parse("Europe/Paris"));
        assert_ne!(Some(TimeZone::default()), TimeZone::parse("UTC"));
    }
}
