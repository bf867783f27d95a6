//! Each request has an id: in the log, in the answer's header and in the report of a failure. Where traces are sent, its span
//! continues the trace of a trusted proxy.

use std::net::SocketAddr;

use app::redaction::logged_path;
use app::{Settings, current_request};
use axum::extract::{ConnectInfo, MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::Response;
use domain::hexadecimal;
use metrics::histogram;
use opentelemetry::global::get_text_map_propagator;
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::Status;
use tracing::{Instrument, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// The header of the answer with the id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken from a proxy.
const MAX_CHARS: usize = 128;

/// Gives a request its id, its span and its line in the log.
pub(super) async fn with_request_id<F>(
    settings: &Settings,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response
where
    F: Future<Output = Response>,
{
    let is_from_proxy = is_from_trusted_proxy(settings, &request);
    let proxy_id = request.headers().get(X_REQUEST_ID).filter(|_| is_from_proxy).and_then(accepted);
    let id = proxy_id.map_or_else(random, str::to_owned);
    // A path may contain a token: only numeric parts of it are logged.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("", MatchedPath::as_str);
    let path = logged_path(request.uri().path(), Some(route).filter(|route| !route.is_empty()));
    let method = known_method(request.method());
    let is_traced = settings.sends_traces;
    let span = if is_traced {
        traced(&id, method, route, &path, request.headers(), is_from_proxy)
    } else {
        tracing::info_span!("request", id, method, path)
    };
    let started = std::time::Instant::now();
    let answered = async {
        let response = next(request).await;
        let (took_s, status) = (started.elapsed().as_secs_f64(), response.status());
        tracing::debug!(target: "access", status = status.as_u16(), took_ms = took_s * 1_000.0, "answered");
        if is_traced {
            let span = Span::current();
            span.set_attribute("http.response.status_code", i64::from(status.as_u16()));
            if status.is_server_error() {
                span.set_status(Status::error(""));
            }
        }
        // A request without a route is a file of the web application or unknown: its path must not become a label.
        let (route, status) = (route.to_owned(), status.as_str().to_owned());
        histogram!("jalon_http_request_duration_seconds", "method" => method, "route" => route, "status" => status)
            .record(took_s);
        response
    };
    let mut response = current_request::scope(id.clone(), answered).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    response
}

/// Whether the connection is one of a trusted proxy: then its numbers are believed.
fn is_from_trusted_proxy(settings: &Settings, request: &Request) -> bool {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    peer.is_some_and(|peer| settings.trusted_proxies.trusts(peer.0.ip()))
}

/// The number that a proxy gave, if it may be written to a log and a header.
fn accepted(given: &HeaderValue) -> Option<&str> {
    let given = given.to_str().ok()?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
    ((1..=MAX_CHARS).contains(&given.len()) && given.bytes().all(is_plain)).then_some(given)
}

/// The span of a request that is sent to a collector; it continues the trace of a trusted proxy.
fn traced(id: &str, method: &'static str, route: &str, path: &str, headers: &HeaderMap, is_from_proxy: bool) -> Span {
    let route = if route.is_empty() { "files" } else { route };
    let name = format!("{method} {route}");
    let span = tracing::info_span!("request", otel.name = name, otel.kind = "server", id, method, path);
    if is_from_proxy {
        // Without a `traceparent` that can be read this is no parent; it fails only where the span is not recorded.
        let parent = get_text_map_propagator(|propagator| propagator.extract(&Headers(headers)));
        let _ = span.set_parent(parent);
    }
    span.set_attribute("http.request.method", method);
    span.set_attribute("http.route", route.to_owned());
    span
}

/// The headers of a request, as the propagator reads them.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

/// A method as a label of a metric: unknown methods share one label, as a client can invent them.
fn known_method(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

fn random() -> String {
    let mut bytes = [0_u8; 8];
    // A request without an id is still answered.
    let _ = getrandom::fill(&mut bytes);
    hexadecimal(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_number_is_taken_from_a_proxy() {
        let given = |text: &str| HeaderValue::from_str(text).is_ok_and(|value| accepted(&value).is_some());
        assert!(given("7f3a9c1e-44d2-4c1b-9a35-0f6f3a9c1e44") && given("a") && given("host:443_1.2"));
        assert!(!given("") && !given("a b") && !given("\"}, \"level\"") && !given(&"a".repeat(MAX_CHARS + 1)));
    }
}
