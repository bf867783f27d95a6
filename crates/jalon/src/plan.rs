//! `jalon plan …`: the planner on a prepared network, without a database or a server.

mod matched;

use std::path::{Path, PathBuf};
use std::time::Instant;

use planner::{Embedded, Network};
use routing::{Isochrone, MatchDetail, PlanError, Profile, RouteEngine, RouteRequest};
use serde::Serialize;
use trace::Position;

use crate::cli::{PlanCommand, PlanIsochrone, PlanRoute};
use crate::output;

/// Why nothing was planned at all, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum PlanFailure {
    /// The network's file.
    #[error(transparent)]
    Network(#[from] planner::NetworkError),
    /// The elevation tiles.
    #[error(transparent)]
    Dem(#[from] planner::DemError),
    /// The profile's name.
    #[error(transparent)]
    Profile(#[from] routing::UnknownProfile),
    /// Places that cannot be read.
    #[error("{0}")]
    Places(String),
    /// A file.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error.
        source: std::io::Error,
    },
}

/// One answer, one line.
#[derive(Debug, Serialize)]
struct Planned {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    distance_m: f64,
    duration_s: f64,
    ascent_m: Option<f64>,
    /// Wall time of the whole answer: snapping, search, line, climb, instructions. Writing it down comes after.
    compute_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    geometry: Option<Vec<Position>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Vec<String>>,
}

/// What could not be planned, one line.
#[derive(Debug, Serialize)]
struct Refused {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    error: &'static str,
    message: String,
}

/// Runs a planning command; false when something could not be planned.
pub fn run(command: &PlanCommand) -> Result<bool, PlanFailure> {
    match command {
        PlanCommand::Route(asked) => route(asked),
        PlanCommand::Isochrone(asked) => isochrone(asked),
        PlanCommand::Match(asked) => matched::run(asked, MatchDetail::WithLine),
        PlanCommand::Score(asked) => matched::run(asked, MatchDetail::ScoreOnly),
    }
}

fn engine(network: &Path, profile: Profile) -> Result<Embedded, PlanFailure> {
    let engine = Embedded::new(Network::open(network)?, None);
    engine.warm_up_one(profile);
    Ok(engine)
}

fn route(asked: &PlanRoute) -> Result<bool, PlanFailure> {
    let profile: Profile = asked.profile.parse()?;
    let jobs = match (&asked.points, &asked.pairs) {
        (Some(points), _) => vec![(None, places(points)?)],
        (None, Some(file)) => pairs(file)?,
        (None, None) => return Err(PlanFailure::Places("--points or --pairs is needed".to_owned())),
    };
    let engine = engine(&asked.network, profile)?;
    let mut all_planned = true;
    for (id, points) in jobs {
        let request = RouteRequest {
            month: asked.month,
            language: Some(routing::Language::Fr),
            ..RouteRequest::new(points, profile)
        };
        let started = Instant::now();
        let found = engine.route(&request);
        let compute_us = started.elapsed().as_micros() as u64;
        match found {
            Ok(route) => {
                let planned = Planned {
                    id,
                    distance_m: route.distance_m,
                    duration_s: route.duration_s,
                    ascent_m: route.ascent_m,
                    compute_us,
                    instructions: asked.whole.then(|| route.instructions.iter().map(|i| i.fr.clone()).collect()),
                    geometry: asked.whole.then_some(route.geometry),
                };
                if asked.json { output::json(&planned) } else { output::line(in_words(&planned)) }
            }
            Err(error) => {
                all_planned = false;
                refuse(asked.json, id, &error);
            }
        }
    }
    Ok(all_planned)
}

fn isochrone(asked: &PlanIsochrone) -> Result<bool, PlanFailure> {
    let profile: Profile = asked.profile.parse()?;
    let from = match places(&asked.from)?[..] {
        [from] => from,
        ref more => return Err(PlanFailure::Places(format!("--from takes one place, {} given", more.len()))),
    };
    let times_s: Vec<u32> = asked.minutes.iter().map(|minutes| minutes * 60).collect();
    match engine(&asked.network, profile)?.isochrone(from, profile, &times_s) {
        Ok(found) => {
            for one in found {
                if asked.json { output::json(&one) } else { output::line(reach_in_words(&one)) }
            }
            Ok(true)
        }
        Err(error) => {
            refuse(asked.json, None, &error);
            Ok(false)
        }
    }
}

fn refuse(as_json: bool, id: Option<String>, error: &PlanError) {
    let refused = Refused { id, error: error.code(), message: error.to_string() };
    if as_json {
        output::json(&refused);
    } else {
        let who = refused.id.map(|id| format!("{id}: ")).unwrap_or_default();
        output::line(format!("{who}{}", refused.message));
    }
}

fn in_words(planned: &Planned) -> String {
    let mut text = format!(
        "{}{:.2} km, {:.0} min",
        planned.id.as_ref().map(|id| format!("{id}: ")).unwrap_or_default(),
        planned.distance_m / 1000.0,
        planned.duration_s / 60.0
    );
    if let Some(ascent_m) = planned.ascent_m {
        text += &format!(", {ascent_m:.0} m up");
    }
    for sentence in planned.instructions.iter().flatten() {
        text += &format!("\n    {sentence}");
    }
    text
}

fn reach_in_words(reach: &Isochrone) -> String {
    format!("{} min: {:.1} km of ways", reach.within_s / 60, reach.ways_m / 1000.0)
}

/// `lon,lat;lon,lat;…`
fn places(text: &str) -> Result<Vec<Position>, PlanFailure> {
    text.split(';')
        .map(|place| {
            let mut numbers = place.split(',').map(|n| n.trim().parse::<f64>());
            match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(lon)), Some(Ok(lat)), None) => Ok(Position::new(lon, lat)),
                _ => Err(PlanFailure::Places(format!(
                    "`{place}` is not a place: give longitude and latitude in degrees, as in 1.52,42.51"
                ))),
            }
        })
        .collect()
}

type Job = (Option<String>, Vec<Position>);

/// A table with the columns `id`, `from_lon`, `from_lat`, `to_lon`, `to_lat`, in any order.
fn pairs(file: &Path) -> Result<Vec<Job>, PlanFailure> {
    let text = std::fs::read_to_string(file).map_err(|source| PlanFailure::File { path: file.to_owned(), source })?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
    let column = |name: &str| {
        let missing = || PlanFailure::Places(format!("{}: the column {name} is missing", file.display()));
        head.iter().position(|h| *h == name).ok_or_else(missing)
    };
    let id = column("id")?;
    let ends = [column("from_lon")?, column("from_lat")?, column("to_lon")?, column("to_lat")?];
    let row = |(index, line): (usize, &str)| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let number = |at: usize| cells.get(at).and_then(|c| c.parse::<f64>().ok());
        match ends.map(number) {
            [Some(a), Some(b), Some(c), Some(d)] => {
                Ok((cells.get(id).map(|c| (*c).to_owned()), vec![Position::new(a, b), Position::new(c, d)]))
            }
            _ => Err(PlanFailure::Places(format!("{}, line {}: four numbers are needed", file.display(), index + 2))),
        }
    };
    lines.enumerate().filter(|(_, line)| !line.trim().is_empty()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_people_write_them() {
        assert_eq!(places("1.5,42.5; 1.6,42.6").expect("two places").len(), 2);
        for wrong in ["", "1.5", "1.5,42.5,900", "a,b", "1.5;42.5"] {
            assert!(places(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_table_of_pairs_is_read_by_its_columns() {
        let file = std::env::temp_dir().join(format!("jalon-pairs-{}.csv", std::process::id()));
        let read = |text: &str| {
            std::fs::write(&file, text).expect("a file");
            pairs(&file)
        };
        let jobs = read("from_lat,from_lon,to_lat,to_lon,id\n42.5,1.5,42.6,1.6,a\n\n").expect("one pair");
        assert_eq!(jobs, [(Some("a".to_owned()), vec![Position::new(1.5, 42.5), Position::new(1.6, 42.6)])]);
        assert!(read("id,from_lon\n").is_err_and(|e| e.to_string().contains("from_lat")));
        assert!(
            read("id,from_lon,from_lat,to_lon,to_lat\n1,2,3,x,5\n").is_err_and(|e| e.to_string().contains("line 2"))
        );
        std::fs::remove_file(&file).expect("the file just made");
    }
}
