//! Layers around every answer: request number, headers, cross-site checks, compression.

mod anonymous;
mod cross_site;
mod headers;
mod in_flight;

use std::sync::Arc;

use app::{App, Rejection, audit, slow_body};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use outputs::feed;
use public::assets;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

pub(crate) use self::anonymous::WithSession;
use self::headers::Headers;
use crate::{caught_panic, request_id};

/// The most bytes of a body, where a handler does not ask for more: a sheet in two languages is a tenth of it.
pub const MAX_BODY_BYTES: usize = 2 * 1024 * 1024;

/// Adds the layers to the routes. The contract has decided which of them need a session.
pub(crate) fn around(routes: Router<App>, with_session: Arc<WithSession>, app: App) -> Router {
    let shell = Arc::new(Shell { app: app.clone(), headers: Headers::of(&app), with_session });
    let stack = ServiceBuilder::new()
        .layer(from_fn_with_state(Arc::clone(&shell), answer))
        // The quickest level: answers are small, and the server's time is dearer than a few bytes.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(should_compress()))
        .layer(CatchPanicLayer::custom(caught_panic::answer))
        .layer(from_fn_with_state(shell, admit))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES));
    routes
        .fallback(assets::fallback)
        .method_not_allowed_fallback(async || Rejection::MethodNotAllowed.into_response())
        .layer(stack)
        .with_state(app)
}

/// What the two halves of the shell need.
struct Shell {
    app: App,
    headers: Headers,
    with_session: Arc<WithSession>,
}

// Two layers of several functions each instead of one layer for each function: a layer is boxed for every request, and clones all
// that lie below it.

/// The outer half: the number, the journal, the headers, the requests under way.
async fn answer(State(shell): State<Arc<Shell>>, request: Request, next: Next) -> Response {
    let (app, headers) = (&shell.app, &shell.headers);
    let bound = |request: Request| in_flight::bound(app, request, next);
    let with_headers = |request: Request| headers::add(headers, request, bound);
    request_id::with_request_id(&app.settings, request, |request| audit::watch(app, request, with_headers)).await
}

/// The inner half, which may refuse the request before its handler runs.
async fn admit(State(shell): State<Arc<Shell>>, request: Request, next: Next) -> Response {
    let app = &shell.app;
    if let Err(refusal) = cross_site::check(app, &request) {
        return refusal.into_response();
    }
    let run = |request: Request| {
        let request = slow_body::watched(&app.settings.requests, request);
        anonymous::bound(app, &shell.with_session, request, next)
    };
    feed::authorize(app, request, run).await
}

/// Compresses neither pictures, videos, sounds, WOFF2 fonts, PDF nor zip files: these formats are compressed already, and players ask for byte ranges,
/// which a compressed response does not have.
fn should_compress() -> impl Predicate {
    let excluded =
        ["video/", "audio/", "font/woff2", "application/pdf", "application/zip"].map(NotForContentType::const_new);
    let [video, audio, font, pdf, zip] = excluded;
    DefaultPredicate::new().and(video).and(audio).and(font).and(pdf).and(zip)
}
