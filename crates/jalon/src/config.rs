//! Configuration: defaults, then `jalon.toml`, then the environment. The only module that reads the environment.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use domain::{TimeZone, TrustedProxies};
use figment::error::{Actual, Kind};
use figment::providers::{Env, Format, Serialized, Toml};
use figment::util::nest;
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};
use serde::{Deserialize, Serialize};
use tracing_subscriber::filter::LevelFilter;

use crate::backup_config::BackupConfig;
use crate::blobs_config::BlobsConfig;
use crate::database_config::DatabaseConfig;
use crate::http_config::{Http, TrustedProxiesSetting};
use crate::observe::MetricsConfig;
use crate::traces::TracesConfig;

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

/// The engine that plans ways and matches recordings to them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Planner {
    /// `embedded` over the prepared region, or `valhalla`.
    pub engine: Engine,
    /// `http://localhost:8002`; only where the engine is `valhalla`.
    pub valhalla_url: String,
    /// Time for one question to it, in milliseconds.
    pub valhalla_timeout_ms: u64,
    /// Whether the embedded engine answers where the server fails.
    pub fallback: bool,
}

/// Statistics of visitors.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Statistics {
    /// Header in which a proxy in front of the server gives the country of a visitor as two letters, such as `CF-IPCountry`; empty
    /// = countries stay unknown.
    pub country_header: String,
    /// The most events of one address in a minute; 0 sets no limit.
    pub events_per_minute: u64,
}

impl Default for Statistics {
    fn default() -> Self {
        Self { country_header: String::new(), events_per_minute: 1_200 }
    }
}

/// Imports: how other servers are asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Imports {
    /// Whether sources may be on this machine or in its private network; else only on the public Internet.
    pub private_addresses: bool,
    /// Time for one answer, in seconds.
    pub timeout_s: u64,
    /// Between two questions to one host, in milliseconds.
    pub pause_ms: u64,
    /// The program of GDAL that converts files of other formats, by its name or its path; empty = none.
    pub ogr2ogr: String,
}

impl Default for Imports {
    fn default() -> Self {
        Self { private_addresses: false, timeout_s: 60, pause_ms: 1_000, ogr2ogr: String::new() }
    }
}

/// Services that are asked with a key.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Services {
    /// Whether they may be on this machine or in its private network; else only on the public Internet.
    pub private_addresses: bool,
    /// Time for one answer, in seconds.
    pub timeout_s: u64,
}

impl Default for Services {
    fn default() -> Self {
        Self { private_addresses: false, timeout_s: 20 }
    }
}

/// The voices of audio walks. Services may be where `services.private_addresses` allows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Voices {
    /// The program of espeak-ng, by its name or its path; empty = none.
    pub espeak: String,
    /// A server with OpenAI's speech endpoint, without `/v1`; empty = none.
    pub openai_url: String,
    /// Its key, where it needs one.
    pub openai_key: String,
    /// Which of its models.
    pub openai_model: String,
    /// The region of an Azure AI Speech resource, such as `francecentral`; empty = none.
    pub azure_region: String,
    /// Another address of it, instead of the region's.
    pub azure_url: String,
    /// Its key.
    pub azure_key: String,
}

impl Default for Voices {
    fn default() -> Self {
        Self {
            espeak: "espeak-ng".into(),
            openai_url: String::new(),
            openai_key: String::new(),
            openai_model: "tts-1".into(),
            azure_region: String::new(),
            azure_url: String::new(),
            azure_key: String::new(),
        }
    }
}

/// What visitors send back: reviews, field reports, complaints.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Feedback {
    /// The most of one address in an hour; 0 sets no limit.
    pub per_hour: u64,
}

impl Default for Feedback {
    fn default() -> Self {
        Self { per_hour: 10 }
    }
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

/// Engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Ours, over the prepared region.
    Embedded,
    /// A Valhalla server.
    Valhalla,
}

impl Default for Planner {
    fn default() -> Self {
        Self {
            engine: Engine::Embedded,
            valhalla_url: "http://localhost:8002".into(),
            valhalla_timeout_ms: 10_000,
            fallback: false,
        }
    }
}

/// Outgoing mail: SMTP when a host is given, else files in `<data>/outbox` and a line in the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mail {
    /// `smtps://user:password@host:465`, `smtp://host:25`; empty = outbox.
    pub smtp_url: String,
    /// Sender address.
    pub from: String,
}

impl Default for Mail {
    fn default() -> Self {
        Self { smtp_url: String::new(), from: "Jalon <ne-pas-repondre@localhost>".into() }
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
            log: "info,sea_orm_migration=warn".into(),
        }
    }
}

/// Where the Debian package puts the configuration.
const OF_THE_PACKAGE: &str = "/etc/jalon/jalon.toml";

/// A configuration that cannot be used, in one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

/// The personal token that `jalon mcp` sends. On the command line, other users of the machine would see it.
pub fn mcp_token() -> Option<String> {
    std::env::var("JALON_MCP_TOKEN").ok().filter(|token| !token.trim().is_empty())
}

impl Config {
    /// Reads defaults, `file` (else `jalon.toml` of this folder, else that of the package), the environment.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        if let Some(file) = file.filter(|file| !file.is_file()) {
            let fault = if file.is_dir() { "is a folder: name the file in it" } else { "does not exist" };
            return Err(ConfigError(format!("the configuration file {} {fault}", file.display())));
        }
        let usual = [Path::new("jalon.toml"), Path::new(OF_THE_PACKAGE)];
        let mut read = Figment::from(Serialized::defaults(Self::default()));
        if let Some(file) = file.or_else(|| usual.into_iter().find(|file| file.is_file())) {
            read = read.merge(Toml::file_exact(file));
        }
        let environment = Env::prefixed("JALON_").ignore(&NOT_OURS).split("__");
        let texts = guessed_texts(&environment);
        read = read.merge(Env::raw().only(&["DATABASE_URL"])).merge(environment);
        for text in texts {
            read = read.merge(text);
        }
        let mut config: Self = read
            .extract()
            .map_err(|error| ConfigError(format!("the configuration cannot be read: {}", without_values(error))))?;
        while config.public_url.ends_with('/') {
            config.public_url.pop();
        }
        config.check()?;
        Ok(config)
    }

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

    /// Whether `serve` may run so. With PostgreSQL several servers may run on one database, and each must find every blob.
    pub fn check_for_serving(&self) -> Result<(), ConfigError> {
        let (bind, metrics) = (self.bind, &self.metrics);
        let is_same_address = bind == metrics.bind || bind.is_unspecified() || metrics.bind.is_unspecified();
        if metrics.port != 0 && metrics.port == self.port && is_same_address {
            return Err(ConfigError(format!(
                "port and metrics.port are both {}: give measurements another port",
                self.port
            )));
        }
        let is_sqlite = self.database_url().starts_with("sqlite:");
        if is_sqlite || self.blobs.shared || !self.blobs.url.is_empty() {
            return Ok(());
        }
        Err(ConfigError(format!(
            "the database is PostgreSQL and the blobs are in the folder {} of this machine, which other servers of this database \
             do not see: set blobs.url to an S3 bucket (s3://bucket/prefix), or set blobs.shared = true where this is the only \
             server or all of them share the folder",
            self.data.join("blobs").display()
        )))
    }

    fn check(&self) -> Result<(), ConfigError> {
        let url = self.database_url();
        if !url.starts_with("sqlite:") && !store::is_postgres(&url) {
            return Err(ConfigError("database_url must start with sqlite: or postgres:".into()));
        }
        self.check_addresses().map_err(ConfigError)?;
        let planner = &self.planner;
        if !planner.valhalla_url.starts_with("http://") && !planner.valhalla_url.starts_with("https://") {
            return Err(ConfigError("planner.valhalla_url must start with http:// or https://".into()));
        }
        if !(100..=120_000).contains(&planner.valhalla_timeout_ms) {
            return Err(ConfigError("planner.valhalla_timeout_ms must be between 100 and 120000".into()));
        }
        if !(300..=86_400).contains(&self.session_idle_s) {
            return Err(ConfigError("session_idle_s must be between 300 (five minutes) and 86400 (a day)".into()));
        }
        let trusted = self.trusted_proxies.read().map_err(ConfigError)?;
        self.http.check(&trusted).map_err(ConfigError)?;
        self.blobs.bucket().map_err(ConfigError)?;
        self.backup.check().map_err(ConfigError)?;
        self.blobs.bucket_of_visitors(&self.public_url()).map_err(ConfigError)?;
        self.database.check(&url).map_err(ConfigError)?;
        self.traces.check().map_err(ConfigError)?;
        if !(30..=3_650).contains(&self.audit.retention_days) {
            return Err(ConfigError("audit.retention_days must be between 30 and 3650".into()));
        }
        if self.content_languages.is_empty() {
            return Err(ConfigError("content_languages needs at least one language, such as \"fr\"".into()));
        }
        if !["", "fr", "en"].contains(&self.default_locale.as_str()) {
            return Err(ConfigError("default_locale must be fr or en".into()));
        }
        if TimeZone::parse(&self.time_zone).is_none() {
            return Err(ConfigError(format!(
                "time_zone must be the name of a time zone of the IANA database, such as Europe/Paris or Indian/Reunion, not `{}`",
                self.time_zone
            )));
        }
        for (key, seconds) in
            [("imports.timeout_s", self.imports.timeout_s), ("services.timeout_s", self.services.timeout_s)]
        {
            if !(1..=3_600).contains(&seconds) {
                return Err(ConfigError(format!("{key} must be between 1 and 3600")));
            }
        }
        self.check_log().map_err(ConfigError)
    }

    fn check_log(&self) -> Result<(), String> {
        let refused =
            |why: String| Err(format!("log must be info, debug or a filter such as info,access=debug: {why}"));
        if let Err(error) = tracing_subscriber::EnvFilter::try_new(&self.log) {
            return refused(error.to_string());
        }
        // A word alone that is no level would be the name of a module: no other one would be logged.
        let log = self.log.trim();
        if log.chars().all(|c| c.is_ascii_alphabetic()) && log.parse::<LevelFilter>().is_err() {
            return refused(format!("`{log}` is not a level"));
        }
        Ok(())
    }

    /// The error in addresses and names that browsers and proxies are given, as a sentence.
    fn check_addresses(&self) -> Result<(), String> {
        let is_web = |url: &str| url.starts_with("https://") || url.starts_with("http://");
        if !self.public_url.is_empty() {
            if !is_web(&self.public_url) {
                return Err("public_url must start with http:// or https://".into());
            }
            let host = self.public_url.split_once("://").map(|(_, host)| host).unwrap_or_default();
            if host.is_empty() || host.contains(['/', '?', '#', '@', ' ']) {
                return Err("public_url must be https://host or https://host:port, without a path".into());
            }
        }
        let is_of_host = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        if !self.map_domain.chars().all(is_of_host) {
            return Err("map_domain must be the name of a domain, such as carte.example.fr".into());
        }
        let (tracker, style) = (self.issue_tracker_url.as_str(), self.map_style_url.as_str());
        if !tracker.is_empty() && !is_web(tracker) && !tracker.starts_with("mailto:") {
            return Err("issue_tracker_url must start with https://, http:// or mailto:".into());
        }
        if !style.is_empty() && !is_web(style) && !style.starts_with('/') {
            return Err("map_style_url must start with https:// or http://, or be a path that starts with /".into());
        }
        if !self.preproduction_url.is_empty() && !is_web(&self.preproduction_url) {
            return Err("preproduction_url must start with https:// or http://".into());
        }
        let voices = &self.voices;
        for (key, url) in [("voices.openai_url", &voices.openai_url), ("voices.azure_url", &voices.azure_url)] {
            if !url.trim().is_empty() && !is_web(url.trim()) {
                return Err(format!("{key} must start with https:// or http://"));
            }
        }
        // A name is looked up where it is needed.
        let ogr2ogr = self.imports.ogr2ogr.trim();
        if ogr2ogr.contains('/') && !Path::new(ogr2ogr).is_file() {
            return Err(format!("imports.ogr2ogr: there is no program {ogr2ogr}"));
        }
        let is_of_header = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !self.statistics.country_header.trim().chars().all(is_of_header) {
            return Err("statistics.country_header must be the name of a header, such as CF-IPCountry".into());
        }
        Ok(())
    }
}

/// A text of the environment that figment takes for another type, such as a secret of digits alone.
struct GuessedText {
    /// Its key, with dots between levels.
    key: String,
    text: String,
}

impl Provider for GuessedText {
    fn metadata(&self) -> Metadata {
        Metadata::named("the environment")
            .interpolater(|_, keys| format!("JALON_{}", keys.join("__").to_ascii_uppercase()))
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        let nested = nest(&self.key, Value::from(self.text.as_str()));
        Ok(Profile::Default.collect(nested.into_dict().unwrap_or_default()))
    }
}

/// The texts of the environment that figment takes for another type.
fn guessed_texts(environment: &Env) -> Vec<GuessedText> {
    let Ok(defaults) = Value::serialize(Config::default()) else { return Vec::new() };
    // What is in no default is in a map of texts, such as the headers of traces, or is refused.
    let is_text = |key: &str| defaults.find_ref(key).is_none_or(|default| default.as_str().is_some());
    let is_guessed = |text: &str| text.parse::<Value>().is_ok_and(|value| value.as_str().is_none());
    environment
        .iter()
        .map(|(key, text)| GuessedText { key: key.as_str().to_owned(), text: text.trim().to_owned() })
        .filter(|found| is_text(&found.key) && is_guessed(&found.text))
        .collect()
}

/// What is wrong, without the values of the wrong type: they may be secrets.
fn without_values(error: figment::Error) -> String {
    let faults = error.into_iter().map(|mut error| {
        if let Kind::InvalidType(found, _) | Kind::InvalidValue(found, _) = &mut error.kind {
            let kind = match found {
                Actual::Bool(_) => Some("true or false"),
                Actual::Unsigned(_) | Actual::Signed(_) | Actual::Float(_) => Some("a number"),
                Actual::Char(_) | Actual::Str(_) | Actual::Bytes(_) => Some("a text"),
                _ => None,
            };
            if let Some(kind) = kind {
                *found = Actual::Other(kind.to_owned());
            }
        }
        error.to_string()
    });
    faults.collect::<Vec<_>>().join("; ")
}

/// Variables of the scripts and tests that share the prefix without being keys.
const NOT_OURS: [&str; 10] =
    ["osm", "dem", "shared", "no_skip", "test_postgres_url", "binary", "e2e_log", "url", "e2e", "mcp_token"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_over_the_file_and_the_file_over_the_defaults() {
        figment::Jail::expect_with(|jail| {
            jail.create_file(
                "jalon.toml",
                "port = 9000\nenvironment = \"preproduction\"\n[redirects]\n\"/ancien\" = \"/parcours\"",
            )?;
            jail.set_env("JALON_PORT", "9001");
            jail.set_env("DATABASE_URL", "postgres://somewhere/jalon");
            let config = Config::load(None).map_err(|error| error.to_string())?;
            assert_eq!((config.port, config.environment), (9001, Environment::Preproduction));
            assert_eq!(config.database_url(), "postgres://somewhere/jalon");
            assert_eq!(config.redirects["/ancien"], "/parcours");
            Ok(())
        });
    }

    #[test]
    fn a_valhalla_server_is_set_by_file_or_environment() {
        figment::Jail::expect_with(|jail| {
            jail.create_file("jalon.toml", "[planner]\nengine = \"valhalla\"\nfallback = true")?;
            jail.set_env("JALON_PLANNER__VALHALLA_URL", "http://routes.example:8002");
            let planner = Config::load(None).map_err(|error| error.to_string())?.planner;
            assert_eq!((planner.engine, planner.fallback), (Engine::Valhalla, true));
            assert_eq!(
                (planner.valhalla_url.as_str(), planner.valhalla_timeout_ms),
                ("http://routes.example:8002", 10_000)
            );
            jail.set_env("JALON_PLANNER__VALHALLA_TIMEOUT_MS", "5");
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(error, "planner.valhalla_timeout_ms must be between 100 and 120000");
            Ok(())
        });
    }

    #[test]
    fn administrators_need_a_second_factor_in_production_unless_it_is_set_otherwise() {
        figment::Jail::expect_with(|jail| {
            let required = || Config::load(None).map(|config| config.totp_required_of_admins()).ok();
            assert_eq!(required(), Some(false));
            jail.set_env("JALON_TOTP_REQUIRED_OF_ADMINS", "true");
            assert_eq!(required(), Some(true));
            jail.set_env("JALON_ENVIRONMENT", "production");
            jail.set_env("JALON_TOTP_REQUIRED_OF_ADMINS", "false");
            assert_eq!(required(), Some(false));
            Ok(())
        });
    }

    #[test]
    fn trusted_proxies_are_networks_or_the_number_of_older_configurations() {
        figment::Jail::expect_with(|jail| {
            let read = || Config::load(None).map_err(|error| error.to_string());
            let with = |text: &str| {
                TrustedProxies::networks(text.split(',')).map_err(|error| figment::Error::from(error.to_string()))
            };
            let config = read()?;
            assert!(config.trusted_proxies().is_none());
            assert!(
                config.trusted_proxies.warning(true).is_some_and(|warning| warning.contains("no proxy is trusted"))
            );
            assert_eq!(config.trusted_proxies.warning(false), None);
            jail.create_file("jalon.toml", "trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\", \"fd00::/8\"]")?;
            let config = read()?;
            assert_eq!(config.trusted_proxies(), with("127.0.0.1,10.0.0.0/8,fd00::/8")?);
            assert_eq!(config.trusted_proxies.warning(true), None);
            jail.set_env("JALON_TRUSTED_PROXIES", "127.0.0.1, ::1");
            assert_eq!(read()?.trusted_proxies(), with("127.0.0.1,::1")?);
            jail.set_env("JALON_TRUSTED_PROXIES", "1");
            let config = read()?;
            assert_eq!(config.trusted_proxies(), TrustedProxies::Hops(1));
            assert!(config.trusted_proxies.warning(true).is_some_and(|warning| warning.contains("is a number")));
            jail.set_env("JALON_TRUSTED_PROXIES", "nginx");
            let error = read().err().unwrap_or_default();
            assert_eq!(error, "trusted_proxies: `nginx` is neither an IP address nor a network such as 10.0.0.0/8");
            Ok(())
        });
    }

    #[test]
    fn in_production_administrators_need_a_second_factor_by_default() {
        figment::Jail::expect_with(|jail| {
            jail.create_file("jalon.toml", "environment = \"production\"")?;
            let config = Config::load(None).map_err(|error| error.to_string())?;
            assert!(config.totp_required_of_admins());
            Ok(())
        });
    }

    #[test]
    fn an_idle_time_of_more_than_a_day_is_refused() {
        figment::Jail::expect_with(|jail| {
            jail.set_env("JALON_SESSION_IDLE_S", "86401");
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(error, "session_idle_s must be between 300 (five minutes) and 86400 (a day)");
            Ok(())
        });
    }

    #[test]
    fn bounds_of_http_are_set_one_by_one_and_checked() {
        figment::Jail::expect_with(|jail| {
            jail.set_env("JALON_HTTP__MAX_CONNECTIONS", "50");
            jail.create_file("jalon.toml", "[http]\nforwarding_header = \"forwarded\"\nidle_timeout_s = 5")?;
            let http = Config::load(None).map_err(|error| error.to_string())?.http;
            let limits = http.connections();
            assert_eq!((limits.max_connections, limits.idle_timeout.as_secs()), (50, 5));
            assert_eq!((limits.header_timeout.as_secs(), http.requests().anonymous_body_bytes), (10, 65_536));
            assert_eq!(http.forwarding_header(), app::ForwardingHeader::Forwarded);
            let refused = |jail: &mut figment::Jail, key: &str, value: &str| {
                jail.set_env(key, value);
                Config::load(None).err().map(|error| error.to_string()).unwrap_or_default()
            };
            let error = refused(jail, "JALON_HTTP__PROXY_PROTOCOL", "true");
            assert!(error.starts_with("http.proxy_protocol needs trusted_proxies"), "{error}");
            jail.set_env("JALON_HTTP__PROXY_PROTOCOL", "false");
            assert_eq!(refused(jail, "JALON_HTTP__MAX_REQUESTS", "0"), "http.max_requests must be 1 or more");
            jail.set_env("JALON_HTTP__MAX_REQUESTS", "1");
            let error = refused(jail, "JALON_HTTP__BODY_TIMEOUT_S", "0");
            assert_eq!(error, "http.body_timeout_s must be between 1 and 3600");
            Ok(())
        });
    }

    #[test]
    fn old_server_keys_are_a_list_in_the_environment_too() {
        figment::Jail::expect_with(|jail| {
            jail.set_env("JALON_OLD_SERVER_KEYS", r#"["ab12", "cd34"]"#);
            let config = Config::load(None).map_err(|error| error.to_string())?;
            assert_eq!(config.old_server_keys, ["ab12", "cd34"]);
            Ok(())
        });
    }

    #[test]
    fn blobs_are_in_a_folder_or_in_a_bucket_and_its_secret_is_never_printed() {
        figment::Jail::expect_with(|jail| {
            let read = || Config::load(None).map_err(|error| error.to_string());
            let refused = || read().err().unwrap_or_default();
            assert!(read()?.blobs.bucket()?.is_none());
            jail.create_file("jalon.toml", "[blobs]\nurl = \"s3://jalon/prod/\"\nregion = \"garage\"")?;
            assert_eq!(refused(), "blobs.url names a bucket: set blobs.access_key_id and blobs.secret_access_key too");
            jail.set_env("JALON_BLOBS__ACCESS_KEY_ID", "GK0123");
            jail.set_env("JALON_BLOBS__SECRET_ACCESS_KEY", "do-not-print");
            jail.set_env("JALON_BLOBS__ENDPOINT", "http://127.0.0.1:3900");
            jail.set_env("JALON_BLOBS__PATH_STYLE", "false");
            let config = read()?;
            let bucket = config.blobs.bucket()?.ok_or("there is a bucket")?;
            assert_eq!((bucket.bucket.as_str(), bucket.prefix.as_str()), ("jalon", "prod"));
            assert_eq!(bucket.endpoint.as_deref(), Some("http://127.0.0.1:3900"));
            assert_eq!((bucket.region.as_str(), bucket.path_style), ("garage", false));
            assert!(!format!("{config:?}{bucket:?}").contains("do-not-print"));
            jail.set_env("JALON_BLOBS__ENDPOINT", "127.0.0.1:3900");
            assert_eq!(refused(), "blobs.endpoint must start with https:// or http://");
            jail.set_env("JALON_BLOBS__URL", "https://jalon.s3.example");
            assert!(refused().starts_with("blobs.url must be s3://bucket"), "{}", refused());
            jail.set_env("JALON_BLOBS__URL", "s3://Mon Bucket");
            assert!(refused().contains("`Mon Bucket` is not a valid name of a bucket"), "{}", refused());
            Ok(())
        });
    }

    #[test]
    fn a_replica_is_one_of_postgresql() {
        figment::Jail::expect_with(|jail| {
            let read = || Config::load(None).map_err(|error| error.to_string());
            let refused = || read().err().unwrap_or_default();
            assert_eq!(read()?.database().replica_url, None);
            jail.set_env("JALON_DATABASE__REPLICA_URL", "postgres://replica/jalon");
            assert!(refused().contains("leave replica_url empty"), "{}", refused());
            jail.set_env("DATABASE_URL", "postgres://primary/jalon");
            let settings = read()?.database();
            assert_eq!(settings.replica_url.as_deref(), Some("postgres://replica/jalon"));
            assert_eq!(settings.for_migration().replica_url, None);
            jail.set_env("JALON_DATABASE__REPLICA_URL", "replica");
            assert_eq!(refused(), "database.replica_url must start with postgres:");
            Ok(())
        });
    }

    #[test]
    fn a_bucket_sends_files_to_visitors_only_where_they_reach_it() {
        figment::Jail::expect_with(|jail| {
            let read = || Config::load(None).map_err(|error| error.to_string());
            let refused = || read().err().unwrap_or_default();
            let visitors = |config: &Config| config.blobs.bucket_of_visitors(&config.public_url());
            assert!(visitors(&read()?)?.is_none(), "the server sends them");
            jail.set_env("JALON_BLOBS__PUBLIC_FILES", "redirect");
            assert!(refused().starts_with("blobs.public_files = \"redirect\" needs a bucket"), "{}", refused());
            jail.create_file(
                "jalon.toml",
                "[blobs]\nurl = \"s3://jalon\"\naccess_key_id = \"a\"\nsecret_access_key = \"b\"",
            )?;
            assert_eq!(visitors(&read()?)?.ok_or("a bucket")?.endpoint, None, "AWS");
            jail.set_env("JALON_PUBLIC_URL", "https://parcours.example.fr");
            jail.set_env("JALON_BLOBS__ENDPOINT", "http://garage:3900");
            assert!(refused().contains("set blobs.public_endpoint"), "{}", refused());
            jail.set_env("JALON_BLOBS__PUBLIC_ENDPOINT", "fichiers.example.fr");
            assert_eq!(refused(), "blobs.public_endpoint must start with https:// or http://");
            jail.set_env("JALON_BLOBS__PUBLIC_ENDPOINT", "https://fichiers.example.fr");
            let config = read()?;
            let endpoint = |bucket: Option<store::BucketSettings>| bucket.and_then(|bucket| bucket.endpoint);
            assert_eq!(endpoint(visitors(&config)?).as_deref(), Some("https://fichiers.example.fr"));
            assert_eq!(endpoint(config.blobs.bucket()?).as_deref(), Some("http://garage:3900"));
            Ok(())
        });
    }

    #[test]
    fn a_folder_of_blobs_beside_postgresql_must_be_declared_shared_to_serve() {
        figment::Jail::expect_with(|jail| {
            let serves = || Config::load(None).and_then(|config| config.check_for_serving());
            assert!(serves().is_ok(), "SQLite is on one machine");
            jail.set_env("DATABASE_URL", "postgres://somewhere/jalon");
            let refused = serves().err().map(|error| error.to_string()).unwrap_or_default();
            assert!(refused.contains("set blobs.url") && refused.contains("blobs.shared = true"), "{refused}");
            jail.set_env("JALON_BLOBS__SHARED", "true");
            assert!(serves().is_ok());
            Ok(())
        });
    }

    #[test]
    fn the_journal_is_kept_for_a_year_unless_the_operator_says_so() {
        figment::Jail::expect_with(|jail| {
            let days = |config: Result<Config, ConfigError>| config.map(|config| config.audit.retention_days);
            assert_eq!(days(Config::load(None)).ok(), Some(365));
            jail.set_env("JALON_AUDIT__RETENTION_DAYS", "180");
            assert_eq!(days(Config::load(None)).ok(), Some(180));
            jail.set_env("JALON_AUDIT__RETENTION_DAYS", "7");
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(error, "audit.retention_days must be between 30 and 3650");
            Ok(())
        });
    }

    #[test]
    fn a_text_of_the_environment_may_look_like_a_number_and_no_value_of_a_wrong_type_is_printed() {
        figment::Jail::expect_with(|jail| {
            for (name, value) in [
                ("BLOBS__ACCESS_KEY_ID", "true"),
                ("BLOBS__SECRET_ACCESS_KEY", "12345678901234567890"),
                ("SERVER_KEY", "[1]"),
                ("TRACES__HEADERS__AUTHORIZATION", "42"),
                ("PORT", "9001"),
                ("TOTP_REQUIRED_OF_ADMINS", "true"),
            ] {
                jail.set_env(format!("JALON_{name}"), value);
            }
            let config = Config::load(None).map_err(|error| error.to_string())?;
            assert_eq!(config.blobs.access_key_id, "true");
            assert_eq!(config.blobs.secret_access_key, "12345678901234567890");
            assert_eq!((config.server_key.as_str(), config.traces.headers["authorization"].as_str()), ("[1]", "42"));
            assert_eq!((config.port, config.totp_required_of_admins), (9001, Some(true)));
            jail.create_file("jalon.toml", "[backup]\nsecret_access_key = 987654321")?;
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("secret_access_key") && error.contains("a number"), "{error}");
            assert!(!error.contains("987654321"), "{error}");
            Ok(())
        });
    }

    #[test]
    fn a_folder_in_the_place_of_the_file_is_called_one() {
        figment::Jail::expect_with(|jail| {
            let error = Config::load(Some(jail.directory())).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("is a folder"), "{error}");
            Ok(())
        });
    }

    #[test]
    fn a_misspelt_key_is_named() {
        figment::Jail::expect_with(|jail| {
            jail.create_file("jalon.toml", "prot = 9000")?;
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("prot"), "{error}");
            Ok(())
        });
    }

    #[test]
    fn a_fault_of_the_environment_is_told_in_words_of_the_operator() {
        for (name, value, words) in [
            ("PROT", "1", "for key \"JALON_PROT\" in the environment"),
            ("BACKUP__KEPE", "true", "for key \"JALON_BACKUP__KEPE\" in the environment"),
            ("TRUSTED_PROXIES", "true", "trusted_proxies must be a list of addresses"),
        ] {
            figment::Jail::expect_with(|jail| {
                jail.set_env(format!("JALON_{name}"), value);
                let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
                assert!(error.contains(words), "{error}");
                assert!(!error.contains(".rs") && !error.contains("enum"), "{error}");
                Ok(())
            });
        }
    }

    #[test]
    fn a_value_that_cannot_be_meant_is_refused_with_its_key() {
        for (name, value, words) in [
            ("LOG", "info,access=loud", "log must be info, debug or a filter"),
            ("LOG", "infoo", "log must be info, debug or a filter"),
            ("VOICES__OPENAI_URL", "x", "voices.openai_url must start with"),
            ("VOICES__AZURE_URL", "x", "voices.azure_url must start with"),
            ("IMPORTS__OGR2OGR", "/nowhere/ogr2ogr", "imports.ogr2ogr: there is no program"),
            ("BACKUP__TO", "ftp://backups", "backup.to must be a folder or s3://bucket"),
            ("TIME_ZONE", "Paris", "time_zone must be the name of a time zone"),
            ("MAP_DOMAIN", "http://carte.example.fr", "map_domain must be the name of a domain"),
            ("ISSUE_TRACKER_URL", "javascript:alert(1)", "issue_tracker_url must start with"),
            ("PREPRODUCTION_URL", "xx", "preproduction_url must start with"),
            ("MAP_STYLE_URL", "zzz", "map_style_url must start with"),
            ("PUBLIC_URL", "https://example.fr/jalon", "public_url must be https://host"),
            ("PUBLIC_URL", "example.fr", "public_url must start with"),
            ("IMPORTS__TIMEOUT_S", "0", "imports.timeout_s must be between"),
            ("SERVICES__TIMEOUT_S", "0", "services.timeout_s must be between"),
            ("STATISTICS__COUNTRY_HEADER", "a b", "statistics.country_header must be"),
        ] {
            figment::Jail::expect_with(|jail| {
                jail.set_env(format!("JALON_{name}"), value);
                let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
                assert!(error.starts_with(words), "{name}: {error}");
                Ok(())
            });
        }
        figment::Jail::expect_with(|jail| {
            for (name, value) in [
                ("LOG", "debug,access=trace"),
                ("MAP_DOMAIN", ".carte.example.fr"),
                ("TIME_ZONE", "Pacific/Noumea"),
                ("ISSUE_TRACKER_URL", "mailto:aide@example.fr"),
                ("PUBLIC_URL", "https://example.fr:8443/"),
                ("STATISTICS__COUNTRY_HEADER", "CF-IPCountry"),
            ] {
                jail.set_env(format!("JALON_{name}"), value);
            }
            assert_eq!(Config::load(None).err().map(|error| error.to_string()), None);
            Ok(())
        });
    }

    #[test]
    fn measurements_have_a_port_of_their_own() {
        let mut config = Config::default();
        config.metrics.port = config.port;
        let refused = config.check_for_serving().err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.starts_with("port and metrics.port are both 8080"), "{refused}");
        config.metrics.bind = IpAddr::from([10, 0, 0, 1]);
        assert!(config.check_for_serving().is_ok(), "another address");
    }

    #[test]
    fn another_database_is_refused_in_words() {
        figment::Jail::expect_with(|jail| {
            jail.set_env("DATABASE_URL", "mysql://somewhere/jalon");
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(error, "database_url must start with sqlite: or postgres:");
            Ok(())
        });
    }
}
