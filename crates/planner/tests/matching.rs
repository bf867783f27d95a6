//! Matching and reliability on tracks whose truth is known.

mod support;

use planner::{Match, MatchRequest, Profile, RouteEngine};
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
            path: row["true_path"].as_array().expect("points").iter().map(|p| Position::new(p[0].as_f64().expect("lon"), p[1].as_f64().expect("lat"))).collect(),
        })
        .collect()
}

fn matched(data: &Path, line: Vec<Position>, profile: Profile) -> Match {
    andorra(data).match_trace(&MatchRequest { line, profile }).expect("a match")
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
        let gaps: Vec<String> = r.gaps.iter().filter(|g| g.length_m > 30.0).map(|g| format!("{:?} {:.0}-{:.0}", g.cause, g.from_m, g.to_m)).collect();
        eprintln!("{:<34} truth {:>6} found {:>6} sigma {:>4.1} tol {:>4.1} {:>4} ms  {}", truth.file,
            truth.share.map_or("-".into(), |s| format!("{:.1}", 100.0 * s)), r.percent.map_or("-".into(), |p| format!("{p:.1}")), r.sigma_m, r.tolerance_m, started.elapsed().as_millis(), gaps[..gaps.len().min(6)].join(", "));
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
