//! Distances and times between places, and the area that can be reached within a time.

use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

/// From one point of a matrix to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MatrixCell {
    pub distance_m: f64,
    pub duration_s: f64,
}

/// Distances and times between all points: one row per start, one cell per destination. `None` where no way connects the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Matrix {
    /// One row per point, one cell per point.
    pub rows: Vec<Vec<Option<MatrixCell>>>,
    /// Name of the engine that computed it.
    pub engine: String,
    /// The day of the network's data (ISO 8601), where known.
    pub data_date: Option<String>,
}

/// The area that can be reached within one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Isochrone {
    pub within_s: u32,
    /// Length of the ways reached, in metres.
    pub ways_m: f64,
    /// Rings around them: counter-clockwise outside, clockwise around holes; first point = last point.
    pub rings: Vec<Vec<Position>>,
    /// Name of the engine that computed it.
    pub engine: String,
    /// The day of the network's data (ISO 8601), where known.
    pub data_date: Option<String>,
}
