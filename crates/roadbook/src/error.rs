//! Why there is no roadbook.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Why there is no roadbook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoadbookError {
    /// The data is of another schema.
    #[error("schema {found} is not one that is read here")]
    Schema {
        /// The schema of the data.
        found: u32,
    },
    /// No day to show.
    #[error("a roadbook needs a day at least")]
    NoDays,
    #[error("a roadbook needs a title")]
    NoTitle,
    /// Every page is switched off.
    #[error("every page is switched off")]
    NoPages,
    /// More pages than are made at once.
    #[error("more than {limit} pages")]
    TooLong {
        /// The most.
        limit: u32,
    },
    /// Typst could not typeset the pages: a bug of this crate.
    #[error("setting the pages failed: {detail}")]
    Setting {
        /// For the log.
        detail: String,
    },
    /// It took too long and was stopped.
    #[error("stopped after {after:?}")]
    TimedOut {
        /// How long was waited.
        after: Duration,
    },
    /// The child process ended before it answered.
    #[error("the renderer stopped: {detail}")]
    Crashed {
        /// For the log.
        detail: String,
    },
}
