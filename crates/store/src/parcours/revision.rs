//! Revisions: the whole of a parcours after each save, kept for good.

use domain::parcours::{Sheet, TraceSummary};
use domain::step::Step;
use domain::{Instant, ParcoursId};
use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::write::Stored;
use crate::record::{Change, RevisionHead};
use crate::sql::{all, get, json, one, person, text};
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
    /// Its steps.
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

pub(super) fn write(batch: &mut Batch, stored: &Stored, fields: &[String], change: Change<'_>, body: &str) {
    let sql = "INSERT INTO parcours_revision (parcours_id, version, at, user_id, reason, fields, body) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let values: [Value; 7] = [
        stored.id.0.into(),
        stored.version.into(),
        change.at.0.into(),
        change.by.map(|id| id.0).into(),
        change.reason.map(str::to_owned).into(),
        text(&fields).into(),
        body.into(),
    ];
    batch.add(sql, values);
}

const HEAD: &str = r#"SELECT r.version, r.at, r.user_id, u.first_name, u.last_name, r.fields, r.reason
    FROM parcours_revision r LEFT JOIN "user" u ON u.id = r.user_id WHERE r.parcours_id = $1"#;

/// The last 500 revisions, newest first.
pub async fn revisions(db: &impl Connection, id: ParcoursId) -> Result<Vec<RevisionHead>, StoreError> {
    let sql = format!("{HEAD} ORDER BY r.version DESC LIMIT 500");
    all(db, &sql, [id.0.into()]).await?.iter().map(|row| head(id, row)).collect()
}

/// One revision.
pub async fn revision(db: &impl Connection, id: ParcoursId, version: i64) -> Result<Option<RevisionRow>, StoreError> {
    let Some(row) = one(db, &format!("{HEAD} AND r.version = $2"), [id.0.into(), version.into()]).await? else {
        return Ok(None);
    };
    let sql = "SELECT body FROM parcours_revision WHERE parcours_id = $1 AND version = $2";
    let Some(body) = one(db, sql, [id.0.into(), version.into()]).await? else { return Ok(None) };
    Ok(Some(RevisionRow { head: head(id, &row)?, body: json("parcours_revision", id.0, &get::<String>(&body, 0)?)? }))
}

fn head(id: ParcoursId, row: &QueryResult) -> Result<RevisionHead, StoreError> {
    Ok(RevisionHead {
        version: get(row, 0)?,
        at: Instant(get(row, 1)?),
        user: person(row, [2, 3, 4])?,
        fields: json("parcours_revision", id.0, &get::<String>(row, 5)?)?,
        reason: get(row, 6)?,
    })
}
