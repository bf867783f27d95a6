//! What the requests and jobs of every kind share. It serves no address: the crates above it do (`content`, `sources`, `outputs`,
//! `public`, `api`; decision 0060).
//!
//! [`App`] is the application: the parts that the binary gives (database, files, clock, mail, services, engine), and what every
//! request passes (sessions, requests under way, rates). A module that keeps something in memory has a type of its own for it, and
//! reads it with [`App::shared`]. A handler takes its rights as an extractor type of [`extract`] (`Reader`, `Editor`, …), answers
//! refusals as a [`problem::Problem`], and writes in one transaction of `store`. A kind of record describes itself
//! ([`record::Resource`]) and gets its handlers from [`record_operations!`].
//!
//! Modules use each other one way (decision 0046); `state` is below all that need the application.

// The derive of `Problem` writes `::app::…`, here as elsewhere.
extern crate self as app;

// The application.
pub mod background_thread;
pub mod hourly;
pub mod mail;
pub mod mail_rate_limit;
pub mod paid_call;
pub mod random;
pub mod rate_limit;
pub mod redaction;
pub mod seal;
pub mod session_cache;
mod state;
pub mod token;
pub mod window_limit;
pub mod worker;

// Requests and answers.
pub mod accepted;
pub mod audit;
pub mod body_filter;
pub mod client_address;
pub mod client_limit;
pub mod content_policy;
pub mod contract;
pub mod csv;
pub mod current_request;
pub mod download;
pub mod error_text;
pub mod etag;
pub mod every_site;
pub mod extract;
pub mod filter;
pub mod handler;
pub mod markup;
pub mod problem;
pub mod qr;
pub mod readers;
mod rejection;
pub mod second_path;
pub mod session;
pub mod slow_body;
pub mod slug;
pub mod streamed_body;

// Records, and the keys of sources.
pub mod record;
pub mod source_key;

pub use readers::READERS;
pub use rejection::Rejection;
pub use state::{
    App, Asset, Assets, ChildPdfReader, Environment, ForwardingHeader, JobRunner, NoAssets, OpenRegion, PDF_LIMITS,
    Parts, PdfRenderer, PlannerFailure, Printing, Region, RegionSource, RequestLimits, Settings,
};
