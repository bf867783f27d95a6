//! The state of a parcours' trace: its legs, its mode, its figures and how far they can be trusted.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trace::Position;
use utoipa::ToSchema;

use super::line::{Along, Pace};
use crate::Instant;

/// The line that applications use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraceMode {
    /// The trace that the planner made from the source.
    #[default]
    Planner,
    /// The source trace, unchanged ("tracé source").
    Source,
}

/// Where a trace comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraceOrigin {
    /// A file.
    Imported,
    /// Drawn by hand on the map.
    Drawn,
}

/// What a leg of the working revision is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LegKind {
    /// From the file: the planner matches it.
    Source,
    /// Made by the planner between points: kept.
    Planned,
    /// Off the network on purpose: kept.
    Free,
}

/// A stretch of the working revision; it starts where the one before ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Leg {
    pub kind: LegKind,
    /// Its points.
    pub line: Vec<Position>,
}

/// The reliability in one word, for lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReliabilityState {
    /// At or above `RELIABILITY_THRESHOLD`: step-by-step guidance.
    Ok,
    /// Below `RELIABILITY_THRESHOLD`.
    Low,
    /// Too much of it is outside the extract or in holes.
    NotCalculable,
    /// The source trace is used unchanged.
    Source,
    /// Scored on an older network.
    Stale,
    /// No trace, or never scored.
    None,
}

impl ReliabilityState {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Low => "low",
            Self::NotCalculable => "not_calculable",
            Self::Source => "source",
            Self::Stale => "stale",
            Self::None => "none",
        }
    }

    /// The state of a freshly scored trace.
    pub fn of(mode: TraceMode, percent: Option<f64>) -> Self {
        match (mode, percent) {
            (TraceMode::Source, _) => Self::Source,
            (TraceMode::Planner, Some(percent)) if percent >= RELIABILITY_THRESHOLD => Self::Ok,
            (TraceMode::Planner, Some(_)) => Self::Low,
            (TraceMode::Planner, None) => Self::NotCalculable,
        }
    }
}

/// Below this percentage the application has no step-by-step guidance and uses the source trace.
pub const RELIABILITY_THRESHOLD: f64 = 95.0;

/// The file a trace came from; its bytes are kept for good under their checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceFile {
    /// Its file name.
    pub name: String,
    /// `gpx`, `kml`, `kmz`, `geojson`, `tcx` or `fit`.
    pub format: String,
    /// Its size.
    pub bytes: u64,
    /// Points read.
    pub points: u64,
    /// Checksum, hexadecimal.
    pub sha256: String,
    /// How several pieces were joined when the file was read: asked again, the bytes give the same line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub join: Option<String>,
    /// Repairs that were left undone when the file was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_repairs: Vec<String>,
}

/// A repair that was made while reading the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Repaired {
    /// What it is called when the file is to be read again without it.
    #[serde(default)]
    pub id: String,
    /// What kind of mending.
    pub kind: String,
    /// How many points it touched.
    pub count: u64,
    /// The first line it happened at.
    pub line: Option<u64>,
    /// Whether the file can be read without it.
    #[serde(default)]
    pub undoable: bool,
}

/// The author of an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct By {
    pub id: i64,
    pub name: String,
}

/// A gap that a user chose to ignore.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct IgnoredGap {
    /// Why the planner found it.
    pub cause: String,
    /// Metres along the working revision.
    pub from_m: f64,
    /// Metres along the working revision.
    pub to_m: f64,
    /// Its middle, used to find it again.
    pub position: Position,
    /// The user's reason for ignoring it.
    pub reason: String,
    /// The user who ignored it.
    pub by: Option<By>,
    pub at: Instant,
}

/// A reliability, whose form only the planner and the server know: by its name in the contract.
fn reliability() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
    let known = utoipa::openapi::Ref::from_schema_name("TraceReliability");
    let none = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::Null);
    utoipa::openapi::OneOfBuilder::new().item(none).item(known).into()
}

/// A trace in figures: what the sheet shows without its lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TraceSummary {
    /// The line in use.
    pub mode: TraceMode,
    /// Where it comes from.
    pub origin: TraceOrigin,
    /// The file, for an imported one.
    pub source_file: Option<SourceFile>,
    /// Length in use: the typed value, else the measured one.
    pub distance_m: Option<f64>,
    /// Duration in use: the typed value, else the computed one.
    pub duration_s: Option<f64>,
    /// Length typed by hand.
    pub distance_typed_m: Option<f64>,
    /// Duration typed by hand.
    pub duration_typed_s: Option<f64>,
    /// Duration the file's own times give, where it has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_recorded_s: Option<f64>,
    /// Climb, where elevations are known.
    pub ascent_m: Option<f64>,
    /// Descent, where elevations are known.
    pub descent_m: Option<f64>,
    /// Lowest point.
    pub min_ele_m: Option<f64>,
    /// Highest point.
    pub max_ele_m: Option<f64>,
    /// Profile it was planned with.
    pub profile: Option<String>,
    /// The planner's reliability, as it gave it.
    #[schema(schema_with = reliability)]
    pub reliability: Option<Value>,
    /// The same in one word.
    pub reliability_state: ReliabilityState,
    /// West, south, east, north.
    #[schema(value_type = Option<trace::BoundingBox>)]
    pub bbox: Option<[f64; 4]>,
    /// What was mended in the file.
    pub repairs: Vec<Repaired>,
    /// Pieces the file had.
    pub pieces: u64,
    pub computed_at: Instant,
    /// Name and version of the planner; absent when none was there.
    pub engine: Option<String>,
    /// Date of its map data.
    pub data_date: Option<String>,
    /// Checksum of the network it was scored on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Why there is no planned line where one was asked for: a stable code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Grows with each change of the trace.
    pub revision: i64,
}

impl TraceSummary {
    /// The figures as people of other white-labels read them: nothing of the file (name, checksum, repairs, recorded times), and of
    /// the reliability the figures without the stretches, which follow the recording and carry the staff's notes.
    #[must_use]
    pub fn public(mut self) -> Self {
        (self.source_file, self.duration_recorded_s) = (None, None);
        (self.repairs, self.pieces) = (Vec::new(), 1);
        if let Some(Value::Object(reliability)) = &mut self.reliability {
            for list in ["gaps", "remarks"] {
                reliability.insert(list.to_owned(), Value::Array(Vec::new()));
            }
        }
        self
    }

    /// The line with the seconds to each of its places: they add up to the duration that is shown, and where none is to what the length and the
    /// climb that are shown take at this pace. Not to the sum over its points, where each metre that a height jitters would count as a climb.
    pub fn along<'a>(&self, line: &'a [Position], pace: Pace) -> Along<'a> {
        let climb = [self.ascent_m, self.descent_m].map(Option::unwrap_or_default);
        let paced_s = || self.distance_m.map(|length_m| pace.seconds(length_m, climb[0], climb[1]));
        Along::new(line, pace, self.duration_s.or_else(paced_s))
    }

    /// Metres of the sheet's length for a metre of its line of `length_m`. The sheet's length may be typed: the kilometres that visitors
    /// read are scaled to it.
    pub fn sheet_per_m(&self, length_m: f64) -> f64 {
        let sheet_m = self.distance_m.filter(|sheet_m| *sheet_m > 0.0 && length_m > 0.0);
        sheet_m.map_or(1.0, |sheet_m| sheet_m / length_m)
    }

    /// Whether the applications guide step by step, on the planned line; else they show the source's.
    pub fn is_guided(&self) -> bool {
        self.mode == TraceMode::Planner && self.reliability_state == ReliabilityState::Ok
    }

    /// The state to show today: what was scored on another network is stale.
    pub fn state_on(&self, network: Option<&str>) -> ReliabilityState {
        let scored = matches!(
            self.reliability_state,
            ReliabilityState::Ok | ReliabilityState::Low | ReliabilityState::NotCalculable
        );
        match (network, self.network.as_deref()) {
            (Some(today), Some(then)) if scored && today != then => ReliabilityState::Stale,
            _ => self.reliability_state,
        }
    }
}

/// A loop whose ends are further apart than this looks like a one-way.
const ONE_WAY_M: f64 = 500.0;

/// What to ask about the ends: `loop_like` for a one-way that comes back, `one_way_like` for a loop that does not.
pub fn end_warnings(line: &[Position], is_loop: Option<bool>) -> Vec<&'static str> {
    if line.len() < 2 {
        return Vec::new();
    }
    let comes_back = trace::is_loop_like(line);
    match is_loop {
        Some(false) | None if comes_back => vec!["loop_like"],
        Some(true) if !comes_back && trace::start_end_distance_m(line) > ONE_WAY_M => vec!["one_way_like"],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_meet_ask_whether_it_is_a_loop() {
        let near = [Position::new(2.0, 45.0), Position::new(2.1, 45.0), Position::new(2.0005, 45.0)];
        let far = [Position::new(2.0, 45.0), Position::new(2.1, 45.0)];
        assert_eq!(end_warnings(&near, Some(false)), ["loop_like"]);
        assert!(end_warnings(&near, Some(true)).is_empty());
        assert_eq!(end_warnings(&far, Some(true)), ["one_way_like"]);
        assert!(end_warnings(&far, Some(false)).is_empty());
        assert!(end_warnings(&far[..1], Some(true)).is_empty());
    }

    #[test]
    fn the_threshold_itself_is_reliable() {
        assert_eq!(ReliabilityState::of(TraceMode::Planner, Some(95.0)), ReliabilityState::Ok);
        assert_eq!(ReliabilityState::of(TraceMode::Planner, Some(94.9)), ReliabilityState::Low);
        assert_eq!(ReliabilityState::of(TraceMode::Planner, None), ReliabilityState::NotCalculable);
        assert_eq!(ReliabilityState::of(TraceMode::Source, Some(99.0)), ReliabilityState::Source);
    }
}
