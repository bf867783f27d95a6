//! Headers that keep the browser on our side.

use app::App;
use app::content_policy::policy_framed_by;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use outputs::feed;

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The headers of every answer.
#[derive(Debug)]
pub(super) struct Headers(Vec<(HeaderName, HeaderValue)>);

impl Headers {
    /// The headers of a server with these settings.
    pub(super) fn of(app: &App) -> Self {
        let fixed = |name: HeaderName, value: &'static str| (name, HeaderValue::from_static(value));
        let mut headers = vec![
            fixed(X_CONTENT_TYPE_OPTIONS, "nosniff"),
            fixed(REFERRER_POLICY, "strict-origin-when-cross-origin"),
            fixed(HeaderName::from_static("permissions-policy"), "geolocation=(self), camera=(), microphone=()"),
            fixed(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        ];
        let policy = policy_framed_by(app, "'none'");
        headers.extend(HeaderValue::from_str(&policy).ok().map(|policy| (CONTENT_SECURITY_POLICY, policy)));
        if app.settings.is_https() {
            // Two years.
            headers.push(fixed(STRICT_TRANSPORT_SECURITY, "max-age=63072000; includeSubDomains"));
        }
        Self(headers)
    }
}

/// Adds them to every answer; those a handler set itself stay.
pub(super) async fn add<F>(headers: &Headers, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let is_api = feed::plain(request.uri().path()).starts_with("/api/");
    let mut response = next(request).await;
    let own = response.headers_mut();
    for (name, value) in &headers.0 {
        own.entry(name).or_insert_with(|| value.clone());
    }
    if is_api {
        own.entry(CACHE_CONTROL).or_insert(NO_STORE);
    }
    response
}
