//! POIs along parcours: those near a parcours' line, and the lines that pass near a POI.

use app::App;
use app::extract::{Path, Query, Reader};
use app::record::{At, Resource, operations};
use axum::Json;
use axum::extract::State;
use domain::parcours::line::{Along, Pace};
use domain::{Actor, ParcoursId, Text};
use serde::{Deserialize, Serialize};
use store::parcours as rows;
use store::poi::{PoiFilter, Pois};
use trace::Position;
use utoipa::{IntoParams, ToSchema};

use super::{PoiError, PoiResource, PoiView};
use crate::closure::closed_today;
use crate::parcours::access;
use crate::parcours::{ParcoursError, not_found};

/// The default distance.
const NEAR_M: f64 = 500.0;
/// The furthest that is still near.
const MAX_NEAR_M: f64 = 5_000.0;
/// The most POIs looked at along a line.
const MAX_ALONG: u64 = 2_000;
/// The most that are suggested.
const MAX_SUGGESTED: usize = 200;

/// How near.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Within {
    /// Metres, at most 5,000; 500 by default.
    within_m: Option<f64>,
}

fn metres(asked: Option<f64>) -> f64 {
    asked.filter(|metres| metres.is_finite()).unwrap_or(NEAR_M).clamp(1.0, MAX_NEAR_M)
}

/// A POI near a line: its number, metres along and metres off.
struct Foot {
    id: i64,
    at_m: f64,
    offset_m: f64,
}

/// The POIs that a filter leaves near a line, in the order they are met.
async fn along(
    app: &App,
    filter: &PoiFilter,
    line: &[Position],
    within_m: f64,
) -> Result<Vec<Foot>, store::StoreError> {
    let Some(bbox) = trace::bbox(line) else { return Ok(Vec::new()) };
    let db = app.store.read();
    let boxed = PoiFilter { bbox: Some(trace::widened(bbox, within_m)), ..filter.clone() };
    let places = store::poi::places(db, &boxed, MAX_ALONG).await?;
    let along = Along::new(line, Pace::default(), None);
    let mut feet: Vec<Foot> = places
        .into_iter()
        .filter_map(|(id, [lon, lat])| {
            let foot = along.nearest(Position::new(lon, lat), None, 0.0)?;
            (foot.offset_m <= within_m).then_some(Foot { id, at_m: foot.at_m, offset_m: foot.offset_m })
        })
        .collect();
    feet.sort_by(|a, b| a.at_m.total_cmp(&b.at_m));
    Ok(feet)
}

/// Narrows a filter to POIs near a parcours that the person sees; nothing matches where it has no line.
pub(super) async fn narrow(
    app: &App,
    actor: &Actor,
    filter: &mut PoiFilter,
    parcours: ParcoursId,
    within_m: Option<f64>,
) -> Result<(), PoiError> {
    let db = app.store.read();
    let seen = rows::header(db, parcours, actor).await?.is_some();
    let line = if seen { rows::trace(db, parcours).await?.map(|trace| trace.line()) } else { None };
    let near = along(app, filter, &line.unwrap_or_default(), metres(within_m)).await?;
    filter.ids = Some(near.into_iter().map(|foot| foot.id).collect());
    Ok(())
}

/// A POI near a parcours.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Suggestion {
    poi: PoiView,
    /// Metres from the start.
    at_m: f64,
    /// Metres off the line.
    offset_m: f64,
}

/// POIs near a parcours that it does not have yet.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Suggestions {
    /// In the order they are met.
    items: Vec<Suggestion>,
}

/// POIs near the line of a parcours that it does not have yet, in the order they are met.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/pois/suggestions", tag = "parcours", params(("id" = i64, Path), Within),
    security(("session" = ["content.read"])), responses((status = 200, body = Suggestions), ParcoursError))]
pub async fn suggest_parcours_pois(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Query(asked): Query<Within>,
) -> Result<Json<Suggestions>, ParcoursError> {
    let db = app.store.read();
    access::seen(db, id, &reader).await?;
    let Some(parcours) = rows::load(db, id).await? else { return Err(not_found(id)) };
    let line = rows::trace(db, id).await?.map(|trace| trace.line()).unwrap_or_default();
    let filter = PoiFilter::seen_from(reader.active_white_label_id);
    let mut feet = along(&app, &filter, &line, metres(asked.within_m)).await?;
    feet.retain(|foot| !parcours.sheet.poi_ids.contains(&foot.id));
    feet.truncate(MAX_SUGGESTED);
    let ids: Vec<i64> = feet.iter().map(|foot| foot.id).collect();
    let pois = store::record::load_many::<Pois>(db, &ids).await?;
    let views = PoiResource::views(&app, db, &reader, pois).await?;
    let items = views
        .into_iter()
        .zip(feet)
        .map(|(poi, foot)| Suggestion { poi, at_m: foot.at_m, offset_m: foot.offset_m })
        .collect();
    Ok(Json(Suggestions { items }))
}

/// A parcours near a POI.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NearParcours {
    id: ParcoursId,
    title: Text,
    /// Metres from its start to where the POI is nearest.
    at_m: f64,
    /// Metres off its line.
    offset_m: f64,
    /// Whether the parcours names it among its POIs.
    linked: bool,
    /// Closed somewhere today.
    closed: bool,
}

/// The parcours near a POI.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ParcoursNear {
    /// The nearest first.
    items: Vec<NearParcours>,
}

/// The parcours that pass near a POI: at which metre, and how far off.
#[utoipa::path(get, path = "/api/v1/pois/{id}/parcours", tag = "pois", params(("id" = i64, Path), Within),
    security(("session" = ["content.read"])), responses((status = 200, body = ParcoursNear), PoiError))]
pub async fn list_poi_parcours(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
    Query(asked): Query<Within>,
) -> Result<Json<ParcoursNear>, PoiError> {
    let db = app.store.read();
    let poi = operations::seen::<PoiResource>(db, &reader, &at).await?;
    let [lon, lat] = poi.sheet.location.unwrap_or_default();
    let (place, within_m) = (Position::new(lon, lat), metres(asked.within_m));
    let mut items = Vec::new();
    for near in rows::passing(db, &reader, trace::bbox_around([lon, lat], within_m)).await? {
        let Some(trace) = rows::trace(db, near.id).await? else { continue };
        let line = trace.line();
        let Some(foot) = Along::new(&line, Pace::default(), None).nearest(place, None, 0.0) else { continue };
        if foot.offset_m <= within_m {
            let linked = near.poi_ids.contains(&poi.id);
            let (at_m, offset_m) = (foot.at_m, foot.offset_m);
            items.push(NearParcours { id: near.id, title: near.title, at_m, offset_m, linked, closed: false });
        }
    }
    items.sort_by(|a, b| a.offset_m.total_cmp(&b.offset_m));
    let closed = closed_today(&app, items.iter().map(|near| near.id)).await?;
    for near in &mut items {
        near.closed = closed.contains(&near.id);
    }
    Ok(Json(ParcoursNear { items }))
}
