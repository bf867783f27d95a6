//! `record_link`: one row for each thing that a record points to.

use std::collections::BTreeSet;

use domain::record::{Kind, Sheet};
use sea_orm::Value;

use crate::sql::execute;
use crate::{StoreError, Tx};

type Links = BTreeSet<(i16, i64, &'static str)>;

fn links_of(sheet: &impl Sheet) -> Links {
    sheet.references().into_iter().map(|to| (to.target.kind.code(), to.id, to.field)).collect()
}

/// Writes the links of a new record.
pub(super) async fn insert(tx: &Tx, kind: Kind, id: i64, sheet: &impl Sheet) -> Result<(), StoreError> {
    add(tx, kind, id, links_of(sheet).iter()).await
}

/// Writes what changed.
pub(super) async fn update<S: Sheet>(tx: &Tx, kind: Kind, id: i64, before: &S, after: &S) -> Result<(), StoreError> {
    let (old, new) = (links_of(before), links_of(after));
    for (to_kind, to_id, field) in old.difference(&new) {
        let sql = "DELETE FROM record_link WHERE to_kind = $1 AND to_id = $2 AND from_kind = $3 AND from_id = $4 AND field = $5";
        let values: [Value; 5] = [(*to_kind).into(), (*to_id).into(), kind.code().into(), id.into(), (*field).into()];
        execute(tx, sql, values).await?;
    }
    add(tx, kind, id, new.difference(&old)).await
}

async fn add<'a>(
    tx: &Tx,
    kind: Kind,
    id: i64,
    links: impl Iterator<Item = &'a (i16, i64, &'static str)>,
) -> Result<(), StoreError> {
    let code = kind.code();
    // Field names are ours: letters and underscores.
    let rows: Vec<String> = links.map(|(to, to_id, field)| format!("({to},{to_id},{code},{id},'{field}')")).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let sql = format!("INSERT INTO record_link (to_kind, to_id, from_kind, from_id, field) VALUES {}", rows.join(","));
    execute(tx, &sql, []).await?;
    Ok(())
}

/// Forgets what a record points to.
pub(crate) async fn forget(tx: &Tx, kind: Kind, id: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM record_link WHERE from_kind = $1 AND from_id = $2";
    execute(tx, sql, [kind.code().into(), id.into()]).await?;
    Ok(())
}
