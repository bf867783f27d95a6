//! Statistics of use: events, the days they are summed by, and the figures of the app stores.
//!
//! An event says what happened to a parcours and where, and does not identify the visitor: no cookie, no address, no number.

mod day;
mod event;
mod robots;
mod store_report;

pub use day::{Bucket, Day, MAX_PERIOD_DAYS, Period};
pub use event::{Event, EventKind, EventSource, MAX_AHEAD_S, MAX_LATE_S, country, host, language};
pub use robots::is_robot;
pub use store_report::{AppStore, Installs, ReportFault, StoreReport, read as read_store_report};

use crate::DAY_S;

/// How long a single event is kept, in seconds: 25 months, as the CNIL recommends for audience measurement exempt from consent
/// (cnil.fr/fr/node/167364): two years and the shortest month, so that no event is kept longer. The sums of its day stay.
pub const EVENTS_KEPT_S: i64 = (2 * 365 + 28) * DAY_S;

/// The most events of one request.
pub const MAX_BATCH: usize = 100;

/// The most hosts of referring sites that are counted apart in a day of a white-label: a client can send invented ones.
pub const MAX_HOSTS_A_DAY: usize = 200;

/// The name of all hosts beyond [`MAX_HOSTS_A_DAY`].
pub const OTHER_HOSTS: &str = "*";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;

    #[test]
    fn an_event_is_kept_for_25_months_and_not_longer() {
        for (first, month_before, last) in
            [("2025-02-01", "2027-02-01", "2027-03-01"), ("2023-12-31", "2025-12-31", "2026-01-31")]
        {
            let erased = Instant::day_after(first, EVENTS_KEPT_S / DAY_S).unwrap_or_default();
            assert!(erased.as_str() > month_before && erased.as_str() <= last, "{first}: {erased}");
            let short = Instant::days_between(&erased, last).unwrap_or(i64::MAX);
            assert!(short < 5, "{first}: {short} days less than 25 months");
        }
    }
}
