//! The HTTP API: people and white-labels, sign-in, texts by services, what concerns several of the other crates, and the whole:
//! the contract, the kinds of jobs and the router.
//!
//! Each folder exports its own router, here and in the crates below (`content`, `sources`, `outputs`, `public`; decision 0060). [`router`]
//! joins them and adds the layers that all requests pass: limits, request id, session, rights. [`openapi`](fn@openapi) is the contract made
//! from the handlers, [`job`] lists the background work.
//! Modules use each other one way (decision 0046).

// People and white-labels.
mod journal;
pub mod me;
mod password_reset;
mod second_factor;
mod sign_in;
pub mod user;
pub mod white_label;

// Texts by services.
mod assistant;
pub mod translation;

// What concerns several resources, and the server as a whole.
mod api_docs;
mod binned;
mod blob_sweep;
mod caught_panic;
mod dashboard;
mod guide;
mod impact;
pub mod job;
pub mod mcp;
mod openapi;
mod quick_search;
mod readers;
pub mod region;
mod request_id;
pub mod runtime;
mod saved_view;
mod shell;
pub mod status;
pub mod tidy;

use std::sync::Arc;

use app::{App, Parts};
pub use openapi::{Audience, codes, document, openapi};
pub use readers::READERS;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

/// The routes of every resource.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::Document::openapi())
        .merge(sign_in::router())
        .merge(me::router())
        .merge(password_reset::router())
        .merge(content::vocabulary::router())
        .merge(content::structure::router())
        .merge(content::contact::router())
        .merge(white_label::router())
        .merge(user::router())
        .merge(content::poi::router())
        .merge(content::media::router())
        .merge(content::upload::router())
        .merge(content::transport_line::router())
        .merge(content::table::router())
        .merge(sources::transit::router())
        .merge(content::itinerary::router())
        .merge(content::closure::router())
        .merge(sources::imports::router())
        .merge(sources::sit::router())
        .merge(translation::router())
        .merge(assistant::router())
        .merge(content::parcours::router())
        .merge(content::planner::router())
        .merge(outputs::audio::router())
        .merge(content::share::router())
        .merge(content::ground::router())
        .merge(outputs::roadbook::router())
        .merge(content::provider_link::router())
        .merge(content::survey_campaign::router())
        .merge(public::public_page::router())
        .merge(outputs::feed::router())
        .merge(api_docs::router())
        .merge(public::widget::router())
        .merge(public::feedback::router())
        .merge(public::statistics::router())
        .merge(binned::router())
        .merge(impact::router())
        .merge(saved_view::router())
        .merge(journal::router())
        .merge(job::router())
        .merge(quick_search::router())
        .merge(dashboard::router())
        .merge(guide::router())
        .merge(content::map::router())
        .merge(runtime::router())
        .merge(status::router())
}

/// The application of these parts, with every kind of job that it can run.
pub fn application(parts: Parts) -> App {
    let kinds = job::kinds(&parts);
    App::new(parts, kinds)
}

/// The server: every route, with the shell around them. Serve it with `into_make_service_with_connect_info`, so that
/// the growing delay of sign-ins knows addresses apart.
pub fn router(app: App) -> axum::Router {
    Routes::new().serve(app)
}

/// Every route without an application. A process that serves several applications makes it once: that makes the contract.
pub struct Routes {
    routes: axum::Router<App>,
    with_session: Arc<shell::WithSession>,
}

impl Routes {
    /// The routes of every resource, and which of them need a session.
    #[expect(clippy::new_without_default, reason = "it takes long")]
    pub fn new() -> Self {
        let (routes, mut contract) = routes().split_for_parts();
        Self { routes, with_session: Arc::new(shell::WithSession::of(&mut contract)) }
    }

    /// The server of an application, as [`router`] makes it.
    pub fn serve(&self, app: App) -> axum::Router {
        shell::around(mcp::add_route(self.routes.clone(), &app), Arc::clone(&self.with_session), app)
    }
}
