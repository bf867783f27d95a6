//! The photo of a field report: inspected like every media file, stored in one size without its metadata, shown to the staff alone.

use app::App;
use app::client_address::ClientAddress;
use app::extract::{Path, Reader};
use app::token::{Token, new_token};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use content::media::intake::receive;
use content::media::single_size;
use content::parcours::access::own;
use domain::{HOUR_S, ParcoursId};
use store::feedback as rows;
use tracing::instrument;

use super::{FeedbackError, GiveError, rules};

/// Add the photo of a report, within the hour: the bytes of a JPEG, a PNG or a WebP, whatever the content type says.
#[utoipa::path(post, path = "/api/public/v1/field-reports/{token}/photo", tag = "public", security(()),
    params(("token" = String, Path, description = "The `photo_token` of the report")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses((status = 204), GiveError))]
#[instrument(name = "report.photo", skip_all)]
pub async fn add_report_photo(
    State(app): State<App>,
    client: ClientAddress,
    Path(token): Path<String>,
    body: Body,
) -> Result<StatusCode, GiveError> {
    let hash = Token::parse(&token).ok_or(GiveError::NoReport)?.hash();
    let since = app.now().plus_s(-HOUR_S);
    let report = rows::report_of_photo(app.store.read(), &hash, since).await?.ok_or(GiveError::NoReport)?;
    rules::admit(&app, client).await?;
    let file = receive(&app, body, app.settings.media.image.max_bytes).await?;
    let picture = single_size(&app, &file.0).await?;
    let ending = picture.mime.split('/').nth(1).unwrap_or_default();
    let key = format!("report/{}.{ending}", new_token());
    app.blobs.put(&key, picture.bytes).await?;
    let tx = app.store.begin().await?;
    let kept = rows::add_photo(&tx, report.id, &key).await?;
    tx.commit().await?;
    if !kept {
        app.blobs.delete(&key).await?;
        return Err(GiveError::NoReport);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The photo of a report.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/field-reports/{report_id}/photo", tag = "feedback",
    params(("id" = i64, Path), ("report_id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, description = "The picture", content_type = "image/jpeg"), FeedbackError))]
#[instrument(name = "report.show_photo", skip_all, fields(parcours.id = %id))]
pub async fn show_report_photo(
    State(app): State<App>,
    reader: Reader,
    Path((id, report_id)): Path<(ParcoursId, i64)>,
) -> Result<Response, FeedbackError> {
    let db = app.store.read();
    own(db, id, &reader).await?;
    let report = rows::find_report(db, id, report_id).await?.ok_or(FeedbackError::NoReport { id: report_id })?;
    let key = report.photo_key.ok_or(FeedbackError::NoPhoto)?;
    let bytes = app.blobs.get(&key).await?.ok_or(FeedbackError::NoPhoto)?;
    let mime = if key.ends_with(".png") { "image/png" } else { "image/jpeg" };
    let mut response = Response::new(Body::from(bytes));
    for (name, value) in [
        (CONTENT_TYPE, mime),
        (CACHE_CONTROL, "private, max-age=3600"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}
