//! Content of other white-labels on the user's own.

use std::collections::HashMap;

use domain::WhiteLabelId;
use domain::record::Kind;
use sea_orm::Value;

use crate::sql::{all, execute, get, numbers};
use crate::{Connection, StoreError, Tx};

/// A white-label that added a record of another.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkedWhiteLabel {
    /// Its number.
    pub id: WhiteLabelId,
    /// Its name.
    pub name: String,
    /// Its own switch.
    pub published: bool,
}

/// The white-labels that added each of these records, by name.
pub async fn links_of(
    db: &impl Connection,
    kind: Kind,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<LinkedWhiteLabel>>, StoreError> {
    let sql = format!(
        "SELECT l.record_id, w.id, w.name, l.published FROM record_white_label l JOIN white_label w ON w.id = l.white_label_id
        WHERE l.kind = {} AND l.record_id IN {} ORDER BY w.name, w.id",
        kind.code(),
        numbers(ids)
    );
    let mut found: HashMap<i64, Vec<LinkedWhiteLabel>> = HashMap::new();
    for row in all(db, &sql, []).await? {
        let link = LinkedWhiteLabel { id: WhiteLabelId(get(&row, 1)?), name: get(&row, 2)?, published: get(&row, 3)? };
        found.entry(get(&row, 0)?).or_default().push(link);
    }
    Ok(found)
}

/// The white-labels that added a record, by name.
pub async fn linked_white_labels(
    db: &impl Connection,
    kind: Kind,
    id: i64,
) -> Result<Vec<LinkedWhiteLabel>, StoreError> {
    Ok(links_of(db, kind, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Adds a record to a white-label, or changes its switch there.
pub async fn link_white_label(
    tx: &Tx,
    kind: Kind,
    id: i64,
    white_label: WhiteLabelId,
    published: bool,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO record_white_label (kind, record_id, white_label_id, published) VALUES ($1, $2, $3, $4)
        ON CONFLICT (kind, record_id, white_label_id) DO UPDATE SET published = excluded.published";
    let values: [Value; 4] = [kind.code().into(), id.into(), white_label.0.into(), published.into()];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Takes a record away from a white-label. False when it was not there.
pub async fn unlink_white_label(tx: &Tx, kind: Kind, id: i64, white_label: WhiteLabelId) -> Result<bool, StoreError> {
    let sql = "DELETE FROM record_white_label WHERE kind = $1 AND record_id = $2 AND white_label_id = $3";
    Ok(execute(tx, sql, [kind.code().into(), id.into(), white_label.0.into()]).await? > 0)
}
