//! The reliability of labelled tracks, laid by a Valhalla server and judged by us, beside their truth:
//! `score_valhalla URL FOLDER`, the folder with its `truth_andorra.json`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use connect::http::Breaker;
use connect::{ValhallaSettings, valhalla};
use planner::valhalla::Valhalla;
use routing::{MatchRequest, Profile, RouteEngine};
use serde_json::Value;
use trace::Position;

/// Points of a plain GPX file; these are known to be whole.
fn points(path: &Path) -> Result<Vec<Position>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let value = |part: &str, key: &str| part.split_once(key)?.1.split('"').next()?.parse::<f64>().ok();
    let point = |part: &str| Some(Position::new(value(part, "lon=\"")?, value(part, "lat=\"")?));
    Ok(text.split("<trkpt").skip(1).filter_map(point).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let (Some(url), Some(folder)) = (given.next(), given.next().map(PathBuf::from)) else {
        return Err("score_valhalla URL FOLDER".into());
    };
    let server = valhalla(&ValhallaSettings { url, timeout: Duration::from_secs(60) }, Breaker::default());
    let engine = Valhalla::new(server);
    let truth: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(folder.join("truth_andorra.json"))?)?;
    let (mut errors, mut wrong) = (Vec::new(), 0);
    for label in &truth {
        let file = label["file"].as_str().unwrap_or_default();
        let profile = if label["profile"] == "pedestrian" { Profile::Hiking } else { Profile::Touring };
        let found = engine.match_trace(&MatchRequest::new(points(&folder.join(file))?, profile))?;
        let share = label["true_on_network_share"].as_f64().map(|share| share * 100.0);
        eprintln!("{file}: {:?}, truth {share:?}", found.reliability.percent);
        if let (Some(percent), Some(share)) = (found.reliability.percent, share) {
            errors.push((percent - share).abs());
            wrong += usize::from((percent >= 95.0) != label["passes_95"].as_bool().unwrap_or_default());
        }
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    eprintln!("mean error {mean:.2} points, {wrong} of {} on the wrong side of 95", errors.len());
    Ok(())
}
