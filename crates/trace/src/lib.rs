//! A line on the ground: reads recordings as they really come, repairs, measures, simplifies, writes.
//!
//! Pure: no input/output, no async, no other room of the house.

mod position;

pub use position::{EARTH_RADIUS_M, Position, distance_m};
