//! Structures.

use std::collections::HashMap;

use domain::{Instant, Structure, StructureId, VocabularyId};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::{structure, vocabulary};
use crate::{Connection, Listed, Page, StoreError, Tx, page};

/// What a list of structures is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct StructureFilter {
    /// Only this one.
    pub only: Option<StructureId>,
}

/// A page of the structures, by name.
pub async fn list(db: &impl Connection, filter: &StructureFilter, page: Page) -> Result<Listed<Structure>, StoreError> {
    let mut select = structure::Entity::find();
    if let Some(only) = filter.only {
        select = select.filter(structure::Column::Id.eq(only.0));
    }
    let order =
        |select: sea_orm::Select<_>| select.order_by_asc(structure::Column::Name).order_by_asc(structure::Column::Id);
    let rows = page::fetch(db, select, order, page).await?;
    let kinds = kinds(db).await?;
    Ok(rows.map(|row| to_structure(row, &kinds)))
}

/// One structure.
pub async fn find(db: &impl Connection, id: StructureId) -> Result<Option<Structure>, StoreError> {
    let Some(row) = structure::Entity::find_by_id(id.0).one(&db.executor()).await? else { return Ok(None) };
    Ok(Some(to_structure(row, &kinds(db).await?)))
}

/// Adds a structure.
pub async fn insert(tx: &Tx, name: &str, kind_code: &str, now: Instant) -> Result<StructureId, StoreError> {
    let row = structure::ActiveModel {
        id: NotSet,
        name: Set(name.to_owned()),
        kind_code: Set(kind_code.to_owned()),
        created_at: Set(now.0),
    };
    Ok(structure::Entity::insert(row).exec(&tx.executor()).await?.last_insert_id.into())
}

async fn kinds(db: &impl Connection) -> Result<HashMap<String, i64>, StoreError> {
    let rows =
        vocabulary::Entity::find().filter(vocabulary::Column::Kind.eq("structure_type")).all(&db.executor()).await?;
    Ok(rows.into_iter().map(|row| (row.code, row.id)).collect())
}

fn to_structure(row: structure::Model, kinds: &HashMap<String, i64>) -> Structure {
    let kind_id = kinds.get(&row.kind_code).copied().map(VocabularyId);
    Structure { id: row.id.into(), name: row.name, kind_code: row.kind_code, kind_id }
}
