//! A Valhalla server behind the planner's trait: ways, words, heights and matched lines are its own; lengths, climbs, the
//! walker's time and the reliability are worked out here, as for the embedded network.
//!
//! How the server is reached is the caller's affair ([`Exchange`]). What it cannot do is reported as not offered.

mod costing;
mod ground;
mod matched;
mod matched_points;
mod refusal;
mod route;
mod ways;
mod wire;
mod words;

use crate::{
    climb,
    planner::{LOOK_M, check_avoided, check_points, in_bounds, iso_day},
};
use routing::{
    EngineStatus, Limits, MAX_ALTERNATIVES, MAX_MATCH_POINTS, MAX_MATRIX_POINTS, MAX_ROUTE_POINTS, MAX_SNAP_M, Match,
    MatchRequest, Matrix, MatrixCell, PlanError, Profile, Route, RouteEngine, RouteRequest, polyline6,
    server::{Exchange, Unanswered},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use trace::Position;

/// Its name in answers.
pub const ENGINE: &str = "valhalla";
/// How long its version and the date of its data are cached.
const STATUS_TTL: Duration = Duration::from_secs(300);
/// The largest number of heights in one request.
const HEIGHTS_AT_ONCE: usize = 50_000;

/// A Valhalla server.
pub struct Valhalla {
    exchange: Box<dyn Exchange>,
    known: Mutex<CachedStatus>,
}

/// What the server last reported about itself.
#[derive(Debug, Default)]
struct CachedStatus {
    version: String,
    data_date: Option<String>,
    asked_at: Option<Instant>,
}

/// What the server sends back to a request that reached it.
enum Reply<T> {
    Answer(T),
    Refusal(wire::Refusal),
}

impl std::fmt::Debug for Valhalla {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Valhalla").field("known", &self.known).finish_non_exhaustive()
    }
}

impl Valhalla {
    /// A server that is reached this way. Nothing is asked yet.
    pub fn new(exchange: Box<dyn Exchange>) -> Self {
        Self { exchange, known: Mutex::default() }
    }

    /// Asks the server for its version and the date of its data; [`RouteEngine::status`] then returns them without a request.
    pub fn ask_status(&self) -> Result<EngineStatus, PlanError> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).asked_at = Some(Instant::now());
        let status: wire::Status = self.ask("status", &json!({}), 0)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.version = status.version;
        known.data_date = status.tileset_last_modified.filter(|at_s| *at_s > 0).map(iso_day);
        drop(known);
        Ok(self.status())
    }

    /// The day of its data. Asked for where it was not for some minutes: the server may have been given new tiles.
    fn data_date(&self) -> Option<String> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (is_fresh, last) = (known.asked_at.is_some_and(|at| at.elapsed() < STATUS_TTL), known.data_date.clone());
        drop(known);
        if is_fresh {
            return last;
        }
        // An error is not reported here: the next request for a route reports it.
        self.ask_status().map_or(last, |status| status.data_date)
    }

    /// Sends a request and reads the answer. `points` is the number of points in the request, for errors about its size.
    fn ask<T: DeserializeOwned>(&self, action: &str, body: &Value, points: usize) -> Result<T, PlanError> {
        match self.send(action, body)? {
            Reply::Answer(found) => Ok(found),
            Reply::Refusal(refusal) => Err(refusal.to_error(points)),
        }
    }

    /// Sends a request. Errors are those of the connection, and of answers that cannot be read.
    fn send<T: DeserializeOwned>(&self, action: &str, body: &Value) -> Result<Reply<T>, PlanError> {
        let answer = self.exchange.ask(action, body.to_string().as_bytes()).map_err(unanswered)?;
        let nonsense = |_| PlanError::BadAnswer;
        if answer.is_ok {
            return serde_json::from_slice(&answer.body).map(Reply::Answer).map_err(nonsense);
        }
        serde_json::from_slice(&answer.body).map(Reply::Refusal).map_err(nonsense)
    }

    /// Heights of the ground in metres.
    fn ground(&self, line: &[Position]) -> Result<Vec<Option<f64>>, PlanError> {
        let mut all = Vec::with_capacity(line.len());
        for part in line.chunks(HEIGHTS_AT_ONCE) {
            let body = json!({"encoded_polyline": polyline6(part), "shape_format": "polyline6", "height_precision": 1});
            let found: wire::Heights = self.ask("height", &body, part.len())?;
            if found.height.len() != part.len() {
                return Err(PlanError::BadAnswer);
            }
            all.extend(found.height);
        }
        Ok(all)
    }

    /// Which of some points has no way near, and how far the nearest is: the server refuses them all without saying.
    fn far_point(&self, points: &[Position], costing: &str) -> PlanError {
        let body = json!({"locations": places(points, LOOK_M), "costing": costing, "verbose": false});
        let located: Vec<wire::Located> = self.ask("locate", &body, points.len()).unwrap_or_default();
        let nearest = |(p, found): (&Position, &wire::Located)| found.nearest_m(*p).filter(|metres| *metres <= LOOK_M);
        let far: Vec<Option<f64>> = points.iter().zip(&located).map(nearest).collect();
        let index = far.iter().position(|metres| metres.is_none_or(|metres| metres > MAX_SNAP_M)).unwrap_or_default();
        PlanError::TooFar { index, distance_m: far.get(index).copied().flatten().map(f64::round) }
    }
}

/// Points as the server wants them, with a bound on how far the way may be.
fn places(points: &[Position], within_m: f64) -> Value {
    points.iter().map(|p| json!({"lon": p.lon, "lat": p.lat, "search_cutoff": within_m})).collect()
}

fn unanswered(why: Unanswered) -> PlanError {
    match why {
        Unanswered::Unreachable => PlanError::Unreachable,
        Unanswered::TimedOut => PlanError::TimedOut,
        Unanswered::BadAnswer => PlanError::BadAnswer,
    }
}

fn checked_count(count: usize, limit: usize) -> Result<(), PlanError> {
    match count {
        0 | 1 => Err(PlanError::TooFewPoints { count }),
        _ if count > limit => Err(PlanError::TooManyPoints { count, limit }),
        _ => Ok(()),
    }
}

fn check_route(request: &RouteRequest) -> Result<(), PlanError> {
    checked_count(request.points.len(), MAX_ROUTE_POINTS)?;
    check_points(&request.points)?;
    check_avoided(&request.avoid)?;
    if request.month.is_some() { Err(PlanError::NotOffered { what: "month" }) } else { Ok(()) }
}

impl RouteEngine for Valhalla {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        check_route(request)?;
        route::plan(self, request, 1)?.into_iter().next().ok_or(PlanError::BadAnswer)
    }

    fn alternatives(&self, request: &RouteRequest, count: usize) -> Result<Vec<Route>, PlanError> {
        in_bounds("count", count as f64, 1.0, MAX_ALTERNATIVES as f64)?;
        check_route(request)?;
        route::plan(self, request, if request.points.len() == 2 { count } else { 1 })
    }

    fn matrix(&self, points: &[Position], profile: Profile) -> Result<Matrix, PlanError> {
        checked_count(points.len(), MAX_MATRIX_POINTS)?;
        check_points(points)?;
        let (costing, options) = costing::of(profile).ok_or(PlanError::NotOffered { what: profile.as_str() })?;
        let body = json!({"sources": places(points, MAX_SNAP_M), "targets": places(points, MAX_SNAP_M), "costing": costing,
            "costing_options": {costing: options}, "units": "kilometers"});
        let found: wire::Measured = match self.send("sources_to_targets", &body)? {
            Reply::Answer(found) => found,
            Reply::Refusal(refusal) if refusal.error_code == refusal::NO_WAY_NEAR => {
                return Err(self.far_point(points, costing));
            }
            Reply::Refusal(refusal) => return Err(refusal.to_error(points.len())),
        };
        let cell = |cell: wire::Cell| {
            let (distance_km, duration_s) = cell.distance.zip(cell.time)?;
            Some(MatrixCell { distance_m: distance_km * 1000.0, duration_s })
        };
        let rows: Vec<Vec<_>> =
            found.sources_to_targets.into_iter().map(|row| row.into_iter().map(cell).collect()).collect();
        let is_square = rows.len() == points.len() && rows.iter().all(|row| row.len() == points.len());
        if !is_square {
            return Err(PlanError::BadAnswer);
        }
        Ok(Matrix { rows, engine: ENGINE.to_owned(), data_date: self.data_date() })
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        checked_count(request.line.len(), MAX_MATCH_POINTS)?;
        check_points(&request.line)?;
        matched::lay(self, request)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        let Ok(heights) = self.ground(line) else { return vec![None; line.len()] };
        climb::smoothed(line, heights, |p| p.ele)
    }

    /// The last known status; no request is sent, so that a server that hangs does not delay a page that only shows it.
    fn status(&self) -> EngineStatus {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        EngineStatus {
            engine: ENGINE.to_owned(),
            version: known.version.clone(),
            data_date: known.data_date.clone(),
            checksum: None,
            bbox: None,
            profiles: Profile::ALL.into_iter().filter(|profile| costing::of(*profile).is_some()).collect(),
            dem: true,
            limits: Limits {
                route_points: MAX_ROUTE_POINTS,
                match_points: MAX_MATCH_POINTS,
                settled_junctions: 0,
                snap_m: MAX_SNAP_M as u32,
            },
        }
    }
}
