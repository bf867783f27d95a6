//! Two engines: where the first one fails, the second answers, with its name and the day of its data.

use crate::{
    EngineStatus, Isochrone, LoopRequest, Match, MatchRequest, Matrix, PlanError, Profile, Route, RouteEngine,
    RouteRequest,
};
use trace::Position;

/// An engine with a second one as fallback. "No way leads there" is an answer, too: the second is called only where the first
/// cannot be reached, or does not offer the operation.
#[derive(Debug)]
pub struct Fallback<First, Second> {
    first: First,
    second: Second,
}

impl<First: RouteEngine, Second: RouteEngine> Fallback<First, Second> {
    /// The first engine answers; the second replaces it when it fails.
    pub fn new(first: First, second: Second) -> Self {
        Self { first, second }
    }

    fn asked<T>(&self, ask: impl Fn(&dyn RouteEngine) -> Result<T, PlanError>) -> Result<T, PlanError> {
        match ask(&self.first) {
            Err(error) if error.is_failure() || matches!(error, PlanError::NotOffered { .. }) => ask(&self.second),
            answer => answer,
        }
    }
}

impl<First: RouteEngine, Second: RouteEngine> RouteEngine for Fallback<First, Second> {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        self.asked(|engine| engine.route(request))
    }

    /// The second may be asked after the first.
    fn answers_at_once(&self, request: &RouteRequest) -> bool {
        self.first.answers_at_once(request) && self.second.answers_at_once(request)
    }

    fn alternatives(&self, request: &RouteRequest, count: usize) -> Result<Vec<Route>, PlanError> {
        self.asked(|engine| engine.alternatives(request, count))
    }

    fn loops(&self, request: &LoopRequest) -> Result<Vec<Route>, PlanError> {
        self.asked(|engine| engine.loops(request))
    }

    fn matrix(&self, points: &[Position], profile: Profile) -> Result<Matrix, PlanError> {
        self.asked(|engine| engine.matrix(points, profile))
    }

    fn isochrone(&self, from: Position, profile: Profile, times_s: &[u32]) -> Result<Vec<Isochrone>, PlanError> {
        self.asked(|engine| engine.isochrone(from, profile, times_s))
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        self.asked(|engine| engine.match_trace(request))
    }

    /// The second gives heights where the first has none.
    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        let found = self.first.heights(line);
        if found.iter().any(Option::is_some) { found } else { self.second.heights(line) }
    }

    /// The first engine's status, with the profiles of both.
    fn status(&self) -> EngineStatus {
        let (first, second) = (self.first.status(), self.second.status());
        let served = |profile: &Profile| first.profiles.contains(profile) || second.profiles.contains(profile);
        EngineStatus { profiles: Profile::ALL.into_iter().filter(served).collect(), ..first }
    }
}
