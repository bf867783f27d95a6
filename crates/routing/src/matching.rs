//! Map matching: the request, and its result (planned trace, reliability, stretches that do not fit).

use crate::{ElevationSource, Instruction, Profile};
use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

/// A recording to lay on the network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchRequest {
    /// The source trace's points.
    pub line: Vec<Position>,
    /// Who travels.
    pub profile: Profile,
    /// Stretches that the user keeps off the network on purpose: from and to, in metres along the line.
    #[serde(default)]
    pub kept: Vec<[f64; 2]>,
}

impl MatchRequest {
    /// A recording of which nothing is kept off the network.
    pub fn new(line: Vec<Position>, profile: Profile) -> Self {
        Self { line, profile, kept: Vec::new() }
    }
}

/// A recording on the network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// The planned trace: the network's line where the recording follows it, the source's own where not.
    pub geometry: Vec<Position>,
    /// What the planned trace runs on, stretch by stretch.
    #[serde(default)]
    pub edges: Vec<MatchEdge>,
    /// Its length in metres.
    pub distance_m: f64,
    /// Its time in seconds.
    pub duration_s: f64,
    /// Its climb in metres, `None` without heights.
    pub ascent_m: Option<f64>,
    /// Its drop in metres, `None` without heights.
    pub descent_m: Option<f64>,
    /// Where its heights come from: the recording's own where it has them.
    pub elevation_source: ElevationSource,
    /// Turn by turn.
    pub instructions: Vec<Instruction>,
    /// How far the recording and the network agree, and why not.
    pub reliability: Reliability,
    /// Name of the engine that made it.
    pub engine: String,
    /// The day of the network's data (ISO 8601), where known.
    pub data_date: Option<String>,
}

/// A stretch of the planned trace on one link of the network, or on none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MatchEdge {
    /// The OpenStreetMap way, `None` where the source's own line is kept.
    pub way_id: Option<i64>,
    /// Against the way's own order of nodes.
    pub is_backward: bool,
    /// Index of its first point in the geometry.
    pub from_index: usize,
    /// Index of its last point in the geometry.
    pub to_index: usize,
    pub length_m: f64,
}

/// The reliability index with what it rests on. Metres `from_m`/`to_m` run along the source trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Reliability {
    /// Per cent of the judged length that lies on the network, one decimal, rounded down.
    pub percent: Option<f64>,
    /// Why there is no per cent.
    pub not_calculable: Option<NotCalculable>,
    /// Metres that could be judged.
    pub judged_m: f64,
    /// Metres of them on the network, within the tolerance.
    pub on_network_m: f64,
    /// Metres of holes in the recording.
    pub hole_m: f64,
    /// Metres outside the extract.
    pub outside_m: f64,
    /// Metres between points too far apart to tell where the way went.
    pub sparse_m: f64,
    /// Metres that the user keeps off the network on purpose.
    #[serde(default)]
    pub kept_m: f64,
    /// The recording's own noise: 1.4826 × its median offset, 4 to 20 m.
    pub sigma_m: f64,
    /// How far a step may lie from its way: three times the noise, 15 to 40 m.
    pub tolerance_m: f64,
    /// 95 % of the matched steps lie closer than this to their way.
    pub p95_offset_m: Option<f64>,
    /// Every stretch that does not fit, in order.
    pub gaps: Vec<Gap>,
    /// What is worth knowing and costs nothing.
    pub remarks: Vec<Remark>,
}

/// Why the index cannot be worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotCalculableReason {
    /// Too much lies outside the extract.
    OutsideExtract,
    /// Too much was not recorded.
    RecordingHoles,
    /// Too much is recorded too sparsely.
    Sparse,
    /// None alone, together too much.
    TooLittleJudged,
    /// The line has no length.
    NoLength,
}

impl NotCalculableReason {
    /// The written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OutsideExtract => "outside_extract",
            Self::RecordingHoles => "recording_holes",
            Self::Sparse => "sparse",
            Self::TooLittleJudged => "too_little_judged",
            Self::NoLength => "no_length",
        }
    }
}

/// The index cannot be worked out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NotCalculable {
    pub reason: NotCalculableReason,
    /// Per cent of the length that could not be judged.
    pub share: f64,
}

/// Why a stretch does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GapCause {
    /// No way where the recording runs.
    NoWay,
    /// A way that the profile may not use.
    Forbidden,
    /// The recording runs beside the ways, always shifted alike.
    ConstantShift,
    /// Nothing was recorded.
    RecordingHole,
    /// The extract has no data here.
    OutsideExtract,
    /// Points too far apart to tell.
    Sparse,
    /// Kept off the network on purpose by the user.
    KeptOffNetwork,
}

impl GapCause {
    /// The written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoWay => "no_way",
            Self::Forbidden => "forbidden",
            Self::ConstantShift => "constant_shift",
            Self::RecordingHole => "recording_hole",
            Self::OutsideExtract => "outside_extract",
            Self::Sparse => "sparse",
            Self::KeptOffNetwork => "kept_off_network",
        }
    }

    /// Does a stretch of this cause count in the index?
    pub const fn is_judged(self) -> bool {
        matches!(self, Self::NoWay | Self::Forbidden | Self::ConstantShift)
    }
}

/// A stretch that does not fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ReliabilityGap)]
pub struct Gap {
    pub cause: GapCause,
    /// Does it cost points?
    pub judged: bool,
    /// Where it starts along the source trace.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
    pub length_m: f64,
    /// Its greatest distance to the nearest way; 500 means 500 m or more, 0 means not judged.
    pub max_offset_m: f64,
    /// Per cent points that it costs.
    pub points: f64,
    /// The source trace's own line here.
    pub line: Vec<Position>,
    /// What could be done.
    pub fix: Option<Fix>,
    /// From the recording to the ways: metres east and north.
    pub shift: Option<[f64; 2]>,
    /// The forbidden way.
    pub way_id: Option<i64>,
    /// What can be done about it, the best first.
    #[serde(default)]
    pub remedies: Vec<Remedy>,
    /// Where the map can be corrected: OpenStreetMap's editor at the middle of the stretch, on the way concerned.
    #[serde(default)]
    pub edit_url: Option<String>,
}

/// What can be done about a stretch that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Take the network's way instead: [`Gap::fix`] holds it.
    FollowWay,
    /// Move the stretch onto the ways beside it: [`Gap::fix`] holds the line.
    Snap,
    /// Keep it off the network on purpose: it is no longer judged.
    KeepOffNetwork,
    /// Tell those who draw the map that a way is missing or wrong: [`Gap::edit_url`] leads there.
    ReportWay,
}

/// What a fix does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FixKind {
    /// Follow the network from one end of the stretch to the other.
    FollowWay,
    /// Move the stretch onto the ways beside it.
    Snap,
}

/// A proposal for a stretch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Fix {
    /// What it does.
    pub kind: FixKind,
    /// The line that would replace the stretch.
    pub line: Vec<Position>,
    /// Its length.
    pub distance_m: f64,
}

/// Kinds of remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// Against a one-way.
    WrongWay,
}

/// Worth knowing, costs nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Remark {
    pub kind: RemarkKind,
    /// Where it starts along the source trace.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
}
