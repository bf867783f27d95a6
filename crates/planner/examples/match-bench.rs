//! `cargo run --release -p planner --example match-bench -- EXTRACT DEM_FOLDER TRACKS_FOLDER [TRIALS]`
//!
//! Matches every GPX of a folder, each as often as fits in half a second, and prints one JSON object a track with the mean
//! processor time; with a number of trials, makes that number of recordings of known truth in each class and prints the share that was matched.
#![expect(clippy::print_stdout, reason = "an example's answer is what it prints")]

use planner::{
    Dem, Embedded, Network,
    truth::{self, Form, Trial},
};
use routing::{MatchRequest, Profile, RouteEngine};
use serde_json::{Value, json};
use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

/// Time spent on each track, and the fewest rounds.
const BUDGET_S: f64 = 0.5;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [extract, dem, tracks, rest @ ..] = &arguments[..] else {
        return Err("EXTRACT DEM_FOLDER TRACKS_FOLDER [TRIALS] are needed".into());
    };
    let dem = Arc::new(Dem::open_dir(dem)?);
    let out = env::temp_dir().join(format!("match-bench-{}.network", std::process::id()));
    Network::build(extract, Some(&dem), &out, &mut |_| {})?;
    let engine = Embedded::new(Network::open(&out)?, Some(dem));
    std::fs::remove_file(&out)?;
    engine.warm_up();
    if let Some(trials) = rest.first() {
        return trials.to_string_lossy().parse().map_err(Into::into).map(|count| recovered(&engine, count));
    }
    timed(&engine, tracks)
}

fn timed(engine: &Embedded, folder: &Path) -> Result<(), Box<dyn Error>> {
    let truth = truths(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|e| e.ok().map(|e| e.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "gpx"));
    files.sort();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(reading) = trace::read(&std::fs::read(&file)?, &name) else { continue };
        let label = truth.iter().find(|row| row["file"] == name.as_str());
        let profile =
            if label.is_some_and(|row| row["profile"] == "pedestrian") { Profile::Hiking } else { Profile::Touring };
        let request = MatchRequest::new(reading.line(), profile);
        let mut found = engine.match_trace(&request)?;
        let (mut rounds, begun, started) = (0, Instant::now(), processor_ms());
        while rounds < ROUNDS || begun.elapsed().as_secs_f64() < BUDGET_S {
            found = engine.match_trace(&request)?;
            rounds += 1;
        }
        let match_ms = (processor_ms() - started) / rounds as f64;
        let length_m: f64 = request.line.windows(2).map(|w| trace::distance_m(w[0], w[1])).sum();
        println!(
            "{}",
            json!({
                "file": name, "profile": profile.as_str(), "points": request.line.len(), "length_m": length_m.round(),
                "match_ms": (match_ms * 1e3).round() / 1e3, "reliability": found.reliability.percent,
                "truth": label.and_then(|row| row["true_on_network_share"].as_f64()).map(|s| (s * 1e4).round() / 1e2),
                "passes_95": label.map(|row| row["passes_95"].clone()),
            })
        );
    }
    Ok(())
}

/// Milliseconds that this thread has had a processor: what else runs on the machine does not count. Linux only.
fn processor_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or_default() / 1e6
}

fn truths(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("truth_andorra.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// A class of recordings: its name, and the trial for each number.
type Class = (String, Box<dyn Fn(u64) -> Trial>);

/// How much comes back: `count` paths at each noise (bikes and feet in turn, every other pair with pauses), a tenth of it a case.
fn recovered(engine: &Embedded, count: u64) {
    let plain = Trial {
        profile: Profile::Touring,
        form: Form::Line,
        spacing_m: 10.0,
        sigma_m: 10.0,
        memory: 0.9,
        pause_s: 0.0,
    };
    let turns = |i: u64| if i.is_multiple_of(2) { Profile::Touring } else { Profile::Hiking };
    for sigma_m in [5.0, 10.0, 15.0] {
        let trial =
            move |i: u64| Trial { profile: turns(i), sigma_m, pause_s: if i & 2 == 0 { 0.0 } else { 30.0 }, ..plain };
        tell(engine, (format!("σ {sigma_m} m"), Box::new(trial)), count);
    }
    let case = |name: &str, trial: Trial| -> Class {
        (name.to_owned(), Box::new(move |i| Trial { profile: turns(i), ..trial }))
    };
    let few = count.div_ceil(10);
    tell(engine, case("σ 10 m, loop", Trial { form: Form::Loop, ..plain }), few);
    tell(engine, case("σ 10 m, out and back", Trial { form: Form::OutAndBack, ..plain }), few);
    tell(engine, case("σ 10 m, figure of eight", Trial { form: Form::FigureEight, ..plain }), few);
    tell(engine, case("σ 5 m, a point every 100 m", Trial { spacing_m: 100.0, sigma_m: 5.0, ..plain }), few);
    tell(engine, case("σ 10 m, errors without memory", Trial { memory: 0.0, ..plain }), few);
    tell(engine, case("σ 10 m, 300 km and more", Trial { form: Form::Long, ..plain }), few.div_ceil(20));
}

fn tell(engine: &Embedded, (name, trial): Class, count: u64) {
    let outcomes: Vec<_> = (0..count).filter_map(|seed| truth::run(engine, &trial(seed), seed)).collect();
    let sum = |of: fn(&truth::Outcome) -> f64| outcomes.iter().map(of).sum::<f64>();
    let true_m = sum(|o| o.true_m);
    let mut shares: Vec<f64> = outcomes.iter().map(truth::Outcome::share).collect();
    shares.sort_by(f64::total_cmp);
    println!(
        "{name:<32} {:>5} paths {:>7.0} km  recovered {:>6.2} %  planned {:>6.2} %  the worst twentieth below {:>5.1} %",
        outcomes.len(),
        true_m / 1e3,
        100.0 * sum(|o| o.recovered_m) / true_m,
        100.0 * sum(|o| o.planned_m) / true_m,
        100.0 * shares.get(shares.len() / 20).copied().unwrap_or_default()
    );
}
