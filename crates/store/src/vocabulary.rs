//! The reference lists: one table, nine kinds.

use std::collections::HashMap;

use domain::record::Kind;
use domain::vocabulary::{TermSheet, VocabularyItem, VocabularyKind};
use domain::{Text, VocabularyId};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Value};

use crate::entity::vocabulary;
use crate::parcours_link::link_kinds;
use crate::record::{Record, Stored};
use crate::row::to_json;
use crate::sql::{all, get, numbers, one};
use crate::{Connection, StoreError, row};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Terms;

impl Record for Terms {
    type Sheet = TermSheet;
    const KIND: Kind = Kind::Vocabulary;
    const TABLE: &'static str = "vocabulary";

    fn columns(record: &Stored<TermSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("kind", sheet.kind.as_str().into()),
            ("code", sheet.code.clone().into()),
            ("parent_id", sheet.parent_id.into()),
            ("label", to_json(&sheet.label).into()),
            ("description", to_json(&sheet.description).into()),
            ("icon", sheet.icon.clone().into()),
            ("color", sheet.color.clone().into()),
            ("position", sheet.order.into()),
            ("attributes", sheet.attributes.clone().into()),
        ]
    }

    fn title(sheet: &TermSheet) -> Text {
        sheet.label.clone()
    }
}

/// A whole list, siblings in their order.
pub async fn list(db: &impl Connection, kind: VocabularyKind) -> Result<Vec<VocabularyItem>, StoreError> {
    let rows = vocabulary::Entity::find()
        .filter(vocabulary::Column::Kind.eq(kind.as_str()))
        .order_by_asc(vocabulary::Column::Position)
        .order_by_asc(vocabulary::Column::Id)
        .all(&db.executor())
        .await?;
    rows.into_iter().map(to_item).collect()
}

/// The name of an item, with its list and its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermName {
    /// Its number.
    pub id: VocabularyId,
    /// Its list.
    pub kind: VocabularyKind,
    /// What programs know it by.
    pub code: String,
    /// Name.
    pub label: Text,
}

/// The names of all items of all lists.
pub async fn names(db: &impl Connection) -> Result<Vec<TermName>, StoreError> {
    let rows = all(db, "SELECT id, kind, code, label FROM vocabulary ORDER BY id", []).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let (id, kind): (i64, String) = (get(row, 0)?, get(row, 1)?);
        let kind = row::word("vocabulary", id, &kind, VocabularyKind::parse(&kind))?;
        found.push(TermName { id: VocabularyId(id), kind, code: get(row, 2)?, label: row::text(get(row, 3)?) });
    }
    Ok(found)
}

/// One item of a list.
pub async fn find(db: &impl Connection, id: VocabularyId) -> Result<Option<VocabularyItem>, StoreError> {
    vocabulary::Entity::find_by_id(id.0).one(&db.executor()).await?.map(to_item).transpose()
}

/// The item of a code.
pub async fn find_by_code(
    db: &impl Connection,
    kind: VocabularyKind,
    code: &str,
) -> Result<Option<VocabularyItem>, StoreError> {
    let found = vocabulary::Entity::find()
        .filter(vocabulary::Column::Kind.eq(kind.as_str()))
        .filter(vocabulary::Column::Code.eq(code))
        .one(&db.executor())
        .await?;
    found.map(to_item).transpose()
}

/// How many use each of these items.
pub async fn uses_totals(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, i64>, StoreError> {
    let (list, code) = (numbers(ids), Kind::Vocabulary.code());
    let links = numbers(&link_kinds(Kind::Vocabulary));
    let sql = format!(
        "SELECT t, COUNT(*) FROM (
          SELECT to_id AS t, from_kind * 1000000000000 + from_id AS u FROM record_link WHERE to_kind = {code} AND to_id IN {list}
          UNION SELECT target_id, parcours_id FROM parcours_link WHERE kind IN {links} AND target_id IN {list}
          UNION SELECT practice_type_id, id FROM parcours WHERE practice_type_id IN {list}
          UNION SELECT level_id, id FROM parcours WHERE level_id IN {list}
        ) c GROUP BY t"
    );
    all(db, &sql, []).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// These items and all below them.
pub async fn with_those_under(db: &impl Connection, ids: &[i64]) -> Result<Vec<i64>, StoreError> {
    let (mut found, mut above) = (ids.to_vec(), ids.to_vec());
    while !above.is_empty() {
        let rows = all(db, &format!("SELECT id FROM vocabulary WHERE parent_id IN {}", numbers(&above)), []).await?;
        above = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
        above.retain(|id| !found.contains(id));
        found.extend(&above);
    }
    Ok(found)
}

/// The next place among siblings.
pub async fn next_order(db: &impl Connection, kind: VocabularyKind, parent: Option<i64>) -> Result<i64, StoreError> {
    let sql = "SELECT COALESCE(MAX(position), 0) + 1 FROM vocabulary WHERE kind = $1 AND COALESCE(parent_id, 0) = $2";
    let values = [kind.as_str().into(), parent.unwrap_or(0).into()];
    Ok(one(db, sql, values).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(1))
}

fn to_item(row: vocabulary::Model) -> Result<VocabularyItem, StoreError> {
    let kind = row::word("vocabulary", row.id, &row.kind, VocabularyKind::parse(&row.kind))?;
    let attributes = kind.attributes(row.attributes);
    Ok(VocabularyItem {
        id: row.id.into(),
        kind,
        parent_id: row.parent_id.map(VocabularyId),
        label: row::text(row.label),
        description: row::text(row.description),
        attributes: attributes.ok_or_else(|| StoreError::row("vocabulary", row.id, "attributes of another kind"))?,
        code: row.code,
        icon: row.icon,
        color: row.color,
        order: row.position,
        version: row.version,
    })
}
