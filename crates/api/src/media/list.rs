//! The media of the active white-label.

use axum::Json;
use axum::extract::State;
use domain::MediaKind;
use serde::Deserialize;
use store::media::MediaFilter;
use tracing::instrument;
use utoipa::IntoParams;

use super::{MediaError, MediaView};
use crate::App;
use crate::extract::{PageOf, Paging, Query, Reader};

/// What the list is narrowed to.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MediaQuery {
    /// Words of the name, the legend, the alternative text or the author.
    search: Option<String>,
    /// What it is.
    kind: Option<MediaKind>,
}

/// The media of the active white-label, the newest first.
#[utoipa::path(
    get,
    path = "/api/v1/medias",
    tag = "medias",
    security(("session" = ["content.read"])),
    params(MediaQuery, Paging),
    responses((status = 200, body = PageOf<MediaView>), MediaError)
)]
#[instrument(name = "media.list", skip_all)]
pub async fn list_medias(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<MediaQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<PageOf<MediaView>>, MediaError> {
    let filter = MediaFilter { search: query.search, kind: query.kind, owners: vec![reader.active_white_label_id] };
    let listed = store::media::list(app.store.read(), &filter, paging.page()).await?;
    Ok(Json(PageOf::of(listed, MediaView::from)))
}
