//! Each request has a number: in the log, in the answer's header and in the report of a failure.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use metrics::histogram;
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
    let route = request.extensions().get::<MatchedPath>().cloned();
    let path = logged_path(request.uri().path(), route.as_ref().map(MatchedPath::as_str));
    let method = known_method(request.method());
    let span = tracing::info_span!("request", id, method = %request.method(), path);
    let started = std::time::Instant::now();
    let answered = CURRENT.scope(id.clone(), next(request));
    let mut response = async {
        let response = answered.await;
        let (took_s, status) = (started.elapsed().as_secs_f64(), response.status());
        tracing::debug!(status = status.as_u16(), took_ms = took_s * 1_000.0, "answered");
        // What has no route is a file of the web app, or nothing: of the caller's words none becomes a label.
        let route = route.as_ref().map_or("", MatchedPath::as_str).to_owned();
        let status = status.as_str().to_owned();
        histogram!("jalon_http_request_duration_seconds", "method" => method, "route" => route, "status" => status)
            .record(took_s);
        response
    }
    .instrument(span)
    .await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    response
}

/// A label of measurements: a caller may make up verbs.
fn known_method(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

fn random() -> String {
    let mut bytes = [0_u8; 8];
    // A request without a number is still a request.
    let _ = getrandom::fill(&mut bytes);
    hex(&bytes)
}
