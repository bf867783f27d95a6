//! The structures.

use axum::Json;
use axum::extract::State;
use store::structure::StructureFilter;
use tracing::instrument;

use super::{StructureError, StructureView};
use crate::App;
use crate::extract::{PageOf, Paging, Query, Reader};

/// The structures, by name.
#[utoipa::path(
    get,
    path = "/api/v1/structures",
    tag = "reference",
    security(("session" = ["content.read"])),
    params(Paging),
    responses((status = 200, body = PageOf<StructureView>), StructureError)
)]
#[instrument(name = "structure.list", skip_all)]
pub async fn list_structures(
    State(app): State<App>,
    _reader: Reader,
    Query(paging): Query<Paging>,
) -> Result<Json<PageOf<StructureView>>, StructureError> {
    let listed = store::structure::list(app.store.read(), &StructureFilter::default(), paging.page()).await?;
    Ok(Json(PageOf::of(listed, StructureView::from)))
}
