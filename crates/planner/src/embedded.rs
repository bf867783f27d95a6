//! The planner of the house: a prepared network and, where there is one, a ground model.

use crate::{
    api::{EngineStatus, Limits, Route, RouteEngine, RouteRequest},
    avoid,
    contraction::Metric,
    dem::Dem,
    error::PlanError,
    file::{Network, View},
    geometry::is_on_earth,
    matching::{Match, MatchRequest, match_line},
    profile::Profile,
    route, search,
    snap::{self, Snap},
    weights::Weights,
};
use std::sync::{Arc, OnceLock};
use trace::Position;

/// A point further than this from every way it may use is refused.
pub const MAX_SNAP_M: f64 = 150.0;
/// How far a refused point looks for a way, to say where the nearest one is.
const LOOK_M: f64 = 1_000.0;
/// Points of one route.
pub const MAX_ROUTE_POINTS: usize = 500;
/// Points of one line to match.
pub const MAX_MATCH_POINTS: usize = 200_000;

/// The embedded engine. Requests share it without waiting for one another.
#[derive(Debug)]
pub struct Embedded {
    network: Network,
    dem: Option<Arc<Dem>>,
    weights: [OnceLock<Weights>; 4],
    metrics: [OnceLock<Metric>; 4],
    max_settled: usize,
}

impl Embedded {
    /// Serve a network; without a ground model heights and climbs are not known, and told so.
    pub fn new(network: Network, dem: Option<Arc<Dem>>) -> Self {
        Self {
            network,
            dem,
            weights: Default::default(),
            metrics: Default::default(),
            max_settled: search::MAX_SETTLED,
        }
    }

    /// The same with another bound on the work of one search.
    #[must_use]
    pub fn with_max_settled(mut self, junctions: usize) -> Self {
        self.max_settled = junctions;
        self
    }

    /// The network served.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Work out every profile now rather than at its first request.
    pub fn warm_up(&self) {
        for profile in Profile::ALL {
            self.metric(profile);
        }
    }

    /// The place on the network nearest to a point: where it would be joined.
    pub fn snap(&self, p: Position, profile: Profile) -> Option<Position> {
        snap::for_profile(&self.network.view(), self.weights(profile), p, MAX_SNAP_M).map(|s| s.position)
    }

    pub(crate) fn weights(&self, profile: Profile) -> &Weights {
        self.weights[profile.index()].get_or_init(|| Weights::of(&self.network.view(), profile.rules()))
    }

    /// The profile's contraction, customised at its first use.
    pub(crate) fn metric(&self, profile: Profile) -> &Metric {
        self.metrics[profile.index()].get_or_init(|| Metric::of(&self.network.view(), self.weights(profile)))
    }

    pub(crate) fn planner(&self, profile: Profile) -> Planner<'_> {
        Planner {
            network: &self.network,
            view: self.network.view(),
            weights: self.weights(profile),
            dem: self.dem.as_deref(),
            profile,
            max_settled: self.max_settled,
        }
    }
}

/// Everything one request needs, borrowed once.
#[derive(Clone, Copy)]
pub(crate) struct Planner<'a> {
    pub network: &'a Network,
    pub view: View<'a>,
    pub weights: &'a Weights,
    pub dem: Option<&'a Dem>,
    pub profile: Profile,
    pub max_settled: usize,
}

impl Planner<'_> {
    pub(crate) fn data_date(&self) -> Option<String> {
        self.network.data_date_s().map(iso_day)
    }

    pub(crate) fn snap_all(&self, points: &[Position]) -> Result<Vec<Snap>, PlanError> {
        points.iter().enumerate().map(|(index, p)| self.snap(index, *p)).collect()
    }

    fn snap(&self, index: usize, p: Position) -> Result<Snap, PlanError> {
        if let Some(found) = snap::for_profile(&self.view, self.weights, p, MAX_SNAP_M) {
            return Ok(found);
        }
        if !self.network.covers(p) {
            return Err(PlanError::OutsideExtract { index });
        }
        let nearest = snap::for_profile(&self.view, self.weights, p, LOOK_M);
        Err(PlanError::TooFar { index, distance_m: nearest.map(|s| s.offset_m.round()) })
    }
}

impl RouteEngine for Embedded {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        let count = request.points.len();
        if count < 2 {
            return Err(PlanError::TooFewPoints { count });
        }
        if count > MAX_ROUTE_POINTS {
            return Err(PlanError::TooManyPoints { count, limit: MAX_ROUTE_POINTS });
        }
        check_points(&request.points)?;
        if request.avoid.is_empty() {
            return route::plan(&self.planner(request.profile), Some(self.metric(request.profile)), &request.points);
        }
        let weights = avoid::closed(&self.network.view(), self.weights(request.profile), &request.avoid);
        let planner = Planner { weights: &weights, ..self.planner(request.profile) };
        route::plan(&planner, None, &request.points)
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        let count = request.line.len();
        if count < 2 {
            return Err(PlanError::TooFewPoints { count });
        }
        if count > MAX_MATCH_POINTS {
            return Err(PlanError::TooManyPoints { count, limit: MAX_MATCH_POINTS });
        }
        check_points(&request.line)?;
        match_line(&self.planner(request.profile), &request.line, &request.kept)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        line.iter().map(|p| self.dem.as_ref().and_then(|dem| dem.elevation_m(*p))).collect()
    }

    fn status(&self) -> EngineStatus {
        EngineStatus {
            engine: ENGINE.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_date: self.network.data_date_s().map(iso_day),
            bbox: Some(self.network.bbox()),
            profiles: Profile::ALL.to_vec(),
            dem: self.dem.is_some(),
            limits: Limits {
                route_points: MAX_ROUTE_POINTS,
                match_points: MAX_MATCH_POINTS,
                settled_junctions: self.max_settled,
                snap_m: MAX_SNAP_M as u32,
            },
        }
    }
}

/// The embedded engine's name in answers.
pub(crate) const ENGINE: &str = "jalon";

fn check_points(points: &[Position]) -> Result<(), PlanError> {
    points.iter().position(|p| !is_on_earth(*p)).map_or(Ok(()), |index| Err(PlanError::BadPoint { index }))
}

/// The day of an instant, as in 2025-01-18 (days to civil date, Howard Hinnant's algorithm).
pub(crate) fn iso_day(seconds: i64) -> String {
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_iso() {
        assert_eq!(iso_day(0), "1970-01-01");
        assert_eq!(iso_day(1_737_158_400), "2025-01-18");
        assert_eq!(iso_day(1_709_164_800), "2024-02-29");
    }
}
