//! The test application, its actors and builders, for the tests of `store`, `jobs` and `api`.
//!
//! `#[macros::app_test]` makes two tests of one function, on SQLite and on PostgreSQL. Each has its own database, a copy of
//! one that was migrated and filled once: two structures, three white-labels, a user of each role.

mod app;
pub mod bucket;
mod builders;
mod client;
mod database;
mod mailbox;
mod postgres;
mod promised;
mod renderer;
mod replica;
mod reply;
pub mod samples;
mod scratch;
mod shared;
mod tool;
mod world;

use std::future::Future;

pub use self::app::{TestApp, TestStore};
pub use bucket::{Bucket, BucketApp};
pub use builders::{MediaBuilder, PoiBuilder};
pub use client::Client;
pub use database::{Database, OtherDatabase};
pub use mailbox::Mailbox;
pub use renderer::{CountingRenderer, InProcessRenderer};
pub use replica::Replicated;
pub use reply::{Problem, Reply};
pub use scratch::Scratch;
pub use shared::{shared_data, skipped};
pub use tool::asked;
pub use world::{NOW, PASSWORD};

/// What a test function may ask for as its argument.
pub trait Fixture: Sized + Send + 'static {
    /// Makes it over a fresh database.
    fn over(store: store::Store, scratch: std::sync::Arc<Scratch>) -> impl Future<Output = Self> + Send;
}

/// A second server, with a separate SQLite database: for tests in which one server calls another.
///
/// # Panics
/// When its database cannot be made.
pub async fn second_app() -> TestApp {
    let fresh = database::fresh(Database::Sqlite).await.expect("a SQLite database can be made anywhere");
    TestApp::over(fresh.store.clone(), std::sync::Arc::clone(&fresh.scratch)).await
}

/// Runs a test on a database. Where that database cannot be had, says so and returns.
///
/// # Panics
/// When the test does.
pub fn run<F: Fixture, R: Future<Output = ()>>(database: Database, name: &str, test: impl FnOnce(F) -> R) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime starts");
    runtime.block_on(async {
        match database::fresh(database).await {
            Ok(fresh) => {
                let fixture = F::over(fresh.store.clone(), std::sync::Arc::clone(&fresh.scratch)).await;
                test(fixture).await;
                fresh.end().await;
            }
            Err(missing) => skipped(name, &missing),
        }
    });
}
