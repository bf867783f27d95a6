//! Records that are dense on a map are shown as clusters.

use serde::{Deserialize, Serialize};
use store::Cell;
use utoipa::{IntoParams, ToSchema};

/// How near the map is.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Zoom {
    /// The map's zoom, 0 to 22.
    #[param(example = 9.5)]
    pub zoom: Option<f64>,
}

/// A cluster on a map: POIs, or the starts of parcours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClusterView {
    /// The middle of them.
    #[schema(value_type = trace::Place)]
    pub position: [f64; 2],
    pub count: i64,
    /// West, south, east, north of their cell.
    #[schema(value_type = trace::BoundingBox)]
    pub bbox: [f64; 4],
}

impl From<Cell> for ClusterView {
    fn from(Cell { position, count, bbox }: Cell) -> Self {
        Self { position, count, bbox }
    }
}
