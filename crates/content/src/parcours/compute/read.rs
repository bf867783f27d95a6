//! Reads one line from the bytes of a file: its pieces, whether a person must decide how to join them, and its other contents.

use domain::parcours::{Repaired, SourceFile};
use serde_json::{Value, json};
use trace::{Position, ReadError, Reading, RepairKind, Waypoint};

/// How to treat pieces that are too far apart to be joined without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// Join them all by straight lines.
    True,
    /// Keep the first.
    First,
    /// Keep the longest.
    Longest,
}

impl Join {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::First => "first",
            Self::Longest => "longest",
        }
    }

    /// The answer of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::True, Self::First, Self::Longest].into_iter().find(|join| join.as_str() == word)
    }
}

/// Pieces that ask a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    /// `[{points, distance_m}]`
    pub pieces: Value,
    /// `[{after_piece, distance_m}]`
    pub gaps: Value,
}

/// A file as one line.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadTrace {
    pub line: Vec<Position>,
    /// What the file is; its checksum is filled in by who keeps the bytes.
    pub file: SourceFile,
    /// The name the file gives itself.
    pub name: Option<String>,
    pub repairs: Vec<Repaired>,
    /// Pieces it had.
    pub pieces: u64,
    /// Holes between them, as JSON.
    pub gaps: Value,
    /// Points of interest.
    pub waypoints: Vec<Waypoint>,
    /// Seconds that its times add up to, where it has them and they can be right.
    pub duration_s: Option<f64>,
}

/// Reads a file. Several pieces without a `Join` are `Ok(Err(question))`.
pub fn read_source(
    bytes: &[u8],
    file_name: &str,
    join: Option<Join>,
    without: &[RepairKind],
) -> Result<Result<ReadTrace, Pieces>, ReadError> {
    let reading = trace::read_without(bytes, file_name, without)?;
    let pieces = pieces_of(&reading, without);
    let gaps = gaps_of(&pieces);
    let line = match (pieces.as_slice(), join) {
        ([only], _) => only.clone(),
        (_, None) => return Ok(Err(Pieces { pieces: described(&pieces), gaps })),
        (_, Some(Join::True)) => pieces.concat(),
        (_, Some(Join::First)) => pieces.first().cloned().unwrap_or_default(),
        (_, Some(Join::Longest)) => longest(&pieces),
    };
    let whole = pieces.len() == 1 || join == Some(Join::True);
    Ok(Ok(ReadTrace {
        line,
        file: SourceFile {
            name: clean_name(file_name),
            format: reading.format.as_str().to_owned(),
            bytes: bytes.len() as u64,
            points: reading.point_count() as u64,
            sha256: String::new(),
            join: join.filter(|_| pieces.len() > 1).map(|join| join.as_str().to_owned()),
            without_repairs: without.iter().map(|kind| kind.as_str().to_owned()).collect(),
        },
        name: reading.name.clone(),
        repairs: repairs_of(&reading),
        pieces: pieces.len() as u64,
        gaps,
        duration_s: if whole { recorded_s(&reading) } else { None },
        waypoints: reading.waypoints,
    }))
}

/// The pieces of a file, near ones joined unless that is left undone.
pub fn pieces_of(reading: &Reading, without: &[RepairKind]) -> Vec<Vec<Position>> {
    if without.contains(&RepairKind::JoinedSegments) { reading.pieces() } else { reading.joined() }
}

/// The repairs of a list that can be left undone, or the first word that names no repair.
pub fn undone(words: &str) -> Result<Vec<RepairKind>, String> {
    let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    let kind = |word: &str| {
        let found = RepairKind::ALL.into_iter().find(|kind| kind.is_undoable() && kind.as_str() == word);
        found.ok_or_else(|| word.to_owned())
    };
    words.map(kind).collect()
}

/// The last part of a path, without what a name may not hold.
pub fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control() && !"\"<>|:*?".contains(*c)).take(200).collect();
    if kept.trim().is_empty() { "trace".to_owned() } else { kept.trim().to_owned() }
}

fn described(pieces: &[Vec<Position>]) -> Value {
    pieces
        .iter()
        .map(|piece| json!({"points": piece.len(), "distance_m": metres(trace::measure(piece).distance_m)}))
        .collect()
}

fn gaps_of(pieces: &[Vec<Position>]) -> Value {
    let between = pieces.windows(2).enumerate().filter_map(|(index, pair)| {
        let apart_m = trace::distance_m(*pair[0].last()?, *pair[1].first()?);
        Some(json!({"after_piece": index, "distance_m": metres(apart_m)}))
    });
    between.collect()
}

fn longest(pieces: &[Vec<Position>]) -> Vec<Position> {
    let length = |piece: &Vec<Position>| trace::measure(piece).distance_m;
    pieces.iter().max_by(|a, b| length(a).total_cmp(&length(b))).cloned().unwrap_or_default()
}

/// What was repaired in a reading.
pub fn repairs_of(reading: &Reading) -> Vec<Repaired> {
    reading
        .repairs
        .iter()
        .map(|repair| Repaired {
            id: repair.kind.as_str().to_owned(),
            undoable: repair.kind.is_undoable(),
            kind: repair.kind.as_str().to_owned(),
            count: repair.count as u64,
            line: repair.line.map(|line| line as u64),
        })
        .collect()
}

/// A recorder sets its clock by the satellites: times may go back by less.
const CLOCK_SET_MS: i64 = 60_000;
/// The longest pause of a recording: a night, and no wrong date.
const MAX_PAUSE_MS: i64 = 24 * 3_600_000;

/// Seconds of a recording from one point to the next, nights included. `None` where a clock was wrong: times go back, or a pause is
/// longer than a day.
fn recorded_s(reading: &Reading) -> Option<f64> {
    let times = reading.segments.iter().flat_map(|segment| &segment.points).filter_map(|point| point.time_ms);
    let (mut before_ms, mut sum_ms) = (None, 0);
    for time_ms in times {
        let step_ms = before_ms.map_or(0, |before_ms: i64| time_ms.saturating_sub(before_ms));
        if !(-CLOCK_SET_MS..=MAX_PAUSE_MS).contains(&step_ms) {
            return None;
        }
        sum_ms += step_ms.max(0);
        before_ms = Some(time_ms);
    }
    (sum_ms > 0).then_some(sum_ms as f64 / 1_000.0)
}

fn metres(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn recorded(times: &[&str]) -> Option<f64> {
        let point =
            |(at, time): (usize, &&str)| format!("<trkpt lat=\"45.{at:03}\" lon=\"3\"><time>{time}</time></trkpt>");
        let points: String = times.iter().enumerate().map(point).collect();
        let gpx = format!("<gpx version=\"1.1\"><trk><trkseg>{points}</trkseg></trk></gpx>");
        read_source(gpx.as_bytes(), "day.gpx", None, &[]).unwrap().unwrap().duration_s
    }

    #[test]
    fn a_recording_takes_the_time_from_point_to_point() {
        let hour = ["2024-05-04T08:00:00Z", "2024-05-04T08:30:00Z", "2024-05-04T09:00:00Z"];
        assert_eq!(recorded(&hour), Some(3_600.0));
        let two_days = ["2024-05-04T08:00:00Z", "2024-05-04T18:00:00Z", "2024-05-05T08:00:00Z", "2024-05-05T17:00:00Z"];
        assert_eq!(recorded(&two_days), Some(33.0 * 3_600.0), "with the night");
        let clock_set =
            ["2024-05-04T08:00:00Z", "2024-05-04T08:30:00Z", "2024-05-04T08:29:40Z", "2024-05-04T08:59:40Z"];
        assert_eq!(recorded(&clock_set), Some(3_600.0), "its clock was set on the way");
    }

    #[test]
    fn a_recording_with_a_wrong_clock_has_no_duration() {
        let (eight, nine) = ("2024-05-04T08:00:00Z", "2024-05-04T09:00:00Z");
        for wrong in ["1970-01-01T00:00:00Z", "2078-05-04T08:30:00Z"] {
            for times in [[wrong, eight, nine], [eight, wrong, nine], [eight, nine, wrong]] {
                assert_eq!(recorded(&times), None, "{times:?}");
            }
        }
        assert_eq!(recorded(&[eight, "2024-05-04T07:00:00Z", nine]), None, "an hour back");
        assert_eq!(recorded(&["2024-05-04T08:00:00Z"; 3]), None);
    }
}
