//! `jalon plan match` and `jalon plan score`: recordings laid on a prepared network, one answer a track.

use std::path::Path;

use planner::{Dem, Embedded, Network};
use routing::{MatchDetail, MatchRequest, Profile, Scored};

use super::PlanFailure;
use crate::cli::PlanMatch;
use crate::output;

/// Scores each track; false when one of them could not be read or matched.
pub(super) fn run(asked: &PlanMatch, detail: MatchDetail) -> Result<bool, PlanFailure> {
    let profile: Profile = asked.profile.parse()?;
    let dem = asked.dem.as_deref().map(Dem::open_dir).transpose()?.map(std::sync::Arc::new);
    let engine = Embedded::new(Network::open(&asked.network)?, dem);
    let mut all_scored = true;
    for path in &asked.tracks {
        let scored = scored(&engine, profile, path, detail);
        all_scored &= scored.message.is_none();
        if asked.json { output::json(&scored) } else { output::line(in_words(&scored)) }
    }
    Ok(all_scored)
}

fn scored(engine: &Embedded, profile: Profile, path: &Path, detail: MatchDetail) -> Scored {
    let file = path.display().to_string();
    let refused = |code: &str, message: String| Scored::refused(Some(file.clone()), code, message);
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return refused("trace/file", format!("the file cannot be opened: {error}")),
    };
    let line = match trace::read(&bytes, &file) {
        Ok(reading) => reading.line(),
        Err(error) => return refused("trace/unreadable", error.to_string()),
    };
    Scored::ask(engine, Some(file.clone()), &MatchRequest::new(line, profile), detail)
        .unwrap_or_else(|error| refused(error.code(), error.to_string()))
}

fn in_words(scored: &Scored) -> String {
    let file = scored.file.as_deref().unwrap_or_default();
    let mut text = match (scored.reliability, &scored.message) {
        (Some(percent), _) => format!("{file}: {percent:.1} % on the network"),
        (None, Some(message)) => format!("{file}: {message}"),
        (None, None) => format!("{file}: not calculable ({})", scored.reason.as_deref().unwrap_or("?")),
    };
    for gap in &scored.gaps {
        let cause = gap.cause.as_str().replace('_', " ");
        text += &format!(
            "\n    km {:.2} to {:.2}: {cause}, {:.0} m off, {:.1} points",
            gap.from_km, gap.to_km, gap.max_offset_m, gap.points
        );
    }
    text
}
