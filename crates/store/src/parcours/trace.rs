//! Writing the revisions of a trace.

use domain::parcours::TraceSummary;
use sea_orm::Value;

use super::batch::Batch;
use super::dialect::write_box;
use super::write::NewTrace;
use crate::sql::{get, one, text};
use crate::{Dialect, StoreError, Tx};

/// Keeps a revision of a trace, and the shape and the box that maps and filters read.
pub(super) fn write_trace(batch: &mut Batch, dialect: Dialect, id: i64, revision: i64, new: &NewTrace) {
    let summary = TraceSummary { revision, ..new.summary.clone() };
    let sql =
        "INSERT INTO parcours_trace (parcours_id, revision, summary, drawing, legs, planned_line, source_line, extra)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values: [Value; 8] = [
        id.into(),
        revision.into(),
        text(&summary).into(),
        text(&new.drawing).into(),
        text(&new.legs).into(),
        new.planned_line.as_ref().map(text).into(),
        new.source_line.as_ref().map(text).into(),
        text(&new.extra).into(),
    ];
    batch.add(sql, values);
    let flat: Vec<[f64; 2]> = new.shape.iter().map(|position| [short(position.lon), short(position.lat)]).collect();
    let sql = "INSERT INTO parcours_shape (parcours_id, line) VALUES ($1, $2) ON CONFLICT (parcours_id) DO UPDATE SET line = excluded.line";
    batch.add(sql, [id.into(), text(&flat).into()]);
    if let Some(bbox) = summary.bbox {
        write_box(batch, dialect, id, bbox);
    }
}

/// Five decimals are a metre: enough for a map of many.
fn short(degrees: f64) -> f64 {
    (degrees * 100_000.0).round() / 100_000.0
}

/// The number of the next revision of a parcours' trace.
pub(crate) async fn next_revision(tx: &Tx, id: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COALESCE(MAX(revision), 0) FROM parcours_trace WHERE parcours_id = $1";
    let last: i64 = one(tx, sql, [id.into()]).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0);
    Ok(last + 1)
}
