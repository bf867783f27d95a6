//! Reading records whole.

use std::collections::HashMap;

use domain::record::{Kind, Sheet};
use domain::{Instant, WhiteLabelId};
use sea_orm::QueryResult;

use super::{Record, Stored, table_of};
use crate::sql::{NumberList, all, for_update, get, one, person, whole};
use crate::{Connection, Dialect, StoreError, Tx};

fn select<R: Record>() -> String {
    let owner = if R::OWNED { "n.white_label_id" } else { "CAST(NULL AS BIGINT) AS white_label_id" };
    let published = if R::PUBLISHED { "n.published" } else { "FALSE AS published" };
    format!(
        r#"SELECT n.id, {owner}, {published}, n.version, n.created_at, n.updated_at, n.updated_by, u.first_name, u.last_name, s.sheet
        FROM {} n JOIN record_sheet s ON s.kind = {} AND s.id = n.id LEFT JOIN "user" u ON u.id = n.updated_by"#,
        R::TABLE,
        R::KIND.code()
    )
}

/// One record.
pub async fn load<R: Record>(db: &impl Connection, id: i64) -> Result<Option<Stored<R::Sheet>>, StoreError> {
    one(db, &format!("{} WHERE n.id = $1", select::<R>()), [id.into()]).await?.map(|row| stored(&row)).transpose()
}

/// One record, locked until the transaction ends.
pub async fn lock<R: Record>(tx: &Tx, id: i64) -> Result<Option<Stored<R::Sheet>>, StoreError> {
    let sql = format!("{} WHERE n.id = $1{}", select::<R>(), for_update(tx.dialect(), "n, s"));
    one(tx, &sql, [id.into()]).await?.map(|row| stored(&row)).transpose()
}

/// Waits until no open transaction begins to point to a record, and lets none begin before this one ends: before what uses it is counted, to be
/// deleted or replaced.
pub async fn hold_to_delete(tx: &Tx, kind: Kind, id: i64) -> Result<(), StoreError> {
    // SQLite lets one transaction write at a time.
    if tx.dialect() == Dialect::Postgres {
        one(tx, &format!("SELECT id FROM {} WHERE id = $1 FOR UPDATE", table_of(kind)), [id.into()]).await?;
    }
    Ok(())
}

/// Several records, in the order of the numbers given; those that are not there are left out.
pub async fn load_many<R: Record>(db: &impl Connection, ids: &[i64]) -> Result<Vec<Stored<R::Sheet>>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let list = NumberList::of(db, ids);
    let rows = all(db, &format!("{} WHERE {}", select::<R>(), list.has("n.id", 1)), list.value()).await?;
    let mut found: HashMap<i64, Stored<R::Sheet>> = HashMap::with_capacity(rows.len());
    for row in &rows {
        let record = stored(row)?;
        found.insert(record.id, record);
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// The sheet of one record, by its kind: for modules below the one that has the type of the kind.
pub(crate) async fn sheet<S: Sheet>(db: &impl Connection, kind: Kind, id: i64) -> Result<Option<S>, StoreError> {
    let sql = "SELECT sheet FROM record_sheet WHERE kind = $1 AND id = $2";
    let Some(row) = one(db, sql, [kind.code().into(), id.into()]).await? else { return Ok(None) };
    Ok(Some(whole("record_sheet", id, &get::<String>(&row, 0)?)?))
}

fn stored<S: Sheet>(row: &QueryResult) -> Result<Stored<S>, StoreError> {
    let id: i64 = get(row, "id")?;
    Ok(Stored {
        id,
        white_label_id: get::<Option<i64>>(row, "white_label_id")?.map(WhiteLabelId),
        published: get(row, "published")?,
        version: get(row, "version")?,
        created_at: Instant(get(row, "created_at")?),
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: person(row, ["updated_by", "first_name", "last_name"])?,
        sheet: whole("record_sheet", id, &get::<String>(row, "sheet")?)?,
    })
}
