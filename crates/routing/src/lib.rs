//! Requests to a route planner and its answers: the trait [`RouteEngine`] and its types, the same for every engine.
//!
//! `planner` implements the trait over a prepared network and over a Valhalla server. Callers need this crate alone.
//! What works over any engine is here as well: [`detour`](fn@detour), [`Fallback`], [`Scored`].

mod detour;
mod engine;
mod error;
mod fallback;
mod instruction;
mod limits;
mod matching;
mod polyline;
mod preferences;
mod profile;
mod reach;
mod route;
mod scored;
pub mod server;
mod way;
mod way_name;

pub use detour::{Detour, DetourRequest, MAX_DETOUR_ROUTES, detour};
pub use engine::{EngineStatus, RouteEngine};
pub use error::PlanError;
pub use fallback::Fallback;
pub use instruction::{Instruction, InstructionKind, Language};
pub use limits::{
    Limits, MAX_ALTERNATIVES, MAX_AVOIDED, MAX_ISOCHRONE_S, MAX_LOOP_M, MAX_MATCH_POINTS, MAX_MATRIX_POINTS,
    MAX_ROUTE_POINTS, MAX_SNAP_M,
};
pub use matching::{
    Fix, FixKind, Gap, GapCause, Match, MatchEdge, MatchRequest, NotCalculable, NotCalculableReason, Reliability,
    Remark, RemarkKind, Remedy,
};
pub use polyline::{from_polyline6, polyline6};
pub use preferences::{Level, Preferences};
pub use profile::{Profile, UnknownProfile};
pub use reach::{Isochrone, Matrix, MatrixCell};
pub use route::{ElevationSource, LoopRequest, Route, RouteLeg, RouteRequest, SurfaceLength, WayKindLength};
pub use scored::{MatchDetail, Scored, ScoredGap};
pub use way::{Surface, WayKind};
pub use way_name::way_in_words;
