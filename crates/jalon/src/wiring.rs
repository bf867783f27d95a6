//! From the configuration to the parts of the application.

use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use app::{App, Environment, OpenRegion, Parts, PlannerFailure, Region, RegionSource, Settings};
use connect::http::{Addresses, Breaker, FetchSettings, Fetcher};
use connect::speech::{VoiceSettings, Voices};
use connect::{BucketConnector, Mailer, Outbox, ServiceSettings, Services, Smtp, ValhallaSettings};
use domain::region::{DEM, NETWORK, RELIEF, TILES};
use domain::{Clock, Instant, Locale, SystemClock, hexadecimal};
use planner::valhalla::Valhalla;
use planner::{Dem, Embedded, Network};
use routing::{Fallback, RouteEngine};
use store::{Blobs, BlobsFault, Schema, Store, StoreError, installation};

use crate::config::{self, Config};
use crate::renderer::Children;
use crate::web_app::{self, WebApp};
use crate::{files, pdf_worker, server_key};

/// Why the application cannot be put together, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum WiringError {
    /// The database.
    #[error("the database {url} cannot be opened: {source}{}", held_by(source))]
    Database {
        /// Its address, without a password.
        url: String,
        /// The error.
        source: StoreError,
    },
    /// The file of the database.
    #[error(
        "there is no database at {0}: check the data folder (--data) and database_url. `jalon migrate` makes a new one."
    )]
    NoDatabase(String),
    /// The data folder, or something in it.
    #[error("{0} cannot be used: {1}")]
    Folder(String, String),
    /// The blobs.
    #[error("the blobs in {place} cannot be used: {fault}. {advice}")]
    Blobs {
        /// The bucket or the folder.
        place: String,
        /// The error.
        fault: String,
        /// What to do.
        advice: String,
    },
    /// The disk of the blobs.
    #[error(
        "nothing can be written to {0}: the disk is full. Free disk space; until then everything can be read, and nothing can be saved."
    )]
    Full(String),
    /// The server's key.
    #[error(transparent)]
    Key(#[from] server_key::KeyError),
    /// The key of the other servers of the database.
    #[error(
        "{0}. Give this server their key (server_key, or <data>/server.key of their backup). Where that key is lost, run \
         `jalon key adopt`: keys of services and second factors must then be entered again."
    )]
    OtherKey(#[from] app::seal::OtherKey),
    /// No key, where the other servers of the database have one.
    #[error(
        "the servers of this database use the server key {0}, and this one has none. Give this server their key (server_key, or \
         <data>/server.key of their backup). Where that key is lost, run `jalon key adopt`: keys of services and second factors must \
         then be entered again."
    )]
    MissingKey(String),
    /// This program's own file, which the renderer and the reader of documents start again.
    #[error("this program cannot find its own file: {0}")]
    Program(std::io::Error),
    /// The mail.
    #[error(transparent)]
    Mail(#[from] connect::MailError),
    /// The planner's network.
    #[error("the network of the region cannot be used: {0}. Run `jalon network build` again.")]
    Network(#[from] planner::NetworkError),
    /// The base map.
    #[error("the base map of the region cannot be used: {0}. Run `jalon network build` again.")]
    Tiles(#[from] basemap::BasemapError),
}

/// What usually locks the file of a database, where that is the fault.
fn held_by(source: &StoreError) -> &'static str {
    if source.is_of_locked_file() {
        ". Another program has locked it, such as another `jalon serve`, a `jalon migrate` or a backup program: `jalon doctor` says more"
    } else {
        ""
    }
}

/// Whether a file or folder exists; an error if this process may not look.
pub fn exists(path: &Path) -> Result<bool, WiringError> {
    path.try_exists().map_err(|error| WiringError::Folder(path.display().to_string(), error.to_string()))
}

/// Connects to an existing database; its tables may have any version.
pub async fn connect(config: &Config) -> Result<Store, WiringError> {
    if let Some(file) = config.database_file()
        && !exists(&file)?
    {
        return Err(WiringError::NoDatabase(file.display().to_string()));
    }
    let failed = |source| WiringError::Database { url: without_password(&config.database_url()), source };
    Store::connect(&config.database()).await.map_err(failed)
}

/// Opens an existing database. It creates and migrates nothing: tables of an older version are refused.
pub async fn store(config: &Config) -> Result<Store, WiringError> {
    let store = connect(config).await?;
    check_schema(config, &store).await?;
    Ok(store)
}

/// Opens the database for a command that may be the first one of an installation. A database that does not exist or has no tables is
/// created. Tables of an older version are refused, as by [`store`]: migrating them would break servers that still run on them.
pub async fn new_or_current_store(config: &Config) -> Result<Store, WiringError> {
    let is_there = match config.database_file() {
        Some(file) => exists(&file)?,
        None => true,
    };
    if is_there {
        let store = connect(config).await?;
        let failed = |source| WiringError::Database { url: without_password(&config.database_url()), source };
        if store.schema().await.map_err(failed)?.database.is_some() {
            check_schema(config, &store).await?;
            return Ok(store);
        }
        store.close().await.map_err(failed)?;
    }
    migrated_store(config).await
}

/// Returns the version of the tables; an error if this program cannot work with them.
async fn check_schema(config: &Config, store: &Store) -> Result<Schema, WiringError> {
    let failed = |source| WiringError::Database { url: without_password(&config.database_url()), source };
    let schema = store.schema().await.map_err(failed)?;
    match schema.fault() {
        Some(fault) => Err(failed(fault.into())),
        None => Ok(schema),
    }
}

/// Opens the database for a command that may start a new installation: creates and migrates it. With `database.migrate = false` an older
/// database is refused instead.
pub async fn migrated_store(config: &Config) -> Result<Store, WiringError> {
    fs::create_dir_all(&config.data)
        .map_err(|error| WiringError::Folder(config.data.display().to_string(), error.to_string()))?;
    let url = config.database_url();
    let failed = |source| WiringError::Database { url: without_password(&url), source };
    let settings = config.database();
    if config.database.migrate {
        let migrating = Store::connect(&settings.for_migration()).await.map_err(failed)?;
        migrating.migrate(&SystemClock).await.map_err(failed)?;
        migrating.close().await.map_err(failed)?;
    }
    let store = Store::connect(&settings).await.map_err(failed)?;
    let schema = check_schema(config, &store).await?;
    if schema.has_unknown {
        tracing::info!(
            database = schema.database,
            own = schema.own,
            "the tables have a newer version, on which this one may run"
        );
        return Ok(store);
    }
    // Columns and sums that content of an older version does not have yet.
    store::poi::work_out_lacks(&store, &config.content_languages).await.map_err(failed)?;
    store::parcours::work_out_lacks(&store, &config.content_languages).await.map_err(failed)?;
    store::cells::fill(&store).await.map_err(failed)?;
    store::statistics::fill(&store).await.map_err(failed)?;
    Ok(store)
}

/// The bytes of sources and media.
pub fn blobs(config: &Config) -> Result<Blobs, WiringError> {
    let failed =
        |fault| WiringError::Blobs { place: blobs_place(config), fault, advice: "Correct [blobs].".to_owned() };
    if let Some(bucket) = config.blobs.bucket().map_err(failed)? {
        let blobs = Blobs::bucket(&bucket, BucketConnector).map_err(|error| failed(error.to_string()))?;
        let visitors = config.blobs.bucket_of_visitors(&config.public_url()).map_err(failed)?;
        return match visitors {
            Some(bucket) => blobs.signing(&bucket, BucketConnector).map_err(|error| failed(error.to_string())),
            None => Ok(blobs),
        };
    }
    let folder = config.data.join("blobs");
    fs::create_dir_all(&folder)
        .map_err(|error| WiringError::Folder(folder.display().to_string(), error.to_string()))?;
    Blobs::folder(&folder).map_err(|error| WiringError::Folder(folder.display().to_string(), error.to_string()))
}

/// Where the blobs are, without the access key.
pub fn blobs_place(config: &Config) -> String {
    match config.blobs.url.as_str() {
        "" => format!("the folder {}", config.data.join("blobs").display()),
        url => config.blobs.access().shown(url),
    }
}

/// Writes, reads and deletes a test blob; the error says which setting to correct.
pub async fn check_blobs(config: &Config, blobs: &Blobs) -> Result<(), WiringError> {
    let name = hexadecimal(&rand::random::<[u8; 8]>());
    let Err(fault) = blobs.check(&name).await else { return Ok(()) };
    if matches!(fault, BlobsFault::Full) {
        return Err(WiringError::Full(blobs_place(config)));
    }
    let advice = if config.blobs.url.is_empty() {
        "The server must be able to write there.".to_owned()
    } else {
        config.blobs.access().advice("blobs.url", "read, write and delete", &fault)
    };
    Err(WiringError::Blobs { place: blobs_place(config), fault: fault.to_string(), advice })
}

/// Opens regions, with the planner of the configuration.
#[derive(Debug)]
struct Regions {
    /// The Valhalla server, if the configuration has one: the same for every region.
    valhalla: Option<Arc<Valhalla>>,
    /// Whether the embedded engine plans when Valhalla fails.
    fallback: bool,
}

impl Regions {
    fn of(config: &Config) -> Self {
        let planner = &config.planner;
        let has_valhalla = planner.engine == config::Engine::Valhalla;
        Self {
            valhalla: has_valhalla.then(|| with_status_logged(Arc::new(valhalla(config)))),
            fallback: planner.fallback,
        }
    }

    /// The planner for the region in a folder; none without a network in it and without a Valhalla server.
    fn engine(&self, folder: &Path) -> Result<Option<Arc<dyn RouteEngine>>, WiringError> {
        let Some(server) = self.valhalla.clone() else {
            return Ok(embedded(folder)?.map(|engine| Arc::new(engine) as _));
        };
        let fallback = if self.fallback { embedded(folder)? } else { None };
        Ok(Some(match fallback {
            Some(embedded) => Arc::new(Fallback::new(server, embedded)),
            None => server,
        }))
    }

    /// The planner, or why it is missing: without it everything else works, so a network that cannot be used does not stop the server.
    /// With Valhalla the server still plans, without the embedded engine as fallback.
    fn engine_or_reason(&self, folder: &Path) -> Result<Region, WiringError> {
        let error = match self.engine(folder) {
            Ok(engine) => return Ok(Region { engine, ..Region::default() }),
            Err(error) => error,
        };
        let WiringError::Network(reason) = &error else { return Err(error) };
        tracing::error!(code = reason.code(), "the server runs without its own planner: {error}");
        let engine_failure = Some(PlannerFailure { code: reason.code(), detail: reason.to_string() });
        Ok(Region { engine: self.valhalla.clone().map(|server| server as _), engine_failure, ..Region::default() })
    }

    /// The region in a folder of this server, with a planner or without one.
    fn own(&self, folder: &Path) -> Result<Region, WiringError> {
        let (region, file) = (self.engine_or_reason(folder)?, folder.join(TILES));
        Ok(Region { tiles: tiles(folder)?, tiles_file: Some(file), ..region })
    }
}

impl OpenRegion for Regions {
    fn open(&self, folder: &Path) -> Result<Region, PlannerFailure> {
        let opened = || Ok((self.engine(folder)?, tiles(folder)?));
        let (engine, tiles) = opened().map_err(|error: WiringError| {
            let code = if let WiringError::Network(reason) = &error { reason.code() } else { "network/damaged" };
            PlannerFailure { code, detail: error.to_string() }
        })?;
        Ok(Region { engine, tiles, tiles_file: Some(folder.join(TILES)), ..Region::default() })
    }
}

/// The planner in use: of the published region if this server has it, else of the folder `region/`; none if there is neither.
pub async fn engine(config: &Config, store: &Store) -> Result<Option<Arc<dyn RouteEngine>>, WiringError> {
    let regions = Arc::new(Regions::of(config));
    let source = RegionSource { folder: config.bundles(), opener: Arc::clone(&regions) as _ };
    let failed = |source| WiringError::Database { url: without_password(&config.database_url()), source };
    match api::region::at_start(&source, store).await.map_err(failed)? {
        Some(region) => Ok(region.engine),
        None => regions.engine(&config.region()),
    }
}

/// The Valhalla server of the configuration. Nothing is asked yet.
pub fn valhalla(config: &Config) -> Valhalla {
    let planner = &config.planner;
    let timeout = Duration::from_millis(planner.valhalla_timeout_ms);
    let settings = ValhallaSettings { url: planner.valhalla_url.clone(), timeout };
    Valhalla::new(connect::valhalla(&settings, Breaker::default()))
}

/// Logs the version and the data date of a Valhalla server from another thread, so that a slow server does not delay the start.
fn with_status_logged(server: Arc<Valhalla>) -> Arc<Valhalla> {
    let asked = Arc::clone(&server);
    std::thread::spawn(move || match asked.ask_status() {
        Ok(status) => tracing::info!(version = status.version, data_date = status.data_date, "Valhalla answers"),
        Err(error) => tracing::error!(code = error.code(), "Valhalla: {error}"),
    });
    server
}

/// The planner over the prepared region; none where no region was prepared.
pub fn embedded(region: &Path) -> Result<Option<Embedded>, WiringError> {
    let file = region.join(NETWORK);
    if !file.is_file() {
        return Ok(None);
    }
    let dem = region.join(DEM);
    let dem = if dem.is_dir() { elevation(&dem) } else { None };
    Ok(Some(Embedded::new(Network::open(&file)?, dem)))
}

/// The elevation tiles. Planned lines bring their own heights: without tiles the server still runs, and logs a warning.
fn elevation(folder: &Path) -> Option<Arc<Dem>> {
    let dem = Dem::open_dir(folder).inspect_err(|error| tracing::warn!("no elevation: {error}")).ok()?;
    for refused in dem.refused() {
        tracing::warn!("left out: {refused}");
    }
    Some(Arc::new(dem))
}

/// The base map's tiles; none where no region was prepared.
pub fn tiles(region: &Path) -> Result<Option<Arc<basemap::Tiles>>, WiringError> {
    let file = region.join(TILES);
    if !file.is_file() {
        return Ok(None);
    }
    let tiles = basemap::Tiles::open(&file)?;
    if lacks_relief(region, &tiles) {
        tracing::warn!("{RELIEF} of the region is left out: it is damaged, or of another base map");
    }
    Ok(Some(Arc::new(tiles)))
}

/// Whether a region has a file of heights for its map that cannot be used.
pub fn lacks_relief(region: &Path, tiles: &basemap::Tiles) -> bool {
    !tiles.has_relief() && region.join(RELIEF).is_file()
}

/// Builds the application from the configuration, with an open database.
pub async fn app(config: &Config, store: Store) -> Result<App, WiringError> {
    let failed = |source| WiringError::Database { url: without_password(&config.database_url()), source };
    // No key is made beside a database that has one.
    if server_key::find(config)?.is_none()
        && let Some(recorded) = installation::server_key(store.read()).await.map_err(failed)?
    {
        return Err(WiringError::MissingKey(recorded));
    }
    let key = server_key::find_or_make(config)?;
    app::seal::agree(&key.ring(), &store, now()).await.map_err(failed)??;
    let difference_s = store.clock_difference(now()).await.map_err(failed)?;
    if difference_s.abs() > MAX_CLOCK_DIFFERENCE_S {
        tracing::warn!(
            difference_s,
            "the clock of this machine differs from the database's: run a time service on both"
        );
    }
    files::close_existing(config);
    let bound = app::seal::bind_old_keys(&key, &store).await.map_err(failed)?;
    if bound.done > 0 {
        tracing::info!(
            count = bound.done,
            "secrets of an older version are encrypted again, each key bound to the server that it is sent to"
        );
    }
    if let Some(missing) = app::seal::survey(&key, store.read()).await.map_err(failed)?.missing_keys() {
        tracing::error!("{missing}");
    }
    let uuid_base = uuid_base(config, &store).await.map_err(failed)?;
    let regions = Arc::new(Regions::of(config));
    let source = RegionSource { folder: config.bundles(), opener: Arc::clone(&regions) as _ };
    let first_region = match api::region::at_start(&source, &store).await.map_err(failed)? {
        Some(region) => region,
        None => regions.own(&config.region())?,
    };
    Ok(api::application(Parts {
        store,
        blobs: blobs(config)?,
        uploads: config.data.join("uploads"),
        clock: Arc::new(SystemClock),
        mail: mailer(config)?,
        fetcher: fetcher(config),
        services: services(config),
        voices: voices(config),
        first_region,
        region_source: Some(source),
        renderer: Some(Arc::new(Children::new().map_err(WiringError::Program)?)),
        pdf_reader: Arc::new(pdf_worker::reader().map_err(WiringError::Program)?),
        assets: Arc::new(WebApp),
        key,
        uuid_base,
        settings: settings(config),
    }))
}

/// The address from which UUIDs in feeds are made: that of the first start, so that another `public_url` changes none of them. An address
/// of this machine alone is not recorded: all trials would have the same UUIDs.
async fn uuid_base(config: &Config, store: &Store) -> Result<String, StoreError> {
    if let Some(recorded) = installation::uuid_base(store.read()).await? {
        return Ok(recorded);
    }
    let url = config.public_url();
    if is_of_this_machine(&url) {
        return Ok(url);
    }
    let tx = store.begin().await?;
    let recorded = installation::record_first_uuid_base(&tx, &url).await?;
    tx.commit_aside().await?;
    Ok(recorded)
}

/// Whether only this machine reaches an address: `http://localhost:8080`, `http://127.0.0.1`.
fn is_of_this_machine(url: &str) -> bool {
    let authority = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = match authority.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next(),
        None => authority.split(':').next(),
    };
    let host = host.unwrap_or_default().to_ascii_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Sends by SMTP where a server is configured, else writes to the outbox.
pub fn mailer(config: &Config) -> Result<Arc<dyn Mailer>, WiringError> {
    let mail = &config.mail;
    if mail.smtp_url.is_empty() {
        return Ok(Arc::new(Outbox::new(&config.data.join("outbox"), &mail.from)?));
    }
    Ok(Arc::new(Smtp::new(&mail.smtp_url, &mail.from)?))
}

/// Fetches from public addresses only, unless `imports.private_addresses` is set.
fn fetcher(config: &Config) -> Arc<Fetcher> {
    let imports = &config.imports;
    let addresses = if imports.private_addresses { Addresses::Any } else { Addresses::Public };
    Arc::new(Fetcher::new(FetchSettings {
        addresses,
        timeout: Duration::from_secs(imports.timeout_s),
        pause: Duration::from_millis(imports.pause_ms),
        ..FetchSettings::default()
    }))
}

/// Services are on the public Internet, unless the operator allows others (a LibreTranslate server in the private network).
fn services(config: &Config) -> Services {
    let set = &config.services;
    let addresses = if set.private_addresses { Addresses::Any } else { Addresses::Public };
    let timeout = Duration::from_secs(set.timeout_s);
    Services::new(ServiceSettings { addresses, timeout, ..ServiceSettings::default() })
}

/// Speech synthesis: espeak-ng if it is installed, and the configured services.
fn voices(config: &Config) -> Voices {
    let set = &config.voices;
    let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let azure_url = filled(&set.azure_url)
        .or_else(|| filled(&set.azure_region).map(|region| format!("https://{region}.tts.speech.microsoft.com")));
    let settings = VoiceSettings {
        espeak: filled(&set.espeak).map(Into::into),
        openai_url: filled(&set.openai_url),
        openai_key: filled(&set.openai_key),
        openai_model: set.openai_model.clone(),
        azure_url,
        azure_key: filled(&set.azure_key),
    };
    Voices::new(settings, services(config))
}

fn settings(config: &Config) -> Settings {
    let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let (build_id, built_ms) = web_app::build().unwrap_or_else(|| ("dev".to_owned(), 0));
    Settings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build_id,
        built_at: Instant(built_ms / 1000),
        public_url: config.public_url(),
        map_domain: config.map_domain.trim_matches('.').to_lowercase(),
        environment: match config.environment {
            config::Environment::Production => Environment::Production,
            config::Environment::Preproduction => Environment::Preproduction,
            config::Environment::None => Environment::None,
        },
        preproduction_url: filled(&config.preproduction_url),
        issue_tracker_url: config.issue_tracker_url.clone(),
        contact: config.contact.clone(),
        default_locale: Locale::parse(&config.default_locale),
        content_languages: config.content_languages.clone(),
        time_zone: config.time_zone(),
        totp_required_of_admins: config.totp_required_of_admins(),
        session_idle_s: config.session_idle_s,
        ogr2ogr: filled(&config.imports.ogr2ogr).map(Into::into),
        trusted_proxies: config.trusted_proxies(),
        forwarding_header: config.http.forwarding_header(),
        requests: config.http.requests(),
        public_requests_a_minute: config.public_requests_a_minute,
        country_header: filled(&config.statistics.country_header.trim().to_ascii_lowercase()),
        events_per_minute: config.statistics.events_per_minute,
        feedback_an_hour: config.feedback.per_hour,
        audit_retention_days: config.audit.retention_days,
        sends_traces: config.traces.is_on(),
        redirects: config.redirects.clone(),
        map_style_url: filled(&config.map_style_url),
        media: Arc::new(config.media.clone()),
    }
}

/// A database address that may be shown.
pub fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            let user = url[scheme + 3..at].split(':').next().unwrap_or_default();
            format!("{}://{user}:…@{}", &url[..scheme], &url[at + 1..])
        }
        _ => url.to_owned(),
    }
}

/// The largest clock difference between servers that leases and sessions tolerate, seconds.
pub const MAX_CLOCK_DIFFERENCE_S: i64 = 2;

/// How long requests in progress may still take once the server is asked to stop.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// The present instant, for commands without an application.
pub fn now() -> Instant {
    SystemClock.now()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_cannot_be_used_leaves_the_server_without_planner() {
        let data = std::env::temp_dir().join(format!("jalon-region-{}", std::process::id()));
        let mut config = Config { data: data.clone(), ..Config::default() };
        let region = config.region();
        fs::create_dir_all(&region).unwrap();
        let mut older = b"JALONNET\x01\0\0\0".to_vec();
        older.resize(4096, 0);
        let mut damaged = older.clone();
        damaged[8] = 2;
        let files =
            [(older, "network/other-version"), (damaged, "network/damaged"), (vec![0; 40], "network/not-a-network")];
        for (bytes, code) in files {
            fs::write(region.join(NETWORK), bytes).unwrap();
            let found = Regions::of(&config).own(&region).unwrap();
            assert!(found.engine.is_none());
            let failure = found.engine_failure.unwrap();
            assert_eq!(failure.code, code);
            assert!(failure.detail.contains("network"), "{}", failure.detail);
        }
        config.planner = config::Planner {
            engine: config::Engine::Valhalla,
            valhalla_url: "http://127.0.0.1:1".to_owned(),
            fallback: true,
            ..config::Planner::default()
        };
        let found = Regions::of(&config).own(&region).unwrap();
        assert_eq!(
            (found.engine.unwrap().status().engine, found.engine_failure.is_some()),
            ("valhalla".to_owned(), true)
        );
        fs::remove_dir_all(&data).unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn uuids_are_made_from_the_first_address_that_others_reach() {
        let data = std::env::temp_dir().join(format!("jalon-uuid-base-{}", std::process::id()));
        let at = |url: &str| Config { data: data.clone(), public_url: url.to_owned(), ..Config::default() };
        let store = migrated_store(&at("")).await.unwrap();
        let tx = store.begin().await.unwrap();
        installation::record_first_key(&tx, "0123456789abcdef", now()).await.unwrap();
        tx.commit().await.unwrap();
        for (url, base) in [
            ("", "http://localhost:8080"),
            ("http://[::1]:9000", "http://[::1]:9000"),
            ("http://jalon.localhost", "http://jalon.localhost"),
            ("http://first.example", "http://first.example"),
            ("https://first.example", "http://first.example"),
            ("https://other.example", "http://first.example"),
            ("", "http://first.example"),
        ] {
            assert_eq!(uuid_base(&at(url), &store).await.unwrap(), base, "{url}");
        }
        store.close().await.unwrap();
        fs::remove_dir_all(&data).unwrap();
    }

    #[test]
    fn a_password_is_never_shown() {
        assert_eq!(without_password("postgres://jalon:secret@db/jalon"), "postgres://jalon:…@db/jalon");
        assert_eq!(without_password("sqlite://data/jalon.sqlite"), "sqlite://data/jalon.sqlite");
    }
}
