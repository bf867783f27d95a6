//! Squares of the map drawn, for maps of other sites that know pictures alone.

use app::etag::is_known;
use app::extract::Path;
use app::{App, Rejection};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use super::tile::{quoted, with_tag};

/// Squares drawn at once: each takes a core for some milliseconds.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// A square of the map as a drawing, for maps that know pictures alone (Leaflet). Blank beyond the prepared region.
#[utoipa::path(
    get,
    path = "/map/squares/{z}/{x}/{y}",
    tag = "map",
    security(()),
    params(
        ("z" = u8, Path, description = "Zoom, 0 to 19"),
        ("x" = u32, Path, description = "Column"),
        ("y" = String, Path, description = "Row and extension: `<y>.svg`")
    ),
    responses(
        (status = 200, description = "A drawing", content_type = "image/svg+xml"),
        (status = 304, description = "Not modified"),
        Rejection
    )
)]
pub async fn show_map_square(
    State(app): State<App>,
    Path((z, x, file)): Path<(u8, u32, String)>,
    headers: HeaderMap,
) -> Result<Response, Rejection> {
    let not_found = || Rejection::NotFound { path: format!("/map/squares/{z}/{x}/{file}") };
    let y: Option<u32> = file.strip_suffix(".svg").and_then(|y| y.parse().ok());
    let (Some(y), Some(tiles)) = (y, app.region().tiles.clone()) else { return Err(not_found()) };
    let etag = tiles.etag().to_owned();
    if is_known(&headers, quoted(&etag)) {
        return Ok(with_tag(StatusCode::NOT_MODIFIED.into_response(), &etag));
    }
    let place = AT_ONCE.acquire().await.map_err(app::problem::Internal::new)?;
    // The place is given back when the drawing is done, even if the client hung up.
    let drawn = tokio::task::spawn_blocking(move || {
        let _place = place;
        roadbook::svg_tile(&tiles, z, [x, y], "fr")
    });
    let drawn = drawn.await.map_err(app::problem::Internal::new)?.ok_or_else(not_found)?;
    let mut response = Response::new(drawn.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    Ok(with_tag(response, &etag))
}
