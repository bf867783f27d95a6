//! The white-labels.

use axum::Json;
use axum::extract::State;
use store::white_label::WhiteLabelFilter;
use tracing::instrument;

use super::{WhiteLabelError, WhiteLabelView};
use crate::App;
use crate::extract::{PageOf, Paging, Query, Reader};

/// The white-labels, by name.
#[utoipa::path(
    get,
    path = "/api/v1/white-labels",
    tag = "reference",
    security(("session" = ["content.read"])),
    params(Paging),
    responses((status = 200, body = PageOf<WhiteLabelView>), WhiteLabelError)
)]
#[instrument(name = "white_label.list", skip_all)]
pub async fn list_white_labels(
    State(app): State<App>,
    reader: Reader,
    Query(paging): Query<Paging>,
) -> Result<Json<PageOf<WhiteLabelView>>, WhiteLabelError> {
    let listed = store::white_label::list(app.store.read(), &WhiteLabelFilter::default(), paging.page()).await?;
    Ok(Json(PageOf::of(listed, |white_label| WhiteLabelView::of(white_label, &reader))))
}
