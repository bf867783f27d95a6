//! One POI.

use axum::Json;
use axum::extract::State;
use domain::PoiId;
use tracing::instrument;

use super::{PoiError, PoiView};
use crate::App;
use crate::extract::{Path, Reader};

/// One POI of the active white-label, or one that others share.
#[utoipa::path(
    get,
    path = "/api/v1/pois/{id}",
    tag = "pois",
    security(("session" = ["content.read"])),
    params(("id" = i64, Path, description = "The POI")),
    responses((status = 200, body = PoiView), PoiError)
)]
#[instrument(name = "poi.show", skip_all, fields(poi.id = %id))]
pub async fn show_poi(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<PoiId>,
) -> Result<Json<PoiView>, PoiError> {
    let found = store::poi::find(app.store.read(), reader.active_white_label_id, id).await?;
    Ok(Json(found.ok_or(PoiError::NotFound { id })?.into()))
}
