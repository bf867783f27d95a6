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
    pub id: WhiteLabelId,
    pub name: String,
    /// Its own switch.
    pub published: bool,
}

/// The table of what white-labels added, as statements name it. Parcours have a table of their own (decision 0004), in which a
/// switch is a number; all other kinds share one.
struct Added {
    table: &'static str,
    /// The column of the number.
    id: &'static str,
    /// The column of the kind with a comma, its value with a comma, and the condition on it.
    kind: [String; 3],
    /// The switch, as a truth value.
    switch: &'static str,
}

impl Added {
    fn of(kind: Kind) -> Self {
        if kind == Kind::Parcours {
            return Self {
                table: "parcours_white_label",
                id: "parcours_id",
                kind: Default::default(),
                switch: "l.published <> 0",
            };
        }
        let code = kind.code();
        let kind = ["kind, ".to_owned(), format!("{code}, "), format!("l.kind = {code} AND ")];
        Self { table: "record_white_label", id: "record_id", kind, switch: "l.published" }
    }
}

/// A switch in the form of the table of a kind.
fn switch(kind: Kind, on: bool) -> Value {
    match kind {
        Kind::Parcours => i16::from(on).into(),
        _ => on.into(),
    }
}

/// The white-labels that added each of these records or parcours, by name.
pub async fn links_of(
    db: &impl Connection,
    kind: Kind,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<LinkedWhiteLabel>>, StoreError> {
    let Added { table, id, kind: [_, _, is_of_kind], switch } = Added::of(kind);
    let sql = format!(
        "SELECT l.{id}, l.white_label_id, w.name, {switch} AS published FROM {table} l JOIN white_label w ON w.id = l.white_label_id
        WHERE {is_of_kind}l.{id} IN {} ORDER BY w.name, w.id",
        numbers(ids)
    );
    let mut found: HashMap<i64, Vec<LinkedWhiteLabel>> = HashMap::new();
    for row in all(db, &sql, []).await? {
        let (white_label, published) = (WhiteLabelId(get(&row, "white_label_id")?), get(&row, "published")?);
        let link = LinkedWhiteLabel { id: white_label, name: get(&row, "name")?, published };
        found.entry(get(&row, id)?).or_default().push(link);
    }
    Ok(found)
}

/// The white-labels that added a record or a parcours, by name.
pub async fn linked_white_labels(
    db: &impl Connection,
    kind: Kind,
    id: i64,
) -> Result<Vec<LinkedWhiteLabel>, StoreError> {
    Ok(links_of(db, kind, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Adds a record to a white-label, or changes its switch there. Of a parcours, `parcours::link_white_label` writes the words anew.
pub async fn link_white_label(
    tx: &Tx,
    kind: Kind,
    id: i64,
    white_label: WhiteLabelId,
    published: bool,
) -> Result<(), StoreError> {
    let Added { table, id: column, kind: [kind_column, code, _], .. } = Added::of(kind);
    let sql = format!(
        "INSERT INTO {table} ({kind_column}{column}, white_label_id, published) VALUES ({code}$1, $2, $3)
        ON CONFLICT ({kind_column}{column}, white_label_id) DO UPDATE SET published = excluded.published"
    );
    execute(tx, &sql, [id.into(), white_label.0.into(), switch(kind, published)]).await?;
    Ok(())
}

/// Takes a record away from a white-label. False when it was not there. Of a parcours, `parcours::unlink_white_label` writes the
/// words anew.
pub async fn unlink_white_label(tx: &Tx, kind: Kind, id: i64, white_label: WhiteLabelId) -> Result<bool, StoreError> {
    let Added { table, id: column, kind: [_, _, is_of_kind], .. } = Added::of(kind);
    let sql = format!("DELETE FROM {table} AS l WHERE {is_of_kind}l.{column} = $1 AND l.white_label_id = $2");
    Ok(execute(tx, &sql, [id.into(), white_label.0.into()]).await? > 0)
}
