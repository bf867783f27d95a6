//! Requests for routes and loops, and routes.

use crate::{Instruction, Language, Preferences, Profile, Surface, WayKind};
use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

/// A way through points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RouteRequest {
    /// Where to pass, in order: two at least.
    pub points: Vec<Position>,
    /// Who travels.
    pub profile: Profile,
    /// Parts of the land to keep out of.
    #[serde(default)]
    pub avoid: Vec<trace::Part>,
    /// The month of the journey, 1 to 12: ways closed in that season are not used. None = the season does not matter.
    #[serde(default)]
    pub month: Option<u8>,
    /// What the traveller prefers: adjusts the costs of the profile.
    #[serde(default)]
    pub preferences: Preferences,
    /// The language of the instructions, `None` for both. An engine may still answer in both.
    #[serde(default)]
    pub language: Option<Language>,
}

impl RouteRequest {
    /// Through points, without places to avoid, at any season, with the preferences of the profile and instructions in both languages.
    pub fn new(points: Vec<Position>, profile: Profile) -> Self {
        Self { points, profile, avoid: Vec::new(), month: None, preferences: Preferences::default(), language: None }
    }
}

/// The way found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Route {
    /// The line, with heights where a ground model knows them.
    pub geometry: Vec<Position>,
    /// One leg between each two points of the request.
    pub legs: Vec<RouteLeg>,
    /// Length in metres.
    pub distance_m: f64,
    /// Time without breaks in seconds.
    pub duration_s: f64,
    /// Climb in metres, `None` without heights.
    pub ascent_m: Option<f64>,
    /// Drop in metres, `None` without heights.
    pub descent_m: Option<f64>,
    /// Where its heights come from.
    pub elevation_source: ElevationSource,
    /// Length by surface, longest first.
    pub surfaces: Vec<SurfaceLength>,
    /// Length by kind of way, longest first.
    pub way_kinds: Vec<WayKindLength>,
    /// Turn by turn.
    pub instructions: Vec<Instruction>,
    /// Name of the engine that planned it.
    pub engine: String,
    /// The day of the network's data (ISO 8601), where known.
    pub data_date: Option<String>,
}

/// Where heights come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ElevationSource {
    /// The recording itself.
    File,
    /// A ground model.
    Dem,
    /// Heights are unknown: climbs are not given.
    None,
}

/// From one point of the request to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RouteLeg {
    /// Index of its first point in the geometry.
    pub from_index: usize,
    /// Index of its last point in the geometry.
    pub to_index: usize,
    /// Length in metres.
    pub distance_m: f64,
    /// Time in seconds.
    pub duration_s: f64,
    /// Climb in metres, `None` without heights.
    pub ascent_m: Option<f64>,
    /// Drop in metres, `None` without heights.
    pub descent_m: Option<f64>,
    /// Where the first point joins the network.
    pub snapped_from: Position,
    /// Where the second point joins the network.
    pub snapped_to: Position,
    /// How far the first point was from there.
    pub snap_from_m: f64,
    /// How far the second point was from there.
    pub snap_to_m: f64,
}

/// Metres on a surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SurfaceLength {
    /// The tagged surface, or the usual one of such a way.
    pub surface: Surface,
    pub length_m: f64,
}

/// Metres on a kind of way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WayKindLength {
    /// The kind, `None` off the network.
    pub kind: Option<WayKind>,
    pub length_m: f64,
}

/// A loop from a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoopRequest {
    /// Where it starts and ends.
    pub start: Position,
    /// Who travels.
    pub profile: Profile,
    /// About how long it should be, in metres.
    pub length_m: f64,
    /// How many different ones, at most.
    pub count: usize,
    /// What the traveller prefers: adjusts the costs of the profile.
    #[serde(default)]
    pub preferences: Preferences,
}
