//! The connections to the database: the part `[database]` of the configuration.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::{DatabaseSettings, is_postgres};

/// How connections to the database behave, and who brings it to this version. All but the first wait and `migrate` concern PostgreSQL
/// alone.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DatabaseConfig {
    /// How long a request waits for a connection, in seconds; SQLite: for the file.
    pub acquire_timeout_s: u64,
    /// Connections of this server.
    pub max_connections: u32,
    /// A statement that takes longer is ended, in seconds; 0 sets no limit.
    pub statement_timeout_s: u64,
    /// A statement that waits for a lock for so long is ended, in seconds; 0 sets no limit.
    pub lock_timeout_s: u64,
    /// `postgres://…` of a replica that answers public feeds and statistics; empty = none.
    pub replica_url: String,
    /// Whether the server brings the tables to its version when it starts; else it refuses to start on older ones. Both databases.
    pub migrate: bool,
}

impl Default for DatabaseConfig {
    fn default() -> Self {
        let usual = DatabaseSettings::new("");
        Self {
            acquire_timeout_s: usual.acquire_timeout.as_secs(),
            max_connections: usual.max_connections,
            statement_timeout_s: usual.statement_timeout.as_secs(),
            lock_timeout_s: usual.lock_timeout.as_secs(),
            replica_url: String::new(),
            migrate: true,
        }
    }
}

impl DatabaseConfig {
    /// The error in the settings, as a sentence.
    pub fn check(&self, database_url: &str) -> Result<(), String> {
        if !self.replica_url.is_empty() {
            if !is_postgres(&self.replica_url) {
                return Err("database.replica_url must start with postgres:".into());
            }
            if !is_postgres(database_url) {
                return Err(
                    "database.replica_url names a replica of PostgreSQL, and database_url another database: leave \
                            replica_url empty"
                        .into(),
                );
            }
        }
        if !(1..=60).contains(&self.acquire_timeout_s) {
            return Err("database.acquire_timeout_s must be between 1 and 60".into());
        }
        // A job and a request each hold one, and the lists ask two questions at once.
        if !(4..=1_000).contains(&self.max_connections) {
            return Err("database.max_connections must be between 4 and 1000".into());
        }
        for (key, seconds) in
            [("statement_timeout_s", self.statement_timeout_s), ("lock_timeout_s", self.lock_timeout_s)]
        {
            if seconds > 3_600 {
                return Err(format!("database.{key} must not be above 3600"));
            }
        }
        Ok(())
    }

    /// The settings for the database at this address.
    pub fn settings(&self, url: String) -> DatabaseSettings {
        DatabaseSettings {
            max_connections: self.max_connections,
            acquire_timeout: Duration::from_secs(self.acquire_timeout_s),
            statement_timeout: Duration::from_secs(self.statement_timeout_s),
            lock_timeout: Duration::from_secs(self.lock_timeout_s),
            replica_url: Some(self.replica_url.clone()).filter(|url| !url.is_empty()),
            ..DatabaseSettings::new(url)
        }
    }
}
