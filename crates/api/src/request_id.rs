//! Each request has a number: in the log, in the answer's header and in the report of a failure.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use tracing::Instrument;

use crate::redaction::logged_path;
use crate::token::hex;

/// The header it comes back in.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    static CURRENT: String;
}

/// The number of the request at hand; empty outside of one.
pub fn current() -> String {
    CURRENT.try_with(Clone::clone).unwrap_or_default()
}

/// Gives a request its number and its span in the log.
pub(super) async fn number<F>(request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let id = random();
    // A path may hold a token: of what the caller wrote only numbers are logged.
    let route = request.extensions().get::<MatchedPath>();
    let path = logged_path(request.uri().path(), route.map(MatchedPath::as_str));
    let span = tracing::info_span!("request", id, method = %request.method(), path);
    let started = std::time::Instant::now();
    let answered = CURRENT.scope(id.clone(), next(request));
    let mut response = async {
        let response = answered.await;
        let (took_s, status) = (started.elapsed().as_secs_f64(), response.status());
        tracing::debug!(status = status.as_u16(), took_ms = took_s * 1_000.0, "answered");
        response
    }
    .instrument(span)
    .await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    response
}

fn random() -> String {
    let mut bytes = [0_u8; 8];
    // A request without a number is still a request.
    let _ = getrandom::fill(&mut bytes);
    hex(&bytes)
}
