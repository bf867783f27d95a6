//! A trace scored on another network. No person edited it: version, day and history of the parcours stay, so that an open editor
//! meets no conflict.

use domain::parcours::TraceSummary;
use domain::step::Step;

use super::batch::Batch;
use super::write::{NewTrace, Stored, settle, store_trace, touch_closures};
use crate::sql::text;
use crate::{StoreError, Tx};

/// Stores the trace as another network gives it, as its next revision, with the steps at their positions along it. Returns the
/// number of the revision.
pub async fn rescore(
    tx: &Tx,
    before: &Stored,
    steps: Vec<Step>,
    trace: &NewTrace,
    languages: &[String],
) -> Result<i64, StoreError> {
    let (mut batch, mut after) = (Batch::default(), Stored { steps, ..before.clone() });
    let number = store_trace(&mut batch, tx, &mut after, trace).await?;
    settle(&mut batch, tx, before, &after, languages).await?;
    batch.run(tx).await?;
    touch_closures(tx, &after, Some(trace)).await?;
    Ok(number)
}

/// Records that another network gives the same trace: its lines are not written again.
pub async fn stamp(tx: &Tx, before: &Stored, new: &TraceSummary, languages: &[String]) -> Result<(), StoreError> {
    let Some(revision) = before.trace_revision else { return Ok(()) };
    // The new figures are the old ones, as long as they were not read back: reading a number may move its last digit.
    let summary = TraceSummary { revision, ..new.clone() };
    let (mut batch, after) = (Batch::default(), Stored { trace: Some(summary), ..before.clone() });
    settle(&mut batch, tx, before, &after, languages).await?;
    let sql = "UPDATE parcours_trace SET summary = $3 WHERE parcours_id = $1 AND revision = $2";
    let summary = after.trace.as_ref().map(text);
    batch.add(sql, [before.id.0.into(), revision.into(), summary.into()]);
    batch.run(tx).await
}
