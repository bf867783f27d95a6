//! Layers around every answer: request number, headers, cross-site checks, compression.

mod anonymous;
mod cross_site;
mod headers;
mod in_flight;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use utoipa::openapi::OpenApi;

use self::anonymous::WithSession;
use crate::problem::Problem;
use crate::{App, Rejection, assets, audit, feed};

/// The most bytes of a body, where a handler does not ask for more: a sheet in two languages is a tenth of it.
pub const MAX_BODY_BYTES: usize = 2 * 1024 * 1024;

/// Adds the layers to the routes. The contract decides which of them need a session.
pub(crate) fn around(routes: Router<App>, mut contract: OpenApi, app: App) -> Router {
    let (bounded, with_session) = (app.clone(), WithSession::of(&mut contract));
    let anonymous = from_fn(move |request: Request, next: Next| {
        anonymous::bound(bounded.clone(), with_session.clone(), request, next)
    });
    // One stack instead of a layer of the router each: those are boxed one by one, and each clones all that lie below it.
    let stack = ServiceBuilder::new()
        .layer(from_fn(crate::request_id::number))
        .layer(from_fn_with_state(app.clone(), audit::watch))
        .layer(from_fn_with_state(app.clone(), headers::add))
        .layer(from_fn_with_state(app.clone(), in_flight::bound))
        // The quickest level: answers are small, and the server's time is dearer than a few bytes.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_it()))
        .layer(CatchPanicLayer::custom(answer_to_panic))
        .layer(from_fn_with_state(app.clone(), cross_site::refuse))
        .layer(from_fn_with_state(app.clone(), feed::authorize))
        .layer(from_fn_with_state(app.clone(), crate::slow_body::watch))
        .layer(anonymous)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES));
    routes
        .fallback(assets::fallback)
        .method_not_allowed_fallback(async || Rejection::MethodNotAllowed.into_response())
        .layer(stack)
        .with_state(app)
}

/// Pictures, films and sounds are packed already, and players ask for ranges of what is not.
fn worth_it() -> impl Predicate {
    let packed = ["video/", "audio/", "font/woff2", "application/pdf"].map(NotForContentType::const_new);
    let [video, audio, font, pdf] = packed;
    DefaultPredicate::new().and(video).and(audio).and(font).and(pdf)
}

/// A panic is a failure of the server: its message is logged, the answer has the request number.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn answer_to_panic(panic: Box<dyn std::any::Any + Send>) -> Response {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no words");
    tracing::error!(panic = words, "a handler panicked");
    Problem::hidden(500).into_answer()
}
