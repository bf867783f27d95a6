//! White-labels.

use domain::{Instant, StructureId, WhiteLabel, WhiteLabelId};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::white_label;
use crate::{Connection, Listed, Page, StoreError, Tx, page};

/// What a list of white-labels is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct WhiteLabelFilter {
    /// Of this structure.
    pub structure: Option<StructureId>,
    /// Among these.
    pub among: Option<Vec<WhiteLabelId>>,
}

/// A white-label to be.
#[derive(Debug, Clone)]
pub struct NewWhiteLabel<'a> {
    /// The structure that owns it.
    pub structure_id: StructureId,
    /// Name.
    pub name: &'a str,
    /// Short name in addresses, unique.
    pub slug: &'a str,
    /// What it is: `site`, `app`, `widget`.
    pub kind: &'a str,
    /// Two letters for the switcher.
    pub initials: &'a str,
    /// Colour of its mark, `#RRGGBB`.
    pub color: &'a str,
    /// Everything else that can be set.
    pub settings: serde_json::Value,
}

/// A page of the white-labels, by name.
pub async fn list(
    db: &impl Connection,
    filter: &WhiteLabelFilter,
    page: Page,
) -> Result<Listed<WhiteLabel>, StoreError> {
    let mut select = white_label::Entity::find();
    if let Some(structure) = filter.structure {
        select = select.filter(white_label::Column::StructureId.eq(structure.0));
    }
    if let Some(among) = &filter.among {
        select = select.filter(white_label::Column::Id.is_in(among.iter().map(|id| id.0)));
    }
    let order = |select: sea_orm::Select<_>| {
        select.order_by_asc(white_label::Column::Name).order_by_asc(white_label::Column::Id)
    };
    Ok(page::fetch(db, select, order, page).await?.map(to_white_label))
}

/// Those of these identifiers, by name.
pub async fn find_many(db: &impl Connection, ids: &[WhiteLabelId]) -> Result<Vec<WhiteLabel>, StoreError> {
    let rows = white_label::Entity::find()
        .filter(white_label::Column::Id.is_in(ids.iter().map(|id| id.0)))
        .order_by_asc(white_label::Column::Name)
        .all(&db.executor())
        .await?;
    Ok(rows.into_iter().map(to_white_label).collect())
}

/// One white-label.
pub async fn find(db: &impl Connection, id: WhiteLabelId) -> Result<Option<WhiteLabel>, StoreError> {
    Ok(white_label::Entity::find_by_id(id.0).one(&db.executor()).await?.map(to_white_label))
}

/// The one of a short name.
pub async fn find_by_slug(db: &impl Connection, slug: &str) -> Result<Option<WhiteLabel>, StoreError> {
    let found = white_label::Entity::find().filter(white_label::Column::Slug.eq(slug)).one(&db.executor()).await?;
    Ok(found.map(to_white_label))
}

/// The identifiers of all, or of a structure's.
pub async fn ids(db: &impl Connection, structure: Option<StructureId>) -> Result<Vec<WhiteLabelId>, StoreError> {
    let mut select = white_label::Entity::find().select_only().column(white_label::Column::Id);
    if let Some(structure) = structure {
        select = select.filter(white_label::Column::StructureId.eq(structure.0));
    }
    let ids: Vec<i64> = select.order_by_asc(white_label::Column::Id).into_tuple().all(&db.executor()).await?;
    Ok(ids.into_iter().map(WhiteLabelId).collect())
}

/// Adds a white-label.
pub async fn insert(tx: &Tx, new: NewWhiteLabel<'_>, now: Instant) -> Result<WhiteLabelId, StoreError> {
    let row = white_label::ActiveModel {
        id: NotSet,
        structure_id: Set(new.structure_id.0),
        name: Set(new.name.to_owned()),
        slug: Set(new.slug.to_owned()),
        kind: Set(new.kind.to_owned()),
        initials: Set(new.initials.to_owned()),
        color: Set(new.color.to_owned()),
        settings: Set(new.settings),
        created_at: Set(now.0),
    };
    Ok(white_label::Entity::insert(row).exec(&tx.executor()).await?.last_insert_id.into())
}

fn to_white_label(row: white_label::Model) -> WhiteLabel {
    WhiteLabel {
        id: row.id.into(),
        structure_id: row.structure_id.into(),
        name: row.name,
        slug: row.slug,
        kind: row.kind,
        initials: row.initials,
        color: row.color,
        settings: row.settings,
    }
}
