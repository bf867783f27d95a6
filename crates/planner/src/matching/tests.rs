//! Each cause on a small map where the answer is known.

use super::*;
use crate::testmap::{TestMap, at};
use routing::{
    ElevationSource, FixKind, Gap, GapCause, InstructionKind, MatchRequest, NotCalculableReason, Profile, Remedy,
    RouteEngine,
};

/// A road of 3 km east with bends, a track 200 m north of its middle, side streets.
fn map() -> TestMap {
    let mut map = TestMap::new();
    let mut road = Vec::new();
    for i in 0..=30_i64 {
        map = map.node(i + 1, i as f64 * 100.0, (i % 5) as f64 * 12.0);
        road.push(i + 1);
    }
    map.street(10, &road)
        .node(101, 1000.0, 200.0)
        .node(102, 2000.0, 200.0)
        .way(11, &[11, 101], &[("highway", "track")])
        .way(12, &[101, 102], &[("highway", "track"), ("access", "private")])
        .way(13, &[102, 21], &[("highway", "track")])
        .node(103, 1500.0, -300.0)
        .street(14, &[16, 103])
}

/// The y of the road at an x, both in metres.
fn road_y(x: f64) -> f64 {
    let (i, share) = ((x / 100.0).floor(), x / 100.0 - (x / 100.0).floor());
    let y = |k: f64| (k as i64).rem_euclid(5) as f64 * 12.0;
    y(i) + (y(i + 1.0) - y(i)) * share
}

fn along_road(from: f64, to: f64) -> Vec<Position> {
    let count = ((to - from).abs() / 10.0) as usize;
    (0..=count).map(|i| from + (to - from) * i as f64 / count as f64).map(|x| at(x, road_y(x))).collect()
}

fn matched(line: &[Position], profile: Profile) -> Match {
    map().engine().match_trace(&MatchRequest::new(line.to_vec(), profile)).expect("a match")
}

fn causes(found: &Match) -> Vec<GapCause> {
    found.reliability.gaps.iter().map(|g| g.cause).collect()
}

fn percent(found: &Match) -> f64 {
    found.reliability.percent.expect("calculable")
}

/// Checks that the per cent lost equal the sum of the points of the gaps.
fn check_sums(found: &Match) {
    let r = &found.reliability;
    let points: f64 = r.gaps.iter().map(|g| g.points).sum();
    if let Some(percent) = r.percent {
        assert!((100.0 - percent - points).abs() <= 0.1 + 1e-6, "{percent} and {points}");
    }
    assert!(r.gaps.is_sorted_by(|a, b| a.from_m <= b.from_m));
    assert!(r.gaps.iter().all(|g| g.judged == g.cause.is_judged() && g.to_m >= g.from_m && g.line.len() >= 2));
}

#[test]
fn a_recording_through_a_tunnel_is_judged_as_on_any_other_road() {
    let through = |tags: &[(&str, &str)]| {
        let map = TestMap::new().node(1, 0.0, 0.0).node(2, 1000.0, 0.0).node(3, 2000.0, 0.0).node(4, 3000.0, 0.0);
        let map = map.street(10, &[1, 2]).way(11, &[2, 3], tags).street(12, &[3, 4]);
        let line: Vec<Position> = (5..=295).map(|i| at(f64::from(i) * 10.0, 0.0)).collect();
        map.engine().match_trace(&MatchRequest::new(line, Profile::Hiking)).expect("a match")
    };
    let tunnel = through(&[("highway", "secondary"), ("tunnel", "yes")]);
    assert!((percent(&tunnel) - 100.0).abs() < 1e-9, "{:?}", tunnel.reliability);
    let open = through(&[("highway", "secondary")]);
    assert_eq!(tunnel.reliability, open.reliability);
    assert_eq!((tunnel.edges.len(), tunnel.duration_s.round()), (open.edges.len(), open.duration_s.round()));
}

#[test]
fn a_recording_on_the_road_is_all_reliable() {
    let found = matched(&along_road(50.0, 2950.0), Profile::Touring);
    assert!((percent(&found) - 100.0).abs() < 1e-9);
    assert!(found.reliability.gaps.is_empty() && found.reliability.remarks.is_empty());
    let r = &found.reliability;
    for nothing in [r.hole_m, r.outside_m, r.sparse_m, r.kept_m] {
        assert_eq!(nothing.to_string(), "0", "no -0");
    }
    assert!((found.distance_m - 2978.0).abs() < 15.0, "{}", found.distance_m);
    assert!(found.instructions.len() <= 3, "{:?}", found.instructions);
}

#[test]
fn a_stretch_on_no_way_costs_points_and_a_way_round_is_proposed() {
    let mut line = along_road(50.0, 1200.0);
    line.extend(
        (0..=60).map(|i| {
            at(1200.0 + f64::from(i) * 10.0, -120.0 * (f64::from(i) / 60.0 * std::f64::consts::PI).sin() + 24.0)
        }),
    );
    line.extend(along_road(1810.0, 2950.0));
    let found = matched(&line, Profile::Touring);
    assert_eq!(causes(&found), [GapCause::NoWay]);
    check_sums(&found);
    let gap = &found.reliability.gaps[0];
    assert!((500.0..720.0).contains(&gap.length_m), "{}", gap.length_m);
    assert!((1150.0..1300.0).contains(&gap.from_m), "{}", gap.from_m);
    let fix = gap.fix.as_ref().expect("a way round");
    assert_eq!(fix.kind, FixKind::FollowWay);
    assert_eq!(gap.remedies, [Remedy::FollowWay, Remedy::KeepOffNetwork, Remedy::ReportWay]);
    let url = gap.edit_url.as_deref().expect("where to draw the way");
    assert!(url.starts_with("https://www.openstreetmap.org/edit?editor=id#map=18/"), "{url}");
    assert!((450.0..700.0).contains(&fix.distance_m), "{}", fix.distance_m);
    // The planned trace keeps the source's own line there.
    assert!(found.geometry.iter().any(|p| trace::distance_m(*p, at(1500.0, -96.0)) < 15.0));
}

#[test]
fn a_forbidden_way_is_named() {
    let mut line = along_road(50.0, 990.0);
    line.extend((0..=20).map(|i| at(1000.0, f64::from(i) * 10.0)));
    line.extend((1..=99).map(|i| at(1000.0 + f64::from(i) * 10.0, 200.0)));
    line.extend((0..=20).map(|i| at(2000.0, 200.0 - f64::from(i) * 10.0)));
    line.extend(along_road(2010.0, 2950.0));
    for profile in [Profile::Touring, Profile::Hiking] {
        let found = matched(&line, profile);
        assert_eq!(causes(&found), [GapCause::Forbidden]);
        let gap = &found.reliability.gaps[0];
        assert_eq!(gap.way_id, Some(12));
        assert!((960.0..1040.0).contains(&gap.length_m), "{}", gap.length_m);
        assert!(gap.fix.is_some(), "along the road");
        assert_eq!(gap.remedies, [Remedy::FollowWay, Remedy::ReportWay]);
        assert!(gap.edit_url.as_deref().is_some_and(|url| url.contains("&way=12#")));
        check_sums(&found);
    }
}

#[test]
fn a_recording_hole_is_reported_and_costs_nothing() {
    let mut line = along_road(50.0, 1400.0);
    line.extend(along_road(1700.0, 2950.0));
    let found = matched(&line, Profile::Hiking);
    assert_eq!(causes(&found), [GapCause::RecordingHole]);
    assert!((percent(&found) - 100.0).abs() < 1e-9);
    assert!((found.reliability.hole_m - 300.0).abs() < 15.0);
    let mut long = along_road(50.0, 900.0);
    long.extend(along_road(2200.0, 2950.0));
    let not = matched(&long, Profile::Hiking).reliability;
    assert_eq!(not.percent, None);
    assert_eq!(not.not_calculable.map(|n| n.reason), Some(NotCalculableReason::RecordingHoles));
}

#[test]
fn outside_the_extract_is_not_judged_and_inside_on_no_way_is_zero() {
    let away: Vec<Position> = along_road(50.0, 2950.0).iter().map(|p| Position::new(p.lon + 1.0, p.lat)).collect();
    let outside = matched(&away, Profile::Hiking).reliability;
    assert_eq!(
        (outside.percent, outside.not_calculable.map(|n| n.reason)),
        (None, Some(NotCalculableReason::OutsideExtract))
    );
    assert_eq!(outside.gaps[0].cause, GapCause::OutsideExtract);
    let beside: Vec<Position> =
        (0..100).map(|i| at(300.0 + f64::from(i) * 5.0 + f64::from(i % 7), -250.0 - f64::from(i * i % 40))).collect();
    let inside = matched(&beside, Profile::Hiking);
    assert!(percent(&inside).abs() < 1e-9);
    assert_eq!(causes(&inside), [GapCause::NoWay]);
}

#[test]
fn a_constant_shift_is_recognised_and_can_be_undone() {
    // Along the bent road and down a side street: one vector explains all of it.
    let mut line = along_road(50.0, 1500.0);
    line.extend((0..=28).map(|i| at(1500.0, -f64::from(i) * 10.0)));
    line.extend((0..=28).rev().map(|i| at(1500.0, -f64::from(i) * 10.0)));
    line.extend(along_road(1510.0, 2950.0));
    let frame_shift =
        |p: &Position| crate::geometry::Projection::at(*p).position(crate::geometry::Xy { x: 30.0, y: 45.0 });
    let shifted: Vec<Position> = line.iter().map(frame_shift).collect();
    let found = matched(&shifted, Profile::Touring);
    let gap = found.reliability.gaps.iter().find(|g| g.cause == GapCause::ConstantShift).expect("a shift");
    let [east, north] = gap.shift.expect("its vector");
    assert!((east + 30.0).hypot(north + 45.0) < 10.0, "{east} {north}");
    assert_eq!(gap.fix.as_ref().map(|f| f.kind), Some(FixKind::Snap));
    assert!(percent(&found) < 60.0);
    check_sums(&found);
}

#[test]
fn a_shift_of_one_stretch_is_recognised_there_and_nowhere_else() {
    // The bent road and a side street, of which 800 m were recorded under a cliff.
    let mut line = along_road(50.0, 1500.0);
    line.extend((0..=28).map(|i| at(1500.0, -f64::from(i) * 10.0)));
    line.extend((0..=28).rev().map(|i| at(1500.0, -f64::from(i) * 10.0)));
    line.extend(along_road(1510.0, 2950.0));
    let moved = crate::geometry::Xy { x: -35.0, y: 40.0 };
    let along = crate::geometry::cumulative_m(&line);
    for (p, along) in line.iter_mut().zip(&along) {
        if (1200.0..2000.0).contains(along) {
            *p = crate::geometry::Projection::at(*p).position(moved);
        }
    }
    let found = matched(&line, Profile::Touring);
    check_sums(&found);
    let shifted: Vec<&Gap> = found.reliability.gaps.iter().filter(|g| g.cause == GapCause::ConstantShift).collect();
    assert!(!shifted.is_empty(), "{:?}", causes(&found));
    for gap in &shifted {
        let [east, north] = gap.shift.expect("its vector");
        assert!((east - 35.0).hypot(north + 40.0) < 10.0, "{east} {north}");
        assert!(gap.from_m > 1150.0 && gap.to_m < 2150.0, "{} {}", gap.from_m, gap.to_m);
        assert_eq!(gap.fix.as_ref().map(|f| f.kind), Some(FixKind::Snap));
    }
    assert!(percent(&found) < 90.0);
}

#[test]
fn a_path_across_a_field_beside_a_straight_road_is_no_shift() {
    let map = (0..=40_i64).fold(TestMap::new(), |map, i| map.node(i + 1, i as f64 * 100.0, 0.0));
    let map = map.street(10, &(1..=41).collect::<Vec<i64>>());
    let mut line: Vec<Position> = (0..=100).map(|i| at(f64::from(i) * 10.0, 0.0)).collect();
    line.extend((1..=80).map(|i| at(1000.0 + f64::from(i) * 10.0, 60.0)));
    line.extend((81..=250).map(|i| at(1000.0 + f64::from(i) * 10.0, 0.0)));
    let found = map.engine().match_trace(&MatchRequest::new(line, Profile::Hiking)).expect("a match");
    assert_eq!(causes(&found), [GapCause::NoWay]);
}

#[test]
fn a_stretch_kept_off_the_network_is_reported_and_not_judged() {
    let mut line = along_road(50.0, 1200.0);
    line.extend(
        (1..=30).map(|i| at(1200.0 + f64::from(i) * 10.0, -100.0 * (f64::from(i) / 30.0 * std::f64::consts::PI).sin())),
    );
    line.extend(along_road(1510.0, 2950.0));
    let engine = map().engine();
    let ask = |kept: Vec<[f64; 2]>| {
        let asked = MatchRequest { kept, ..MatchRequest::new(line.clone(), Profile::Touring) };
        engine.match_trace(&asked).expect("a match")
    };
    let without = ask(Vec::new());
    assert_eq!(causes(&without), [GapCause::NoWay]);
    let gap = &without.reliability.gaps[0];
    let kept = ask(vec![[gap.from_m, gap.to_m]]);
    check_sums(&kept);
    assert_eq!(causes(&kept), [GapCause::KeptOffNetwork]);
    let gap_kept = &kept.reliability.gaps[0];
    assert!(!gap_kept.judged && gap_kept.points.abs() < 1e-9 && gap_kept.fix.is_none() && gap_kept.max_offset_m > 50.0);
    assert!((percent(&kept) - 100.0).abs() < 1e-9, "{}", percent(&kept));
    assert!((kept.reliability.kept_m - gap.length_m).abs() < 25.0, "{}", kept.reliability.kept_m);
    let all = ask(vec![[0.0, 4_000.0]]);
    assert!((all.reliability.kept_m - kept.reliability.kept_m).abs() < 25.0, "stretches on a way stay matched");
}

#[test]
fn to_keep_a_forbidden_way_does_not_open_it() {
    let mut line = along_road(50.0, 990.0);
    line.extend((0..=20).map(|i| at(1000.0, f64::from(i) * 10.0)));
    line.extend((1..=99).map(|i| at(1000.0 + f64::from(i) * 10.0, 200.0)));
    line.extend((0..=20).map(|i| at(2000.0, 200.0 - f64::from(i) * 10.0)));
    line.extend(along_road(2010.0, 2950.0));
    let asked = MatchRequest { kept: vec![[0.0, 5_000.0]], ..MatchRequest::new(line, Profile::Hiking) };
    let found = map().engine().match_trace(&asked).expect("a match");
    assert_eq!(causes(&found), [GapCause::Forbidden]);
    assert!(found.reliability.gaps[0].points > 20.0);
}

#[test]
fn a_straight_way_without_points_is_no_hole() {
    let map = TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 300.0, 40.0)
        .node(3, 1800.0, 90.0)
        .node(4, 2100.0, 0.0)
        .street(10, &[1, 2])
        .way(11, &[2, 3], &[("route", "ferry")])
        .street(12, &[3, 4]);
    let mut line: Vec<Position> = (0..=30).map(|i| at(f64::from(i) * 10.0, f64::from(i) * 4.0 / 3.0)).collect();
    line.extend((0..=30).map(|i| at(1800.0 + f64::from(i) * 10.0, 90.0 - f64::from(i) * 3.0)));
    let found = map.engine().match_trace(&MatchRequest::new(line, Profile::Hiking)).expect("a match");
    assert!((percent(&found) - 100.0).abs() < 1e-9, "{:?}", found.reliability);
    assert!(found.instructions.iter().any(|i| i.kind == InstructionKind::Ferry));
}

#[test]
fn sparse_points_on_a_way_are_reliable() {
    let line: Vec<Position> = (0..=19).map(|i| 50.0 + f64::from(i) * 150.0).map(|x| at(x, road_y(x))).collect();
    let found = matched(&line, Profile::Touring);
    assert!(percent(&found) >= 99.0, "{:?}", found.reliability);
}

#[test]
fn riding_against_a_one_way_is_a_remark() {
    let one_way = TestMap::new()
        .node(1, 0.0, 0.0)
        .node(2, 1000.0, 0.0)
        .node(3, 0.0, 500.0)
        .way(10, &[1, 2], &[("highway", "residential"), ("oneway", "yes")])
        .street(11, &[1, 3]);
    let line: Vec<Position> = (0..=90).rev().map(|i| at(f64::from(i) * 10.0 + 50.0, 3.0)).collect();
    let matched =
        |profile| one_way.engine().match_trace(&MatchRequest::new(line.clone(), profile)).expect("a match").reliability;
    let ridden = matched(Profile::Touring);
    assert_eq!(ridden.remarks.len(), 1);
    assert!(ridden.remarks[0].to_m - ridden.remarks[0].from_m > 850.0);
    assert_eq!(ridden.percent, matched(Profile::Hiking).percent);
    assert!(matched(Profile::Hiking).remarks.is_empty());
}

#[test]
fn there_and_back_stays_there_and_back() {
    let mut line = along_road(50.0, 1500.0);
    line.extend((0..=28).map(|i| at(1500.0, -f64::from(i) * 10.0)));
    line.extend((0..=28).rev().map(|i| at(1500.0, -f64::from(i) * 10.0)));
    line.extend(along_road(1510.0, 2950.0));
    let found = matched(&line, Profile::Hiking);
    assert!((percent(&found) - 100.0).abs() < 1e-9);
    assert!((found.distance_m - (2978.0 + 560.0)).abs() < 40.0, "{}", found.distance_m);
}

#[test]
fn a_side_trip_over_short_ways_stays_in_the_planned_trace() {
    let map = map()
        .node(111, 500.0, -25.0)
        .node(112, 500.0, -50.0)
        .node(113, 500.0, -75.0)
        .street(21, &[6, 111])
        .street(22, &[111, 112])
        .street(23, &[112, 113]);
    let side = (0..=15).map(|i| at(500.0, -f64::from(i) * 5.0));
    let mut line = along_road(50.0, 500.0);
    line.extend(side.clone().chain(side.rev()));
    line.extend(along_road(510.0, 2950.0));
    let found = map.engine().match_trace(&MatchRequest::new(line, Profile::Hiking)).expect("a match");
    assert!((percent(&found) - 100.0).abs() < 1e-9);
    assert!((found.distance_m - (2978.0 + 150.0)).abs() < 40.0, "{}", found.distance_m);
    assert!(found.geometry.iter().any(|p| trace::distance_m(*p, at(500.0, -75.0)) < 15.0));
    // Nothing joins its stretches but the ways.
    assert!(found.edges.iter().all(|edge| edge.way_id.is_some()), "{:?}", found.edges);
}

#[test]
fn a_recording_of_a_few_metres_there_and_back_has_a_planned_trace() {
    let mut line = along_road(1200.0, 1220.0);
    line.extend(along_road(1220.0, 1200.0));
    assert!(matched(&line, Profile::Hiking).geometry.len() >= 2);
    // Off the end of a way: both points are nearest to one place of it.
    let found = matched(&[at(2993.0, 0.0), at(3001.0, 0.0), at(3011.0, 0.0)], Profile::Hiking);
    assert!(found.geometry.len() >= 2);
    assert!(matched(&[at(3003.0, 0.0), at(3011.0, 0.0)], Profile::Hiking).geometry.len() >= 2);
}

#[test]
fn recorded_heights_reach_the_planned_trace() {
    let line: Vec<Position> = (0..=290)
        .map(|i| 50.0 + f64::from(i) * 10.0)
        .map(|x| Position { ele: Some(400.0 + x / 20.0), ..at(x, road_y(x)) })
        .collect();
    let found = matched(&line, Profile::Hiking);
    assert_eq!(found.elevation_source, ElevationSource::File);
    assert!((found.ascent_m.expect("heights") - 145.0).abs() < 5.0, "{:?}", found.ascent_m);
    assert!(found.geometry.iter().all(|p| p.ele.is_some_and(|e| (395.0..555.0).contains(&e))));
    let without = matched(&along_road(50.0, 2950.0), Profile::Hiking);
    assert_eq!((without.elevation_source, without.ascent_m), (ElevationSource::None, None));
}

#[test]
fn degenerate_lines_are_answered() {
    let engine = map().engine();
    let ask = |line: Vec<Position>| engine.match_trace(&MatchRequest::new(line, Profile::Hiking));
    assert_eq!(ask(vec![at(0.0, 0.0)]).expect_err("refused").code(), "planner/too-few-points");
    assert_eq!(
        ask(vec![at(0.0, 0.0), Position::new(f64::INFINITY, 0.0)]).expect_err("refused").code(),
        "planner/bad-point"
    );
    assert_eq!(ask(vec![at(0.0, 0.0); 200_001]).expect_err("refused").code(), "planner/too-many-points");
    let still = ask(vec![at(0.0, 0.0); 50]).expect("a match");
    assert_eq!(still.reliability.not_calculable.map(|n| n.reason), Some(NotCalculableReason::NoLength));
    assert_eq!(still.geometry.len(), 2);
    assert!(
        ask(vec![Position::new(-180.0, -90.0), Position::new(180.0, 90.0)])
            .expect("a match")
            .reliability
            .percent
            .is_none()
    );
}

#[test]
fn a_hundred_thousand_points_are_matched() {
    // Ten times to and fro at 0.6 m spacing.
    let one: Vec<Position> = (0..10_000).map(|i| 50.0 + f64::from(i) * 0.29).map(|x| at(x, road_y(x))).collect();
    let mut line = Vec::new();
    for i in 0..10 {
        line.extend(if i % 2 == 0 { one.clone() } else { one.iter().rev().copied().collect() });
    }
    let found = matched(&line, Profile::Touring);
    assert!(percent(&found) > 99.0);
    assert!((found.distance_m - 29_780.0).abs() < 200.0, "{}", found.distance_m);
}
