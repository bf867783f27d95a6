//! The guide's pictures.

use app::Rejection;
use app::extract::Path;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::Response;

use super::source::Files;

/// A picture of the guide.
#[utoipa::path(
    get,
    path = "/guide/img/{file}",
    tag = "guide",
    security(()),
    params(("file" = String, Path, description = "Its name")),
    responses((status = 200, description = "The picture"), Rejection)
)]
pub async fn show_guide_picture(Path(file): Path<String>) -> Result<Response, Rejection> {
    let mime = match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        _ => return Err(Rejection::NotFound { path: format!("/guide/img/{file}") }),
    };
    let found = Files::get(&format!("img/{file}"));
    let bytes = found.ok_or_else(|| Rejection::NotFound { path: format!("/guide/img/{file}") })?.data;
    let mut response = Response::new(Body::from(bytes.into_owned()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    Ok(response)
}
