//! The reference lists: one table, nine kinds.

use std::collections::HashMap;

use domain::record::Kind;
use domain::vocabulary::{TermSheet, VocabularyItem, VocabularyKind};
use domain::{Text, VocabularyId};
use sea_orm::{QueryResult, Value};

use crate::parcours_link::link_kinds;
use crate::record::{Change, Record, Stored, lock, save};
use crate::row::to_json;
use crate::sql::{all, get, numbers, one};
use crate::{Connection, StoreError, Tx, row, tree};

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

    /// One that would be under itself goes under the parent of its former parent, or to the top of the list.
    async fn settle(tx: &Tx, before: Option<&TermSheet>, after: &mut Stored<TermSheet>) -> Result<(), StoreError> {
        // Nothing is under one that is restored.
        let Some(former) = before.map(|before| before.parent_id) else { return Ok(()) };
        let Some(parent) = after.sheet.parent_id.filter(|parent| former != Some(*parent)) else { return Ok(()) };
        tree::lock(tx, Self::KIND, |_| true).await?;
        let under = with_those_under(tx, &[after.id]).await?;
        if under.contains(&parent) {
            let above = match former {
                Some(former) => find(tx, VocabularyId(former)).await?.and_then(|former| former.parent_id),
                None => None,
            };
            after.sheet.parent_id = above.map(|above| above.0).filter(|above| !under.contains(above));
        }
        Ok(())
    }
}

/// A whole list, siblings in their order.
pub async fn list(db: &impl Connection, kind: VocabularyKind) -> Result<Vec<VocabularyItem>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM vocabulary WHERE kind = $1 ORDER BY position, id");
    all(db, &sql, [kind.as_str().into()]).await?.iter().map(to_item).collect()
}

/// The name of an item, with its list and its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermName {
    pub id: VocabularyId,
    /// Its list.
    pub kind: VocabularyKind,
    /// What programs know it by.
    pub code: String,
    pub label: Text,
}

/// The names of all items of all lists.
pub async fn names(db: &impl Connection) -> Result<Vec<TermName>, StoreError> {
    let rows = all(db, "SELECT id, kind, code, label FROM vocabulary ORDER BY id", []).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let (id, kind): (i64, String) = (get(row, "id")?, get(row, "kind")?);
        let kind = row::word("vocabulary", id, &kind, VocabularyKind::parse(&kind))?;
        let (code, label) = (get(row, "code")?, row::text(get(row, "label")?));
        found.push(TermName { id: VocabularyId(id), kind, code, label });
    }
    Ok(found)
}

/// One item of a list.
pub async fn find(db: &impl Connection, id: VocabularyId) -> Result<Option<VocabularyItem>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM vocabulary WHERE id = $1");
    one(db, &sql, [id.0.into()]).await?.as_ref().map(to_item).transpose()
}

/// The item of a code; without regard to capitals where none has it as written.
pub async fn find_by_code(
    db: &impl Connection,
    kind: VocabularyKind,
    code: &str,
) -> Result<Option<VocabularyItem>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM vocabulary WHERE kind = $1 AND (code = $2 OR LOWER(code) = $3) ORDER BY CASE WHEN code = $2 THEN 0 ELSE 1 END, id LIMIT 1"
    );
    one(db, &sql, [kind.as_str().into(), code.into(), code.to_lowercase().into()])
        .await?
        .as_ref()
        .map(to_item)
        .transpose()
}

/// Makes the equipment and the scales that name a practice by its code name another one.
pub async fn rename_practice(tx: &Tx, from: &str, to: &str, change: Change<'_>) -> Result<(), StoreError> {
    for (kind, attribute) in [(VocabularyKind::Equipment, "for"), (VocabularyKind::Level, "default_for")] {
        for VocabularyItem { id, .. } in list(tx, kind).await? {
            let Some(before) = lock::<Terms>(tx, id.0).await? else { continue };
            let Some(codes) = before.sheet.attributes[attribute].as_array() else { continue };
            if !codes.iter().any(|code| code == from) {
                continue;
            }
            let mut renamed = Vec::with_capacity(codes.len());
            for code in codes.iter().map(|code| if code == from { to.into() } else { code.clone() }) {
                if !renamed.contains(&code) {
                    renamed.push(code);
                }
            }
            let mut after = before.clone();
            after.sheet.attributes[attribute] = renamed.into();
            save::<Terms>(tx, &before, after, change).await?;
        }
    }
    Ok(())
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

/// The columns of an item.
const COLUMNS: &str = "id, kind, code, parent_id, label, description, icon, color, position, attributes, version";

fn to_item(row: &QueryResult) -> Result<VocabularyItem, StoreError> {
    let (id, kind): (i64, String) = (get(row, "id")?, get(row, "kind")?);
    let kind = row::word("vocabulary", id, &kind, VocabularyKind::parse(&kind))?;
    let attributes = kind.attributes(get(row, "attributes")?);
    Ok(VocabularyItem {
        id: VocabularyId(id),
        kind,
        parent_id: get::<Option<i64>>(row, "parent_id")?.map(VocabularyId),
        label: row::text(get(row, "label")?),
        description: row::text(get(row, "description")?),
        attributes: attributes.ok_or_else(|| StoreError::row("vocabulary", id, "attributes of another kind"))?,
        code: get(row, "code")?,
        icon: get(row, "icon")?,
        color: get(row, "color")?,
        order: get(row, "position")?,
        version: get(row, "version")?,
    })
}
