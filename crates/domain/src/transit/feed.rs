//! A feed of public transport: where it is, how often it is asked, what was read of it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::imports::{ImportFile, ImportSchedule};
use crate::record::{email, free, line, sheet, url};

sheet! {
    /// Settings of a public-transport feed.
    TransportFeedSheet {
        name: String = line(200).required(),
        /// The address of its GTFS file; absent for an uploaded file.
        url: Option<String> = url(),
        /// How often it is asked again.
        schedule: ImportSchedule = free(),
        /// Who gets a mail when it cannot be read; by default the person who asked.
        notify_email: Option<String> = email(),
        /// Shows its stops on the public pages of the parcours.
        show_stops: bool = free(),
        /// The uploaded file.
        file: Option<ImportFile> = free(),
    }
}

/// Counts of one reading of a feed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct FeedCounts {
    pub lines: i64,
    /// Stops that a line serves.
    pub stops: i64,
    /// Stop times processed.
    pub stop_times: i64,
    /// Transport lines that were brought up to date.
    pub refreshed: i64,
    /// Transport lines that the feed no longer has.
    pub gone: i64,
}
