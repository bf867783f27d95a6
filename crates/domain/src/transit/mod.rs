//! Public transport from operators' feeds: feeds, their lines, and the way home.

mod booking;
mod day;
mod feed;
mod line;

pub use booking::Booking;
pub use day::{DayKind, Departures, USUAL_PAUSES_PERCENT, leave_before, pauses_s};
pub use feed::{FeedCounts, TransportFeedSheet};
pub use line::{BikeCounts, TransitLine, refresh};
