//! The embedded planner: a prepared network and, where there is one, a ground model.

use crate::{
    avoid, climb,
    contraction::Metric,
    file::{Network, View},
    geometry::{cumulative_m, is_on_earth},
    isochrone, loops,
    matching::match_line,
    profile::Rules,
    route, search,
    snap::{self, Snap},
    weights::Weights,
};
use routing::{
    EngineStatus, Isochrone, Language, Limits, LoopRequest, MAX_ALTERNATIVES, MAX_AVOIDED, MAX_ISOCHRONE_S, MAX_LOOP_M,
    MAX_MATCH_POINTS, MAX_MATRIX_POINTS, MAX_ROUTE_POINTS, MAX_SNAP_M, Match, MatchRequest, Matrix, PlanError,
    Preferences, Profile, Route, RouteEngine, RouteRequest,
};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use terrain::Dem;
use trace::Position;

/// The radius in which the nearest way to a refused point is searched, for its message.
pub(crate) const LOOK_M: f64 = 1_000.0;
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

/// The references that one request needs, collected once.
#[derive(Clone, Copy)]
pub(crate) struct Planner<'a> {
    pub network: &'a Network,
    pub view: View<'a>,
    pub weights: &'a Weights,
    pub dem: Option<&'a Dem>,
    pub rules: &'a Rules,
    pub profile: Profile,
    pub max_settled: usize,
    /// The language of the instructions, `None` for both.
    pub language: Option<Language>,
}

impl Planner<'_> {
    pub(crate) fn data_date(&self) -> Option<String> {
        self.network.data_date_s().map(iso_day)
    }

    pub(crate) fn snap_all(&self, points: &[Position]) -> Result<Vec<Snap>, PlanError> {
        points.iter().enumerate().map(|(index, p)| self.snap(index, *p)).collect()
    }

    /// Seconds for a whole link in one direction, `None` where the profile may not go.
    pub(crate) fn seconds(&self, link: u32, is_backward: bool) -> Option<f64> {
        let row = self.view.link(link);
        let pace = self.weights.paces[row.attributes as usize][usize::from(is_backward)]?;
        let (up, down) = (f64::from(row.ascent_dm) / 10.0, f64::from(row.descent_dm) / 10.0);
        let (up, down) = if is_backward { (down, up) } else { (up, down) };
        Some(self.rules.seconds(&pace, row.length_m(), up, down))
    }

    pub(crate) fn snap(&self, index: usize, p: Position) -> Result<Snap, PlanError> {
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

/// The embedded engine's name in answers.
pub(crate) const ENGINE: &str = "jalon";

pub(crate) fn in_bounds(what: &'static str, number: f64, least: f64, most: f64) -> Result<(), PlanError> {
    // Written so that NaN is out of bounds.
    if number >= least && number <= most {
        return Ok(());
    }
    Err(PlanError::OutOfBounds { what, least: least as u32, most: most as u32 })
}

pub(crate) fn check_points(points: &[Position]) -> Result<(), PlanError> {
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
