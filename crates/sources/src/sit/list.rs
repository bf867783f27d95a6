//! The sources of a white-label, and its records: as a list and on a map.

use app::extract::{Importer, Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, Rejection, filter};
use axum::Json;
use axum::extract::State;
use content::cluster::{ClusterView, Zoom};
use domain::record::Kind;
use domain::sit::SitStatus;
use domain::{Actor, Text};
use serde::{Deserialize, Serialize};
use store::imports::runs;
use store::sit::{self as rows, SitFilter};
use store::{Grid, Page};
use utoipa::{IntoParams, ToSchema};

use super::view::{SitRecordRow, rows_of};
use super::{SitError, SitSourceResource, SitSourceView};
use crate::imports::runs::ImportRunView;

/// Sources.
#[derive(Debug, Serialize, ToSchema)]
pub struct SitSourceList {
    pub items: Vec<ListedSitSource>,
    pub total: i64,
}

/// A source in the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedSitSource {
    #[serde(flatten)]
    pub source: SitSourceView,
    pub last_run: Option<ImportRunView>,
}

/// The sources of the active white-label, by name.
#[utoipa::path(get, path = "/api/v1/sit-sources", tag = "sit", security(("session" = ["content.import"])),
    responses((status = 200, body = SitSourceList), SitError))]
pub async fn list_sit_sources(State(app): State<App>, importer: Importer) -> Result<Json<SitSourceList>, SitError> {
    let db = app.store.read();
    let white_label = importer.active_white_label_id;
    let records = rows::list_sources(db, white_label).await?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let mut items = Vec::with_capacity(ids.len());
    for (id, source) in ids.into_iter().zip(SitSourceResource::views(&app, db, &importer, records).await?) {
        let (mut last, _) = runs(db, white_label, Kind::SitSource, Some(id), Page::new(1, 1)).await?;
        items.push(ListedSitSource { source, last_run: last.pop().map(|run| ImportRunView::of(run, app.now())) });
    }
    Ok(Json(SitSourceList { total: items.len() as i64, items }))
}

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SitQuery {
    /// Words of the name, the town or the key at the source, accents aside; every one must be there.
    search: Option<String>,
    /// Identifier of a source.
    source: Option<String>,
    /// Identifiers of categories, with commas: any of them, or of those below them.
    category: Option<String>,
    /// `true` or `false`: with a category of Jalon, or without.
    categorised: Option<String>,
    /// Written in this language: `fr`, `en`.
    language: Option<String>,
    /// `active`, `gone` or `hidden`.
    status: Option<String>,
    /// `true` or `false`: that is a POI here, or not.
    linked: Option<String>,
    /// `true` or `false`: with overrides, or without.
    overridden: Option<String>,
    /// The record of this POI.
    poi: Option<String>,
    /// `west,south,east,north` in degrees.
    bbox: Option<String>,
    /// `title` (the default), `-title`, `-updated_at`, `updated_at`.
    sort: Option<String>,
}

impl SitQuery {
    fn filter(&self, actor: &Actor) -> Result<SitFilter, Rejection> {
        let status = filter::words("status", self.status.as_deref(), SitStatus::parse)?;
        let language = self.language.clone().filter(|language| !language.is_empty());
        if language.as_ref().is_some_and(|word| word.len() > 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase())) {
            return Err(Rejection::BadQuery { name: "language".to_owned() });
        }
        Ok(SitFilter {
            white_label: actor.active_white_label_id,
            search: self.search.clone(),
            source: filter::number("source", self.source.as_deref())?,
            categories: filter::ids("category", self.category.as_deref())?.unwrap_or_default(),
            sorted: filter::flag("categorised", self.categorised.as_deref())?,
            language,
            status: status.first().copied(),
            linked: filter::flag("linked", self.linked.as_deref())?,
            overridden: filter::flag("overridden", self.overridden.as_deref())?,
            poi: filter::number("poi", self.poi.as_deref())?,
            bbox: filter::bbox(self.bbox.as_deref())?,
        })
    }
}

/// The tourist records of the active white-label's sources.
#[utoipa::path(get, path = "/api/v1/sit-records", tag = "sit", params(SitQuery, Paging), security(("session" = ["content.read"])),
    responses((status = 200, body = ListOf<SitRecordRow>), SitError))]
#[tracing::instrument(name = "sit.list", skip_all)]
pub async fn list_sit_records(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<SitQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<SitRecordRow>>, SitError> {
    let filter = query.filter(&reader)?;
    let db = app.store.read();
    let found = rows::list(db, &filter, sort_of(query.sort.as_deref(), "title"), paging.page()).await?;
    let page = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(rows_of(db, page.items).await?, page.counted)))
}

/// A record on the map.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SitPointView {
    id: i64,
    title: Text,
    #[schema(value_type = trace::Place)]
    position: [f64; 2],
}

/// The list on a map.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SitMapView {
    /// Clusters, in cells with many of them.
    clusters: Vec<ClusterView>,
    /// Single ones, in cells with few of them.
    items: Vec<SitPointView>,
    total: i64,
}

/// The list of records on a map: clusters where there are many, points where there are few.
#[utoipa::path(get, path = "/api/v1/sit-records/map", tag = "sit", params(SitQuery, Zoom), security(("session" = ["content.read"])),
    responses((status = 200, body = SitMapView), SitError))]
pub async fn map_sit_records(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<SitQuery>,
    Query(zoom): Query<Zoom>,
) -> Result<Json<SitMapView>, SitError> {
    let filter = query.filter(&reader)?;
    let found = rows::map(app.store.read(), &filter, Grid::at(zoom.zoom)).await?;
    let items = found.items.into_iter();
    Ok(Json(SitMapView {
        clusters: found.clusters.into_iter().map(ClusterView::from).collect(),
        items: items.map(|one| SitPointView { id: one.id, title: one.title, position: one.position }).collect(),
        total: found.total,
    }))
}
