//! Revisions: the whole of a parcours after each save, kept for good.

use domain::ParcoursId;
use domain::parcours::{Sheet, TraceSummary};
use domain::record::Kind;
use domain::step::Step;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::write::Stored;
use crate::record::{Change, RevisionHead, insertion, revision_of};
use crate::{Connection, StoreError};

/// A revision with what the parcours was.
#[derive(Debug, Clone, PartialEq)]
pub struct RevisionRow {
    /// User, time and changed fields.
    pub head: RevisionHead,
    /// The parcours after that save.
    pub body: RevisionBody,
}

/// A parcours as a revision keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RevisionBody {
    /// The owner then.
    pub white_label_id: i64,
    /// The owner's switch.
    pub published: bool,
    /// The revision of the trace in use; its lines are stored too.
    pub trace_revision: Option<i64>,
    /// What the staff filled in.
    #[serde(with = "domain::rest")]
    pub sheet: Sheet,
    #[serde(with = "domain::rest::lists")]
    pub steps: Vec<Step>,
    /// Its trace in figures.
    pub trace: Option<TraceSummary>,
}

/// The body of a revision from texts that are made already.
pub(super) fn body_text(stored: &Stored, sheet: &str, steps: &str, trace: Option<&str>) -> String {
    let revision = stored.trace_revision.map_or_else(|| "null".to_owned(), |number| number.to_string());
    format!(
        r#"{{"white_label_id":{},"published":{},"trace_revision":{revision},"sheet":{sheet},"steps":{steps},"trace":{}}}"#,
        stored.white_label_id,
        stored.published,
        trace.unwrap_or("null"),
    )
}

/// Adds a revision to what is written together.
pub(super) fn write(batch: &mut Batch, stored: &Stored, fields: &[String], change: Change<'_>, body: String) {
    let (sql, values) = insertion(Kind::Parcours, (stored.id.0, stored.version), fields, change, body);
    batch.add(&sql, values);
}

/// One revision.
pub async fn revision(db: &impl Connection, id: ParcoursId, version: i64) -> Result<Option<RevisionRow>, StoreError> {
    let found = revision_of(db, Kind::Parcours, id.0, version).await?;
    Ok(found.map(|(head, body)| RevisionRow { head, body }))
}
