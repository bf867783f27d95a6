//! A line on the ground: reads recordings as they really come, repairs, measures, simplifies, writes.
//!
//! Pure: no input/output, no async, no other room of the house.

mod error;
mod measure;
mod model;
mod position;
mod read;
mod reading;
mod repair;
mod time;

pub use error::{MAX_BYTES, MAX_POINTS, NotATrace, ReadError, ReadErrorKind};
pub use measure::{ASCENT_THRESHOLD_M, Measure, cumulative_m, measure};
pub use model::{Format, Gap, Reading, Repair, RepairKind, Segment, TracePoint, UnknownFormat, Waypoint};
pub use position::{EARTH_RADIUS_M, Position, distance_m};
pub use read::read;

/// Segments closer than this are joined; further apart, somebody must be asked.
pub const JOIN_BELOW_M: f64 = 30.0;
