//! A planner over a Valhalla server: over answers recorded of a real one, and over servers that fail in every way.

#![allow(clippy::unwrap_used, reason = "a test that unwraps says where it failed")]

mod contract;
mod failing;
mod questions;
mod server;

use std::time::Duration;

use connect::http::Breaker;
use connect::{ValhallaSettings, valhalla};
use planner::valhalla::Valhalla;
use server::{Recorded, Server};

/// The engine over a server, with a time that a test has.
fn engine(url: &str, timeout: Duration) -> Valhalla {
    Valhalla::new(valhalla(&ValhallaSettings { url: url.to_owned(), timeout }, Breaker::default()))
}

/// A server that says what the real one said.
fn recorded() -> Server {
    let recorded = Recorded::read();
    Server::start(move |action, question, _| recorded.reply(action, question))
}
