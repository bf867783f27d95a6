//! `jalon plan match` and `jalon plan score`: recordings laid on a prepared network, one answer a track.

use std::path::Path;
use std::time::Instant;

use planner::{Dem, Embedded, Gap, GapCause, Match, MatchEdge, MatchRequest, Network, Profile, Remedy, RouteEngine};
use serde::Serialize;
use serde_json::Value;
use trace::Position;

use super::PlanFailure;
use crate::cli::PlanMatch;
use crate::output;

/// One track, one line.
#[derive(Debug, Default, Serialize)]
struct Scored {
    file: String,
    /// Per cent of the judged length that lies on the network.
    reliability: Option<f64>,
    /// Why there is no per cent: `outside_extract`, `recording_holes`, `sparse`, …, or the code of what went wrong.
    reason: Option<String>,
    /// The same in a sentence, where something went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    tolerance_m: Option<f64>,
    gaps: Vec<Stretch>,
    /// Wall time of the whole answer; reading the file and writing this line are not counted.
    compute_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    geometry: Option<Vec<Position>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<MatchEdge>>,
}

/// A stretch that does not match.
#[derive(Debug, Serialize)]
struct Stretch {
    from_km: f64,
    to_km: f64,
    cause: GapCause,
    max_offset_m: f64,
    /// Points that it costs.
    points: f64,
    remedies: Vec<Remedy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edit_url: Option<String>,
}

/// Scores each track; false when one of them could not be read or matched.
pub(super) fn run(asked: &PlanMatch, whole: bool) -> Result<bool, PlanFailure> {
    let profile: Profile = asked.profile.parse()?;
    let dem = asked.dem.as_deref().map(Dem::open_dir).transpose()?.map(std::sync::Arc::new);
    let engine = Embedded::new(Network::open(&asked.network)?, dem);
    let mut all_scored = true;
    for path in &asked.tracks {
        let scored = scored(&engine, profile, path, whole);
        all_scored &= scored.message.is_none();
        if asked.json { output::json(&scored) } else { output::line(in_words(&scored)) }
    }
    Ok(all_scored)
}

fn scored(engine: &Embedded, profile: Profile, path: &Path, whole: bool) -> Scored {
    let file = path.display().to_string();
    let refused = |code: &str, message: String| Scored {
        file: file.clone(),
        reason: Some(code.to_owned()),
        message: Some(message),
        ..Scored::default()
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return refused("trace/file", format!("the file cannot be opened: {error}")),
    };
    let line = match trace::read(&bytes, &file) {
        Ok(reading) => reading.line(),
        Err(error) => return refused("trace/unreadable", error.to_string()),
    };
    let started = Instant::now();
    let found = engine.match_trace(&MatchRequest::new(line, profile));
    let compute_us = started.elapsed().as_micros() as u64;
    match found {
        Ok(found) => Scored { compute_us, ..told(file, found, whole) },
        Err(error) => refused(error.code(), error.to_string()),
    }
}

fn told(file: String, found: Match, whole: bool) -> Scored {
    let reliability = found.reliability;
    let reason = reliability.not_calculable.map(|why| serde_json::to_value(why.reason).unwrap_or_default());
    Scored {
        file,
        reliability: reliability.percent,
        reason: reason.as_ref().and_then(Value::as_str).map(str::to_owned),
        tolerance_m: Some(tenth(reliability.tolerance_m)),
        gaps: reliability.gaps.iter().map(stretch).collect(),
        geometry: whole.then_some(found.geometry),
        edges: whole.then_some(found.edges),
        ..Scored::default()
    }
}

fn stretch(gap: &Gap) -> Stretch {
    let km = |metres: f64| metres.round() / 1000.0;
    Stretch {
        from_km: km(gap.from_m),
        to_km: km(gap.to_m),
        cause: gap.cause,
        max_offset_m: tenth(gap.max_offset_m),
        points: (gap.points * 100.0).round() / 100.0,
        remedies: gap.remedies.clone(),
        edit_url: gap.edit_url.clone(),
    }
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn in_words(scored: &Scored) -> String {
    let file = &scored.file;
    let mut text = match (scored.reliability, &scored.message) {
        (Some(percent), _) => format!("{file}: {percent:.1} % on the network"),
        (None, Some(message)) => format!("{file}: {message}"),
        (None, None) => format!("{file}: not calculable ({})", scored.reason.as_deref().unwrap_or("?")),
    };
    for gap in &scored.gaps {
        let cause = serde_json::to_value(gap.cause).unwrap_or_default();
        let cause = cause.as_str().unwrap_or_default().replace('_', " ");
        text += &format!(
            "\n    km {:.2} to {:.2}: {cause}, {:.0} m off, {:.1} points",
            gap.from_km, gap.to_km, gap.max_offset_m, gap.points
        );
    }
    text
}
