//! The embedded planner: a prepared network and, where there is one, a ground model.

use crate::{
    avoid, climb,
    contraction::{Metric, OwnMetric, stored},
    file::{Network, View},
    isochrone, loops,
    matching::match_line,
    planner::{ENGINE, Planner, check_avoided, check_points, in_bounds, iso_day},
    profile::Rules,
    route, search, snap,
    weights::{self, Changes, Large, Paces, Weights},
};
use routing::{
    EngineStatus, Isochrone, Limits, LoopRequest, MAX_ALTERNATIVES, MAX_ISOCHRONE_S, MAX_LOOP_M, MAX_MATCH_POINTS,
    MAX_MATRIX_POINTS, MAX_ROUTE_POINTS, MAX_SNAP_M, Match, MatchRequest, Matrix, PlanError, Preferences, Profile,
    Route, RouteEngine, RouteRequest,
};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use terrain::Dem;
use trace::Position;

/// Up to this straight distance a way by the contraction takes a fraction of a millisecond.
const AT_ONCE_M: f64 = 40_000.0;
/// Adjusted profiles in the cache at most; the least recently used one is dropped first.
const MAX_ADJUSTED: usize = 12;
/// Bytes that the costs of adjusted profiles may take on the contraction.
const MAX_ADJUSTED_BYTES: usize = 128 << 20;
/// What a shortcut takes about, in bytes: two in five are kept in each direction.
const BYTES_PER_SHORTCUT: usize = 9;

/// How many adjusted profiles the cache holds with their costs on a contraction of this many shortcuts. `None` where fewer than two would fit: on so
/// large a network a way by adjusted costs is searched on the network itself, and what is kept of a profile is small.
fn adjusted_capacity(shortcuts: usize) -> Option<usize> {
    let fit = MAX_ADJUSTED_BYTES / (shortcuts * BYTES_PER_SHORTCUT).max(1);
    (fit >= 2).then_some(fit.min(MAX_ADJUSTED))
}

/// The costs of one profile on a network, worked out at their first use.
#[derive(Debug)]
pub(crate) struct Costs {
    rules: Rules,
    paces: OnceLock<Paces>,
    /// The links of a large network, where the file does not have them for these rules.
    large: OnceLock<Vec<u8>>,
    /// The costs on the contraction, where the file does not have them for these rules.
    metric: OnceLock<OwnMetric>,
    /// Whether the file has the costs of a profile with these rules.
    is_stored: OnceLock<bool>,
}

impl Costs {
    fn of(rules: Rules) -> Arc<Self> {
        Arc::new(Self {
            rules,
            paces: OnceLock::new(),
            large: OnceLock::new(),
            metric: OnceLock::new(),
            is_stored: OnceLock::new(),
        })
    }

    fn paces(&self, view: &View) -> &Paces {
        self.paces.get_or_init(|| weights::paces(view, &self.rules))
    }

    /// Does the file have the costs of a profile with these rules?
    fn is_stored(&self, view: &View, profile: Profile) -> bool {
        *self.is_stored.get_or_init(|| {
            let large = Large { links: &[], bit: 0 };
            let own = Weights { view: *view, rules: &self.rules, paces: self.paces(view), large, changes: None };
            stored::has(view, profile, weights::fingerprint(&own))
        })
    }

    /// The links of a large network: as the file has them, else worked out at their first use.
    fn large<'a>(&'a self, view: &View<'a>, profile: Profile) -> Large<'a> {
        if self.is_stored(view, profile) {
            return Large { links: view.large, bit: 1 << profile as u8 };
        }
        let own = self.large.get_or_init(|| weights::large_links(view, &self.rules, self.paces(view)));
        Large { links: own, bit: 1 }
    }
}

/// The embedded engine. Requests share it without waiting for one another.
#[derive(Debug)]
pub struct Embedded {
    network: Network,
    dem: Option<Arc<Dem>>,
    usual: [Arc<Costs>; 8],
    adjusted: Mutex<Vec<(Profile, Preferences, Arc<Costs>)>>,
    max_settled: usize,
}

impl Embedded {
    /// Serves a network; without a ground model heights and climbs are reported as unknown.
    pub fn new(network: Network, dem: Option<Arc<Dem>>) -> Self {
        network.expect_requests();
        Self {
            network,
            dem,
            usual: Profile::ALL.map(|profile| Costs::of(Rules::of(profile).clone())),
            adjusted: Mutex::default(),
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

    /// The profiles whose costs the file does not have as this program works them out: they take time and memory at their first request.
    pub fn without_stored_costs(&self) -> Vec<Profile> {
        let view = self.network.view();
        Profile::ALL.into_iter().filter(|profile| !self.usual(*profile).is_stored(&view, *profile)).collect()
    }

    /// Work out every profile now rather than at its first request.
    pub fn warm_up(&self) {
        for profile in Profile::ALL {
            self.warm_up_one(profile);
        }
    }

    /// Work out one profile now.
    pub fn warm_up_one(&self, profile: Profile) {
        self.metric(profile);
    }

    /// The place on the network nearest to a point, at which a route would start.
    pub fn snap(&self, p: Position, profile: Profile) -> Option<Position> {
        snap::for_profile(&self.network.view(), &self.weights(profile), p, MAX_SNAP_M).map(|s| s.position)
    }

    /// The costs of a profile with its own rules.
    fn usual(&self, profile: Profile) -> &Costs {
        &self.usual[profile as usize]
    }

    pub(crate) fn weights(&self, profile: Profile) -> Weights<'_> {
        self.weights_of(profile, self.usual(profile))
    }

    fn weights_of<'a>(&'a self, profile: Profile, costs: &'a Costs) -> Weights<'a> {
        let view = self.network.view();
        // Preferences make ways dearer, they close none: what is large stays large.
        let large = self.usual(profile).large(&view, profile);
        Weights { view, rules: &costs.rules, paces: costs.paces(&view), large, changes: None }
    }

    pub(crate) fn metric(&self, profile: Profile) -> Option<Metric<'_>> {
        self.metric_of(profile, self.usual(profile))
    }

    /// A profile's costs on the contraction: as the file has them, else worked out at their first use. `None` for preferences on a
    /// network so large that this would take too much memory.
    fn metric_of<'a>(&'a self, profile: Profile, costs: &'a Costs) -> Option<Metric<'a>> {
        let view = self.network.view();
        let is_usual = std::ptr::eq(costs, self.usual(profile));
        if is_usual && costs.is_stored(&view, profile) {
            return stored::read(&view, profile);
        }
        if !is_usual && adjusted_capacity(view.up_head.len()).is_none() {
            return None;
        }
        Some(costs.metric.get_or_init(|| OwnMetric::of(&view, &self.weights_of(profile, costs))).view())
    }

    /// A profile's costs, adjusted to the preferences.
    fn costs(&self, profile: Profile, preferences: Preferences) -> Arc<Costs> {
        let usual = &self.usual[profile as usize];
        if preferences == Preferences::default() {
            return Arc::clone(usual);
        }
        let mut adjusted = self.adjusted.lock().unwrap_or_else(PoisonError::into_inner);
        let known = adjusted.iter().position(|(p, wanted, _)| (*p, *wanted) == (profile, preferences));
        let costs = match known {
            Some(place) => adjusted.remove(place).2,
            None => Costs::of(usual.rules.with_preferences(preferences)),
        };
        let most = adjusted_capacity(self.network.view().up_head.len()).unwrap_or(MAX_ADJUSTED);
        while adjusted.len() >= most {
            adjusted.remove(0);
        }
        adjusted.push((profile, preferences, Arc::clone(&costs)));
        costs
    }

    /// What this request alone changes in its profile's costs: the paces of its month, the ways that it keeps out of. `None` where it changes
    /// nothing.
    fn own_changes(
        &self,
        weights: &Weights,
        request: &RouteRequest,
    ) -> Result<Option<(Option<Paces>, Changes)>, PlanError> {
        if let Some(month) = request.month {
            in_bounds("month", f64::from(month), 1.0, 12.0)?;
        }
        let in_month = request.month.and_then(|month| weights::paces_in(&weights.view, weights.paces, month));
        let closed = avoid::links(&weights.view, &request.avoid);
        if in_month.is_none() && closed.is_empty() {
            return Ok(None);
        }
        Ok(Some((in_month, Changes { closed, ..Changes::default() })))
    }

    pub(crate) fn planner(&self, profile: Profile) -> Planner<'_> {
        self.planner_at(profile, self.usual(profile))
    }

    fn planner_at<'a>(&'a self, profile: Profile, costs: &'a Costs) -> Planner<'a> {
        Planner {
            network: &self.network,
            view: self.network.view(),
            weights: self.weights_of(profile, costs),
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
        check_avoided(&request.avoid)?;
        let costs = self.costs(request.profile, request.preferences);
        let planner = Planner { language: request.language, ..self.planner_at(request.profile, &costs) };
        match self.own_changes(&planner.weights, request)? {
            None => route::plan(&planner, self.metric_of(request.profile, &costs).as_ref(), &request.points),
            Some((paces, changes)) => {
                let paces = paces.as_deref().unwrap_or(planner.weights.paces);
                let weights = Weights { paces, ..planner.weights }.changed(&changes);
                route::plan(&Planner { weights, ..planner }, None, &request.points)
            }
        }
    }

    fn answers_at_once(&self, request: &RouteRequest) -> bool {
        let usual = self.usual(request.profile);
        let is_ready = request.preferences == Preferences::default()
            && (usual.is_stored.get() == Some(&true) || usual.metric.get().is_some());
        let crow_flies_m: f64 = request.points.windows(2).map(|pair| trace::distance_m(pair[0], pair[1])).sum();
        is_ready && request.avoid.is_empty() && request.month.is_none() && crow_flies_m <= AT_ONCE_M
    }

    fn alternatives(&self, request: &RouteRequest, count: usize) -> Result<Vec<Route>, PlanError> {
        in_bounds("count", count as f64, 1.0, MAX_ALTERNATIVES as f64)?;
        check_avoided(&request.avoid)?;
        let costs = self.costs(request.profile, request.preferences);
        let planner = Planner { language: request.language, ..self.planner_at(request.profile, &costs) };
        if request.points.len() != 2 || count == 1 || self.own_changes(&planner.weights, request)?.is_some() {
            return Ok(vec![self.route(request)?]);
        }
        check_points(&request.points)?;
        route::alternatives(&planner, self.metric_of(request.profile, &costs).as_ref(), &request.points, count)
    }

    fn loops(&self, request: &LoopRequest) -> Result<Vec<Route>, PlanError> {
        in_bounds("length_m", request.length_m, 500.0, f64::from(MAX_LOOP_M))?;
        in_bounds("count", request.count as f64, 1.0, MAX_ALTERNATIVES as f64)?;
        check_points(&[request.start])?;
        let costs = self.costs(request.profile, request.preferences);
        let planner = self.planner_at(request.profile, &costs);
        let start = planner.snap(0, request.start)?;
        let metric = self.metric_of(request.profile, &costs);
        let found = loops::find(&planner, metric.as_ref(), &start, request.length_m, request.count)?;
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
        route::matrix(&planner, self.metric(profile).as_ref(), &planner.snap_all(points)?)
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
        climb::smoothed(line, line.iter().map(|p| height(*p)).collect(), height)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusted_profiles_stay_in_their_memory() {
        // No shortcut, Andorra, a département, forty copies of Andorra.
        let kept = [0, 362_508, 4_000_000, 14_849_586].map(adjusted_capacity);
        assert_eq!(kept, [Some(MAX_ADJUSTED), Some(MAX_ADJUSTED), Some(3), None]);
    }
}
