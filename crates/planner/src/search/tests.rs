//! Small maps where every answer can be read off, then random ones against plain Dijkstra.

use super::*;
use crate::{
    build::source::MemberRef,
    profile::Rules,
    testmap::{TestMap, at},
};
use routing::{Profile, Route, RouteEngine, RouteRequest};
use std::path::PathBuf;
use trace::Position;

/// The folder of test material, `None` (and a line to stderr) where it is missing.
pub(super) fn shared(test: &str) -> Option<PathBuf> {
    let root = std::env::var_os("JALON_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let data = root.join("data");
    let is_there = data.join("osm/andorra.osm.pbf").is_file();
    if !is_there {
        eprintln!("SKIPPED: {test}: ../shared/data is missing");
    }
    is_there.then_some(data)
}

fn route(map: &TestMap, profile: Profile, points: &[(f64, f64)]) -> Result<Route, PlanError> {
    map.engine().route(&RouteRequest::new(points.iter().map(|(x, y)| at(*x, *y)).collect(), profile))
}

fn length(map: &TestMap, profile: Profile, points: &[(f64, f64)]) -> i64 {
    route(map, profile, points).expect("a way").distance_m.round() as i64
}

/// A block of 100 m: 1-2-3-4 round, street 10 in the south (1-2), 11 east, 12 north, 13 west.
fn block(south: &[(&str, &str)]) -> TestMap {
    TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 100.0, 0.0)
        .node(3, 100.0, 100.0)
        .node(4, 0.0, 100.0)
        .way(10, &[1, 2], south)
        .street(11, &[2, 3])
        .street(12, &[3, 4])
        .street(13, &[4, 1])
}

#[test]
fn points_join_the_line_between_junctions() {
    let found =
        route(&block(&[("highway", "residential")]), Profile::Touring, &[(30.0, 10.0), (80.0, -10.0)]).expect("a way");
    assert!((found.distance_m - 50.0).abs() < 0.5, "{}", found.distance_m);
    assert!((found.legs[0].snap_from_m - 10.0).abs() < 0.1);
    assert!(trace::distance_m(found.geometry[0], at(30.0, 0.0)) < 0.1);
}

#[test]
fn what_is_avoided_is_walked_around() {
    let engine = block(&[("highway", "residential")]).engine();
    let way = |avoid: Vec<trace::Part>| {
        engine
            .route(&RouteRequest { avoid, ..RouteRequest::new(vec![at(0.0, 30.0), at(100.0, 30.0)], Profile::Hiking) })
    };
    assert_eq!(way(Vec::new()).expect("a way").distance_m.round() as i64, 160);
    let works = trace::Part::Area(vec![at(40.0, -10.0), at(60.0, -10.0), at(60.0, 10.0), at(40.0, 10.0)]);
    assert_eq!(way(vec![works.clone()]).expect("a way").distance_m.round() as i64, 240);
    let north = trace::Part::Along { line: vec![at(0.0, 100.0), at(100.0, 100.0)], within_m: 10.0 };
    assert!(matches!(way(vec![works, north]), Err(PlanError::NoWay { .. })));
}

#[test]
fn a_part_that_is_no_part_of_the_land_is_refused() {
    use trace::Part;
    let engine = block(&[("highway", "residential")]).engine();
    let (a, b, away) = (at(40.0, -10.0), at(60.0, -10.0), Position::new(300.0, 45.0));
    for (part, code) in [
        (Part::Area(Vec::new()), "planner/out-of-bounds"),
        (Part::Area(vec![a, b]), "planner/out-of-bounds"),
        (Part::Area(vec![a, b, a]), "planner/out-of-bounds"),
        (Part::Area(vec![a, b, away]), "planner/bad-point"),
        (Part::Along { line: Vec::new(), within_m: 10.0 }, "planner/out-of-bounds"),
        (Part::Along { line: vec![a], within_m: 10.0 }, "planner/out-of-bounds"),
        (Part::Along { line: vec![a, b], within_m: -1.0 }, "planner/out-of-bounds"),
        (Part::Along { line: vec![a, away], within_m: 10.0 }, "planner/bad-point"),
    ] {
        let ends = vec![at(0.0, 30.0), at(100.0, 30.0)];
        let request = RouteRequest { avoid: vec![part.clone()], ..RouteRequest::new(ends, Profile::Hiking) };
        let refused = [engine.route(&request).map(|_| ()), engine.alternatives(&request, 2).map(|_| ())];
        for outcome in refused {
            assert_eq!(outcome.map_err(|error| error.code()), Err(code), "{part:?}");
        }
    }
}

#[test]
fn a_way_closed_in_winter_is_walked_around_in_winter_only() {
    let engine = block(&[("highway", "residential"), ("access:conditional", "no @ (Nov-Apr)")]).engine();
    let way = |month: Option<u8>| {
        let asked = RouteRequest { month, ..RouteRequest::new(vec![at(0.0, 30.0), at(100.0, 30.0)], Profile::Hiking) };
        engine.route(&asked).map(|r| r.distance_m.round() as i64)
    };
    assert_eq!((way(None), way(Some(7)), way(Some(12))), (Ok(160), Ok(160), Ok(240)));
    assert!(matches!(way(Some(13)), Err(PlanError::OutOfBounds { what: "month", .. })));
}

/// A road of this length from west to east, and streets around it.
fn road_and_streets(length_m: f64, road: &[(&str, &str)]) -> TestMap {
    TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, length_m, 0.0)
        .node(3, length_m, 100.0)
        .node(4, 0.0, 100.0)
        .way(10, &[1, 2], road)
        .street(11, &[2, 3])
        .street(12, &[3, 4])
        .street(13, &[4, 1])
}

#[test]
fn walkers_are_led_around_a_tunnel_of_a_busy_road() {
    let way_m = |profile: Profile, length_m: f64, more: &[(&str, &str)]| {
        let road = [&[("highway", "tertiary")][..], more].concat();
        length(&road_and_streets(length_m, &road), profile, &[(0.0, 30.0), (length_m, 30.0)])
    };
    let tunnel = ("tunnel", "yes");
    assert_eq!(way_m(Profile::Hiking, 300.0, &[tunnel]), 440);
    assert_eq!(way_m(Profile::Hiking, 300.0, &[tunnel, ("sidewalk", "no")]), 440);
    let open: [&[(&str, &str)]; 5] = [
        &[],
        &[tunnel, ("sidewalk", "right")],
        &[tunnel, ("foot", "yes")],
        &[("tunnel", "no")],
        &[("tunnel", "building_passage")],
    ];
    for tags in open {
        assert_eq!(way_m(Profile::Hiking, 300.0, tags), 360, "{tags:?}");
    }
    // A road under a railway is not flagged, like all roads in a file of before.
    assert_eq!(way_m(Profile::Hiking, 90.0, &[tunnel]), 150);
    assert_eq!(way_m(Profile::Touring, 300.0, &[tunnel]), way_m(Profile::Touring, 300.0, &[]));
}

#[test]
fn a_tunnel_with_side_passages_is_as_long_as_its_way() {
    let map = TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 240.0, 0.0)
        .node(3, 240.0, 100.0)
        .node(4, 0.0, 100.0)
        .node(5, 80.0, 0.0)
        .node(6, 160.0, 0.0)
        .node(7, 80.0, -20.0)
        .node(8, 160.0, -20.0)
        .way(10, &[1, 5, 6, 2], &[("highway", "tertiary"), ("tunnel", "yes")])
        .street(11, &[2, 3])
        .street(12, &[3, 4])
        .street(13, &[4, 1])
        .street(14, &[5, 7])
        .street(15, &[6, 8]);
    assert_eq!(length(&map, Profile::Hiking, &[(0.0, 30.0), (240.0, 30.0)]), 380);
}

#[test]
fn a_profile_of_ones_own_changes_the_way_without_a_new_network() {
    let map = block(&[("highway", "track"), ("surface", "gravel")]);
    let ends = || vec![at(0.0, 1.0), at(100.0, 1.0)];
    let road = include_str!("../../profiles/road.json");
    let own = map.engine().with_profile(Profile::Road, include_str!("../../profiles/mtb.json")).expect("a profile");
    let length = |engine: &crate::embedded::Embedded| {
        engine.route(&RouteRequest::new(ends(), Profile::Road)).expect("a way").distance_m.round() as i64
    };
    assert_eq!((length(&map.engine()), length(&own)), (298, 102));
    for wrong in ["", "{}", &road.replace("flat_kmh", "flat_mph")] {
        assert!(matches!(map.engine().with_profile(Profile::Road, wrong), Err(PlanError::BadProfile { .. })));
    }
}

#[test]
fn a_turn_costs_what_the_profile_says() {
    // Straight on over 12 and back by 14-15, or left at once: equal lengths would win by the turn.
    let engine = cross().engine();
    let weights = engine.weights(Profile::Touring);
    let view = engine.network().view();
    let link = |way: i64| (0..view.links.len() as u32).find(|l| view.link(*l).way_id == way).expect("a link");
    let arc = |way: i64| view.link(link(way)).arcs[0];
    let turn = |from: i64, to: i64| weights.turn(&view.arc(arc(from)), arc(to));
    // From the west: straight on, right to the south, left to the north.
    assert_eq!((turn(10, 12), turn(10, 13)), (0, (Rules::of(Profile::Touring).turn_s.turn * 10.0) as u32));
    assert!(turn(10, 11) > turn(10, 13));
}

#[test]
fn a_one_way_is_followed_by_wheels_only() {
    let map = block(&[("highway", "residential"), ("oneway", "yes")]);
    assert_eq!(length(&map, Profile::Touring, &[(30.0, 0.0), (80.0, 0.0)]), 50);
    assert_eq!(length(&map, Profile::Touring, &[(80.0, 0.0), (30.0, 0.0)]), 350);
    assert_eq!(length(&map, Profile::Hiking, &[(80.0, 0.0), (30.0, 0.0)]), 50);
    let with_lane = block(&[("highway", "residential"), ("oneway", "yes"), ("oneway:bicycle", "no")]);
    assert_eq!(length(&with_lane, Profile::Touring, &[(80.0, 0.0), (30.0, 0.0)]), 50);
}

#[test]
fn private_ways_are_walked_around() {
    let map = block(&[("highway", "residential"), ("access", "private")]);
    for profile in Profile::ALL {
        assert_eq!(length(&map, profile, &[(0.0, 1.0), (100.0, 1.0)]), 298);
    }
}

#[test]
fn a_road_bike_avoids_gravel_that_a_mountain_bike_takes() {
    let map = block(&[("highway", "track"), ("surface", "gravel")]);
    assert_eq!(length(&map, Profile::Road, &[(0.0, 1.0), (100.0, 1.0)]), 298);
    assert_eq!(length(&map, Profile::Mtb, &[(0.0, 1.0), (100.0, 1.0)]), 102);
}

#[test]
fn a_locked_gate_closes_a_way_and_a_bollard_does_not() {
    let with = |tags: &[(&str, &str)]| {
        TestMap::new()
            .node(1, 0.0, 0.0)
            .node(2, 100.0, 0.0)
            .node(3, 100.0, 100.0)
            .node(4, 0.0, 100.0)
            .tagged_node(5, 50.0, 0.0, tags)
            .street(10, &[1, 5, 2])
            .street(11, &[2, 3])
            .street(12, &[3, 4])
            .street(13, &[4, 1])
    };
    let ends = [(10.0, 0.0), (90.0, 0.0)];
    assert_eq!(length(&with(&[("barrier", "bollard")]), Profile::Touring, &ends), 80);
    assert_eq!(length(&with(&[("barrier", "gate"), ("access", "private")]), Profile::Touring, &ends), 320);
    let foot_only = with(&[("barrier", "gate"), ("bicycle", "no")]);
    assert_eq!(length(&foot_only, Profile::Touring, &ends), 320);
    assert_eq!(length(&foot_only, Profile::Hiking, &ends), 80);
}

#[test]
fn a_ferry_is_taken_where_nothing_else_leads() {
    let map = TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 100.0, 0.0)
        .node(3, 2100.0, 0.0)
        .node(4, 2200.0, 0.0)
        .street(10, &[1, 2])
        .way(11, &[2, 3], &[("route", "ferry"), ("duration", "00:20"), ("name", "Le Passeur")])
        .street(12, &[3, 4]);
    let found = route(&map, Profile::Hiking, &[(0.0, 0.0), (2200.0, 0.0)]).expect("a way");
    assert_eq!(found.distance_m.round() as i64, 2200);
    // 20 min aboard, 10 min to board, and 200 m on foot.
    assert!((found.duration_s - (1200.0 + 600.0 + 180.0)).abs() < 10.0, "{}", found.duration_s);
    assert!(found.instructions.iter().any(|i| i.fr == "Prenez le ferry « Le Passeur »."));
}

/// A cross: west 10, north 11, east 12, south 13 around node 5, and a way round from south to north in the west.
fn cross() -> TestMap {
    TestMap::new()
        .node(1, -100.0, 0.0)
        .node(2, 0.0, 100.0)
        .node(3, 100.0, 0.0)
        .node(4, 0.0, -100.0)
        .node(5, 0.0, 0.0)
        .node(6, -200.0, 0.0)
        .street(10, &[1, 5])
        .street(11, &[5, 2])
        .street(12, &[5, 3])
        .street(13, &[5, 4])
        .street(14, &[2, 6])
        .street(15, &[6, 1])
}

#[test]
fn turn_restrictions_bind_wheels_and_not_feet() {
    let free = length(&cross(), Profile::Touring, &[(-50.0, 0.0), (0.0, 50.0)]);
    assert_eq!(free, 100);
    let no_left = cross().restriction("no_left_turn", 10, MemberRef::Node(5), 11, &[]);
    assert!(length(&no_left, Profile::Touring, &[(-50.0, 0.0), (0.0, 50.0)]) > 150);
    assert_eq!(length(&no_left, Profile::Hiking, &[(-50.0, 0.0), (0.0, 50.0)]), 100);
    // The other way round it is free.
    assert_eq!(length(&no_left, Profile::Touring, &[(0.0, 50.0), (-50.0, 0.0)]), 100);
    let excepted = cross().restriction("no_left_turn", 10, MemberRef::Node(5), 11, &[("except", "psv;bicycle")]);
    assert_eq!(length(&excepted, Profile::Touring, &[(-50.0, 0.0), (0.0, 50.0)]), 100);
}

#[test]
fn an_only_restriction_closes_every_other_turn() {
    let only = cross().restriction("only_straight_on", 10, MemberRef::Node(5), 12, &[]);
    assert_eq!(length(&only, Profile::Touring, &[(-50.0, 0.0), (50.0, 0.0)]), 100);
    assert!(length(&only, Profile::Touring, &[(-50.0, 0.0), (0.0, -50.0)]) > 150);
    assert!(length(&only, Profile::Touring, &[(-50.0, 0.0), (0.0, 50.0)]) > 150);
}

#[test]
fn a_restriction_through_a_way_is_remembered_along_it() {
    // 1 -10- 2 -11- 3 -12- 4, and 5 -13- 2, 3 -14- 6: from 10 over 11 into 12 is forbidden, from 13 it is not.
    let map = TestMap::new()
        .node(1, -100.0, 0.0)
        .node(2, 0.0, 0.0)
        .node(3, 50.0, 0.0)
        .node(4, 150.0, 0.0)
        .node(5, 0.0, -100.0)
        .node(6, 50.0, 100.0)
        .street(10, &[1, 2])
        .street(11, &[2, 3])
        .street(12, &[3, 4])
        .street(13, &[5, 2])
        .street(14, &[3, 6])
        .restriction("no_straight_on", 10, MemberRef::Way(11), 12, &[]);
    assert!(length(&map, Profile::Touring, &[(-50.0, 0.0), (100.0, 0.0)]) > 200);
    assert_eq!(length(&map, Profile::Touring, &[(0.0, -50.0), (100.0, 0.0)]), 150);
    assert_eq!(length(&map, Profile::Touring, &[(-50.0, 0.0), (50.0, 50.0)]), 150);
    assert_eq!(length(&map, Profile::Hiking, &[(-50.0, 0.0), (100.0, 0.0)]), 150);
}

#[test]
fn a_way_given_twice_and_doubled_nodes_do_no_harm() {
    let map = block(&[("highway", "residential")]).street(20, &[1, 1, 2, 2]).street(10, &[1, 2]);
    assert_eq!(length(&map, Profile::Touring, &[(30.0, 0.0), (80.0, 0.0)]), 50);
}

#[test]
fn nodes_may_come_in_any_order_and_twice() {
    let map = TestMap::new()
        .node(9, 200.0, 0.0)
        .node(2, 100.0, 0.0)
        .node(700, 300.0, 0.0)
        .node(1, 0.0, 0.0)
        .node(5, 50.0, 500.0)
        .node(2, 100.0, 0.0)
        .street(10, &[1, 2, 9, 700]);
    assert_eq!(length(&map, Profile::Hiking, &[(10.0, 0.0), (290.0, 0.0)]), 280);
}

#[test]
fn without_costs_on_the_contraction_the_network_itself_is_searched() {
    let engine = cross().engine();
    let planner = engine.planner(Profile::Hiking);
    let snaps = planner.snap_all(&[at(-150.0, 0.0), at(90.0, 0.0)]).expect("two places");
    let found = |metric: Option<&crate::contraction::Metric>| {
        alternatives::find(&planner.view, &planner.weights, metric, (&snaps[0], &snaps[1]), 3, MAX_SETTLED)
            .expect("within bounds")
    };
    let (with, without) = (found(engine.metric(Profile::Hiking).as_ref()), found(None));
    assert_eq!(with[0], without[0]);
    let loops = |metric: Option<&crate::contraction::Metric>| {
        crate::loops::find(&planner, metric, &snaps[0], 600.0, 2).expect("within bounds").len()
    };
    assert_eq!(loops(engine.metric(Profile::Hiking).as_ref()), loops(None));
}

#[test]
fn loops_and_ways_with_missing_nodes_are_kept() {
    let map = TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 100.0, 0.0)
        .node(3, 200.0, 0.0)
        .node(4, 200.0, 100.0)
        .street(10, &[1, 2, 99, 3])
        .street(11, &[2, 3, 4, 2]);
    assert_eq!(length(&map, Profile::Hiking, &[(0.0, 0.0), (200.0, 50.0)]), 200 + 50);
}

#[test]
fn what_cannot_be_planned_is_said() {
    let map = block(&[("highway", "residential")]).node(7, 5000.0, 0.0).node(8, 5100.0, 0.0).street(20, &[7, 8]);
    let plan = |points: &[(f64, f64)]| route(&map, Profile::Touring, points);
    assert_eq!(plan(&[(0.0, 0.0), (5050.0, 0.0)]), Err(PlanError::NoWay { from_index: 0, to_index: 1 }));
    assert!(
        matches!(plan(&[(0.0, 0.0), (300.0, 0.0)]), Err(PlanError::TooFar { index: 1, distance_m: Some(d) }) if (d - 200.0).abs() < 1.0)
    );
    assert_eq!(plan(&[(0.0, 0.0), (90_000.0, 0.0)]), Err(PlanError::OutsideExtract { index: 1 }));
    assert_eq!(plan(&[(0.0, 0.0)]), Err(PlanError::TooFewPoints { count: 1 }));
    let engine = map.engine();
    let ask = |points: Vec<Position>| engine.route(&RouteRequest::new(points, Profile::Hiking)).map(|r| r.distance_m);
    assert_eq!(ask(vec![at(0.0, 0.0), Position::new(f64::NAN, 45.0)]), Err(PlanError::BadPoint { index: 1 }));
    assert_eq!(ask(vec![Position::new(2.0, 95.0), at(0.0, 0.0)]), Err(PlanError::BadPoint { index: 0 }));
    assert!(matches!(ask(vec![at(0.0, 0.0); 100_000]), Err(PlanError::TooManyPoints { count: 100_000, .. })));
    assert_eq!(ask(vec![at(0.0, 0.0); 3]), Ok(0.0));
    let bounded = map.engine().with_max_settled(1);
    let far = RouteRequest::new(vec![at(0.0, 0.0), at(100.0, 100.0)], Profile::Hiking);
    assert_eq!(bounded.route(&far).map(|r| r.distance_m), Err(PlanError::TooMuchWork { limit: 1 }));
}

#[test]
fn a_small_island_is_passed_over_for_the_large_network_nearby() {
    // A 30 m courtyard path beside a 2 km road.
    let map = TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 2000.0, 0.0)
        .node(3, 500.0, 20.0)
        .node(4, 530.0, 20.0)
        .street(10, &[1, 2])
        .way(11, &[3, 4], &[("highway", "footway")]);
    assert_eq!(length(&map, Profile::Hiking, &[(515.0, 20.0), (1000.0, 0.0)]), 485);
}

mod against_dijkstra {
    use super::*;
    use crate::{contraction::OwnMetric, snap};
    use dijkstra::{Side, relax_out};
    use proptest::prelude::*;
    use std::cmp::Reverse;

    /// Cost between two snaps by the plainest search there is.
    fn one_end(view: &View, weights: &Weights, from: &Snap, to: &Snap) -> Option<u32> {
        let mut side = Side::default();
        side.reset(view.arcs.len());
        side.seed(&starts(view, weights, from));
        while let Some(Reverse((distance, arc))) = side.heap.pop() {
            if distance == side.distance(arc) {
                relax_out(view, weights, arc, distance, &mut side);
            }
        }
        let through = goals(view, weights, to)
            .iter()
            .filter(|(arc, _)| side.distance(*arc) != u32::MAX)
            .map(|(arc, cost)| side.distance(*arc) + cost)
            .min();
        let straight = direct(weights, view, from, to).map(|p| p.cost);
        through.into_iter().chain(straight).min()
    }

    /// Cost of a path added up step by step, and a check that each step starts where the last one ended.
    fn added(view: &View, weights: &Weights, steps: &[Step]) -> u32 {
        for pair in steps.windows(2) {
            let node = |s: &Step, end: bool| view.link(s.link).ends[usize::from(s.is_backward != end)];
            assert_eq!(node(&pair[0], true), node(&pair[1], false), "steps join");
        }
        let arc = |s: &Step| view.link(s.link).arcs[usize::from(s.is_backward)];
        let turns: u32 = steps.windows(2).map(|p| weights.turn(&view.arc(arc(&p[0])), arc(&p[1]))).sum();
        let ways: u32 = steps
            .iter()
            .map(|s| {
                part(weights.link(s.link, s.is_backward), (s.to_m - s.from_m).abs() / view.link(s.link).length_m())
            })
            .sum();
        turns + ways
    }

    fn random_map(streets: &[(u8, u8, u8)], restricted: &[(u8, u8, u8)]) -> TestMap {
        let mut map = TestMap::new();
        for i in 0..25_i64 {
            // A grid of uneven steps: no two ways have the same length by chance.
            map = map.node(
                i + 1,
                (i % 5) as f64 * 97.0 + (i * i % 13) as f64,
                (i / 5) as f64 * 103.0 + (i * 7 % 11) as f64,
            );
        }
        for (index, (a, b, kind)) in streets.iter().enumerate() {
            let tags: &[(&str, &str)] = match kind % 5 {
                0 => &[("highway", "residential"), ("oneway", "yes")],
                1 => &[("highway", "track"), ("surface", "gravel")],
                2 => &[("highway", "steps")],
                3 => &[("highway", "path"), ("bicycle", "no")],
                _ => &[("highway", "tertiary")],
            };
            map = map.way(100 + index as i64, &[i64::from(a % 25) + 1, i64::from(b % 25) + 1], tags);
        }
        for (from, via, to) in restricted {
            let way = |w: &u8| 100 + i64::from(*w) % streets.len() as i64;
            let kind = if via % 2 == 0 { "no_left_turn" } else { "only_straight_on" };
            map = map.restriction(kind, way(from), MemberRef::Node(i64::from(via % 25) + 1), way(to), &[]);
        }
        map
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn contraction_and_both_ends_find_what_one_end_finds(
            streets in prop::collection::vec((0..25_u8, 0..25_u8, 0..5_u8), 20..60),
            restricted in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 0..30),
            pairs in prop::collection::vec((0.0..400.0_f64, 0.0..400.0_f64, 0.0..400.0_f64, 0.0..400.0_f64), 1..8),
            profile in 0..Profile::ALL.len(),
        ) {
            let streets: Vec<_> = streets.into_iter().filter(|(a, b, _)| a != b).collect();
            prop_assume!(!streets.is_empty());
            let profile = Profile::ALL[profile];
            let engine = random_map(&streets, &restricted).engine();
            let view = engine.network().view();
            let weights = engine.weights(profile);
            let own = OwnMetric::of(&view, &weights);
            let metric = own.view();
            let stored = engine.metric(profile).expect("costs in the file");
            for (x0, y0, x1, y1) in pairs {
                let snap = |x, y| snap::near(&view, at(x, y), 1000.0, |l| weights.is_usable(l)).first().copied();
                let (Some(from), Some(to)) = (snap(x0, y0), snap(x1, y1)) else { continue };
                let found = cheapest(&view, &weights, &metric, &from, &to, MAX_SETTLED).expect("within bounds");
                let read = cheapest(&view, &weights, &stored, &from, &to, MAX_SETTLED).expect("within bounds");
                prop_assert_eq!(&found, &read);
                let both = plain(&view, &weights, &from, &to, MAX_SETTLED).expect("within bounds");
                let expected = one_end(&view, &weights, &from, &to);
                prop_assert_eq!(found.as_ref().map(|p| p.cost), expected);
                prop_assert_eq!(both.as_ref().map(|p| p.cost), expected);
                for path in [found, both].into_iter().flatten() {
                    let sum = added(&view, &weights, &path.steps);
                    // A start or goal exactly at a junction leaves no step, but its turn was paid.
                    let ends = [path.steps[0].link, path.steps[path.steps.len() - 1].link];
                    let unseen = if ends == [from.link, to.link] { 0 } else { 2 * 1000 };
                    prop_assert!(sum <= path.cost + 2 && path.cost <= sum + 2 + unseen, "{} against {}", sum, path.cost);
                }
            }
        }
    }
}
