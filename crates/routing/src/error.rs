//! Why a request to the planner has no result: a closed list with stable codes.

use serde::Serialize;

/// Why the planner has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum PlanError {
    /// No way leads from one point to the next in this profile.
    #[error("no way leads from point {from_index} to point {to_index}")]
    NoWay {
        /// Index of the point the leg starts at.
        from_index: usize,
        /// Index of the point the leg ends at.
        to_index: usize,
    },
    /// The nearest usable way is too far from a point.
    #[error("point {index} is {distance} from the nearest way this profile may use; 150 m at most", distance = .distance_m.map_or_else(|| "more than 1,000 m".to_owned(), |d| format!("{d:.0} m")))]
    TooFar {
        /// Index of the point.
        index: usize,
        /// How far the nearest usable way is, where one lies within 1,000 m.
        distance_m: Option<f64>,
    },
    /// The point lies where the network has no data.
    #[error("point {index} is outside the extract")]
    OutsideExtract {
        /// Index of the point.
        index: usize,
    },
    /// Fewer than two points.
    #[error("two points at least are needed, {count} given")]
    TooFewPoints {
        /// How many were given.
        count: usize,
    },
    /// More points than one request may carry.
    #[error("{count} points given, {limit} at most")]
    TooManyPoints {
        /// How many were given.
        count: usize,
        /// The most points.
        limit: usize,
    },
    /// A point is not a place on the Earth.
    #[error("point {index} is not a place on the Earth")]
    BadPoint {
        /// Index of the point.
        index: usize,
    },
    /// The search was given up at its bound.
    #[error("the search was stopped after {limit} junctions: bring the points closer together")]
    TooMuchWork {
        /// The bound, in visited junctions.
        limit: usize,
    },
    /// A profile's data file cannot be read.
    #[error("the profile cannot be read: {reason}")]
    BadProfile {
        /// What is wrong with it.
        reason: String,
    },
    /// A number of the request is out of its bounds.
    #[error("{what} should be between {least} and {most}")]
    OutOfBounds {
        /// Which number.
        what: &'static str,
        /// Smallest.
        least: u32,
        /// Largest.
        most: u32,
    },
    /// The engine does not offer this.
    #[error("this planner does not offer {what}")]
    NotOffered {
        /// The feature that was requested.
        what: &'static str,
    },
    /// The engine has too many requests.
    #[error("the planner is busy")]
    Busy,
    /// The route is longer than the server plans.
    #[error("the route is too long for this planner")]
    TooLong {
        /// The longest route that it plans, in metres, if it states it.
        limit_m: Option<u32>,
    },
    /// The server refuses for a reason of its own.
    #[error("the planning server refuses the request (its code {reason})")]
    Refused {
        /// The server's own code.
        reason: u32,
    },
    /// The server cannot be reached, or is not asked for the moment because it failed too often.
    #[error("the planning server cannot be reached")]
    Unreachable,
    /// The server took too long.
    #[error("the planning server did not answer in time")]
    TimedOut,
    /// The answer of the server does not fit the question.
    #[error("the planning server sent an answer that cannot be used")]
    BadAnswer,
}

impl PlanError {
    /// Whether the engine failed; otherwise the request is at fault.
    pub const fn is_failure(&self) -> bool {
        matches!(self, Self::Busy | Self::Unreachable | Self::TimedOut | Self::BadAnswer)
    }

    /// A stable code for the interface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoWay { .. } => "planner/no-way",
            Self::TooFar { .. } => "planner/too-far",
            Self::OutsideExtract { .. } => "planner/outside-extract",
            Self::TooFewPoints { .. } => "planner/too-few-points",
            Self::TooManyPoints { .. } => "planner/too-many-points",
            Self::BadPoint { .. } => "planner/bad-point",
            Self::TooMuchWork { .. } => "planner/too-much-work",
            Self::BadProfile { .. } => "planner/bad-profile",
            Self::OutOfBounds { .. } => "planner/out-of-bounds",
            Self::NotOffered { .. } => "planner/not-offered",
            Self::Busy => "planner/busy",
            Self::TooLong { .. } => "planner/too-long",
            Self::Refused { .. } => "planner/refused",
            Self::Unreachable => "planner/unreachable",
            Self::TimedOut => "planner/timed-out",
            Self::BadAnswer => "planner/nonsense",
        }
    }
}
