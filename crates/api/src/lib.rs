//! The HTTP API: one folder per resource, problem+json, OpenAPI, sessions, public pages.
//!
//! A folder exports its own router; [`router`] joins them and adds the layers that all requests pass: limits, request id,
//! session, rights. A handler takes its rights as an extractor type (`Reader`, `Editor`, …), reads and writes in one
//! transaction of `store`, and returns a view. [`app`] is the state that handlers share; [`job`] lists the background work.
//! Modules use each other one way (decision 0046).

// The derive of `Problem` writes `::api::…`, here as elsewhere.
extern crate self as api;

// The application: what handlers and jobs share.
pub mod app;
mod background_thread;
mod hourly;
mod mail;
mod mail_pace;
mod paid_call;
mod random;
mod rate_limit;
pub mod redaction;
pub mod seal;
mod session_cache;
mod throttle;
pub mod token;
mod worker;

// Requests and answers.
pub mod audit;
mod client_address;
mod client_limit;
mod content_policy;
mod contract;
mod csv;
pub mod current_request;
mod download;
mod error_text;
mod etag;
mod every_site;
pub mod extract;
pub mod filter;
mod markup;
pub mod problem;
mod rejection;
mod request_id;
mod second_path;
pub mod session;
mod slow_body;

// Content.
mod closure;
mod cluster;
mod contact;
mod custom;
pub mod itinerary;
pub mod media;
pub mod parcours;
pub mod poi;
mod printed;
pub mod provider_link;
mod qr;
pub mod record;
mod saved_view;
pub mod share;
mod sheet_texts;
mod slug;
mod stops_near;
pub mod structure;
pub mod transport_line;
pub mod upload;
pub mod vocabulary;
pub mod white_label;

// What is made from content.
mod assistant;
pub mod audio;
pub mod planner;
pub mod roadbook;
pub mod statistics;
pub mod translation;

// Sources.
pub mod import_job;
pub mod imports;
pub mod sit;
mod sit_record;
mod source_key;
pub mod transit;

// People.
mod journal;
pub mod me;
mod password_reset;
mod second_factor;
mod sign_in;
pub mod user;

// Visitors, and clients of others.
mod api_docs;
mod feed;
mod feedback;
mod public_page;
mod visitor_words;
mod widget;

// What concerns several of these, and the server as a whole.
mod assets;
mod binned;
mod blob_sweep;
mod dashboard;
mod guide;
mod impact;
pub mod job;
mod map;
mod openapi;
mod quick_search;
mod readers;
pub mod region;
pub mod runtime;
mod shell;
pub mod status;
pub mod tidy;
pub mod web_build;

pub use app::{App, Environment, ForwardingHeader, Parts, PlannerFailure, RequestLimits, Settings};
pub use openapi::{Audience, codes, document, openapi};
pub use readers::READERS;
pub use rejection::Rejection;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

/// The routes of every resource.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::Document::openapi())
        .merge(sign_in::router())
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
        .merge(api_docs::router())
        .merge(widget::router())
        .merge(feedback::router())
        .merge(statistics::router())
        .merge(binned::router())
        .merge(impact::router())
        .merge(saved_view::router())
        .merge(journal::router())
        .merge(job::router())
        .merge(quick_search::router())
        .merge(dashboard::router())
        .merge(guide::router())
        .merge(map::router())
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
    let (routes, contract) = routes().split_for_parts();
    shell::around(routes, contract, app)
}
