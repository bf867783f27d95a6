//! Statistics of use: events, the days they are summed by, and the figures of the app stores.
//!
//! An event says what happened to a parcours and where, and does not identify the visitor: no cookie, no address, no number.

mod day;
mod event;
mod robots;
mod store_report;

pub use day::{Bucket, Day, MAX_PERIOD_DAYS, Period};
pub use event::{AT_MOST_AHEAD_S, AT_MOST_LATE_S, Event, EventKind, EventSource, country, host, language};
pub use robots::is_robot;
pub use store_report::{AppStore, Installs, ReportFault, StoreReport, read as read_store_report};

/// How long a single event is kept, in seconds: 25 months, as the CNIL recommends for audience measurement exempt from consent
/// (cnil.fr/fr/node/167364). The sums of its day stay.
pub const EVENTS_KEPT_S: i64 = 25 * 30 * 86_400;

/// The most events of one request.
pub const MAX_BATCH: usize = 100;

/// The most hosts of referring sites that are counted apart in a day of a white-label: a client can send invented ones.
pub const MAX_HOSTS_A_DAY: usize = 200;

/// The name of all hosts beyond [`MAX_HOSTS_A_DAY`].
pub const OTHER_HOSTS: &str = "*";
