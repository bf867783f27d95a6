//! What an operation that needs no session costs at most. First the rate of the client network, then the size of the body,
//! then its bytes are read. Which operations need a session is read from the contract: every other one is bounded here.

use std::collections::HashMap;

use app::client_address::ClientAddress;
use app::contract::{needs_session, operations};
use app::error_text::{asked_locale, in_words};
use app::{App, Rejection};
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::Body as _;
use http_body_util::Limited;
use outputs::feed::{is_dialect, retried};
use utoipa::openapi::OpenApi;

use crate::mcp;

/// Events are counted one by one by their own limit, also for a whole telephone network behind one address.
const EVENTS: &str = "/api/public/v1/events";
/// Calls of personal tokens are counted by token; this bounds a network of many people.
const MCP_A_MINUTE: u32 = 1_200;
/// Photos of field reports have the limit of pictures.
const PHOTO: &str = "/api/public/v1/field-reports/{token}/photo";

/// The operations that need a session, by verb and path as the router knows it.
#[derive(Debug)]
pub(crate) struct WithSession(HashMap<String, Vec<Method>>);

impl WithSession {
    /// The operations that the contract declares with a session.
    pub(crate) fn of(contract: &mut OpenApi) -> Self {
        let mut found: HashMap<String, Vec<Method>> = HashMap::new();
        for (path, item) in &mut contract.paths.paths {
            for (method, operation) in operations(item) {
                if needs_session(operation) {
                    found.entry(path.clone()).or_default().push(method);
                }
            }
        }
        Self(found)
    }

    fn contains(&self, method: &Method, path: &str) -> bool {
        // A handler of GET answers HEAD too.
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.0.get(path).is_some_and(|methods| methods.contains(method))
    }
}

/// Bounds a request to an operation that needs no session, and refuses encoded bodies everywhere.
pub(super) async fn bound(app: &App, with_session: &WithSession, request: Request, next: Next) -> Response {
    let locale = asked_locale(request.uri(), request.headers());
    let path = request.uri().path();
    let (is_public, dialect) = (path.starts_with("/api/public/"), is_dialect(path));
    match admit(app, with_session, request) {
        Ok(request) => next.run(request).await,
        Err(refusal) => {
            let refusal = if dialect { retried(refusal) } else { refusal };
            let mut response = in_words(refusal.into_response(), locale).await;
            if is_public {
                // Pages of other sites call these operations and shall learn why they are refused.
                response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            }
            response
        }
    }
}

fn admit(app: &App, with_session: &WithSession, request: Request) -> Result<Request, Rejection> {
    // Without a matched path the request is for a file of the web app, or for an address that does not exist.
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let Some(path) = path.filter(|path| !with_session.contains(request.method(), path)) else {
        refuse_compressed(request.headers())?;
        return Ok(request);
    };
    rate(app, path, &request)?;
    refuse_compressed(request.headers())?;
    let max = match path {
        PHOTO => usize::try_from(app.settings.media.image.max_bytes).unwrap_or(usize::MAX),
        _ => app.settings.requests.anonymous_body_bytes,
    };
    if declared_length(request.headers()).is_some_and(|length| length > max as u64) {
        return Err(Rejection::TooLarge);
    }
    // A photo's handler counts its bytes itself, and says in words how large a picture may be.
    let limited = path != PHOTO && !request.body().is_end_stream();
    if limited { Ok(request.map(|body| Body::new(Limited::new(body, max)))) } else { Ok(request) }
}

/// What probes and proxies ask, from few addresses and often: a refusal would say that the server is down.
const NOT_COUNTED: [&str; 4] = ["/livez", "/readyz", "/health", "/certificates/ask"];

/// Counts the request for its client network.
fn rate(app: &App, path: &str, request: &Request) -> Result<(), Rejection> {
    let limits = &app.settings.requests;
    let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    if NOT_COUNTED.contains(&path) {
        return Ok(());
    }
    let (operation, a_minute) = match path {
        _ if reads => ("", limits.anonymous_reads_per_minute),
        EVENTS => (EVENTS, u32::try_from(app.settings.events_per_minute).unwrap_or(u32::MAX)),
        mcp::PATH => (mcp::PATH, MCP_A_MINUTE),
        path => (path, limits.anonymous_writes_per_minute),
    };
    let client = ClientAddress::of(request.extensions(), request.headers(), &app.settings).network();
    let taken = app.anonymous_requests.take((client, operation), app.now(), a_minute);
    taken.map_err(|retry_after_s| Rejection::TooMany { retry_after_s })
}

/// Refuses a compressed body. The limits count the bytes that arrive: decompressed, they could be a thousand times as many.
fn refuse_compressed(headers: &HeaderMap) -> Result<(), Rejection> {
    let is_compressed =
        headers.get_all(CONTENT_ENCODING).iter().any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if is_compressed { Err(Rejection::Encoded) } else { Ok(()) }
}

fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
