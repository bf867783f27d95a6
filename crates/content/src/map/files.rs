//! Letters and signs of the map.

use app::Rejection;
use app::extract::Path;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::Response;

use super::tile::packed;

const A_WEEK: HeaderValue = HeaderValue::from_static("public, max-age=604800");

/// A range of 256 letters.
#[utoipa::path(
    get,
    path = "/map/glyphs/{fontstack}/{range}",
    tag = "map",
    security(()),
    params(
        ("fontstack" = String, Path, description = "Typefaces, with commas"),
        ("range" = String, Path, description = "`<first>-<last>.pbf`")
    ),
    responses((status = 200, description = "Letters", content_type = "application/x-protobuf"), Rejection)
)]
pub async fn show_map_glyphs(Path((fontstack, file)): Path<(String, String)>) -> Result<Response, Rejection> {
    let start =
        file.strip_suffix(".pbf").and_then(|range| range.split_once('-')).and_then(|(start, _)| start.parse().ok());
    let found = start.and_then(|start: u32| basemap::glyphs(&fontstack, start));
    let bytes = found.ok_or_else(|| Rejection::NotFound { path: format!("/map/glyphs/{fontstack}/{file}") })?;
    let mut response = packed(bytes, "application/x-protobuf");
    response.headers_mut().insert(CACHE_CONTROL, A_WEEK);
    Ok(response)
}

/// The signs of the map: an index or its picture.
#[utoipa::path(
    get,
    path = "/map/sprite/{file}",
    tag = "map",
    security(()),
    params(("file" = String, Path, description = "`light.json`, `light.png`, `light@2x.json` …")),
    responses((status = 200, description = "Index or picture"), Rejection)
)]
pub async fn show_map_sprite(Path(file): Path<String>) -> Result<Response, Rejection> {
    let bytes = basemap::sprite(&file).ok_or_else(|| Rejection::NotFound { path: format!("/map/sprite/{file}") })?;
    let png = file.rsplit_once('.').is_some_and(|(_, extension)| extension == "png");
    let mime = if png { "image/png" } else { "application/json" };
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    response.headers_mut().insert(CACHE_CONTROL, A_WEEK);
    Ok(response)
}
