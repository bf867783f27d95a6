//! Media: what is known of them. Their bytes are in [`crate::Blobs`].

use domain::{Instant, Media, MediaId, MediaKind, WhiteLabelId};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};

use crate::entity::{media, poi, poi_media};
use crate::row::to_json;
use crate::{Connection, Listed, Page, StoreError, Tx, page, row, search};

/// What a list of media is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct MediaFilter {
    /// Words of the file's name, the legend, the alternative text or the author.
    pub search: Option<String>,
    /// Of this kind.
    pub kind: Option<MediaKind>,
    /// Of these white-labels.
    pub owners: Vec<WhiteLabelId>,
}

/// A page of the media, the newest first.
pub async fn list(db: &impl Connection, filter: &MediaFilter, page: Page) -> Result<Listed<Media>, StoreError> {
    let owners = filter.owners.iter().map(|id| id.0);
    let mut select = media::Entity::find().filter(media::Column::WhiteLabelId.is_in(owners));
    if let Some(kind) = filter.kind {
        select = select.filter(media::Column::Kind.eq(kind.as_str()));
    }
    let asked = filter.search.as_deref().unwrap_or_default();
    if let Some(found) = search::MEDIA.matches(db.dialect(), "media.id", asked) {
        select = select.filter(found);
    }
    let order = |select: Select<_>| select.order_by_desc(media::Column::UpdatedAt).order_by_desc(media::Column::Id);
    page::fetch(db, select, order, page).await?.try_map(to_media)
}

/// One media.
pub async fn find(db: &impl Connection, id: MediaId) -> Result<Option<Media>, StoreError> {
    media::Entity::find_by_id(id.0).one(&db.executor()).await?.map(to_media).transpose()
}

/// Whether something published shows it.
pub async fn is_public(db: &impl Connection, id: MediaId) -> Result<bool, StoreError> {
    let shown_by = poi_media::Entity::find()
        .select_only()
        .column(poi_media::Column::PoiId)
        .filter(poi_media::Column::MediaId.eq(id.0))
        .into_query();
    let published = poi::Entity::find()
        .filter(poi::Column::Published.eq(true))
        .filter(poi::Column::Id.in_subquery(shown_by))
        .one(&db.executor())
        .await?;
    Ok(published.is_some() || crate::parcours::shows_media(db, id.0).await?)
}

/// Adds a media; its identifier and version are given here.
pub async fn insert(tx: &Tx, new: &Media, now: Instant) -> Result<MediaId, StoreError> {
    let row = media::ActiveModel {
        id: NotSet,
        white_label_id: Set(new.white_label_id.0),
        kind: Set(new.kind.as_str().to_owned()),
        file_name: Set(new.file_name.clone()),
        mime: Set(new.mime.clone()),
        bytes: Set(new.bytes),
        width: Set(new.width),
        height: Set(new.height),
        legend: Set(to_json(&new.legend)),
        alt: Set(to_json(&new.alt)),
        copyright: Set(new.copyright.clone()),
        blob_key: Set(new.blob_key.clone()),
        version: Set(1),
        updated_at: Set(now.0),
    };
    let id = media::Entity::insert(row).exec(&tx.executor()).await?.last_insert_id;
    let mut words: Vec<&str> = new.legend.iter().chain(new.alt.iter()).map(|(_, words)| words).collect();
    words.push(&new.file_name);
    words.extend(new.copyright.as_deref());
    search::MEDIA.write(tx, id, &words).await?;
    Ok(id.into())
}

fn to_media(row: media::Model) -> Result<Media, StoreError> {
    Ok(Media {
        id: row.id.into(),
        white_label_id: row.white_label_id.into(),
        kind: row::word("media", row.id, &row.kind, MediaKind::parse(&row.kind))?,
        file_name: row.file_name,
        mime: row.mime,
        bytes: row.bytes,
        width: row.width,
        height: row.height,
        legend: row::text(row.legend),
        alt: row::text(row.alt),
        copyright: row.copyright,
        blob_key: row.blob_key,
        version: row.version,
        updated_at: Instant(row.updated_at),
    })
}
