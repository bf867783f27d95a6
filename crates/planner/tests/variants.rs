//! Alternatives, loops, matrices and isochrones on a real extract.

mod support;

use routing::{Level, LoopRequest, Preferences, Profile, Route, RouteEngine, RouteRequest};
use support::{andorra, shared};
use trace::Position;

const MASSANA: Position = Position { lon: 1.5148, lat: 42.5450, ele: None };
const TOWN: Position = Position { lon: 1.5218, lat: 42.5063, ele: None };
const ENCAMP: Position = Position { lon: 1.5801, lat: 42.5363, ele: None };

fn is_whole(route: &Route) {
    assert!(route.geometry.windows(2).all(|w| trace::distance_m(w[0], w[1]) < 500.0), "no jump");
    let sum: f64 = route.geometry.windows(2).map(|w| trace::distance_m(w[0], w[1])).sum();
    assert!((sum - route.distance_m).abs() < 0.002 * sum + 1.0, "{sum} against {}", route.distance_m);
    assert!(route.instructions.len() >= 2 && route.ascent_m.is_some());
}

/// Share of a route's points that lie within 15 m of another route.
fn common(a: &Route, b: &Route) -> f64 {
    let near = |p: &Position| b.geometry.iter().any(|q| trace::distance_m(*p, *q) < 15.0);
    a.geometry.iter().filter(|p| near(p)).count() as f64 / a.geometry.len() as f64
}

#[test]
fn alternatives_are_other_ways_and_not_much_longer() {
    let Some(data) = shared("alternatives_are_other_ways_and_not_much_longer") else { return };
    let engine = andorra(&data);
    let mut several = 0;
    for (from, to) in [(MASSANA, ENCAMP), (TOWN, ENCAMP), (MASSANA, TOWN)] {
        for profile in [Profile::Hiking, Profile::Touring, Profile::Mtb] {
            let request = RouteRequest::new(vec![from, to], profile);
            let found = engine.alternatives(&request, 3).expect("ways");
            let best = engine.route(&request).expect("a way");
            assert_eq!(found[0].geometry, best.geometry, "the first is the best");
            several += usize::from(found.len() > 1);
            for (i, way) in found.iter().enumerate() {
                is_whole(way);
                assert!(way.distance_m < best.distance_m * 2.0);
                assert!(found[..i].iter().all(|other| common(way, other) < 0.95), "{profile}: {i} is new");
            }
        }
    }
    assert!(several >= 5, "{several} of 9 had an alternative");
    let through = RouteRequest::new(vec![MASSANA, TOWN, ENCAMP], Profile::Hiking);
    assert_eq!(engine.alternatives(&through, 3).expect("one way").len(), 1);
    assert_eq!(engine.alternatives(&through, 9).expect_err("refused").code(), "planner/out-of-bounds");
}

#[test]
fn loops_come_back_and_are_about_as_long_as_wanted() {
    let Some(data) = shared("loops_come_back_and_are_about_as_long_as_wanted") else { return };
    let engine = andorra(&data);
    for (profile, length_m) in [(Profile::Hiking, 8_000.0), (Profile::Mtb, 25_000.0), (Profile::Touring, 40_000.0)] {
        let asked = LoopRequest { start: TOWN, profile, length_m, count: 3, preferences: Preferences::default() };
        let found = engine.loops(&asked).expect("loops");
        assert!(!found.is_empty());
        for one in &found {
            is_whole(one);
            let (first, last) = (one.geometry[0], one.geometry[one.geometry.len() - 1]);
            assert!(trace::distance_m(first, last) < 1.0);
        }
        let ratio = found[0].distance_m / length_m;
        assert!((0.75..1.3).contains(&ratio), "{profile}: {ratio}");
    }
    for length_m in [f64::NAN, -5.0, 1e9] {
        let asked = LoopRequest {
            start: TOWN,
            profile: Profile::Hiking,
            length_m,
            count: 1,
            preferences: Preferences::default(),
        };
        assert_eq!(engine.loops(&asked).expect_err("refused").code(), "planner/out-of-bounds");
    }
}

#[test]
fn preferences_bend_the_way_and_leave_the_profile_as_it_was() {
    let Some(data) = shared("preferences_bend_the_way_and_leave_the_profile_as_it_was") else { return };
    let engine = andorra(&data);
    let pairs = [(MASSANA, ENCAMP), (ENCAMP, MASSANA), (TOWN, ENCAMP), (MASSANA, TOWN)];
    let climb = |preferences: Preferences| -> f64 {
        let way = |(from, to)| RouteRequest { preferences, ..RouteRequest::new(vec![from, to], Profile::Mtb) };
        pairs.into_iter().map(|pair| engine.route(&way(pair)).expect("a way").ascent_m.expect("heights")).sum()
    };
    let usual = climb(Preferences::default());
    let gentle = climb(Preferences { gentle: Level::More, ..Preferences::default() });
    assert!(gentle < usual, "{gentle} m of climb instead of {usual} m");
    assert_eq!(climb(Preferences::default()).to_bits(), usual.to_bits());
    let unpaved = |preferences| {
        let asked = RouteRequest { preferences, ..RouteRequest::new(vec![MASSANA, ENCAMP], Profile::Gravel) };
        let found = engine.route(&asked).expect("a way");
        let rough = |s: &&routing::SurfaceLength| s.surface > routing::Surface::Cobblestone;
        found.surfaces.iter().filter(rough).map(|s| s.length_m).sum::<f64>()
    };
    let (more, less) = (Level::More, Level::Less);
    let [paved, rough] = [more, less].map(|paved| unpaved(Preferences { paved, ..Preferences::default() }));
    assert!(paved <= rough, "{paved} m unpaved where paved ways are sought, {rough} m where they are not");
}

#[test]
fn a_matrix_holds_what_single_routes_say() {
    let Some(data) = shared("a_matrix_holds_what_single_routes_say") else { return };
    let engine = andorra(&data);
    let points = [MASSANA, TOWN, ENCAMP];
    let matrix = engine.matrix(&points, Profile::Touring).expect("a matrix");
    for (i, from) in points.iter().enumerate() {
        for (j, to) in points.iter().enumerate() {
            let cell = matrix.rows[i][j].expect("a way");
            let route = engine.route(&RouteRequest::new(vec![*from, *to], Profile::Touring)).expect("a way");
            assert!(
                (cell.distance_m - route.distance_m).abs() < 0.01 && (cell.duration_s - route.duration_s).abs() < 0.01
            );
        }
    }
    assert_eq!(engine.matrix(&[TOWN; 51], Profile::Hiking).expect_err("refused").code(), "planner/too-many-points");
}

#[test]
fn isochrones_grow_with_time_and_hold_what_is_near() {
    let Some(data) = shared("isochrones_grow_with_time_and_hold_what_is_near") else { return };
    let engine = andorra(&data);
    let found = engine.isochrone(TOWN, Profile::Hiking, &[3600, 900, 1800]).expect("isochrones");
    assert_eq!(found.iter().map(|i| i.within_s).collect::<Vec<_>>(), [900, 1800, 3600]);
    assert!(found.windows(2).all(|w| w[0].ways_m < w[1].ways_m));
    for one in &found {
        assert!(one.rings.iter().all(|r| r.len() >= 5 && r[0] == r[r.len() - 1]));
        assert!(holds(&one.rings, TOWN));
        // The fastest walk of the profile is below 5 km/h.
        let reach_m = f64::from(one.within_s) * 5.0 / 3.6 + 200.0;
        assert!(one.rings.iter().flatten().all(|p| trace::distance_m(TOWN, *p) < reach_m));
    }
    assert!(!holds(&found[2].rings, ENCAMP), "Encamp is two hours away");
    assert_eq!(engine.isochrone(TOWN, Profile::Hiking, &[]).expect_err("refused").code(), "planner/out-of-bounds");
    assert_eq!(
        engine.isochrone(TOWN, Profile::Hiking, &[90_000]).expect_err("refused").code(),
        "planner/out-of-bounds"
    );
}

/// Is a place inside the rings, by crossings?
fn holds(rings: &[Vec<Position>], p: Position) -> bool {
    let crosses = |w: &[Position]| {
        (w[0].lat > p.lat) != (w[1].lat > p.lat)
            && p.lon < w[0].lon + (p.lat - w[0].lat) / (w[1].lat - w[0].lat) * (w[1].lon - w[0].lon)
    };
    rings.iter().flat_map(|r| r.windows(2)).filter(|w| crosses(w)).count() % 2 == 1
}
