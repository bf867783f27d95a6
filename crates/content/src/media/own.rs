//! Media of other white-labels on the user's own.

use app::App;
use app::extract::{Body, Path, Publisher};
use app::record::{At, LinkInput, owned};
use axum::extract::State;
use axum::http::StatusCode;

use super::{MediaError, MediaResource};

/// Add a media of another white-label to the user's own, or change its switch there.
#[utoipa::path(put, path = "/api/v1/medias/{id}/white-labels/{white_label_id}", tag = "medias",
    params(("id" = i64, Path), ("white_label_id" = i64, Path)), request_body(content = LinkInput),
    security(("session" = ["content.publish"])), responses((status = 204), MediaError))]
pub async fn link_media(
    State(app): State<App>,
    publisher: Publisher,
    Path(at): Path<At>,
    Body(sent): Body<LinkInput>,
) -> Result<StatusCode, MediaError> {
    owned::link::<MediaResource>(&app, &publisher, at, sent.published).await
}

/// Take a media of another white-label away from the user's own.
#[utoipa::path(delete, path = "/api/v1/medias/{id}/white-labels/{white_label_id}", tag = "medias",
    params(("id" = i64, Path), ("white_label_id" = i64, Path)), security(("session" = ["content.publish"])),
    responses((status = 204), MediaError))]
pub async fn unlink_media(
    State(app): State<App>,
    publisher: Publisher,
    Path(at): Path<At>,
) -> Result<StatusCode, MediaError> {
    owned::unlink::<MediaResource>(&app, &publisher, at).await
}
