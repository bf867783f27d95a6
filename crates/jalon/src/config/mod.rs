//! Everything that an operator can set: the keys, their defaults, and what follows from them.

mod backup;
mod blobs;
mod check;
mod database;
mod http;
mod load;
mod outgoing;
mod planner;
#[cfg(test)]
mod tests;
mod visitors;

use std::net::IpAddr;
use std::path::PathBuf;

use domain::{TimeZone, TrustedProxies};
use serde::{Deserialize, Serialize};

use self::backup::BackupConfig;
use self::blobs::BlobsConfig;
use self::database::DatabaseConfig;
use self::http::{Http, TrustedProxiesSetting};
use self::outgoing::{Imports, Mail, Services};
use self::visitors::{Feedback, Statistics};
use crate::observe::MetricsConfig;
use crate::traces::TracesConfig;

pub use self::backup::check_place;
pub use self::load::{backup_environment, mcp_token};
pub use self::outgoing::Voices;
pub use self::planner::{Engine, Planner};

/// Everything that an operator can set. Each key is also `JALON_<KEY>` in the environment, `__` between levels.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Folder of the database file, the blobs, the prepared region and the outbox.
    pub data: PathBuf,
    /// `sqlite://…` or `postgres://…`; empty = `sqlite://<data>/jalon.sqlite`. `DATABASE_URL` is read too.
    pub database_url: String,
    /// How connections to it behave.
    pub database: DatabaseConfig,
    /// Address to listen on.
    pub bind: IpAddr,
    /// Port to listen on.
    pub port: u16,
    /// The URL people type, without a final slash; cookies are `Secure` when it is https.
    pub public_url: String,
    /// Domain under which white-labels get their subdomains.
    pub map_domain: String,
    /// `production`, `preproduction` or `none` (no banner, no notice).
    pub environment: Environment,
    /// Where the production notice leads; empty = no notice.
    pub preproduction_url: String,
    /// Where the error pages and the help send people.
    pub issue_tracker_url: String,
    /// Contact shown in the help.
    pub contact: String,
    /// Locale of a visitor that asks for nothing we have.
    pub default_locale: String,
    /// Languages in which content is written.
    pub content_languages: Vec<String>,
    /// The IANA time zone that decides which day it is: closures begin and end at its midnight.
    pub time_zone: String,
    /// Whether administrators must have a second factor: without it nothing but their account page is open to them. Where
    /// it is not set, they must in `production`.
    pub totp_required_of_admins: Option<bool>,
    /// Seconds without a request after which a session ends; at most one day, the longest duration of a session.
    pub session_idle_s: i64,
    /// The proxies in front that say who the client is: addresses and networks.
    pub trusted_proxies: TrustedProxiesSetting,
    /// How many connections and requests, how large and how slow.
    pub http: Http,
    /// Questions a minute that an address may ask the public API with one key; 0 = no limit.
    pub public_requests_a_minute: u32,
    /// Statistics of visitors.
    pub statistics: Statistics,
    /// What visitors send back.
    pub feedback: Feedback,
    /// The journal of user actions.
    pub audit: Audit,
    /// Route rules: old path to new path, or to another site.
    pub redirects: std::collections::BTreeMap<String, String>,
    /// The key that seals secrets, 64 hexadecimal digits; empty = that of `<data>/server.key`, made at the first start.
    pub server_key: String,
    /// Keys before `server_key` that still open what they sealed, until `jalon key rotate` has sealed everything again.
    pub old_server_keys: Vec<String>,
    /// Outgoing mail.
    pub mail: Mail,
    /// Where the blobs are.
    pub blobs: BlobsConfig,
    /// Where backups are, and the programs that encrypt them.
    pub backup: BackupConfig,
    /// The route planner.
    pub planner: Planner,
    /// Imports from other servers.
    pub imports: Imports,
    /// Services that are asked with a key: those that translate.
    pub services: Services,
    /// What reads texts aloud.
    pub voices: Voices,
    /// A style URL that replaces the built-in base map; empty = ours.
    pub map_style_url: String,
    /// What pictures, films, sounds, documents and fonts may be.
    pub media: domain::media::MediaLimits,
    /// Measurements for Prometheus.
    pub metrics: MetricsConfig,
    /// Traces for a collector.
    pub traces: TracesConfig,
    /// `info`, `debug`, or a tracing filter.
    pub log: String,
}

/// Which banner the shell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// The real thing: a notice may lead to pre-production.
    Production,
    /// A banner says that input is not carried over.
    Preproduction,
    /// Neither.
    None,
}

/// The journal of user actions.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Audit {
    /// Days an event is kept, from 30 to 3650.
    pub retention_days: u32,
}

impl Default for Audit {
    fn default() -> Self {
        Self { retention_days: 365 }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data: "data".into(),
            database_url: String::new(),
            database: DatabaseConfig::default(),
            bind: IpAddr::from([127, 0, 0, 1]),
            port: 8080,
            public_url: String::new(),
            map_domain: "carte.localhost".into(),
            environment: Environment::None,
            preproduction_url: String::new(),
            issue_tracker_url: "https://jalon.example/aide".into(),
            contact: "support@jalon.example".into(),
            default_locale: String::new(),
            content_languages: vec!["fr".into(), "en".into()],
            time_zone: TimeZone::DEFAULT_NAME.into(),
            totp_required_of_admins: None,
            session_idle_s: 43_200,
            trusted_proxies: TrustedProxiesSetting::default(),
            http: Http::default(),
            public_requests_a_minute: 600,
            statistics: Statistics::default(),
            feedback: Feedback::default(),
            audit: Audit::default(),
            redirects: std::collections::BTreeMap::new(),
            server_key: String::new(),
            old_server_keys: Vec::new(),
            mail: Mail::default(),
            blobs: BlobsConfig::default(),
            backup: BackupConfig::default(),
            planner: Planner::default(),
            imports: Imports::default(),
            services: Services::default(),
            voices: Voices::default(),
            map_style_url: String::new(),
            media: domain::media::MediaLimits::default(),
            metrics: MetricsConfig::default(),
            traces: TracesConfig::default(),
            log: "info,sea_orm_migration=warn,rmcp=error".into(),
        }
    }
}

/// A configuration that cannot be used, in one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl Config {
    /// The database to open.
    pub fn database_url(&self) -> String {
        if self.database_url.is_empty() {
            format!("sqlite://{}", self.data.join("jalon.sqlite").display())
        } else {
            self.database_url.clone()
        }
    }

    /// The file of the SQLite database; none where it is PostgreSQL.
    pub fn database_file(&self) -> Option<PathBuf> {
        let url = self.database_url();
        let file = url.strip_prefix("sqlite:")?;
        Some(file.strip_prefix("//").unwrap_or(file).into())
    }

    /// The database to open, and how its connections behave.
    pub fn database(&self) -> store::DatabaseSettings {
        self.database.settings(self.database_url())
    }

    /// The URL people type.
    pub fn public_url(&self) -> String {
        if self.public_url.is_empty() { format!("http://localhost:{}", self.port) } else { self.public_url.clone() }
    }

    /// The proxies that are trusted.
    pub fn trusted_proxies(&self) -> TrustedProxies {
        // Checked when the configuration was read.
        self.trusted_proxies.read().unwrap_or_default()
    }

    /// The time zone that decides which day it is.
    pub fn time_zone(&self) -> TimeZone {
        // Checked when the configuration was read.
        TimeZone::parse(&self.time_zone).unwrap_or_default()
    }

    /// Folder of the prepared region: network, tiles, elevation.
    pub fn region(&self) -> PathBuf {
        self.data.join("region")
    }

    /// Folder of the regions that were published and are fetched here, a folder each.
    pub fn bundles(&self) -> PathBuf {
        self.data.join("regions")
    }

    /// Whether administrators must have a second factor.
    pub fn totp_required_of_admins(&self) -> bool {
        self.totp_required_of_admins.unwrap_or(self.environment == Environment::Production)
    }
}
