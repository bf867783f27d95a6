//! The reference lists: one table, nine kinds.

use domain::VocabularyId;
use domain::vocabulary::{VocabularyItem, VocabularyKind};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::vocabulary;
use crate::{Connection, StoreError, row};

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
    })
}
