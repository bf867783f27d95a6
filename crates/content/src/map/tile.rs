//! Vector tiles, sent as they are stored in their file: already compressed.

use app::etag::is_known;
use app::extract::{Path, Query};
use app::{App, Rejection};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::{Version, kept_for};

/// A vector tile; 204 where there is nothing to draw.
#[utoipa::path(
    get,
    path = "/map/tiles/{z}/{x}/{y}",
    tag = "map",
    security(()),
    params(
        ("z" = u8, Path, description = "Zoom"),
        ("x" = u32, Path, description = "Column"),
        ("y" = String, Path, description = "Row and extension: `<y>.mvt`"),
        Version
    ),
    responses(
        (status = 200, description = "A Mapbox vector tile", content_type = "application/vnd.mapbox-vector-tile"),
        (status = 204, description = "Nothing to draw"),
        (status = 304, description = "Not modified"),
        Rejection
    )
)]
pub async fn show_map_tile(
    State(app): State<App>,
    Path((z, x, file)): Path<(u8, u32, String)>,
    Query(version): Query<Version>,
    headers: HeaderMap,
) -> Result<Response, Rejection> {
    let region = app.region();
    let y: Option<u32> = file.strip_suffix(".mvt").and_then(|y| y.parse().ok());
    let (Some(y), Some(tiles)) = (y, region.tiles.as_deref()) else {
        return Err(Rejection::NotFound { path: format!("/map/tiles/{z}/{x}/{file}") });
    };
    let response = match tiles.tile(z, x, y) {
        _ if is_known(&headers, quoted(tiles.etag())) => StatusCode::NOT_MODIFIED.into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
        Some(bytes) => packed(bytes.to_vec(), "application/vnd.mapbox-vector-tile"),
    };
    Ok(kept_for(&version, with_tag(response, tiles.etag()), tiles.etag()))
}

/// The strong ETag of a file's version, as headers have it.
pub(super) fn quoted(etag: &str) -> String {
    format!("\"{etag}\"")
}

/// Lets an answer be cached for a week, with its ETag.
pub(super) fn with_tag(mut response: Response, etag: &str) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, super::A_WEEK);
    if let Ok(etag) = HeaderValue::from_str(&quoted(etag)) {
        response.headers_mut().insert(ETAG, etag);
    }
    response
}

/// An answer of bytes that are gzip already.
pub(super) fn packed(bytes: impl Into<axum::body::Body>, mime: &'static str) -> Response {
    let mut response = Response::new(bytes.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    response
}
