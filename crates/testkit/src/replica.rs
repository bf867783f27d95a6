//! The application of a test over a PostgreSQL server that has a replica.

use std::sync::Arc;

use teststore::{Fixture as _, Replicated, Scratch};

use crate::app::TestApp;

/// The application, and the servers of its database.
#[derive(Debug)]
pub struct ReplicatedApp {
    /// The application.
    pub app: TestApp,
    pub servers: Replicated,
}

impl ReplicatedApp {
    /// Starts all; none where PostgreSQL is not installed.
    ///
    /// # Panics
    /// When they cannot be started.
    pub async fn start() -> Option<Self> {
        let servers = Replicated::start().await?;
        let app = TestApp::over(servers.store.clone(), Arc::new(Scratch::new())).await;
        Some(Self { app, servers })
    }

    /// Another server process, without a replica.
    ///
    /// # Panics
    /// When the primary does not answer.
    pub async fn other_server(&self) -> TestApp {
        let store = self.servers.other_store().await;
        self.app.changed(|parts| parts.store = store)
    }
}
