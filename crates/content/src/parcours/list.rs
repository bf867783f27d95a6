//! The list, its tabs and its map.

use app::App;
use app::extract::{Paging, Query, Reader};
use axum::Json;
use axum::extract::State;
use domain::{ParcoursId, Text};
use serde::{Deserialize, Serialize};
use store::{Grid, parcours as rows};
use utoipa::ToSchema;

use super::error::ParcoursError;
use super::json::{JsonText, Object, list_of};
use super::list_query::ListQuery;
use super::view::{ListExtras, ParcoursRow, row_text};
use crate::closure::closed_today;
use crate::cluster::{ClusterView, Zoom};

/// A page of parcours.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ParcoursPageView {
    /// The rows.
    pub items: Vec<ParcoursRow>,
    /// How many in all, exact up to 10,000.
    pub total: i64,
    /// Whether there are more than `total`.
    pub total_capped: bool,
    pub counts: Counts,
}

/// How a list shares out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Counts {
    /// The active white-label's own.
    pub mine: i64,
    /// What it sees of others.
    pub shared: i64,
    /// Those a progress status takes out of the list.
    pub hidden_by_progress: i64,
}

/// The list of parcours: the active white-label's own and what others share.
#[utoipa::path(get, path = "/api/v1/parcours", tag = "parcours", params(ListQuery, Paging), security(("session" = ["content.read"])),
    responses((status = 200, body = ParcoursPageView), ParcoursError))]
pub async fn list_parcours(
    State(app): State<App>,
    reader: Reader,
    Query(asked): Query<ListQuery>,
    Query(paging): Query<Paging>,
) -> Result<JsonText, ParcoursError> {
    let (filter, sort) = (asked.filter_for(&app, &reader).await?, asked.sort()?);
    let network = app.region().engine.as_deref().and_then(super::compute::network_name);
    let page = rows::list(app.store.read(), &reader, &filter, sort, paging.page(), network.as_deref()).await?;
    let counts = Counts {
        mine: page.counts.mine,
        shared: page.counts.shared,
        hidden_by_progress: page.counts.hidden_by_progress,
    };
    let beside = ListExtras::of(&app, &page.items).await?;
    let items = list_of(page.items.iter().map(|row| row_text(row, &reader, &beside)));
    let mut object = Object::with_capacity(items.len() + 150);
    object
        .raw("items", &items)
        .field("total", &page.total)
        .field("total_capped", &page.total_capped)
        .field("counts", &counts);
    Ok(JsonText::new(object.finish()))
}

/// Counts of the tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ViewsView {
    /// The whole list.
    pub all: i64,
    /// With something still to fill in.
    pub incomplete: i64,
    /// Scored below 95.
    pub low_reliability: i64,
}

/// How many parcours each tab of the list has, with the same filters.
#[utoipa::path(get, path = "/api/v1/parcours/views", tag = "parcours", params(ListQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = ViewsView), ParcoursError))]
pub async fn count_parcours_views(
    State(app): State<App>,
    reader: Reader,
    Query(asked): Query<ListQuery>,
) -> Result<Json<ViewsView>, ParcoursError> {
    let counts = rows::views(app.store.read(), &reader, &asked.filter_for(&app, &reader).await?).await?;
    Ok(Json(ViewsView { all: counts.all, incomplete: counts.incomplete, low_reliability: counts.low_reliability }))
}

/// A parcours on the map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapItemView {
    pub id: ParcoursId,
    pub title: Text,
    /// Where it starts.
    #[schema(value_type = trace::Place)]
    pub start: [f64; 2],
    /// Few points of its line.
    #[schema(value_type = Option<Vec<trace::Place>>)]
    pub line: Option<Vec<[f64; 2]>>,
    /// Closed somewhere today.
    pub closed: bool,
}

/// The list on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapView {
    /// Clusters, in cells with many of them.
    pub clusters: Vec<ClusterView>,
    /// Single ones, in cells with few of them.
    pub items: Vec<MapItemView>,
    pub total: i64,
}

/// The list on a map: clusters where there are many, lines where there are few.
#[utoipa::path(get, path = "/api/v1/parcours/map", tag = "parcours", params(ListQuery, Zoom), security(("session" = ["content.read"])),
    responses((status = 200, body = MapView), ParcoursError))]
pub async fn map_parcours(
    State(app): State<App>,
    reader: Reader,
    Query(asked): Query<ListQuery>,
    Query(zoom): Query<Zoom>,
) -> Result<JsonText, ParcoursError> {
    let found =
        rows::map(app.store.read(), &reader, &asked.filter_for(&app, &reader).await?, Grid::at(zoom.zoom)).await?;
    let clusters: Vec<ClusterView> = found.clusters.into_iter().map(ClusterView::from).collect();
    let closed = closed_today(&app, found.items.iter().map(|item| item.id)).await?;
    let items = list_of(found.items.iter().map(|item| {
        let line = item.line.as_deref().unwrap_or("null");
        let mut object = Object::with_capacity(line.len() + 120);
        object.field("id", &item.id).field("title", &item.title).field("start", &item.start).raw("line", line);
        object.field("closed", &closed.contains(&item.id));
        object.finish()
    }));
    let mut object = Object::with_capacity(items.len() + 200);
    object.field("clusters", &clusters).raw("items", &items).field("total", &found.total);
    Ok(JsonText::new(object.finish()))
}
