//! Public transport as its operators tell it: feeds, their lines, and how one gets home.

mod booking;
mod day;
mod feed;
mod line;

pub use booking::Booking;
pub use day::{DayKind, Departures, leave_before};
pub use feed::{FeedCounts, TransportFeedSheet};
pub use line::{BikeCounts, TransitLine, refresh};
