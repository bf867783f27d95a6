//! Requests to other servers: one guarded client, and a server for repeated requests.

mod addresses;
mod breaker;
mod client;
mod fetch;
mod server;

pub use addresses::Addresses;
pub use breaker::{BREAKS_AFTER, Breaker, Clock, OPEN_FOR};
pub(crate) use client::{Answer, Question, retry_after_s};
pub use client::{Client, HttpError, Limits, Reply};
pub use fetch::{Ask, FetchError, FetchSettings, Fetched, Fetcher, Validators, resolved};
pub use server::{RETRIES, Server};
