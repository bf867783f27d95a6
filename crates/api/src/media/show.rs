//! One media.

use axum::Json;
use axum::extract::State;
use domain::MediaId;
use tracing::instrument;

use super::{MediaError, MediaView};
use crate::App;
use crate::extract::{Path, Reader};

/// One media of one's white-labels, or one that something published shows.
#[utoipa::path(
    get,
    path = "/api/v1/medias/{id}",
    tag = "medias",
    security(("session" = ["content.read"])),
    params(("id" = i64, Path, description = "The media")),
    responses((status = 200, body = MediaView), MediaError)
)]
#[instrument(name = "media.show", skip_all, fields(media.id = %id))]
pub async fn show_media(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<MediaId>,
) -> Result<Json<MediaView>, MediaError> {
    let db = app.store.read();
    let media = store::media::find(db, id).await?.ok_or(MediaError::NotFound { id })?;
    if !reader.works_in(media.white_label_id) && !store::media::is_public(db, id).await? {
        return Err(MediaError::NotFound { id });
    }
    Ok(Json(media.into()))
}
