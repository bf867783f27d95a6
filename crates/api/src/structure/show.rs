//! One structure.

use axum::Json;
use axum::extract::State;
use domain::StructureId;
use tracing::instrument;

use super::{StructureError, StructureView};
use crate::App;
use crate::extract::{Path, Reader};

/// One structure.
#[utoipa::path(
    get,
    path = "/api/v1/structures/{id}",
    tag = "reference",
    security(("session" = ["content.read"])),
    params(("id" = i64, Path, description = "The structure")),
    responses((status = 200, body = StructureView), StructureError)
)]
#[instrument(name = "structure.show", skip_all, fields(structure.id = %id))]
pub async fn show_structure(
    State(app): State<App>,
    _reader: Reader,
    Path(id): Path<StructureId>,
) -> Result<Json<StructureView>, StructureError> {
    let found = store::structure::find(app.store.read(), id).await?;
    Ok(Json(found.ok_or(StructureError::NotFound { id })?.into()))
}
