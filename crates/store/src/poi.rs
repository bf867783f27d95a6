//! Points of interest.

use std::collections::HashMap;

use domain::vocabulary::VocabularyKind;
use domain::{Instant, MediaId, Poi, PoiFlags, PoiId, Text, VocabularyId, WhiteLabelId, fold};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use trace::Position;

use crate::entity::{poi, poi_media, poi_term, poi_text, poi_white_label, vocabulary};
use crate::row::to_json;
use crate::{Connection, Listed, Page, StoreError, Tx, page, row, search};

/// Whose content a list shows, as seen from the white-label that looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Owner {
    /// The white-label's own.
    Mine,
    /// What others share.
    Shared,
    /// Both.
    #[default]
    All,
}

/// What a list of POIs is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct PoiFilter {
    /// The white-label that looks: what it has is all seen, of the others what is published or was added.
    pub viewer: WhiteLabelId,
    /// Whose.
    pub owner: Owner,
    /// Every one of these words.
    pub search: Option<String>,
    /// Inside west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// With any of these categories or themes, each list by itself.
    pub terms: Vec<Vec<VocabularyId>>,
    /// Published or not.
    pub published: Option<bool>,
    /// Among these.
    pub ids: Option<Vec<PoiId>>,
}

/// In what order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PoiSort {
    /// The last saved first.
    #[default]
    Newest,
    /// The first saved first.
    Oldest,
    /// By title, accents aside.
    Title,
    /// By title, backwards.
    TitleBackwards,
}

/// A page of the POIs a white-label sees.
pub async fn list(
    db: &impl Connection,
    filter: &PoiFilter,
    sort: PoiSort,
    page: Page,
) -> Result<Listed<Poi>, StoreError> {
    let select = narrowed(poi::Entity::find(), db, filter);
    let order = |select: Select<poi::Entity>| {
        let (column, descending) = match sort {
            PoiSort::Newest => (poi::Column::UpdatedAt, true),
            PoiSort::Oldest => (poi::Column::UpdatedAt, false),
            PoiSort::Title => (poi::Column::SortTitle, false),
            PoiSort::TitleBackwards => (poi::Column::SortTitle, true),
        };
        let direction = page::direction(descending);
        select.order_by(column, direction.clone()).order_by(poi::Column::Id, direction)
    };
    let rows = page::fetch(db, select, order, page).await?;
    let total = rows.total;
    Ok(Listed { items: completed(db, rows.items).await?, total })
}

/// One POI that a white-label sees.
pub async fn find(db: &impl Connection, viewer: WhiteLabelId, id: PoiId) -> Result<Option<Poi>, StoreError> {
    let filter = PoiFilter { viewer, ids: Some(vec![id]), ..PoiFilter::default() };
    let row = narrowed(poi::Entity::find(), db, &filter).one(&db.executor()).await?;
    Ok(completed(db, row.into_iter().collect()).await?.pop())
}

/// Adds a POI; its identifier and version are given here.
pub async fn insert(tx: &Tx, new: &Poi, now: Instant) -> Result<PoiId, StoreError> {
    let row = poi::ActiveModel {
        id: NotSet,
        white_label_id: Set(new.white_label_id.0),
        title: Set(to_json(&new.title)),
        sort_title: Set(fold(new.title.best("fr"))),
        lon: Set(new.location.lon),
        lat: Set(new.location.lat),
        good_address: Set(new.flags.good_address),
        must_see: Set(new.flags.must_see),
        detour_point: Set(new.flags.detour_point),
        landmark: Set(new.flags.landmark),
        bookable: Set(new.flags.bookable),
        published: Set(new.published),
        version: Set(1),
        created_at: Set(now.0),
        updated_at: Set(now.0),
    };
    let id = poi::Entity::insert(row).exec(&tx.executor()).await?.last_insert_id;
    let text = poi_text::ActiveModel { poi_id: Set(id), description: Set(to_json(&new.description)) };
    poi_text::Entity::insert(text).exec_without_returning(&tx.executor()).await?;
    for term in new.category_ids.iter().chain(&new.theme_ids) {
        let link = poi_term::ActiveModel { poi_id: Set(id), vocabulary_id: Set(term.0) };
        poi_term::Entity::insert(link).exec_without_returning(&tx.executor()).await?;
    }
    for (position, media) in new.media_ids.iter().enumerate() {
        let link = poi_media::ActiveModel { poi_id: Set(id), media_id: Set(media.0), position: Set(position as i64) };
        poi_media::Entity::insert(link).exec_without_returning(&tx.executor()).await?;
    }
    let words: Vec<&str> = new.title.iter().map(|(_, words)| words).collect();
    search::POI.write(tx, id, &words).await?;
    Ok(id.into())
}

fn narrowed(mut select: Select<poi::Entity>, db: &impl Connection, filter: &PoiFilter) -> Select<poi::Entity> {
    let viewer = filter.viewer.0;
    let mine = poi::Column::WhiteLabelId.eq(viewer);
    let added = poi_white_label::Entity::find()
        .select_only()
        .column(poi_white_label::Column::PoiId)
        .filter(poi_white_label::Column::WhiteLabelId.eq(viewer))
        .into_query();
    let shared = Condition::any().add(poi::Column::Published.eq(true)).add(poi::Column::Id.in_subquery(added));
    select = match filter.owner {
        Owner::Mine => select.filter(mine),
        Owner::Shared => select.filter(poi::Column::WhiteLabelId.ne(viewer)).filter(shared),
        Owner::All => select.filter(Condition::any().add(mine).add(shared)),
    };
    if let Some([west, south, east, north]) = filter.bbox {
        select = select.filter(poi::Column::Lat.between(south, north)).filter(poi::Column::Lon.between(west, east));
    }
    if let Some(published) = filter.published {
        select = select.filter(poi::Column::Published.eq(published));
    }
    if let Some(ids) = &filter.ids {
        select = select.filter(poi::Column::Id.is_in(ids.iter().map(|id| id.0)));
    }
    for terms in filter.terms.iter().filter(|terms| !terms.is_empty()) {
        let having = poi_term::Entity::find()
            .select_only()
            .column(poi_term::Column::PoiId)
            .filter(poi_term::Column::VocabularyId.is_in(terms.iter().map(|id| id.0)))
            .into_query();
        select = select.filter(poi::Column::Id.in_subquery(having));
    }
    let asked = filter.search.as_deref().unwrap_or_default();
    match search::POI.matches(db.dialect(), "poi.id", asked) {
        Some(found) => select.filter(found),
        None => select,
    }
}

/// The rows of a page with what stands in side tables, read for all of them at once.
async fn completed(db: &impl Connection, rows: Vec<poi::Model>) -> Result<Vec<Poi>, StoreError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let texts = poi_text::Entity::find().filter(poi_text::Column::PoiId.is_in(ids.clone())).all(&db.executor()).await?;
    let mut texts: HashMap<i64, Text> = texts.into_iter().map(|row| (row.poi_id, row::text(row.description))).collect();
    let (mut categories, mut themes) = terms(db, &ids).await?;
    let media = poi_media::Entity::find()
        .filter(poi_media::Column::PoiId.is_in(ids))
        .order_by_asc(poi_media::Column::Position)
        .all(&db.executor())
        .await?;
    let mut media_of: HashMap<i64, Vec<MediaId>> = HashMap::new();
    for link in media {
        media_of.entry(link.poi_id).or_default().push(link.media_id.into());
    }
    Ok(rows
        .into_iter()
        .map(|row| {
            let id = row.id;
            Poi {
                description: texts.remove(&id).unwrap_or_default(),
                category_ids: categories.remove(&id).unwrap_or_default(),
                theme_ids: themes.remove(&id).unwrap_or_default(),
                media_ids: media_of.remove(&id).unwrap_or_default(),
                ..bare(row)
            }
        })
        .collect())
}

type TermsOf = HashMap<i64, Vec<VocabularyId>>;

/// Categories and themes of POIs.
async fn terms(db: &impl Connection, pois: &[i64]) -> Result<(TermsOf, TermsOf), StoreError> {
    let links = poi_term::Entity::find()
        .filter(poi_term::Column::PoiId.is_in(pois.iter().copied()))
        .order_by_asc(poi_term::Column::VocabularyId)
        .all(&db.executor())
        .await?;
    let themes: Vec<i64> = vocabulary::Entity::find()
        .select_only()
        .column(vocabulary::Column::Id)
        .filter(vocabulary::Column::Kind.eq(VocabularyKind::PoiTheme.as_str()))
        .filter(vocabulary::Column::Id.is_in(links.iter().map(|link| link.vocabulary_id)))
        .into_tuple()
        .all(&db.executor())
        .await?;
    let (mut categories_of, mut themes_of) = (TermsOf::new(), TermsOf::new());
    for link in links {
        let of = if themes.contains(&link.vocabulary_id) { &mut themes_of } else { &mut categories_of };
        of.entry(link.poi_id).or_default().push(link.vocabulary_id.into());
    }
    Ok((categories_of, themes_of))
}

fn bare(row: poi::Model) -> Poi {
    Poi {
        id: row.id.into(),
        white_label_id: row.white_label_id.into(),
        title: row::text(row.title),
        description: Text::default(),
        location: Position::new(row.lon, row.lat),
        flags: PoiFlags {
            good_address: row.good_address,
            must_see: row.must_see,
            detour_point: row.detour_point,
            landmark: row.landmark,
            bookable: row.bookable,
        },
        published: row.published,
        category_ids: Vec::new(),
        theme_ids: Vec::new(),
        media_ids: Vec::new(),
        version: row.version,
        updated_at: Instant(row.updated_at),
    }
}
