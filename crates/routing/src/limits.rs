//! Limits of one request, for every engine.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A point further than this from every way it may use is refused.
pub const MAX_SNAP_M: f64 = 150.0;
/// Points of one route.
pub const MAX_ROUTE_POINTS: usize = 500;
/// Points of one line to match.
pub const MAX_MATCH_POINTS: usize = 200_000;
/// Ways of one answer, the best included.
pub const MAX_ALTERNATIVES: usize = 3;
/// Parts of the land that one request avoids.
pub const MAX_AVOIDED: usize = 100;
/// Longest loop in metres.
pub const MAX_LOOP_M: u32 = 300_000;
/// Points of one matrix.
pub const MAX_MATRIX_POINTS: usize = 50;
/// Longest time of an isochrone in seconds.
pub const MAX_ISOCHRONE_S: u32 = 6 * 3600;

/// Bounds on the work of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = EngineLimits)]
pub struct Limits {
    /// Points of a route.
    pub route_points: usize,
    /// Points of a line to match.
    pub match_points: usize,
    /// Junctions looked at by one search.
    pub settled_junctions: usize,
    /// Metres from a point to its way.
    pub snap_m: u32,
}
