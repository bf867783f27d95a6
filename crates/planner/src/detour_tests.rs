//! Detours (`routing::detour`) over the embedded engine.

use crate::{
    embedded::Embedded,
    testmap::{TestMap, at},
};
use routing::{
    Detour, DetourRequest, EngineStatus, MAX_DETOUR_ROUTES, Match, MatchRequest, PlanError, Profile, Route,
    RouteEngine, RouteRequest, detour,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use trace::{Part, Position};

/// Counts the routes that are asked for.
struct Counting(Embedded, AtomicUsize);

impl RouteEngine for Counting {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.route(request)
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        self.0.match_trace(request)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        self.0.heights(line)
    }

    fn status(&self) -> EngineStatus {
        self.0.status()
    }
}

fn counting(map: &TestMap) -> Counting {
    Counting(map.engine(), AtomicUsize::new(0))
}

/// A straight line east over the grid, 3 km long, which is closed from one metre to another.
fn around(engine: &Counting, closed_m: (f64, f64)) -> Option<Detour> {
    let line: Vec<Position> = (0..=30).map(|i| at(f64::from(i) * 100.0, 0.0)).collect();
    let strip = [(closed_m.0, -20.0), (closed_m.1, -20.0), (closed_m.1, 20.0), (closed_m.0, 20.0)];
    let avoid = [Part::Area(strip.into_iter().chain([strip[0]]).map(|(x, y)| at(x, y)).collect())];
    detour(engine, DetourRequest { line: &line, closed_m, avoid: &avoid, profile: Profile::Hiking })
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 12.0
}

/// A street from west to east with junctions at some metres.
fn street(junctions: &[f64]) -> TestMap {
    let ids: Vec<i64> = (1..).take(junctions.len()).collect();
    let nodes = junctions.iter().zip(&ids).fold(TestMap::new(), |map, (x, id)| map.node(*id, *x, 0.0));
    ids.windows(2).fold(nodes, |map, pair| map.street(pair[0], pair))
}

#[test]
fn one_leaves_just_before_and_comes_back_far_behind() {
    let map = street(&[0.0, 200.0, 2_000.0, 3_000.0])
        .node(11, 200.0, 400.0)
        .node(12, 2_000.0, 400.0)
        .street(20, &[2, 11, 12, 3]);
    let engine = counting(&map);
    let found = around(&engine, (300.0, 500.0)).expect("a way round from the junction at 200 m to the one at 2 km");
    assert!(near(found.from_m, 200.0) && near(found.to_m, 2_000.0), "{found:?}");
    assert!(near(found.distance_m, 2_600.0) && near(found.extra_m, 800.0), "{found:?}");
    assert!(engine.1.load(Ordering::Relaxed) <= MAX_DETOUR_ROUTES);
}

#[test]
fn one_leaves_far_before_and_comes_back_just_behind() {
    let map = street(&[0.0, 1_000.0, 2_700.0, 3_000.0])
        .node(11, 1_000.0, 400.0)
        .node(12, 2_700.0, 400.0)
        .street(20, &[2, 11, 12, 3]);
    let found = around(&counting(&map), (2_500.0, 2_600.0)).expect("a way round");
    assert!(near(found.from_m, 1_000.0) && near(found.to_m, 2_700.0), "{found:?}");
}

#[test]
fn a_line_that_is_closed_near_its_start_is_left_at_the_start() {
    let map = street(&[0.0, 600.0, 3_000.0]).node(11, 0.0, 300.0).node(12, 600.0, 300.0).street(20, &[1, 11, 12, 2]);
    let found = around(&counting(&map), (10.0, 40.0)).expect("a way round from the start");
    assert!(near(found.from_m, 0.0) && near(found.to_m, 600.0) && near(found.extra_m, 600.0), "{found:?}");
}

#[test]
fn of_two_ways_round_the_one_that_adds_less_is_taken() {
    let map = street(&[0.0, 1_000.0, 1_900.0, 2_200.0, 3_000.0])
        .node(11, 1_900.0, 2_500.0)
        .node(12, 2_200.0, 2_500.0)
        .street(20, &[3, 11, 12, 4])
        .node(13, 1_600.0, 500.0)
        .street(21, &[2, 13, 4]);
    let found = around(&counting(&map), (2_000.0, 2_100.0)).expect("a way round");
    assert!(near(found.from_m, 1_000.0) && near(found.to_m, 2_200.0), "{found:?}");
    assert!(near(found.extra_m, 362.0), "{found:?}");
}

#[test]
fn a_way_round_does_not_leave_out_open_kilometres_to_be_short() {
    // A way round of 500 m, and another one from end to end that is hardly longer than the whole street.
    let map = TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 1_400.0, 0.0)
        .node(3, 1_600.0, 0.0)
        .node(4, 3_000.0, 0.0)
        .street(1, &[1, 2])
        .street(2, &[2, 3])
        .street(3, &[3, 4])
        .node(11, 1_400.0, 150.0)
        .node(12, 1_600.0, 150.0)
        .street(20, &[2, 11, 12, 3])
        .node(13, 1_500.0, 10.0 - 200.0)
        .street(21, &[1, 13, 4]);
    let found = around(&counting(&map), (1_480.0, 1_520.0)).expect("a way round");
    assert!(near(found.from_m, 1_400.0) && near(found.to_m, 1_600.0), "{found:?}");
}

/// A loop of 800 m around a square that starts and ends in its south-western corner, with the land around that corner closed.
#[test]
fn no_loop_is_left_at_its_start_to_return_at_its_end() {
    let corners = [(0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0)];
    let nodes = (1..).zip(corners).fold(TestMap::new(), |map, (id, (x, y))| map.node(id, x, y));
    let engine = counting(&nodes.street(1, &[1, 2]).street(2, &[2, 3]).street(3, &[3, 4]).street(4, &[4, 1]));
    let line: Vec<Position> = corners.into_iter().chain([corners[0]]).map(|(x, y)| at(x, y)).collect();
    let corner = [(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0), (-40.0, -40.0)];
    let avoid = [Part::Area(corner.into_iter().map(|(x, y)| at(x, y)).collect())];
    for closed_m in [(0.0, 40.0), (760.0, 799.0), (760.0, 800.0)] {
        let found = detour(&engine, DetourRequest { line: &line, closed_m, avoid: &avoid, profile: Profile::Hiking });
        assert_eq!(found, None, "{closed_m:?}");
    }
    // Where the start is open, the way round is that of the other side.
    let strip = [(80.0, -20.0), (120.0, -20.0), (120.0, 20.0), (80.0, 20.0), (80.0, -20.0)];
    let avoid = [Part::Area(strip.into_iter().map(|(x, y)| at(x, y)).collect())];
    let request = DetourRequest { line: &line, closed_m: (80.0, 120.0), avoid: &avoid, profile: Profile::Hiking };
    let found = detour(&engine, request);
    assert!(found.as_ref().is_none_or(|found| found.distance_m > 100.0), "{found:?}");
}

#[test]
fn where_there_is_no_way_round_few_routes_are_asked_for() {
    let engine = counting(&street(&[0.0, 1_400.0, 1_600.0, 3_000.0]));
    assert_eq!(around(&engine, (1_480.0, 1_520.0)), None);
    assert!(engine.1.load(Ordering::Relaxed) <= MAX_DETOUR_ROUTES);
    assert_eq!(around(&engine, (0.0, 40.0)), None, "there is no leaving before the start");
}
