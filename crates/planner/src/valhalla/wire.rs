//! The parts of a Valhalla server's answers that are used. Its documentation: <https://valhalla.github.io/valhalla/api/>.

use serde::Deserialize;
use trace::{Position, distance_m};

#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub version: String,
    /// When the tiles were built, seconds since 1970.
    pub tileset_last_modified: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    pub error_code: u32,
    #[serde(default)]
    pub error: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Routed {
    pub trip: Trip,
    #[serde(default)]
    pub alternates: Vec<Alternate>,
}

impl Routed {
    pub(super) fn into_trips(self) -> Vec<Trip> {
        std::iter::once(self.trip).chain(self.alternates.into_iter().map(|other| other.trip)).collect()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Alternate {
    pub trip: Trip,
}

#[derive(Debug, Deserialize)]
pub(super) struct Trip {
    pub legs: Vec<Leg>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Leg {
    /// `polyline6`.
    pub shape: String,
    pub summary: Summary,
    #[serde(default)]
    pub maneuvers: Vec<Manoeuvre>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Summary {
    /// Seconds.
    pub time: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Manoeuvre {
    #[serde(rename = "type")]
    pub kind: u32,
    pub instruction: String,
    #[serde(default)]
    pub street_names: Vec<String>,
    pub begin_shape_index: usize,
    #[serde(default)]
    pub roundabout_exit_count: Option<u8>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Heights {
    pub height: Vec<Option<f64>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Traced {
    /// `polyline6`.
    pub shape: String,
    pub edges: Vec<Edge>,
    #[serde(default)]
    pub matched_points: Vec<Matched>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Edge {
    pub way_id: i64,
    pub begin_shape_index: usize,
    pub end_shape_index: usize,
    #[serde(default)]
    pub forward: bool,
    #[serde(default)]
    pub surface: String,
    #[serde(rename = "use", default)]
    pub purpose: String,
    #[serde(default)]
    pub road_class: String,
    #[serde(default)]
    pub bridge: bool,
    #[serde(default)]
    pub tunnel: bool,
    /// Kilometres an hour.
    #[serde(default)]
    pub speed: f64,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Matched {
    pub lon: f64,
    pub lat: f64,
    #[serde(rename = "type")]
    pub match_type: MatchType,
    /// Beyond the list for points that lie on no way.
    pub edge_index: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MatchType {
    Matched,
    Interpolated,
    Unmatched,
}

#[derive(Debug, Deserialize)]
pub(super) struct Located {
    /// `null` where nothing is near.
    pub edges: Option<Vec<Correlated>>,
}

impl Located {
    /// How far the nearest way found is from the place asked about.
    pub(super) fn nearest_m(&self, p: Position) -> Option<f64> {
        let on = |edge: &Correlated| Position::new(edge.correlated_lon, edge.correlated_lat);
        self.edges.iter().flatten().map(|edge| distance_m(p, on(edge))).reduce(f64::min)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Correlated {
    correlated_lon: f64,
    correlated_lat: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Measured {
    pub sources_to_targets: Vec<Vec<Cell>>,
}

/// `null` where no way leads.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Cell {
    /// Seconds.
    pub time: Option<f64>,
    /// Kilometres.
    pub distance: Option<f64>,
}
