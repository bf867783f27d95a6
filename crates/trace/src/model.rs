//! The content of a file that was read: segments, waypoints, and what was repaired.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Position;

/// A file format this crate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// GPS Exchange Format 1.0 or 1.1.
    Gpx,
    /// Keyhole Markup Language.
    Kml,
    /// A KML in a ZIP archive.
    Kmz,
    /// GeoJSON (RFC 7946).
    GeoJson,
    /// Garmin Training Center XML.
    Tcx,
    /// Garmin FIT, binary.
    Fit,
}

impl Format {
    /// Every format, in the order they are listed to people.
    pub const ALL: [Self; 6] = [Self::Gpx, Self::Kml, Self::Kmz, Self::GeoJson, Self::Tcx, Self::Fit];

    /// The lower-case name: `gpx`, `kml`, `kmz`, `geojson`, `tcx`, `fit`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gpx => "gpx",
            Self::Kml => "kml",
            Self::Kmz => "kmz",
            Self::GeoJson => "geojson",
            Self::Tcx => "tcx",
            Self::Fit => "fit",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name is not one of [`Format::ALL`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a trace format")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.as_str() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A point of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TracePoint {
    pub position: Position,
    /// The time, in milliseconds since 1970-01-01 UTC, where the file has it.
    pub time_ms: Option<i64>,
}

impl From<Position> for TracePoint {
    fn from(position: Position) -> Self {
        Self { position, time_ms: None }
    }
}

/// One uninterrupted piece of a recording.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Segment {
    /// The name of the track it belongs to.
    pub name: Option<String>,
    /// Its points, at least one.
    pub points: Vec<TracePoint>,
}

impl Segment {
    /// The positions without times.
    pub fn positions(&self) -> Vec<Position> {
        self.points.iter().map(|point| point.position).collect()
    }
}

/// A point of interest that the file carries beside the line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waypoint {
    pub position: Position,
    pub name: Option<String>,
    /// Its text.
    pub description: Option<String>,
    /// The name of its symbol in the program that wrote the file.
    pub symbol: Option<String>,
    /// Metres along the line that is written, where known: a line may pass its position twice. Files do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_m: Option<f64>,
}

/// A change to a file that could be read, or a remark about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    /// Segments less than 30 m apart, joined by [`Reading::joined`]; the count is that of the joints.
    JoinedSegments,
    /// Points that repeat the place of the one before them, removed.
    DoubledPoints,
    /// Points that leap away at an impossible pace, removed.
    Spikes,
    /// Long jumps without a point that were kept as straight lines: the recording has a hole there.
    Holes,
    /// Missing, NaN or impossible elevations, filled from their neighbours.
    MissingElevations,
    /// Every elevation was 0, which programs write for "unknown": they were dropped.
    ZeroElevations,
    /// The file says that its heights are of a ground model: they were dropped.
    ModelElevations,
    /// Points without usable coordinates, removed.
    InvalidPoints,
    /// Points of a segment of one, far from every other one, removed.
    LonePoints,
    /// The bytes were not in the declared encoding; the text was recovered.
    RecoveredEncoding,
    /// `&` that should have been `&amp;`, read as `&`.
    RawAmpersand,
    /// The file stops in the middle; what is before was read.
    Truncated,
    /// Routes left out because the same file has recorded tracks.
    RoutesLeftOut,
    /// A recording of standing still: its points have different times but one place, and the line no length.
    NoMovement,
}

impl RepairKind {
    /// Whether the file can be read again without this repair. Repairs that are needed to read the file, and removed points without
    /// coordinates, cannot be undone.
    pub const fn is_undoable(self) -> bool {
        matches!(
            self,
            Self::JoinedSegments
                | Self::DoubledPoints
                | Self::Spikes
                | Self::MissingElevations
                | Self::ZeroElevations
                | Self::ModelElevations
                | Self::RoutesLeftOut
        )
    }

    /// Every kind; the interface has a text for each.
    pub const ALL: [Self; 14] = [
        Self::JoinedSegments,
        Self::DoubledPoints,
        Self::Spikes,
        Self::Holes,
        Self::MissingElevations,
        Self::ZeroElevations,
        Self::ModelElevations,
        Self::InvalidPoints,
        Self::LonePoints,
        Self::RecoveredEncoding,
        Self::RawAmpersand,
        Self::Truncated,
        Self::RoutesLeftOut,
        Self::NoMovement,
    ];

    /// The stable name, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JoinedSegments => "joined_segments",
            Self::DoubledPoints => "doubled_points",
            Self::Spikes => "spikes",
            Self::Holes => "holes",
            Self::MissingElevations => "missing_elevations",
            Self::ZeroElevations => "zero_elevations",
            Self::ModelElevations => "model_elevations",
            Self::InvalidPoints => "invalid_points",
            Self::LonePoints => "lone_points",
            Self::RecoveredEncoding => "recovered_encoding",
            Self::RawAmpersand => "raw_ampersand",
            Self::Truncated => "truncated",
            Self::RoutesLeftOut => "routes_left_out",
            Self::NoMovement => "no_movement",
        }
    }
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One kind of repair or remark, with how often and where first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    pub kind: RepairKind,
    /// How many times.
    pub count: usize,
    /// The first line of the file it concerns, from 1; none in a binary file.
    pub line: Option<usize>,
}

/// A hole between two segments that are too far apart to be joined without asking.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// The segment (index) after which the hole is.
    pub after_segment: usize,
    /// How far apart the two ends are.
    pub length_m: f64,
    /// Where the line stops.
    pub from: Position,
    /// Where it goes on.
    pub to: Position,
}

/// A file that was read and repaired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// What the bytes are.
    pub format: Format,
    /// The name the file gives to itself, or to its first track.
    pub name: Option<String>,
    /// The text the file gives of itself.
    pub description: Option<String>,
    /// The pieces of line, in the file's order.
    pub segments: Vec<Segment>,
    /// The points of interest.
    pub waypoints: Vec<Waypoint>,
    /// What was repaired, each kind once.
    pub repairs: Vec<Repair>,
}
