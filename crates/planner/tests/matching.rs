//! Matching and reliability on tracks whose truth is known.

mod support;

use planner::truth::{self, Form, Trial};
use routing::{GapCause, Match, MatchRequest, Profile, RouteEngine};
use std::path::Path;
use support::{andorra, gpx, shared};
use trace::Position;

/// One labelled track.
struct Truth {
    file: String,
    profile: Profile,
    kind: String,
    share: Option<f64>,
    passes: Option<bool>,
    path: Vec<Position>,
}

fn truths(data: &Path) -> Vec<Truth> {
    let text = std::fs::read_to_string(data.join("tracks/synthetic/truth_andorra.json")).expect("the truth");
    let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    all.as_array()
        .expect("a list")
        .iter()
        .map(|row| Truth {
            file: row["file"].as_str().expect("a name").to_owned(),
            profile: if row["profile"] == "bicycle" { Profile::Touring } else { Profile::Hiking },
            kind: row["kind"].as_str().expect("a kind").to_owned(),
            share: row["true_on_network_share"].as_f64(),
            passes: row["passes_95"].as_bool(),
            path: row["true_path"]
                .as_array()
                .expect("points")
                .iter()
                .map(|p| Position::new(p[0].as_f64().expect("lon"), p[1].as_f64().expect("lat")))
                .collect(),
        })
        .collect()
}

fn matched(data: &Path, line: Vec<Position>, profile: Profile) -> Match {
    andorra(data).match_trace(&MatchRequest::new(line, profile)).expect("a match")
}

fn track(data: &Path, file: &str) -> Vec<Position> {
    gpx(&data.join("tracks/synthetic").join(file))
}

#[test]
fn reliability_agrees_with_the_truth() {
    let Some(data) = shared("reliability_agrees_with_the_truth") else { return };
    let (mut errors, mut wrong_side) = (Vec::new(), 0);
    for truth in truths(&data) {
        let started = std::time::Instant::now();
        let found = matched(&data, track(&data, &truth.file), truth.profile);
        let r = &found.reliability;
        let gaps: Vec<String> = r
            .gaps
            .iter()
            .filter(|g| g.length_m > 30.0)
            .map(|g| format!("{:?} {:.0}-{:.0}", g.cause, g.from_m, g.to_m))
            .collect();
        eprintln!(
            "{:<34} truth {:>6} found {:>6} sigma {:>4.1} tol {:>4.1} {:>4} ms  {}",
            truth.file,
            truth.share.map_or("-".into(), |s| format!("{:.1}", 100.0 * s)),
            r.percent.map_or("-".into(), |p| format!("{p:.1}")),
            r.sigma_m,
            r.tolerance_m,
            started.elapsed().as_millis(),
            gaps[..gaps.len().min(6)].join(", ")
        );
        if let (Some(share), Some(percent)) = (truth.share, r.percent) {
            errors.push((100.0 * share - percent).abs());
            wrong_side += usize::from(truth.passes.is_some_and(|p| p != (percent >= 95.0)));
        }
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    eprintln!("{} tracks, mean error {mean:.2} points, {wrong_side} on the wrong side of 95", errors.len());
    assert_eq!(errors.len(), 30);
    assert!(mean <= 1.5, "{mean}");
    assert!(wrong_side <= 2, "{wrong_side}");
}

#[test]
fn the_planned_trace_follows_the_true_path() {
    let Some(data) = shared("the_planned_trace_follows_the_true_path") else { return };
    for truth in truths(&data).iter().filter(|t| {
        matches!(
            t.kind.as_str(),
            "clean" | "noise5" | "noise10" | "jitter_dup" | "reversed" | "stops" | "no_time_no_ele"
        )
    }) {
        let found = matched(&data, track(&data, &truth.file), truth.profile);
        let true_m: f64 = truth.path.windows(2).map(|w| trace::distance_m(w[0], w[1])).sum();
        let ratio = found.distance_m / true_m;
        assert!((0.97..1.03).contains(&ratio), "{}: {:.0} m planned, {true_m:.0} m true", truth.file, found.distance_m);
        let mut far: Vec<f64> = truth.path.iter().map(|p| distance_to_line(*p, &found.geometry)).collect();
        far.sort_by(f64::total_cmp);
        assert!(far[far.len() * 95 / 100] < 12.0, "{}: {:.1} m", truth.file, far[far.len() * 95 / 100]);
        assert!(found.ascent_m.is_some() && found.duration_s > 0.0 && found.instructions.len() >= 2);
        let geometry_m: f64 = found.geometry.windows(2).map(|w| trace::distance_m(w[0], w[1])).sum();
        assert!((geometry_m - found.distance_m).abs() < 1.0);
    }
}

/// Distance from a point to the nearest segment of a line, in the plane of the point.
fn distance_to_line(p: Position, line: &[Position]) -> f64 {
    let plane = |q: Position| ((q.lon - p.lon) * 111_320.0 * p.lat.to_radians().cos(), (q.lat - p.lat) * 111_195.0);
    line.windows(2)
        .map(|w| {
            let ((ax, ay), (bx, by)) = (plane(w[0]), plane(w[1]));
            let (dx, dy) = (bx - ax, by - ay);
            let square = dx * dx + dy * dy;
            let share = if square > 0.0 { (-(ax * dx + ay * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
            (ax + dx * share).hypot(ay + dy * share)
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn a_shifted_track_is_explained_and_a_noisy_one_is_not_suspected() {
    let Some(data) = shared("a_shifted_track_is_explained_and_a_noisy_one_is_not_suspected") else { return };
    for truth in truths(&data) {
        let found = matched(&data, track(&data, &truth.file), truth.profile);
        let has_shift = found.reliability.gaps.iter().any(|g| g.cause == GapCause::ConstantShift);
        assert_eq!(has_shift, truth.kind == "shift40", "{}", truth.file);
        let has_hole = found.reliability.gaps.iter().any(|g| g.cause == GapCause::RecordingHole);
        assert_eq!(has_hole, truth.kind == "gap", "{}", truth.file);
        let points: f64 = found.reliability.gaps.iter().map(|g| g.points).sum();
        let percent = found.reliability.percent.expect("calculable");
        assert!((100.0 - percent - points).abs() < 0.11, "{}: {percent} and {points}", truth.file);
    }
}

#[test]
fn a_scribble_over_a_whole_town_is_refused_in_time() {
    let Some(data) = shared("a_scribble_over_a_whole_town_is_refused_in_time") else { return };
    let mut state = 7_u64;
    let mut share = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    // To and fro in the densest town: the dearest steps there are.
    let line: Vec<Position> =
        (0..20_000).map(|_| Position::new(1.515 + 0.03 * share(), 42.50 + 0.02 * share())).collect();
    let started = std::time::Instant::now();
    let found = andorra(&data).match_trace(&MatchRequest::new(line, Profile::Touring));
    eprintln!("a scribble of 20,000 points: {:?} after {:?}", found.as_ref().map(|m| m.distance_m), started.elapsed());
    assert_eq!(found.expect_err("too much").code(), "planner/too-much-work");
}

/// Share of the length that comes back of made recordings, bikes and feet in turn.
fn recovered(data: &Path, trial: Trial, seeds: std::ops::Range<u64>) -> f64 {
    let profile = |seed: u64| if seed.is_multiple_of(2) { Profile::Touring } else { Profile::Hiking };
    let outcomes: Vec<truth::Outcome> =
        seeds.filter_map(|seed| truth::run(andorra(data), &Trial { profile: profile(seed), ..trial }, seed)).collect();
    let sum = |of: fn(&truth::Outcome) -> f64| outcomes.iter().map(of).sum::<f64>();
    assert!(!outcomes.is_empty(), "the random found no path");
    100.0 * sum(|o| o.recovered_m) / sum(|o| o.true_m)
}

const MADE: Trial =
    Trial { profile: Profile::Touring, form: Form::Line, spacing_m: 10.0, sigma_m: 10.0, memory: 0.9, pause_s: 0.0 };

#[test]
fn noised_paths_come_back_on_the_right_links() {
    let Some(data) = shared("noised_paths_come_back_on_the_right_links") else { return };
    // A sample of `bench/planner-match`, whose whole holds the figures; twenty paths scatter by half a point, the six with pauses by more.
    for (sigma_m, least, least_with_pauses) in [(5.0, 98.5, 97.0), (10.0, 97.0, 95.5), (15.0, 93.5, 90.5)] {
        let plain = recovered(&data, Trial { sigma_m, ..MADE }, 0..14);
        let with_pauses = recovered(&data, Trial { sigma_m, pause_s: 30.0, ..MADE }, 14..20);
        eprintln!("noise of {sigma_m} m: {plain:.2} % recovered, with pauses {with_pauses:.2} %");
        assert!(plain >= least && with_pauses >= least_with_pauses, "{sigma_m}: {plain} {with_pauses}");
    }
}

#[test]
fn loops_and_returns_come_back_in_their_order() {
    let Some(data) = shared("loops_and_returns_come_back_in_their_order") else { return };
    let sparse = Trial { spacing_m: 100.0, sigma_m: 5.0, ..MADE };
    let cases = [
        ("loop", Trial { form: Form::Loop, ..MADE }, 96.0),
        ("out and back", Trial { form: Form::OutAndBack, ..MADE }, 93.0),
        ("figure of eight", Trial { form: Form::FigureEight, ..MADE }, 96.0),
        ("a point every 100 m", sparse, 97.0),
    ];
    for (name, trial, least) in cases {
        let share = recovered(&data, trial, 0..6);
        eprintln!("{name}: {share:.2} % recovered");
        assert!(share >= least, "{name}: {share}");
    }
    let long = recovered(&data, Trial { form: Form::Long, ..MADE }, 0..1);
    assert!(long >= 97.0, "300 km: {long}");
}

#[test]
fn lines_that_are_no_recordings_get_an_answer_or_a_clear_error() {
    let Some(data) = shared("lines_that_are_no_recordings_get_an_answer_or_a_clear_error") else { return };
    let engine = andorra(&data);
    let asked = |line: Vec<Position>| engine.match_trace(&MatchRequest::new(line, Profile::Hiking));
    let town = |i: i32| Position::new(1.52 + f64::from(i) * 1e-4, 42.507);
    for broken in [f64::NAN, f64::INFINITY, 181.0] {
        let refused = asked(vec![town(0), Position::new(broken, 42.5), town(1)]).expect_err("no place on the Earth");
        assert_eq!(refused.code(), "planner/bad-point");
    }
    assert_eq!(asked(vec![town(0)]).expect_err("a point is no line").code(), "planner/too-few-points");

    // There and then 500 km further: a hole, not half a million metres of one kind or another.
    let jump: Vec<Position> =
        (0..40).map(town).chain((0..40).map(|i| Position::new(1.5 + f64::from(i) * 1e-4, 47.0))).collect();
    let found = asked(jump).expect("an answer");
    assert!(found.reliability.percent.is_none() && found.reliability.not_calculable.is_some());

    let sea: Vec<Position> = (0..200).map(|i| Position::new(4.0 + f64::from(i) * 1e-3, 42.0)).collect();
    let found = asked(sea).expect("an answer");
    assert_eq!(found.reliability.gaps.iter().map(|g| g.cause).collect::<Vec<_>>(), [GapCause::OutsideExtract]);

    let still = asked(vec![town(3); 5000]).expect("a place without length");
    assert!(still.reliability.percent.is_none());
}
