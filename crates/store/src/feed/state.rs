//! States of what feeds contain beside their parcours and POIs: as long as one is the same, nothing of it is read again.

use crate::sql::{numbers_of, remembered};
use crate::{Connection, StoreError};

/// The state of what feeds contain and no save of a parcours changes: closures, reviews and reports, decisions on children.
pub async fn attached_state(db: &impl Connection) -> Result<[i64; 5], StoreError> {
    let sql = "SELECT c.total, c.saved, f.changed, d.total, d.decided
        FROM (SELECT COUNT(*) AS total, MAX(updated_at) AS saved FROM closure) c,
          (SELECT MAX(changed_at) AS changed FROM parcours_feedback) f,
          (SELECT COUNT(*) AS total, MAX(decided_at) AS decided FROM parcours_child_decision) d";
    remembered(db, sql, Vec::new()).await
}

/// A state of the reference lists, the white-labels and the structures: another one after each save, addition or deletion of one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceState([i64; 12]);

/// The state of the reference lists, the white-labels and the structures. It is asked in place of reading them all again.
pub async fn reference_state(db: &impl Connection) -> Result<ReferenceState, StoreError> {
    let columns = ["v", "w", "s"].map(|row| format!("{row}.total, {row}.versions, {row}.last, {row}.saved"));
    let sql = format!(
        "SELECT {} FROM {} v, {} w, {} s",
        columns.join(", "),
        state_of("vocabulary"),
        state_of("white_label"),
        state_of("structure")
    );
    numbers_of(db, &sql, Vec::new()).await.map(ReferenceState)
}

/// The same of the itineraries, which open data do not contain.
pub async fn itinerary_state(db: &impl Connection) -> Result<[i64; 4], StoreError> {
    let sql = format!("SELECT i.total, i.versions, i.last, i.saved FROM {} i", state_of("itinerary"));
    numbers_of(db, &sql, Vec::new()).await
}

/// The state of a table. A save raises a version, so that the sum grows; a new row has a new number; an old row that is gone is one row
/// less.
fn state_of(table: &str) -> String {
    format!(
        "(SELECT COUNT(*) AS total, CAST(SUM(version) AS BIGINT) AS versions, MAX(id) AS last, MAX(updated_at) AS saved FROM {table})"
    )
}
