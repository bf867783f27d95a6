//! All outgoing connections: one trait per service, one client with limits (addresses, time, size, number) for all of them.
//!
//! [`Services`] opens the connections; [`Mailer`] sends mail, [`valhalla`](fn@valhalla) connects the planner to a Valhalla server,
//! [`translate`] and [`text`] call translation and writing services, [`speech`] reads texts aloud, [`http`] fetches feeds
//! and files. [`BucketConnector`] connects `store` to the S3 bucket of the blobs, [`TraceCollector`] sends traces,
//! [`probe`](fn@probe) asks a server of ours whether it runs, [`McpServer`] passes on the messages of a program on this machine,
//! [`program`] runs one.

mod bucket;
pub mod http;
mod mail;
mod mcp_server;
mod measured;
mod operator_client;
mod outbox;
mod probe;
pub mod program;
mod services;
mod smtp;
pub mod speech;
pub mod text;
mod trace_collector;
pub mod translate;
mod valhalla;

pub use bucket::BucketConnector;
pub use mail::{Mail, MailError, Mailer, Sending};
pub use mcp_server::McpServer;
pub(crate) use measured::measured;
pub use outbox::Outbox;
pub use probe::probe;
pub use services::{ServiceSettings, Services};
pub use smtp::Smtp;
pub use trace_collector::TraceCollector;
pub use valhalla::{ValhallaSettings, valhalla};
