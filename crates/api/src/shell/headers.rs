//! Headers that keep the browser on our side.

use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::content_policy::policy_framed_by;
use crate::{App, feed};

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Adds them to every answer; those a handler set itself stay.
pub(super) async fn add(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_api = feed::plain(request.uri().path()).starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: HeaderValue| {
        headers.entry(name).or_insert(value);
    };
    set(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    set(REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    set(
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("geolocation=(self), camera=(), microphone=()"),
    );
    set(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    if let Ok(policy) = HeaderValue::from_str(&policy_framed_by(app.settings.map_style_url.as_deref(), "'none'")) {
        set(CONTENT_SECURITY_POLICY, policy);
    }
    if app.settings.is_https() {
        let two_years = HeaderValue::from_static("max-age=63072000; includeSubDomains");
        set(HeaderName::from_static("strict-transport-security"), two_years);
    }
    if is_api {
        set(CACHE_CONTROL, NO_STORE);
    }
    response
}
