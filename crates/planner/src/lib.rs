//! The route planner: network from an OSM extract, profiles, shortest paths, map matching, reliability, instructions,
//! heights.
//!
//! `Network::build` prepares a file from an extract, `Network::open` maps it into memory, and [`Embedded`] answers over it
//! behind the [`RouteEngine`] trait. `docs/dev/planner.md` explains the algorithms.

mod api;
mod attributes;
mod avoid;
mod build;
mod climb;
#[cfg(test)]
mod climb_table;
mod contraction;
mod coverage;
mod detour;
mod embedded;
mod error;
mod exercise;
mod fallback;
mod file;
mod geometry;
mod instructions;
mod isochrone;
mod laid;
mod line;
mod loops;
mod matching;
mod polyline;
mod preferences;
mod profile;
mod recorded;
mod route;
mod search;
mod snap;
mod tags;
#[cfg(test)]
mod testmap;
#[doc(hidden)]
pub mod truth;
pub mod valhalla;
mod weights;

pub use api::{
    ElevationSource, EngineStatus, Limits, LoopRequest, Matrix, MatrixCell, Route, RouteEngine, RouteLeg, RouteRequest,
    SurfaceLength, WayKindLength,
};
pub use attributes::{Access, Surface, WayKind};
pub use build::{BuildReport, Progress, Stage};
pub use detour::{Detour, DetourRequest, MAX_DETOUR_ROUTES, detour};
pub use embedded::{
    Embedded, MAX_ALTERNATIVES, MAX_AVOIDED, MAX_ISOCHRONE_S, MAX_LOOP_M, MAX_MATCH_POINTS, MAX_MATRIX_POINTS,
    MAX_ROUTE_POINTS, MAX_SNAP_M,
};
pub use error::{NetworkError, PlanError};
#[doc(hidden)]
pub use exercise::exercise;
pub use fallback::Fallback;
pub use file::Network;
pub use instructions::{Instruction, InstructionKind, Language, way_in_words};
pub use isochrone::Isochrone;
pub use matching::{
    Fix, FixKind, Gap, GapCause, Match, MatchEdge, MatchRequest, NotCalculable, NotCalculableReason, Reliability,
    Remark, RemarkKind, Remedy, Scored, ScoredGap,
};
pub use polyline::polyline6;
pub use preferences::{Level, Preferences};
pub use profile::{Profile, UnknownProfile};
pub use terrain::{Dem, DemError};
