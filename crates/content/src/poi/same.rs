//! POIs that were entered twice: finds them and merges them.

use app::App;
use app::extract::{Body, Editor, IfMatch, Path, Reader};
use app::record::{At, MergeInput, Reply, Resource, operations};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::{PoiError, PoiResource, PoiView};

/// Two POIs with the same name that are nearer than this are suggested as duplicates, in metres.
const SAME_M: f64 = 100.0;

/// POIs that may be the same place.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Duplicates {
    /// The nearest first.
    items: Vec<Duplicate>,
}

/// A POI that may be the same place.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Duplicate {
    /// The other POI.
    poi: PoiView,
    /// Its distance, in metres.
    distance_m: f64,
}

/// POIs of the same name, accents aside, less than 100 m away.
#[utoipa::path(get, path = "/api/v1/pois/{id}/duplicates", tag = "pois", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = Duplicates), PoiError))]
pub async fn list_poi_duplicates(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
) -> Result<Json<Duplicates>, PoiError> {
    let db = app.store.read();
    let poi = operations::seen::<PoiResource>(db, &reader, &at).await?;
    let [lon, lat] = poi.sheet.location.unwrap_or_default();
    let bbox = trace::bbox_around([lon, lat], SAME_M);
    let mut found = Vec::new();
    for other in store::poi::of_name(db, &poi.sheet.sort_title(), bbox, poi.id).await? {
        let [x, y] = other.sheet.location.unwrap_or_default();
        let distance_m = trace::distance_m(trace::Position::new(lon, lat), trace::Position::new(x, y));
        if distance_m < SAME_M && PoiResource::sees(db, &reader, &other).await? {
            found.push((other, distance_m));
        }
    }
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (pois, distances): (Vec<_>, Vec<f64>) = found.into_iter().unzip();
    let views = PoiResource::views(&app, db, &reader, pois).await?;
    let items = views.into_iter().zip(distances).map(|(poi, distance_m)| Duplicate { poi, distance_m }).collect();
    Ok(Json(Duplicates { items }))
}

/// Merge a POI into another of the user's own: every link follows, missing values are filled in from it, and it goes to the bin.
#[utoipa::path(post, path = "/api/v1/pois/{id}/merge", tag = "pois", request_body(content = MergeInput),
    params(("id" = i64, Path), ("If-Match" = String, Header)), security(("session" = ["content.write"])),
    responses((status = 200, body = PoiView), PoiError))]
#[tracing::instrument(name = "poi.merge", skip_all)]
pub async fn merge_poi(
    State(app): State<App>,
    editor: Editor,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<MergeInput>,
) -> Result<Reply<PoiView>, PoiError> {
    let completed = |stays: domain::PoiSheet, gone: &domain::PoiSheet| stays.completed_by(gone);
    operations::merge::<PoiResource>(&app, &editor, at, based_on, sent.into_id, completed).await
}
