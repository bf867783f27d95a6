//! Publication, and content of other white-labels on the user's own.

use app::App;
use app::extract::{Body, IfMatch, Path, Publisher};
use app::record::{At, LinkInput, Reply, owned};
use axum::extract::State;
use axum::http::StatusCode;

use super::{PoiError, PoiResource, PoiView};

/// Publish a POI: from now on others see it and feeds show it.
#[utoipa::path(post, path = "/api/v1/pois/{id}/publication", tag = "pois", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.publish"])), responses((status = 200, body = PoiView), PoiError))]
pub async fn publish_poi(
    State(app): State<App>,
    publisher: Publisher,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<Reply<PoiView>, PoiError> {
    owned::publish::<PoiResource>(&app, &publisher, at, based_on, true).await
}

/// Unpublish a POI.
#[utoipa::path(delete, path = "/api/v1/pois/{id}/publication", tag = "pois", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.publish"])), responses((status = 200, body = PoiView), PoiError))]
pub async fn unpublish_poi(
    State(app): State<App>,
    publisher: Publisher,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<Reply<PoiView>, PoiError> {
    owned::publish::<PoiResource>(&app, &publisher, at, based_on, false).await
}

/// Add a POI of another white-label to the user's own, or change its switch there.
#[utoipa::path(put, path = "/api/v1/pois/{id}/white-labels/{white_label_id}", tag = "pois",
    params(("id" = i64, Path), ("white_label_id" = i64, Path)), request_body(content = LinkInput),
    security(("session" = ["content.publish"])), responses((status = 204), PoiError))]
pub async fn link_poi(
    State(app): State<App>,
    publisher: Publisher,
    Path(at): Path<At>,
    Body(sent): Body<LinkInput>,
) -> Result<StatusCode, PoiError> {
    owned::link::<PoiResource>(&app, &publisher, at, sent.published).await
}

/// Take a POI of another white-label away from the user's own.
#[utoipa::path(delete, path = "/api/v1/pois/{id}/white-labels/{white_label_id}", tag = "pois",
    params(("id" = i64, Path), ("white_label_id" = i64, Path)), security(("session" = ["content.publish"])),
    responses((status = 204), PoiError))]
pub async fn unlink_poi(
    State(app): State<App>,
    publisher: Publisher,
    Path(at): Path<At>,
) -> Result<StatusCode, PoiError> {
    owned::unlink::<PoiResource>(&app, &publisher, at).await
}
