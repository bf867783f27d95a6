//! The embedded planner: a prepared network and, where there is one, a ground model.

use crate::{
    avoid, climb,
    contraction::Metric,
    file::{Network, View},
    geometry::cumulative_m,
    isochrone, loops,
    matching::match_line,
    planner::{ENGINE, Planner, check_points, in_bounds, iso_day},
    profile::Rules,
    route, search, snap,
    weights::Weights,
};
use routing::{
    EngineStatus, Isochrone, Limits, LoopRequest, MAX_ALTERNATIVES, MAX_AVOIDED, MAX_ISOCHRONE_S, MAX_LOOP_M,
    MAX_MATCH_POINTS, MAX_MATRIX_POINTS, MAX_ROUTE_POINTS, MAX_SNAP_M, Match, MatchRequest, Matrix, PlanError,
    Preferences, Profile, Route, RouteEngine, RouteRequest,
};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use terrain::Dem;
use trace::Position;

/// Up to this straight distance a way by the contraction takes a fraction of a millisecond.
const AT_ONCE_M: f64 = 40_000.0;
/// Adjusted profiles in the cache; the least recently used one is dropped first.
const MAX_BENT: usize = 12;

/// The costs of one profile on a network, worked out at their first use.
#[derive(Debug)]
pub(crate) struct Costs {
    rules: Rules,
    weights: OnceLock<Weights>,
    metric: OnceLock<Metric>,
}

impl Costs {
    fn of(rules: Rules) -> Arc<Self> {
        Arc::new(Self { rules, weights: OnceLock::new(), metric: OnceLock::new() })
    }

    fn weights(&self, view: &View) -> &Weights {
        self.weights.get_or_init(|| Weights::of(view, &self.rules))
    }

    /// The contraction, customised to these costs.
    fn metric(&self, view: &View) -> &Metric {
        self.metric.get_or_init(|| Metric::of(view, self.weights(view)))
    }
}

/// The embedded engine. Requests share it without waiting for one another.
#[derive(Debug)]
pub struct Embedded {
    network: Network,
    dem: Option<Arc<Dem>>,
    usual: [Arc<Costs>; 8],
    bent: Mutex<Vec<(Profile, Preferences, Arc<Costs>)>>,
    max_settled: usize,
}

impl Embedded {
    /// Serves a network; without a ground model heights and climbs are reported as unknown.
    pub fn new(network: Network, dem: Option<Arc<Dem>>) -> Self {
        Self {
            network,
            dem,
            usual: Profile::ALL.map(|profile| Costs::of(Rules::of(profile).clone())),
            bent: Mutex::default(),
            max_settled: search::MAX_SETTLED,
        }
    }

    /// The same with another bound on the work of one search.
    #[must_use]
    pub fn with_max_settled(mut self, junctions: usize) -> Self {
        self.max_settled = junctions;
        self
    }

    /// The same with another data file for a profile (the layout is that of `profiles/`): costs change, the network does not.
    pub fn with_profile(mut self, profile: Profile, text: &str) -> Result<Self, PlanError> {
        let rules = Rules::read(text).map_err(|e| PlanError::BadProfile { reason: e.to_string() })?;
        self.usual[profile as usize] = Costs::of(rules);
        Ok(self)
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

    /// Work out one profile now.
    pub fn warm_up_one(&self, profile: Profile) {
        self.metric(profile);
    }

    /// The place on the network nearest to a point, at which a route would start.
    pub fn snap(&self, p: Position, profile: Profile) -> Option<Position> {
        snap::for_profile(&self.network.view(), self.weights(profile), p, MAX_SNAP_M).map(|s| s.position)
    }

    pub(crate) fn weights(&self, profile: Profile) -> &Weights {
        self.usual[profile as usize].weights(&self.network.view())
    }

    /// The profile's contraction, customised at its first use.
    pub(crate) fn metric(&self, profile: Profile) -> &Metric {
        self.usual[profile as usize].metric(&self.network.view())
    }

    /// A profile's costs, adjusted to the preferences.
    fn costs(&self, profile: Profile, preferences: Preferences) -> Arc<Costs> {
        let usual = &self.usual[profile as usize];
        if preferences == Preferences::default() {
            return Arc::clone(usual);
        }
        let mut bent = self.bent.lock().unwrap_or_else(PoisonError::into_inner);
        let known = bent.iter().position(|(p, wanted, _)| (*p, *wanted) == (profile, preferences));
        let costs = match known {
            Some(place) => bent.remove(place).2,
            None => Costs::of(usual.rules.bent(preferences)),
        };
        if bent.len() >= MAX_BENT {
            bent.remove(0);
        }
        bent.push((profile, preferences, Arc::clone(&costs)));
        costs
    }

    /// Costs for this request alone, `None` where the profile's apply.
    fn own_weights(&self, costs: &Costs, request: &RouteRequest) -> Result<Option<Weights>, PlanError> {
        if let Some(month) = request.month {
            in_bounds("month", f64::from(month), 1.0, 12.0)?;
        }
        let view = self.network.view();
        Ok(avoid::of_request(&view, costs.weights(&view), request))
    }

    pub(crate) fn planner(&self, profile: Profile) -> Planner<'_> {
        self.planner_at(profile, &self.usual[profile as usize])
    }

    fn planner_at<'a>(&'a self, profile: Profile, costs: &'a Costs) -> Planner<'a> {
        let view = self.network.view();
        Planner {
            network: &self.network,
            view,
            weights: costs.weights(&view),
            dem: self.dem.as_deref(),
            rules: &costs.rules,
            profile,
            max_settled: self.max_settled,
            language: None,
        }
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
        in_bounds("parts to keep out of", request.avoid.len() as f64, 0.0, MAX_AVOIDED as f64)?;
        let costs = self.costs(request.profile, request.preferences);
        let planner = Planner { language: request.language, ..self.planner_at(request.profile, &costs) };
        match self.own_weights(&costs, request)? {
            None => route::plan(&planner, Some(costs.metric(&planner.view)), &request.points),
            Some(weights) => route::plan(&Planner { weights: &weights, ..planner }, None, &request.points),
        }
    }

    fn answers_at_once(&self, request: &RouteRequest) -> bool {
        let is_ready = request.preferences == Preferences::default()
            && self.usual[request.profile as usize].metric.get().is_some();
        let crow_flies_m: f64 = request.points.windows(2).map(|pair| trace::distance_m(pair[0], pair[1])).sum();
        is_ready && request.avoid.is_empty() && request.month.is_none() && crow_flies_m <= AT_ONCE_M
    }

    fn alternatives(&self, request: &RouteRequest, count: usize) -> Result<Vec<Route>, PlanError> {
        in_bounds("count", count as f64, 1.0, MAX_ALTERNATIVES as f64)?;
        let costs = self.costs(request.profile, request.preferences);
        if request.points.len() != 2 || count == 1 || self.own_weights(&costs, request)?.is_some() {
            return Ok(vec![self.route(request)?]);
        }
        check_points(&request.points)?;
        let planner = Planner { language: request.language, ..self.planner_at(request.profile, &costs) };
        route::alternatives(&planner, costs.metric(&planner.view), &request.points, count)
    }

    fn loops(&self, request: &LoopRequest) -> Result<Vec<Route>, PlanError> {
        in_bounds("length_m", request.length_m, 500.0, f64::from(MAX_LOOP_M))?;
        in_bounds("count", request.count as f64, 1.0, MAX_ALTERNATIVES as f64)?;
        check_points(&[request.start])?;
        let costs = self.costs(request.profile, request.preferences);
        let planner = self.planner_at(request.profile, &costs);
        let start = planner.snap(0, request.start)?;
        let found = loops::find(&planner, costs.metric(&planner.view), &start, request.length_m, request.count)?;
        if found.is_empty() {
            return Err(PlanError::NoWay { from_index: 0, to_index: 0 });
        }
        Ok(found.iter().map(|l| route::assemble(&planner, &l.snaps, &l.paths)).collect())
    }

    fn matrix(&self, points: &[Position], profile: Profile) -> Result<Matrix, PlanError> {
        let count = points.len();
        if count < 2 {
            return Err(PlanError::TooFewPoints { count });
        }
        if count > MAX_MATRIX_POINTS {
            return Err(PlanError::TooManyPoints { count, limit: MAX_MATRIX_POINTS });
        }
        check_points(points)?;
        let planner = self.planner(profile);
        route::matrix(&planner, self.metric(profile), &planner.snap_all(points)?)
    }

    fn isochrone(&self, from: Position, profile: Profile, times_s: &[u32]) -> Result<Vec<Isochrone>, PlanError> {
        in_bounds("number of times", times_s.len() as f64, 1.0, 10.0)?;
        for time_s in times_s {
            in_bounds("seconds", f64::from(*time_s), 1.0, f64::from(MAX_ISOCHRONE_S))?;
        }
        check_points(&[from])?;
        let planner = self.planner(profile);
        isochrone::around(&planner, &planner.snap(0, from)?, times_s)
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
        let Some(dem) = &self.dem else { return vec![None; line.len()] };
        let height = |p: Position| dem.elevation_m(p.lon, p.lat);
        let mut heights: Vec<Option<f64>> = line.iter().map(|p| height(*p)).collect();
        // Heights along a line are smoothed: read point by point, a level road on a slope would climb.
        let along_m = cumulative_m(line);
        if let Some(profile) = climb::Profile::of_ground(line, &along_m, height, |_| false) {
            for (height, at) in heights.iter_mut().zip(&along_m).filter(|(height, _)| height.is_some()) {
                *height = Some(climb::decimetres(profile.height_m(*at)));
            }
        }
        heights
    }

    fn status(&self) -> EngineStatus {
        EngineStatus {
            engine: ENGINE.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_date: self.network.data_date_s().map(iso_day),
            checksum: Some(self.network.extract_checksum()),
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
