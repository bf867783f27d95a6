//! The list on a map.

use app::App;
use app::extract::{Query, Reader};
use axum::Json;
use axum::extract::State;
use domain::Text;
use serde::Serialize;
use store::Grid;
use utoipa::ToSchema;

use super::PoiError;
use super::list::PoiQuery;
use crate::cluster::{ClusterView, Zoom};

/// A POI on the map.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PoiPointView {
    id: i64,
    title: Text,
    #[schema(value_type = trace::Place)]
    position: [f64; 2],
    published: bool,
}

/// The list on a map.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PoiMapView {
    /// Clusters, in cells with many of them.
    clusters: Vec<ClusterView>,
    /// Single ones, in cells with few of them.
    items: Vec<PoiPointView>,
    total: i64,
}

/// The list of POIs on a map: clusters where there are many, points where there are few.
#[utoipa::path(get, path = "/api/v1/pois/map", tag = "pois", params(PoiQuery, Zoom), security(("session" = ["content.read"])),
    responses((status = 200, body = PoiMapView), PoiError))]
pub async fn map_pois(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<PoiQuery>,
    Query(zoom): Query<Zoom>,
) -> Result<Json<PoiMapView>, PoiError> {
    let filter = query.filter(&app, &reader).await?;
    let found = store::poi::map(app.store.read(), &filter, Grid::at(zoom.zoom)).await?;
    let items = found.items.into_iter();
    Ok(Json(PoiMapView {
        clusters: found.clusters.into_iter().map(ClusterView::from).collect(),
        items: items
            .map(|poi| PoiPointView { id: poi.id, title: poi.title, position: poi.position, published: poi.published })
            .collect(),
        total: found.total,
    }))
}
