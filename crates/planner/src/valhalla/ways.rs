//! The ways of a match that a Valhalla server made, for judging and explaining it.

use super::{Valhalla, costing, wire};
use crate::matching::{FIX_SNAP_M, LOOK_M, Ways, following};
use routing::{Fix, Profile, from_polyline6};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};
use trace::Position;

/// Bounds of the requests that explain one recording: their number and their time. What remains is explained without requests.
const MAX_QUESTIONS: usize = 60;
const EXPLAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// The edges that a recording was matched to; the number of a way is its index in the list.
pub(super) struct ServerWays<'a> {
    engine: &'a Valhalla,
    costing: &'static str,
    options: Value,
    way_ids: Vec<i64>,
    left: Cell<usize>,
    since: Instant,
}

impl<'a> ServerWays<'a> {
    pub(super) fn new(engine: &'a Valhalla, profile: Profile, edges: &[wire::Edge]) -> Option<Self> {
        let (costing, options) = costing::of(profile)?;
        let way_ids = edges.iter().map(|edge| edge.way_id).collect();
        Some(Self { engine, costing, options, way_ids, left: Cell::new(MAX_QUESTIONS), since: Instant::now() })
    }

    /// Counts a request. `None` where no more are allowed, or the time is up.
    fn may_ask(&self) -> Option<()> {
        if self.since.elapsed() > EXPLAIN_TIMEOUT {
            return None;
        }
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    fn located(&self, places: &[Position]) -> Option<Vec<wire::Located>> {
        self.may_ask()?;
        let body = json!({"locations": super::places(places, LOOK_M), "costing": self.costing, "verbose": false});
        self.engine.ask("locate", &body, places.len()).ok().filter(|all: &Vec<_>| all.len() == places.len())
    }
}

impl Ways for ServerWays<'_> {
    /// The server does not say where its data ends: beyond, there is no way.
    fn covers(&self, _p: Position) -> bool {
        true
    }

    /// The server matches recordings only to ways that are open to the costing.
    fn is_usable(&self, _link: u32) -> bool {
        true
    }

    fn is_wrong_way(&self, _link: u32, _is_backward: bool) -> bool {
        false
    }

    fn way_id(&self, link: u32) -> i64 {
        self.way_ids.get(link as usize).copied().unwrap_or_default()
    }

    fn furthest_m(&self, places: &[Position]) -> f64 {
        let Some(located) = self.located(places) else { return LOOK_M };
        let nearest_m = |(p, found): (&Position, &wire::Located)| found.nearest_m(*p).map_or(LOOK_M, |m| m.min(LOOK_M));
        places.iter().zip(&located).map(nearest_m).reduce(f64::max).unwrap_or_default()
    }

    fn follow(&self, from: Position, to: Position, stretch_m: f64) -> Option<Fix> {
        self.may_ask()?;
        let body = json!({"locations": super::places(&[from, to], FIX_SNAP_M), "costing": self.costing,
            "costing_options": {self.costing: self.options}, "units": "kilometers", "directions_type": "none"});
        let routed: wire::Routed = self.engine.ask("route", &body, 2).ok()?;
        following(from_polyline6(&routed.trip.legs.first()?.shape)?, stretch_m)
    }
}
