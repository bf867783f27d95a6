//! Why a file, a line or a plan is refused.

use domain::Fault;
use macros::Problem;
use routing::PlanError;
use serde_json::Value;
use trace::{MAX_BYTES, MAX_POINTS, ReadError, ReadErrorKind};

/// Why a trace is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum TraceError {
    /// No byte in it.
    #[error("the file is empty")]
    #[problem(422, "trace/empty")]
    Empty,
    /// Something else than a trace.
    #[error("the file is {found}")]
    #[problem(422, "trace/not-a-trace")]
    NotATrace {
        found: &'static str,
        /// Where that is seen.
        line: Option<usize>,
    },
    /// Over 20 MB, as it is or inflated.
    #[error("the file is too large")]
    #[problem(413, "trace/too-large")]
    TooLarge {
        /// What is taken.
        max_bytes: usize,
    },
    /// Over 200,000 points.
    #[error("too many points")]
    #[problem(422, "trace/too-many-points")]
    TooManyPoints {
        /// What is taken.
        max_points: usize,
    },
    /// Damaged.
    #[error("damaged: {detail}")]
    #[problem(422, "trace/malformed")]
    Malformed {
        /// What is wrong, in English.
        detail: String,
        /// The line of the file.
        line: Option<usize>,
    },
    /// Points of interest only.
    #[error("no line")]
    #[problem(422, "trace/no-line")]
    NoLine {
        /// How many points of interest.
        waypoints: usize,
        /// The line of the file.
        line: Option<usize>,
    },
    /// No coordinates that are numbers, or only 0, 0.
    #[error("no valid point")]
    #[problem(422, "trace/no-valid-point")]
    NoValidPoint {
        /// The line of the file.
        line: Option<usize>,
    },
    /// A single place.
    #[error("one point")]
    #[problem(422, "trace/one-point")]
    OnePoint {
        /// The line of the file.
        line: Option<usize>,
    },
    /// Coordinates of no place.
    #[error("outside the world")]
    #[problem(422, "trace/out-of-world")]
    OutOfWorld {
        /// The line of the file.
        line: Option<usize>,
    },
    /// Entities, which are never expanded.
    #[error("entities")]
    #[problem(422, "trace/entities")]
    Entities {
        /// The line of the file.
        line: Option<usize>,
    },
    /// An archive that inflates beyond reason.
    #[error("zip bomb")]
    #[problem(422, "trace/zip-bomb")]
    ZipBomb,
    /// Several pieces far apart: the request must say how to treat them.
    #[error("several pieces")]
    #[problem(409, "trace/pieces")]
    Pieces {
        /// `[{points, distance_m}]`
        pieces: Value,
        /// `[{after_piece, distance_m}]`
        gaps: Value,
    },
    /// Without a departure or an arrival.
    #[error("departure and arrival are required")]
    #[problem(422, "trace/ends-required", field = "/steps")]
    EndsRequired,
    /// Without the planner, a person must enter the length and the duration.
    #[error("distance and duration are required")]
    #[problem(422, "trace/distance-duration-required", field = "/duration_typed_s")]
    DistanceDurationRequired,
    /// The same where the duration is there and the length is not.
    #[error("distance and duration are required")]
    #[problem(422, "trace/distance-duration-required", field = "/distance_typed_m")]
    DistanceRequired,
    /// Nothing was imported: there is no original.
    #[error("no source file")]
    #[problem(404, "trace/no-source")]
    NoSource,
    /// No way between two points.
    #[error("no way")]
    #[problem(422, "planner/no-way")]
    NoWay {
        /// The point the way should start at, from 0.
        from_index: usize,
        /// The point it should end at.
        to_index: usize,
    },
    /// A point too far from any way.
    #[error("too far from any way")]
    #[problem(422, "planner/too-far")]
    TooFar {
        /// Which, from 0.
        index: usize,
        /// How far, where a way is near at all.
        distance_m: Option<f64>,
    },
    /// A point outside the extract.
    #[error("outside the extract")]
    #[problem(422, "planner/outside-extract")]
    OutsideExtract {
        /// Which, from 0.
        index: usize,
    },
    /// One point, or none.
    #[error("too few points")]
    #[problem(422, "planner/too-few-points")]
    TooFewPoints { count: usize },
    /// More points than one request may carry.
    #[error("too many points for the planner")]
    #[problem(422, "planner/too-many-points")]
    TooManyPlannerPoints {
        count: usize,
        /// How many are taken.
        limit: usize,
    },
    /// No place on the Earth.
    #[error("bad point")]
    #[problem(422, "planner/bad-point")]
    BadPoint {
        /// Which, from 0.
        index: usize,
    },
    /// Given up.
    #[error("too much work")]
    #[problem(422, "planner/too-much-work")]
    TooMuchWork {
        /// Junctions looked at.
        limit: usize,
    },
    #[error("{what} out of bounds")]
    #[problem(422, "planner/out-of-bounds")]
    OutOfBounds {
        /// Which number.
        what: &'static str,
        /// Smallest.
        least: u32,
        /// Largest.
        most: u32,
    },
    /// The planner in use does not do that.
    #[error("not offered: {what}")]
    #[problem(422, "planner/not-offered")]
    NotOffered {
        /// What was asked.
        what: &'static str,
    },
    /// Too many ask at once.
    #[error("the planner is busy")]
    #[problem(503, "planner/busy")]
    Busy {
        /// When to ask again.
        retry_after_s: i64,
    },
    /// Longer than the server plans.
    #[error("too long for the planner")]
    #[problem(422, "planner/too-long")]
    TooLong {
        /// The longest way it plans, in metres, where it gives one.
        limit_m: Option<u32>,
    },
    /// The planning server refuses.
    #[error("refused by the planner: {reason}")]
    #[problem(422, "planner/refused")]
    Refused {
        /// Its own code.
        reason: u32,
    },
    /// The planning server does not answer.
    #[error("planner unreachable")]
    #[problem(503, "planner/unreachable")]
    Unreachable {
        /// When to ask again.
        retry_after_s: i64,
    },
    /// The planning server takes too long.
    #[error("planner timed out")]
    #[problem(504, "planner/timed-out")]
    TimedOut,
    /// The planning server sent an answer that cannot be used.
    #[error("planner nonsense")]
    #[problem(502, "planner/nonsense")]
    BadAnswer,
    /// No network was prepared.
    #[error("no planner")]
    #[problem(503, "planner/absent")]
    Absent,
    /// A profile that the planner does not have.
    #[error("unknown profile {profile}")]
    #[problem(422, "planner/unknown-profile", field = "/profile")]
    UnknownProfile {
        /// What was asked for.
        profile: String,
    },
    /// Faults of the input.
    #[error("{} faults", .errors.len())]
    #[problem(422, "validation/failed")]
    Invalid {
        /// Each on its field.
        errors: Vec<Fault>,
    },
}

impl From<ReadError> for TraceError {
    fn from(error: ReadError) -> Self {
        let line = error.line;
        match error.kind {
            ReadErrorKind::Empty => Self::Empty,
            ReadErrorKind::NotATrace(found) => Self::NotATrace { found: found.as_str(), line },
            ReadErrorKind::TooLarge { .. } => Self::TooLarge { max_bytes: MAX_BYTES },
            ReadErrorKind::TooManyPoints => Self::TooManyPoints { max_points: MAX_POINTS },
            ReadErrorKind::Malformed { detail } => Self::Malformed { detail, line },
            ReadErrorKind::NoLine { waypoints } => Self::NoLine { waypoints, line },
            ReadErrorKind::NoValidPoint => Self::NoValidPoint { line },
            ReadErrorKind::OnePoint => Self::OnePoint { line },
            ReadErrorKind::OutOfWorld => Self::OutOfWorld { line },
            ReadErrorKind::Entities => Self::Entities { line },
            ReadErrorKind::ZipBomb => Self::ZipBomb,
        }
    }
}

impl From<PlanError> for TraceError {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::NoWay { from_index, to_index } => Self::NoWay { from_index, to_index },
            PlanError::TooFar { index, distance_m } => Self::TooFar { index, distance_m },
            PlanError::OutsideExtract { index } => Self::OutsideExtract { index },
            PlanError::TooFewPoints { count } => Self::TooFewPoints { count },
            PlanError::TooManyPoints { count, limit } => Self::TooManyPlannerPoints { count, limit },
            PlanError::BadPoint { index } => Self::BadPoint { index },
            PlanError::TooMuchWork { limit } => Self::TooMuchWork { limit },
            PlanError::OutOfBounds { what, least, most } => Self::OutOfBounds { what, least, most },
            PlanError::NotOffered { what } => Self::NotOffered { what },
            PlanError::TooLong { limit_m } => Self::TooLong { limit_m },
            PlanError::Refused { reason } => Self::Refused { reason },
            PlanError::Unreachable => Self::Unreachable { retry_after_s: 30 },
            PlanError::TimedOut => Self::TimedOut,
            PlanError::BadAnswer => Self::BadAnswer,
            // Errors that a later engine may add count as the planner being out of reach.
            _ => Self::Busy { retry_after_s: 2 },
        }
    }
}
