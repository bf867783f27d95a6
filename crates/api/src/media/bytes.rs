//! The bytes of a media.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{Media, MediaId};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tracing::instrument;

use super::MediaError;
use crate::App;
use crate::extract::{Path, Visitor};

/// The bytes of a media: public where something published shows it, else for those who work in its white-label.
#[utoipa::path(
    get,
    path = "/media/{id}/{variant}",
    tag = "medias",
    security((), ("session" = ["content.read"])),
    params(
        ("id" = i64, Path, description = "The media"),
        ("variant" = String, Path, description = "`original`, or the name of a size that was made of it")
    ),
    responses((status = 200, description = "The bytes"), (status = 304, description = "Not modified"), MediaError)
)]
#[instrument(name = "media.download", skip_all, fields(media.id = %id))]
pub async fn download_media(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, variant)): Path<(MediaId, String)>,
    headers: HeaderMap,
) -> Result<Response, MediaError> {
    let db = app.store.read();
    let media = store::media::find(db, id).await?.ok_or(MediaError::NotFound { id })?;
    let public = store::media::is_public(db, id).await?;
    if !public && !visitor.actor().is_some_and(|actor| actor.works_in(media.white_label_id)) {
        return Err(MediaError::NotFound { id });
    }
    let etag = format!("\"{}-{}-{variant}\"", media.id, media.version);
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == etag.as_bytes()) {
        return Ok(StatusCode::NOT_MODIFIED.into_response());
    }
    let key = key(&media, &variant).ok_or(MediaError::NotFound { id })?;
    let bytes = app.blobs.get(&key).await?.ok_or(MediaError::NotFound { id })?;
    Ok(answer(&media, public, &etag, Body::from(bytes)))
}

/// Where a variant stands: beside the original, under a name of letters and digits.
fn key(media: &Media, variant: &str) -> Option<String> {
    if variant == "original" {
        return Some(media.blob_key.clone());
    }
    let plain =
        !variant.is_empty() && variant.len() <= 40 && variant.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    plain.then(|| format!("{}.{variant}", media.blob_key))
}

fn answer(media: &Media, public: bool, etag: &str, body: Body) -> Response {
    let name = utf8_percent_encode(&media.file_name, NON_ALPHANUMERIC);
    let cache = if public { "public, max-age=300" } else { "private, no-cache" };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    for (header, text) in [
        (CONTENT_TYPE, media.mime.as_str()),
        (CONTENT_DISPOSITION, &format!("inline; filename*=UTF-8''{name}")),
        (CACHE_CONTROL, cache),
        (ETAG, etag),
        // What somebody uploaded runs nothing here, an SVG with a script included.
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
    ] {
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(header, value);
        }
    }
    response
}
