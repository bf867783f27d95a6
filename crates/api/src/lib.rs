//! The HTTP API: one folder per resource, problem+json, OpenAPI, sessions, public pages.
//!
//! A folder exports its own router; [`router`] joins them and adds the layers that all requests pass: limits, request id,
//! session, rights. A handler takes its rights as an extractor type (`Reader`, `Editor`, …), reads and writes in one
//! transaction of `store`, and returns a view. [`app`] is the state that handlers share; [`job`] lists the background work.

// The derive of `Problem` writes `::api::…`, here as elsewhere.
extern crate self as api;

pub mod app;
pub mod assets;
mod assistant;
pub mod audio;
pub mod audit;
mod background_thread;
mod binned;
mod closure;
mod contact;
mod custom;
mod dashboard;
mod etag;
pub mod extract;
mod feed;
mod feedback;
pub mod filter;
mod guide;
mod impact;
pub mod imports;
pub mod itinerary;
pub mod job;
mod mail;
mod mail_pace;
mod map;
mod markup;
pub mod me;
pub mod media;
mod openapi;
mod paid_call;
pub mod parcours;
mod password_reset;
pub mod planner;
pub mod poi;
pub mod problem;
pub mod provider_link;
mod public_page;
mod quick_search;
mod random;
mod rate_limit;
mod readers;
pub mod record;
pub mod redaction;
mod rejection;
pub mod roadbook;
mod runtime;
mod saved_view;
pub mod seal;
mod second_factor;
mod second_path;
pub mod session;
pub mod share;
mod shell;
pub mod sit;
mod source_key;
pub mod statistics;
pub mod structure;
mod throttle;
pub mod tidy;
pub mod transit;
pub mod translation;
pub mod transport_line;
pub mod upload;
pub mod user;
pub mod vocabulary;
pub mod white_label;
mod widget;

pub use app::{App, Environment, ForwardingHeader, Parts, PlannerFailure, Settings};
pub use openapi::{Audience, codes, document, openapi};
pub use readers::READERS;
pub use rejection::Rejection;
pub use shell::RequestLimits;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

/// The routes of every resource.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::Document::openapi())
        .merge(session::router())
        .merge(me::router())
        .merge(password_reset::router())
        .merge(vocabulary::router())
        .merge(structure::router())
        .merge(contact::router())
        .merge(white_label::router())
        .merge(user::router())
        .merge(poi::router())
        .merge(media::router())
        .merge(upload::router())
        .merge(transport_line::router())
        .merge(transit::router())
        .merge(itinerary::router())
        .merge(closure::router())
        .merge(imports::router())
        .merge(sit::router())
        .merge(translation::router())
        .merge(assistant::router())
        .merge(parcours::router())
        .merge(planner::router())
        .merge(audio::router())
        .merge(share::router())
        .merge(self::roadbook::router())
        .merge(provider_link::router())
        .merge(public_page::router())
        .merge(feed::router())
        .merge(widget::router())
        .merge(feedback::router())
        .merge(statistics::router())
        .merge(binned::router())
        .merge(impact::router())
        .merge(saved_view::router())
        .merge(audit::router())
        .merge(job::router())
        .merge(quick_search::router())
        .merge(dashboard::router())
        .merge(guide::router())
        .merge(map::router())
        .merge(runtime::router())
}

/// The server: every route, with the shell around them. Serve it with `into_make_service_with_connect_info`, so that
/// the growing delay of sign-ins knows addresses apart.
pub fn router(app: App) -> axum::Router {
    let (routes, contract) = routes().split_for_parts();
    shell::around(routes, contract, app)
}
