//! One white-label.

use axum::Json;
use axum::extract::State;
use domain::WhiteLabelId;
use tracing::instrument;

use super::{WhiteLabelError, WhiteLabelView};
use crate::App;
use crate::extract::{Path, Reader};

/// One white-label; its settings for those who may change them.
#[utoipa::path(
    get,
    path = "/api/v1/white-labels/{id}",
    tag = "reference",
    security(("session" = ["content.read"])),
    params(("id" = i64, Path, description = "The white-label")),
    responses((status = 200, body = WhiteLabelView), WhiteLabelError)
)]
#[instrument(name = "white_label.show", skip_all, fields(white_label.id = %id))]
pub async fn show_white_label(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<WhiteLabelId>,
) -> Result<Json<WhiteLabelView>, WhiteLabelError> {
    let found = store::white_label::find(app.store.read(), id).await?;
    Ok(Json(WhiteLabelView::of(found.ok_or(WhiteLabelError::NotFound { id })?, &reader)))
}
