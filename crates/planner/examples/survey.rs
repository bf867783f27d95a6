//! `cargo run -p planner --example survey -- EXTRACT [DEM_FOLDER]`: builds a network, plans between random places in every
//! profile, lays each planned line back on the network, and prints what was found and how long it took.
#![expect(clippy::print_stdout, reason = "an example's answer is what it prints")]

use planner::{Dem, Embedded, Network, truth::Random};
use routing::{MatchRequest, PlanError, Profile, RouteEngine, RouteRequest};
use std::{env, error::Error, path::PathBuf, sync::Arc, time::Instant};
use trace::Position;

/// Places tried in each profile.
const PLACES: usize = 200;

/// Sorted times in milliseconds and what they say.
fn times(mut all: Vec<f64>) -> String {
    all.sort_by(f64::total_cmp);
    let at = |share: f64| all.get(((all.len() as f64 - 1.0) * share) as usize).copied().unwrap_or_default();
    format!("p50 {:.2} ms, p95 {:.2} ms", at(0.5), at(0.95))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let extract = arguments.next().ok_or("an extract is needed")?;
    let dem = arguments.next().map(|dir| Dem::open_dir(&dir)).transpose()?.map(Arc::new);
    let out = env::temp_dir().join(format!("survey-{}.network", std::process::id()));
    let report = Network::build(&extract, dem.as_deref(), &out, &mut |_| {})?;
    println!("{report:#?}");
    let started = Instant::now();
    let network = Network::open(&out)?;
    println!("opened in {:.2} ms", started.elapsed().as_secs_f64() * 1e3);
    std::fs::remove_file(&out)?;
    let engine = Embedded::new(network, dem);
    for profile in Profile::ALL {
        survey(&engine, profile);
    }
    Ok(())
}

fn survey(engine: &Embedded, profile: Profile) {
    let mut random = Random::new(42);
    let [west, south, east, north] = engine.network().bbox();
    let mut places = Vec::new();
    for _ in 0..PLACES * 50 {
        let p = Position::new(west + (east - west) * random.share(), south + (north - south) * random.share());
        places.extend(engine.snap(p, profile));
        if places.len() == PLACES {
            break;
        }
    }
    let (mut planned, mut matched, mut metres, mut no_way, mut unsure) = (Vec::new(), Vec::new(), 0.0, 0, Vec::new());
    for pair in places.windows(2) {
        let started = Instant::now();
        match engine.route(&RouteRequest::new(pair.to_vec(), profile)) {
            Ok(route) => {
                planned.push(started.elapsed().as_secs_f64() * 1e3);
                metres += route.distance_m;
                let started = Instant::now();
                let back = engine.match_trace(&MatchRequest::new(route.geometry, profile));
                matched.push(started.elapsed().as_secs_f64() * 1e3);
                unsure.extend(
                    back.ok()
                        .filter(|m| m.reliability.percent.is_none_or(|p| p < 99.0))
                        .map(|m| (pair[0], m.reliability.percent)),
                );
            }
            Err(PlanError::NoWay { .. }) => no_way += 1,
            Err(other) => println!("{profile}: {other}"),
        }
    }
    let count = planned.len();
    println!(
        "{profile}: {count} lines of {:.1} km, {no_way} without a way; planned {}, laid back {}; {} below 99 %: {:?}",
        metres / 1e3 / count.max(1) as f64,
        times(planned),
        times(matched),
        unsure.len(),
        &unsure[..unsure.len().min(3)]
    );
}
