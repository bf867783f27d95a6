//! Files on their way in, by tus 1.0 (creation, termination, expiration): what came stays, and a file goes on where it was
//! after a cut line, a closed browser or a killed server. Each piece is a blob and how far a file is is in the database, so that
//! the pieces may arrive at any server.

mod create;
mod error;
mod finish;
mod pieces;
mod receive;
mod status;

use app::App;
use app::routes;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use domain::DAY_S;
pub use error::UploadError;
use utoipa_axum::router::OpenApiRouter;

/// The version of the protocol.
const TUS: &str = "1.0.0";
/// The supported extensions of the protocol.
const EXTENSIONS: &str = "creation,termination,expiration";
/// How long a file may be on its way: over a weekend.
const KEPT_S: i64 = 3 * DAY_S;

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create::describe_uploads, create::create_upload)).routes(routes!(
        status::head_upload,
        status::show_upload,
        receive::receive_upload,
        status::delete_upload
    ))
}

/// Refuses a client of another version of the protocol.
fn spoken(headers: &HeaderMap) -> Result<(), UploadError> {
    match headers.get("tus-resumable").and_then(|value| value.to_str().ok()) {
        Some(TUS) => Ok(()),
        _ => Err(UploadError::OtherVersion),
    }
}

/// An answer of the protocol.
fn answer(status: u16, pairs: &[(&'static str, String)]) -> Response {
    let mut response = axum::http::StatusCode::from_u16(status).unwrap_or_default().into_response();
    let own = [("tus-resumable", TUS.to_owned()), ("cache-control", "no-store".to_owned())];
    for (name, text) in own.iter().chain(pairs) {
        if let Ok(value) = axum::http::HeaderValue::from_str(text) {
            response.headers_mut().insert(*name, value);
        }
    }
    response
}

/// A number in a header.
fn number(headers: &HeaderMap, name: &'static str) -> Result<u64, UploadError> {
    let number = headers.get(name).and_then(|value| value.to_str().ok()).and_then(|text| text.trim().parse().ok());
    number.ok_or(UploadError::BadHeader { name })
}

/// The instant as HTTP writes it.
fn http_date(at: domain::Instant) -> String {
    let since = std::time::Duration::from_secs(at.0.max(0).unsigned_abs());
    httpdate::fmt_http_date(std::time::UNIX_EPOCH + since)
}
