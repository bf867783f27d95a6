//! Routing on a real extract: Andorra, 500 pairs, the peer's answers beside ours.

mod support;

use routing::{PlanError, Profile, Route, RouteEngine, RouteRequest};
use std::path::Path;
use support::{andorra, shared};
use trace::Position;

/// The seeded pairs of the shared data.
fn pairs(data: &Path) -> Vec<[Position; 2]> {
    let text = std::fs::read_to_string(data.join("peer/pairs-andorra-seed42.csv")).expect("pairs");
    text.lines()
        .skip(1)
        .map(|line| {
            let v: Vec<f64> = line.split(',').map(|x| x.parse().expect("a number")).collect();
            [Position::new(v[1], v[2]), Position::new(v[3], v[4])]
        })
        .collect()
}

/// The peer's distances in metres by pair.
fn peer_m(data: &Path, profile: &str) -> Vec<f64> {
    let text =
        std::fs::read_to_string(data.join("peer/valhalla-3.9.1-andorra-seed42.json")).expect("the peer's answers");
    let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    all["routes"][profile]["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(|row| row[1].as_f64().expect("metres"))
        .collect()
}

fn plan(data: &Path, points: &[Position], profile: Profile) -> Result<Route, PlanError> {
    andorra(data).route(&RouteRequest::new(points.to_vec(), profile))
}

/// Our distances over the peer's.
#[derive(Debug)]
struct Ratios {
    /// Share of pairs within 10 %.
    close: f64,
    median: f64,
}

/// Plan every pair; at most `refused` may have an end too far from a way the profile may use.
fn ratios(data: &Path, profile: Profile, peer: &str, refused: usize) -> Ratios {
    let mut ratios = Vec::new();
    let mut refusals = 0;
    for (pair, metres) in pairs(data).iter().zip(peer_m(data, peer)) {
        match plan(data, pair, profile) {
            Ok(route) => ratios.push(route.distance_m / metres),
            Err(PlanError::TooFar { .. } | PlanError::NoWay { .. }) => refusals += 1,
            Err(other) => unreachable!("{other}"),
        }
    }
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize];
    let close = ratios.iter().filter(|r| (*r - 1.0).abs() <= 0.1).count() as f64 / ratios.len() as f64;
    eprintln!(
        "{profile} over {peer}: {} routes, {refusals} refused, {:.0} % within 10 %, p5 {:.2}, median {:.3}, p95 {:.2}",
        ratios.len(),
        close * 100.0,
        at(0.05),
        at(0.5),
        at(0.95)
    );
    assert!(refusals <= refused, "{refusals} refused");
    Ratios { close, median: at(0.5) }
}

#[test]
fn hiking_distances_agree_with_the_peer_on_most_pairs() {
    let Some(data) = shared("hiking_distances_agree_with_the_peer_on_most_pairs") else { return };
    let ratios = ratios(&data, Profile::Hiking, "pedestrian", 3);
    // Where the two differ, the peer takes a road tunnel or refuses a few metres of T2: bench/results.md.
    assert!(ratios.close > 0.78 && (0.9..1.05).contains(&ratios.median), "{ratios:?}");
}

#[test]
fn touring_distances_are_plausible_beside_the_peer() {
    let Some(data) = shared("touring_distances_are_plausible_beside_the_peer") else { return };
    // Refused: ends further than 150 m from any way that bikes may use.
    let ratios = ratios(&data, Profile::Touring, "bicycle", 5);
    assert!(ratios.close > 0.75 && (0.95..1.1).contains(&ratios.median), "{ratios:?}");
}

#[test]
fn a_route_through_points_is_whole() {
    let Some(data) = shared("a_route_through_points_is_whole") else { return };
    // La Massana, Andorra la Vella, Encamp.
    let points = [Position::new(1.5148, 42.5450), Position::new(1.5218, 42.5063), Position::new(1.5801, 42.5363)];
    for profile in Profile::ALL {
        let route = plan(&data, &points, profile).expect("a way");
        assert_eq!(route.legs.len(), 2);
        assert_eq!(route.legs[0].to_index, route.legs[1].from_index);
        assert_eq!(route.legs[1].to_index, route.geometry.len() - 1);
        let legs_m: f64 = route.legs.iter().map(|l| l.distance_m).sum();
        let legs_s: f64 = route.legs.iter().map(|l| l.duration_s).sum();
        assert!((legs_m - route.distance_m).abs() < 0.5 && (legs_s - route.duration_s).abs() < 0.5);
        let surfaces_m: f64 = route.surfaces.iter().map(|s| s.length_m).sum();
        assert!((surfaces_m - route.distance_m).abs() < 1.0);
        assert!(route.geometry.iter().all(|p| p.ele.is_some_and(|e| (800.0..2000.0).contains(&e))));
        // No jump: neighbours of the line are neighbours on the ground.
        assert!(route.geometry.windows(2).all(|w| trace::distance_m(w[0], w[1]) < 500.0));
        let kmh = route.distance_m / route.duration_s * 3.6;
        let walks = matches!(profile, Profile::Hiking | Profile::Family);
        let (low, high) = if walks { (1.8, 4.0) } else { (6.0, 35.0) };
        assert!((low..high).contains(&kmh), "{profile}: {kmh} km/h");
        let (up, down) = (route.ascent_m.expect("heights"), route.descent_m.expect("heights"));
        let net =
            route.geometry[route.geometry.len() - 1].ele.expect("height") - route.geometry[0].ele.expect("height");
        assert!((up - down - net).abs() < 12.0, "{profile}: {up} - {down} against {net}");
        check_instructions(&route);
        assert_eq!(route.data_date.as_deref().map(|d| &d[..4]), Some("2025"));
    }
}

fn check_instructions(route: &Route) {
    let list = &route.instructions;
    assert!(list.len() >= 3 && list.len() < 200, "{}", list.len());
    assert!(list.is_sorted_by(|a, b| a.at_m <= b.at_m));
    let total: f64 = list.iter().map(|i| i.length_m).sum();
    assert!((total - route.distance_m).abs() < 1.0);
    for i in list {
        assert!(i.fr.ends_with('.') && i.en.ends_with('.'));
        assert!(!i.fr.contains(" sur le le ") && !i.fr.contains("  "), "{}", i.fr);
    }
}

#[test]
fn points_at_sea_and_far_from_any_way_are_refused_in_words() {
    let Some(data) = shared("points_at_sea_and_far_from_any_way_are_refused_in_words") else { return };
    let town = Position::new(1.5218, 42.5063);
    assert_eq!(
        plan(&data, &[town, Position::new(3.5, 42.0)], Profile::Hiking).expect_err("refused").code(),
        "planner/outside-extract"
    );
    // A mountain side of Madriu.
    let wild = plan(&data, &[Position::new(1.6362, 42.4600), town], Profile::Road).expect_err("refused");
    assert_eq!(wild.code(), "planner/too-far");
    assert!(wild.to_string().contains("150 m"), "{wild}");
}

#[test]
fn heights_are_known_inside_and_not_outside() {
    let Some(data) = shared("heights_are_known_inside_and_not_outside") else { return };
    let heights = andorra(&data).heights(&[
        Position::new(1.5218, 42.5063),
        Position::new(10.0, 50.0),
        Position::new(f64::NAN, 0.0),
    ]);
    assert!(heights[0].is_some_and(|h| (950.0..1150.0).contains(&h)), "{heights:?}");
    assert_eq!(heights[1..], [None, None]);
}
