//! One database per test: a copy of a database that is migrated and filled once per process.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::FrozenClock;
use store::{DatabaseSettings, Store, StoreError, server};
use tokio::sync::{Mutex, OnceCell};

use crate::postgres::{self, Server};
use crate::scratch::{Scratch, home};
use crate::world;

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    /// A file.
    Sqlite,
    /// A server.
    Postgres,
}

/// The database of one test.
#[derive(Debug)]
pub struct Fresh {
    /// Its connections.
    pub store: Store,
    /// A folder of the test.
    pub scratch: Arc<Scratch>,
    dropped_after: Option<(Server, String)>,
}

impl Fresh {
    /// Closes and drops it. After a test that failed it stays until the process ends.
    pub async fn end(self) {
        let _ = self.store.close().await;
        if let Some((server, name)) = self.dropped_after {
            let _ = server::drop_database(server.admin(), &name).await;
        }
    }
}

/// A new copy of the filled database; an error says why that database is not available.
pub async fn fresh(database: Database) -> Result<Fresh, String> {
    match database {
        Database::Sqlite => sqlite().await,
        Database::Postgres => copy_on_server().await,
    }
}

async fn sqlite() -> Result<Fresh, String> {
    static TEMPLATE: OnceCell<PathBuf> = OnceCell::const_new();
    let template = TEMPLATE
        .get_or_init(|| async {
            let file = home().join("template.sqlite");
            let store = open(format!("sqlite:{}", file.display())).await.expect("a file can be opened");
            fill(&store).await;
            file
        })
        .await;
    let scratch = Scratch::new();
    let file = scratch.path().join("jalon.sqlite");
    std::fs::copy(template, &file).map_err(|error| error.to_string())?;
    let address = format!("sqlite:{}", file.display());
    let store = open(address.clone()).await.map_err(|error| error.to_string())?;
    Ok(Fresh { store, scratch: Arc::new(scratch.with_database(address)), dropped_after: None })
}

async fn copy_on_server() -> Result<Fresh, String> {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    static COPYING: Mutex<()> = Mutex::const_new(());
    static COPIES: AtomicU64 = AtomicU64::new(0);
    let server = postgres::server().await?;
    let own = format!("jalon_test_{}", std::process::id());
    let template = TEMPLATE
        .get_or_init(|| async {
            let name = format!("{own}_template");
            server::drop_database(server.admin(), &name).await.expect("a left-over template can be dropped");
            server::create_database(server.admin(), &name, None).await.expect("a database can be made");
            let store = open(server.database(&name)).await.expect("it can be opened");
            fill(&store).await;
            name
        })
        .await;
    let name = format!("{own}_{}", COPIES.fetch_add(1, Ordering::Relaxed));
    {
        // One copy at a time: PostgreSQL refuses to copy a database that is being copied.
        let _turn = COPYING.lock().await;
        server::create_database(server.admin(), &name, Some(template)).await.map_err(|error| error.to_string())?;
    }
    let address = server.database(&name);
    let store = open(address.clone()).await.map_err(|error| error.to_string())?;
    let scratch = Scratch::new().with_database(address);
    Ok(Fresh { store, scratch: Arc::new(scratch), dropped_after: Some((server, name)) })
}

/// A database beside the one of the test, which the test makes itself: an earlier layout.
pub struct OtherDatabase {
    /// Its connections.
    pub store: Store,
    fresh: Fresh,
}

impl OtherDatabase {
    /// A file that is there already.
    ///
    /// # Panics
    /// When it cannot be opened.
    pub async fn of_file(file: &std::path::Path) -> Self {
        let store = open(format!("sqlite:{}", file.display())).await.expect("the file can be opened");
        Self { store: store.clone(), fresh: Fresh { store, scratch: Arc::new(Scratch::new()), dropped_after: None } }
    }

    /// An empty one of the PostgreSQL server.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn empty() -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let server = postgres::server().await.expect("a test of PostgreSQL has it");
        let name = format!("jalon_test_{}_other_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        server::create_database(server.admin(), &name, None).await.expect("a database can be made");
        let store = open(server.database(&name)).await.expect("it can be opened");
        let dropped_after = Some((server, name));
        Self { store: store.clone(), fresh: Fresh { store, scratch: Arc::new(Scratch::new()), dropped_after } }
    }

    /// Closes and drops it.
    pub async fn end(self) {
        self.fresh.end().await;
    }
}

/// Nothing of a test has to survive a power cut.
pub(crate) fn settings(url: String) -> DatabaseSettings {
    DatabaseSettings { is_durable: false, ..DatabaseSettings::new(url) }
}

pub(crate) async fn open(url: String) -> Result<Store, StoreError> {
    Store::connect(&settings(url)).await
}

pub(crate) async fn fill(store: &Store) {
    store.migrate(&FrozenClock::at(world::NOW)).await.expect("the migrations run");
    world::people(store).await.expect("the people can be added");
    store.close().await.expect("it closes");
}
