//! The actions on a review or a report, for the staff.

use app::record::Named;
use domain::Instant;
use serde::Serialize;
use store::feedback::HistoryEntry;
use utoipa::ToSchema;

/// Something that was done.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HappenedView {
    /// `confirmed`, `published`, `refused`, `answered`, `unanswered`, `complaint`, `dismissed`, `seen`, `closed`, `solved`, `reopened`.
    what: String,
    /// The reason of a refusal or a complaint.
    kind: String,
    /// The words with it.
    words: String,
    /// Who did it; absent for a visitor.
    by: Option<Named>,
    at: Instant,
}

impl From<HistoryEntry> for HappenedView {
    fn from(happened: HistoryEntry) -> Self {
        let HistoryEntry { what, kind, words, by, at } = happened;
        Self { what, kind, words, by: by.map(|(id, name)| Named { id: id.0, name }), at }
    }
}
