//! Tiles of heights that the map shades.

use app::etag::is_known;
use app::extract::{Path, Query};
use app::{App, Rejection};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::tile::{quoted, with_tag};
use super::{Version, kept_for};

/// Heights of the ground as a picture (Terrarium); 404 where no ground model knows them.
#[utoipa::path(
    get,
    path = "/map/relief/{z}/{x}/{y}",
    tag = "map",
    security(()),
    params(
        ("z" = u8, Path, description = "Zoom"),
        ("x" = u32, Path, description = "Column"),
        ("y" = String, Path, description = "Row and extension: `<y>.png`"),
        Version
    ),
    responses(
        (status = 200, description = "A picture whose colours are metres", content_type = "image/png"),
        (status = 304, description = "Not modified"),
        Rejection
    )
)]
pub async fn show_map_relief(
    State(app): State<App>,
    Path((z, x, file)): Path<(u8, u32, String)>,
    Query(version): Query<Version>,
    headers: HeaderMap,
) -> Result<Response, Rejection> {
    let region = app.region();
    let y: Option<u32> = file.strip_suffix(".png").and_then(|y| y.parse().ok());
    let found = y.zip(region.tiles.as_deref()).and_then(|(y, tiles)| Some((tiles.relief(z, x, y)?, tiles.etag())));
    let (bytes, etag) = found.ok_or_else(|| Rejection::NotFound { path: format!("/map/relief/{z}/{x}/{file}") })?;
    if is_known(&headers, quoted(etag)) {
        return Ok(kept_for(&version, with_tag(StatusCode::NOT_MODIFIED.into_response(), etag), etag));
    }
    let mut response = Response::new(bytes.to_vec().into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("image/png"));
    Ok(kept_for(&version, with_tag(response, etag), etag))
}
