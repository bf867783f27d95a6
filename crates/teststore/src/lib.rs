//! What the tests of `store` and `jobs` need, without the application: databases, a bucket, folders, real data.
//!
//! `#[macros::app_test]` makes two tests of one function, on SQLite and on PostgreSQL. Each has its own database, a copy of
//! one that was migrated and filled once: two structures, three white-labels, a user of each role.

pub mod bucket;
mod database;
mod dice;
mod postgres;
mod replica;
mod scratch;
mod shared;
mod tool;
mod waiting;
mod world;
mod write_protected;

use std::future::Future;
use std::sync::Arc;

pub use bucket::Bucket;
pub use database::{Database, Fresh, OtherDatabase, fresh};
pub use dice::dice;
pub use replica::Replicated;
pub use scratch::Scratch;
pub use shared::{shared_data, skipped};
use store::{DatabaseSettings, Store};
pub use tool::asked;
pub use waiting::{until, until_waited_for};
pub use world::{NOW, PASSWORD, email};
pub use write_protected::WriteProtected;

/// What a test function may ask for as its argument.
pub trait Fixture: Sized + Send + 'static {
    /// Makes it over a fresh database.
    fn over(store: Store, scratch: Arc<Scratch>) -> impl Future<Output = Self> + Send;
}

/// A store alone, for the tests of `store` and `jobs`.
#[derive(Debug, Clone)]
pub struct TestStore {
    /// The database, migrated and filled.
    pub store: Store,
    /// A folder of the test's own.
    pub scratch: Arc<Scratch>,
}

impl TestStore {
    /// Other connections to the same database, with other settings. The test closes them.
    ///
    /// # Panics
    /// When the database cannot be opened again.
    pub async fn reopened(&self, change: impl FnOnce(&mut DatabaseSettings)) -> Store {
        let address = self.scratch.database().expect("its address is known");
        let mut settings = database::settings(address.to_owned());
        change(&mut settings);
        Store::connect(&settings).await.expect("the database can be opened again")
    }
}

impl Fixture for TestStore {
    async fn over(store: Store, scratch: Arc<Scratch>) -> Self {
        Self { store, scratch }
    }
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
                let fixture = F::over(fresh.store.clone(), Arc::clone(&fresh.scratch)).await;
                test(fixture).await;
                fresh.end().await;
            }
            Err(missing) => skipped(name, &missing),
        }
    });
}
