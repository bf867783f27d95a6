//! What the server answers has the shape, the units and the order that the embedded engine's answers have.

use std::time::Duration;

use routing::{
    ElevationSource, GapCause, InstructionKind, MatchRequest, PlanError, Profile, Route, RouteEngine, RouteRequest,
};
use trace::{Part, Position, distance_m, measure};

use crate::questions::{self, ANDORRA, ESCALDES, MIDDLE, ORDINO};
use crate::{engine, recorded};

#[path = "../../../planner/tests/support/mod.rs"]
mod support;

const PATIENT: Duration = Duration::from_secs(20);

/// Checks that hold for every route, of any engine.
fn sound(route: &Route, request: &RouteRequest) {
    let last = route.geometry.len() - 1;
    let near = |p: Position, q: Position| distance_m(p, q) < 150.0;
    assert!(near(route.geometry[0], request.points[0]), "longitude first, and where it was asked for");
    assert!((measure(&route.geometry).distance_m - route.distance_m).abs() < 1.0, "metres");
    assert_eq!(route.legs.len(), request.points.len() - 1);
    assert_eq!((route.legs[0].from_index, route.legs.last().unwrap().to_index), (0, last));
    for (i, leg) in route.legs.iter().enumerate() {
        assert!(leg.from_index <= leg.to_index && leg.to_index <= last);
        assert!(near(leg.snapped_from, request.points[i]) && near(leg.snapped_to, request.points[i + 1]));
        assert!((distance_m(leg.snapped_from, request.points[i]) - leg.snap_from_m).abs() < 1.0);
        assert!(distance_m(leg.snapped_from, route.geometry[leg.from_index]) < 1.0);
    }
    for pair in route.legs.windows(2) {
        assert_eq!(pair[0].to_index, pair[1].from_index);
    }
    let sum = |of: fn(&routing::RouteLeg) -> f64| route.legs.iter().map(of).sum::<f64>();
    assert!((sum(|leg| leg.distance_m) - route.distance_m).abs() < 1.0);
    assert!((sum(|leg| leg.duration_s) - route.duration_s).abs() < 1.0, "seconds");
    assert!(
        route.geometry.iter().all(|p| p.ele.is_some_and(|ele| (800.0..3_000.0).contains(&ele))),
        "metres above the sea"
    );
    assert!(route.ascent_m.is_some() && route.elevation_source == ElevationSource::Dem);
    let surfaces: f64 = route.surfaces.iter().map(|s| s.length_m).sum();
    let kinds: f64 = route.way_kinds.iter().map(|k| k.length_m).sum();
    assert!((surfaces - route.distance_m).abs() < 2.0 && (kinds - route.distance_m).abs() < 2.0, "{surfaces} {kinds}");
    let words = &route.instructions;
    assert_eq!((words[0].kind, words[words.len() - 1].kind), (InstructionKind::Depart, InstructionKind::Arrive));
    assert_eq!(words.iter().filter(|w| w.kind == InstructionKind::Via).count(), request.points.len() - 2);
    assert!(words.windows(2).all(|pair| pair[0].at_m <= pair[1].at_m));
    assert!((words.iter().map(|w| w.length_m).sum::<f64>() - route.distance_m).abs() < 1.0);
    assert!(words.iter().all(|w| !w.fr.is_empty() && !w.en.is_empty() && w.fr != w.en));
    assert!(!route.engine.is_empty() && route.data_date.as_deref().is_some_and(|day| day.len() == 10));
}

#[test]
fn a_route_has_the_shape_of_our_own() {
    let server = recorded();
    let valhalla = engine(&server.url, PATIENT);
    for profile in [Profile::Touring, Profile::Hiking] {
        let request = questions::tour(profile);
        let route = valhalla.route(&request).unwrap();
        sound(&route, &request);
        assert_eq!(route.engine, "valhalla");
        let Some(data) = support::shared("a_route_has_the_shape_of_our_own") else { continue };
        let own = support::andorra(&data).route(&request).unwrap();
        sound(&own, &request);
        let ratio = |a: f64, b: f64| (0.6..1.6).contains(&(a / b));
        assert!(ratio(route.distance_m, own.distance_m), "{} {}", route.distance_m, own.distance_m);
        assert!(ratio(route.duration_s, own.duration_s), "{} {}", route.duration_s, own.duration_s);
        assert!((route.geometry[0].ele.unwrap() - own.geometry[0].ele.unwrap()).abs() < 25.0);
    }
}

#[test]
fn on_foot_the_time_is_the_rules_of_din_33466() {
    let server = recorded();
    let route = engine(&server.url, PATIENT).route(&questions::tour(Profile::Hiking)).unwrap();
    let flat_s = route.distance_m / 4_000.0 * 3_600.0;
    let vertical_s = (route.ascent_m.unwrap() / 300.0 + route.descent_m.unwrap() / 500.0) * 3_600.0;
    let expected_s = flat_s.max(vertical_s) + flat_s.min(vertical_s) / 2.0;
    // Climbs are in whole metres.
    assert!((route.duration_s - expected_s).abs() < 12.0, "{} {expected_s}", route.duration_s);
}

#[test]
fn what_is_kept_out_of_is_not_used_and_alternatives_differ() {
    let server = recorded();
    let valhalla = engine(&server.url, PATIENT);
    let ring = |p: &Part| matches!(p, Part::Area(_));
    let request = questions::avoiding();
    assert!(request.avoid.iter().all(ring));
    let route = valhalla.route(&request).unwrap();
    assert!(!route.geometry.iter().any(|p| request.avoid[0].holds(*p)));
    assert!(
        valhalla.route(&questions::tour(Profile::Touring)).unwrap().geometry.iter().any(|p| request.avoid[0].holds(*p))
    );
    let request = RouteRequest::new(vec![ANDORRA, ESCALDES], Profile::Hiking);
    let routes = valhalla.alternatives(&request, 3).unwrap();
    assert!(routes.len() > 1, "{}", routes.len());
    for route in &routes {
        sound(route, &request);
    }
    assert!(routes.windows(2).all(|pair| pair[0].geometry != pair[1].geometry));
}

#[test]
fn a_recording_is_judged_as_ours_are() {
    let server = recorded();
    let request = MatchRequest::new(questions::recording(), Profile::Touring);
    let found = engine(&server.url, PATIENT).match_trace(&request).unwrap();
    let length_m = measure(&request.line).distance_m;
    let reliability = &found.reliability;
    let percent = reliability.percent.unwrap();
    let off_m = measure(&request.line[request.line.len() - 18..]).distance_m;
    // Its first metres off the road are within the tolerance.
    let expected = 100.0 * (1.0 - (off_m - reliability.tolerance_m) / length_m);
    assert!((percent - expected).abs() < 3.0, "{percent} {expected}");
    let points: f64 = reliability.gaps.iter().map(|gap| gap.points).sum();
    assert!((points - (100.0 - percent)).abs() < 0.2, "{points} {percent}");
    assert!(!reliability.gaps.is_empty());
    for gap in &reliability.gaps {
        assert_eq!((gap.cause, gap.judged), (GapCause::NoWay, true));
        assert!(gap.from_m > length_m - 300.0 && gap.to_m <= length_m + 1.0, "{gap:?}");
        assert!(gap.max_offset_m > 50.0 && gap.max_offset_m < 500.0, "{}", gap.max_offset_m);
    }
    assert!(found.edges.iter().any(|edge| edge.way_id.is_some()));
    let last = found.geometry.len() - 1;
    assert_eq!((found.edges[0].from_index, found.edges.last().unwrap().to_index), (0, last));
    assert!(found.edges.windows(2).all(|pair| pair[0].to_index == pair[1].from_index));
    assert!((measure(&found.geometry).distance_m - found.distance_m).abs() < 1.0);
    assert!(found.instructions.len() > 1 && found.engine == "valhalla");
    let Some(data) = support::shared("a_recording_is_judged_as_ours_are") else { return };
    let own = support::andorra(&data).match_trace(&request).unwrap();
    let theirs = (own.reliability.percent.unwrap(), own.reliability.tolerance_m);
    assert!(
        (percent - theirs.0).abs() < 4.0 && (reliability.tolerance_m - theirs.1).abs() < 1.0,
        "{percent} {theirs:?}"
    );
    assert!((found.distance_m / own.distance_m - 1.0).abs() < 0.1, "{} {}", found.distance_m, own.distance_m);
}

#[test]
fn a_recording_where_no_way_is_has_no_reliability_but_an_answer() {
    let server = recorded();
    let request = MatchRequest::new(questions::across_fields(), Profile::Hiking);
    let found = engine(&server.url, PATIENT).match_trace(&request).unwrap();
    assert_eq!(found.reliability.percent, Some(0.0));
    assert_eq!(found.reliability.gaps[0].cause, GapCause::NoWay);
    assert!((found.distance_m - measure(&request.line).distance_m).abs() < 1.0);
    let kept = MatchRequest { kept: vec![[0.0, 1e6]], ..request };
    let found = engine(&server.url, PATIENT).match_trace(&kept).unwrap();
    assert_eq!((found.reliability.percent, found.reliability.gaps[0].cause), (None, GapCause::KeptOffNetwork));
}

#[test]
fn a_matrix_counts_metres_and_seconds() {
    let server = recorded();
    let matrix = engine(&server.url, PATIENT).matrix(&[ANDORRA, MIDDLE, ESCALDES], Profile::Hiking).unwrap();
    assert!(matrix.engine == "valhalla" && matrix.data_date.is_some());
    let rows = matrix.rows;
    let cell = rows[0][2].unwrap();
    assert!(cell.distance_m > distance_m(ANDORRA, ESCALDES) && cell.distance_m < 3_000.0, "{}", cell.distance_m);
    assert!(rows.iter().all(|row| row.len() == 3) && cell.duration_s > 600.0);
}

#[test]
fn heights_are_metres_and_unknown_ones_are_none() {
    let server = recorded();
    let paris = Position::new(2.35, 48.857);
    let found = engine(&server.url, PATIENT).heights(&[ANDORRA, ORDINO, paris]);
    assert!(
        (found[0].unwrap() - 1_030.0).abs() < 30.0 && found[1].unwrap() > 1_200.0 && found[2].is_none(),
        "{found:?}"
    );
}

#[test]
fn the_servers_refusals_are_reported_in_our_words() {
    let server = recorded();
    let valhalla = engine(&server.url, PATIENT);
    let refused = |points: Vec<Position>| valhalla.route(&RouteRequest::new(points, Profile::Touring)).unwrap_err();
    assert_eq!(valhalla.route(&questions::walled()).unwrap_err().code(), "planner/no-way");
    let far = refused(vec![ANDORRA, Position::new(1.9, 42.0)]);
    assert_eq!(far, PlanError::TooFar { index: 1, distance_m: None });
    assert_eq!(refused(vec![ANDORRA, Position::new(2.35, 48.857)]).code(), "planner/too-long");
    assert_eq!(refused(vec![ANDORRA; 60]), PlanError::TooManyPoints { count: 60, limit: 50 });
    let before = server.asked();
    assert_eq!(refused(vec![ANDORRA]).code(), "planner/too-few-points");
    assert_eq!(refused(vec![ANDORRA, Position::new(f64::NAN, 42.0)]).code(), "planner/bad-point");
    let boat = RouteRequest::new(vec![ANDORRA, ORDINO], Profile::Waterway);
    assert_eq!(valhalla.route(&boat).unwrap_err(), PlanError::NotOffered { what: "waterway" });
    assert_eq!(server.asked(), before, "what cannot be answered is not asked");
}

#[test]
fn every_recorded_question_is_still_asked_in_these_words() {
    for (name, ask) in questions::QUESTIONS {
        let server = recorded();
        let reply_text = ask(&engine(&server.url, PATIENT));
        assert!(!reply_text.contains("reached"), "{name}: {reply_text}");
    }
}
