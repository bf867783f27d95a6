//! The test application, its actors and builders, for the tests of `api` and `jalon`; with what `teststore` has.
//!
//! `#[macros::app_test]` makes two tests of one function, on SQLite and on PostgreSQL.

mod app;
mod bucket_app;
mod builders;
mod client;
pub mod geotrek;
mod listening;
mod mailbox;
mod pdf_reader;
mod promised;
mod renderer;
mod replica;
mod reply;
pub mod samples;

pub use self::app::TestApp;
pub use bucket_app::BucketApp;
pub use builders::{MediaBuilder, PoiBuilder};
pub use client::Client;
pub use listening::listen;
pub use mailbox::Mailbox;
pub use pdf_reader::LimitedPdfReader;
pub use renderer::{CountingRenderer, InProcessRenderer};
pub use replica::ReplicatedApp;
pub use reply::{Problem, Reply};
use teststore::Fixture as _;
pub use teststore::{
    Bucket, Database, NOW, OtherDatabase, PASSWORD, Scratch, TestStore, WriteProtected, asked, bucket, run,
    shared_data, skipped, until,
};

/// A second server, with a separate SQLite database: for tests in which one server calls another.
///
/// # Panics
/// When its database cannot be made.
pub async fn second_app() -> TestApp {
    let fresh = teststore::fresh(Database::Sqlite).await.expect("a SQLite database can be made anywhere");
    TestApp::over(fresh.store.clone(), std::sync::Arc::clone(&fresh.scratch)).await
}
