//! The trait of every engine, and the status of an engine.

use crate::{Isochrone, Limits, LoopRequest, Match, MatchRequest, Matrix, PlanError, Profile, Route, RouteRequest};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use trace::Position;
use utoipa::ToSchema;

/// What an engine is and holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EngineStatus {
    /// Its name in answers.
    pub engine: String,
    pub version: String,
    /// The day of its data (ISO 8601), where known.
    pub data_date: Option<String>,
    /// Checksum of the data its network was made from, hexadecimal, where known.
    #[serde(default)]
    pub checksum: Option<String>,
    /// West, south, east, north of its ways.
    #[schema(value_type = Option<trace::BoundingBox>)]
    pub bbox: Option<[f64; 4]>,
    /// Profiles it serves.
    pub profiles: Vec<Profile>,
    /// Does it know heights?
    pub dem: bool,
    /// What one request may ask for.
    pub limits: Limits,
}

/// A planner, embedded or remote. Requests that an engine does not offer fail with [`PlanError::NotOffered`].
pub trait RouteEngine: Send + Sync {
    /// The best way through points.
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError>;
    /// Whether this request takes well under a millisecond and never waits, so that the caller needs no other thread for it.
    fn answers_at_once(&self, _request: &RouteRequest) -> bool {
        false
    }
    /// Up to three good ways between two points, the best first; through more points, the best alone.
    fn alternatives(&self, request: &RouteRequest, _count: usize) -> Result<Vec<Route>, PlanError> {
        Ok(vec![self.route(request)?])
    }
    /// Loops of a wanted length, the best first.
    fn loops(&self, _request: &LoopRequest) -> Result<Vec<Route>, PlanError> {
        Err(PlanError::NotOffered { what: "loops" })
    }
    /// Distances and times between all points.
    fn matrix(&self, _points: &[Position], _profile: Profile) -> Result<Matrix, PlanError> {
        Err(PlanError::NotOffered { what: "matrix" })
    }
    /// What can be reached from a place in some times, given in seconds.
    fn isochrone(&self, _from: Position, _profile: Profile, _times_s: &[u32]) -> Result<Vec<Isochrone>, PlanError> {
        Err(PlanError::NotOffered { what: "isochrone" })
    }
    /// Matches a recording to the network, scores it and explains the stretches that do not fit.
    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError>;
    /// Height of the ground along a line, smoothed, at each of its points; `None` where no model knows it.
    fn heights(&self, line: &[Position]) -> Vec<Option<f64>>;
    /// What the engine is and holds.
    fn status(&self) -> EngineStatus;
}

impl<E: RouteEngine + ?Sized> RouteEngine for Arc<E> {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        (**self).route(request)
    }

    fn answers_at_once(&self, request: &RouteRequest) -> bool {
        (**self).answers_at_once(request)
    }

    fn alternatives(&self, request: &RouteRequest, count: usize) -> Result<Vec<Route>, PlanError> {
        (**self).alternatives(request, count)
    }

    fn loops(&self, request: &LoopRequest) -> Result<Vec<Route>, PlanError> {
        (**self).loops(request)
    }

    fn matrix(&self, points: &[Position], profile: Profile) -> Result<Matrix, PlanError> {
        (**self).matrix(points, profile)
    }

    fn isochrone(&self, from: Position, profile: Profile, times_s: &[u32]) -> Result<Vec<Isochrone>, PlanError> {
        (**self).isochrone(from, profile, times_s)
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        (**self).match_trace(request)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        (**self).heights(line)
    }

    fn status(&self) -> EngineStatus {
        (**self).status()
    }
}
