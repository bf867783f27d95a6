//! Answers without personal data may be read by the pages of every site.

use axum::http::HeaderValue;
use axum::http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
use axum::response::Response;

/// Lets the pages of every site read an answer. They send no cookie for it: browsers refuse `*` where they would.
#[expect(clippy::unused_async, reason = "axum takes a layer as an async function")]
pub async fn for_every_site(mut response: Response) -> Response {
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}
