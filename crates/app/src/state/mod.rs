//! The state that every handler uses: the store, the clock, the mail, the planner, the map, the settings.

mod assets;
mod in_flight;
mod job_runner;
mod limits;
mod pdf_reader;
mod region;
mod renderer;
mod shared;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use connect::http::Fetcher;
use connect::speech::Voices;
use connect::{Mailer, Services};
use domain::media::MediaLimits;
use domain::{Clock, Instant, Locale, TimeZone, TrustedProxies};
use jobs::Kinds;
use media::PdfReader;
use store::{Blobs, Store};
use tokio::sync::Semaphore;

pub use self::assets::{Asset, Assets, NoAssets};
pub(crate) use self::in_flight::InFlight;
pub use self::job_runner::JobRunner;
pub use self::limits::RequestLimits;
pub use self::pdf_reader::{ChildPdfReader, PDF_LIMITS};
pub use self::region::{OpenRegion, Region, RegionSource};
pub use self::renderer::{PdfRenderer, Printing};

use self::region::CurrentRegion;
use self::shared::SharedValues;
use crate::rate_limit::RateLimiter;
use crate::seal::ServerKey;
use crate::session_cache::SessionCache;

/// The application. Cloning it is cheap.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// What the application is made of.
pub struct Parts {
    /// The database.
    pub store: Store,
    /// The bytes of media and sources.
    pub blobs: Blobs,
    /// Folder of files that are on their way in.
    pub uploads: PathBuf,
    pub clock: Arc<dyn Clock>,
    /// Sends mail.
    pub mail: Arc<dyn Mailer>,
    /// Fetches what feeds and files elsewhere hold.
    pub fetcher: Arc<Fetcher>,
    /// Asks services that have a key: those that translate.
    pub services: Services,
    /// Reads texts aloud.
    pub voices: Voices,
    /// The region at the start. What is in use later is [`App::region`].
    pub first_region: Region,
    /// Where a region comes from that is published while the server runs; none where nothing is fetched.
    pub region_source: Option<RegionSource>,
    /// Prints roadbooks, where something does.
    pub renderer: Option<Arc<dyn PdfRenderer>>,
    /// Reads the documents that users upload.
    pub pdf_reader: Arc<dyn PdfReader>,
    /// The built web app.
    pub assets: Arc<dyn Assets>,
    /// Seals the secrets that must be read again.
    pub key: ServerKey,
    /// The address from which UUIDs in feeds are made: the first that the servers of this database had.
    pub uuid_base: String,
    /// What the operator set.
    pub settings: Settings,
}

/// Why there is no planner though there should be one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct PlannerFailure {
    /// `network/other-version`, `network/damaged` …
    pub code: &'static str,
    /// The same in an English sentence, with what an operator can do.
    pub detail: String,
}

/// [`Parts`], and what the application keeps for itself.
pub struct Inner {
    parts: Parts,
    /// Sessions seen in the last seconds.
    pub sessions: SessionCache,
    /// Passwords hashed at once: each takes 19 MiB and a core.
    pub(crate) hashing: Semaphore,
    /// Requests under way.
    pub in_flight: InFlight,
    /// Requests to operations that need no session, by client network.
    pub anonymous_requests: RateLimiter,
    /// The kinds of jobs that run here.
    jobs: JobRunner,
    /// The region in use.
    region: CurrentRegion,
    /// Values of the modules.
    shared: SharedValues,
}

/// What the operator set, as the API needs it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Version of the binary.
    pub version: String,
    /// Identifier of the web build that is served.
    pub build_id: String,
    /// When it was built.
    pub built_at: Instant,
    /// The URL people type, without a final slash.
    pub public_url: String,
    /// Domain under which white-labels have their sites.
    pub map_domain: String,
    /// `production`, `preproduction` or `none`.
    pub environment: Environment,
    /// Where the production notice leads.
    pub preproduction_url: Option<String>,
    /// Where the error pages send people.
    pub issue_tracker_url: String,
    /// Contact shown in the help.
    pub contact: String,
    /// Locale of a visitor that asks for nothing we have.
    pub default_locale: Option<Locale>,
    /// Languages content is written in; the first is the one that is required.
    pub content_languages: Vec<String>,
    /// Decides which day it is: closures, campaigns and client files begin and end at its midnight.
    pub time_zone: TimeZone,
    /// Whether administrators must have a second factor.
    pub totp_required_of_admins: bool,
    /// Seconds without a request after which a session ends.
    pub session_idle_s: i64,
    /// The proxies whose forwarding header is believed.
    pub trusted_proxies: TrustedProxies,
    /// The header in which they say who the client is.
    pub forwarding_header: ForwardingHeader,
    /// Questions a minute that an address may ask a public feed with one key; 0 for as many as it likes.
    pub public_requests_a_minute: u32,
    /// Header in which a proxy in front of the server gives the country of a visitor, in small letters.
    pub country_header: Option<String>,
    /// The most events of one address in a minute; 0 sets no limit.
    pub events_per_minute: u64,
    /// The most reviews, reports and complaints of one address in an hour; 0 sets no limit.
    pub feedback_an_hour: u64,
    /// How many requests, how large and how slow.
    pub requests: RequestLimits,
    /// Days an event of the journal is kept.
    pub audit_retention_days: u32,
    /// Whether spans are sent to a collector.
    pub sends_traces: bool,
    /// Route rules: old path to new path, or to another site.
    pub redirects: BTreeMap<String, String>,
    /// A style that replaces the built-in base map.
    pub map_style_url: Option<String>,
    /// The program of GDAL that converts imported files of other formats; none where they are refused.
    pub ogr2ogr: Option<PathBuf>,
    /// What files may be.
    pub media: Arc<MediaLimits>,
}

/// Which banner the shell shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// The real thing.
    Production,
    /// A trial server: a banner says so.
    Preproduction,
    /// Neither.
    #[default]
    None,
}

/// The header in which a trusted proxy says who the client is. One alone is believed: a proxy that writes one of them passes the
/// other on as the client sent it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ForwardingHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build_id: "dev".to_owned(),
            built_at: Instant(0),
            public_url: "http://localhost:8080".to_owned(),
            map_domain: "carte.localhost".to_owned(),
            environment: Environment::None,
            preproduction_url: None,
            issue_tracker_url: "https://jalon.example/aide".to_owned(),
            contact: "support@jalon.example".to_owned(),
            default_locale: None,
            content_languages: vec!["fr".to_owned(), "en".to_owned()],
            time_zone: TimeZone::default(),
            totp_required_of_admins: false,
            session_idle_s: 43_200,
            trusted_proxies: TrustedProxies::default(),
            forwarding_header: ForwardingHeader::default(),
            public_requests_a_minute: 600,
            country_header: None,
            events_per_minute: 1_200,
            feedback_an_hour: 10,
            requests: RequestLimits::default(),
            audit_retention_days: 365,
            sends_traces: false,
            redirects: BTreeMap::new(),
            map_style_url: None,
            ogr2ogr: None,
            media: Arc::default(),
        }
    }
}

impl Settings {
    /// The language that content must be written in: the first of the installation.
    pub fn main_language(&self) -> &str {
        self.content_languages.first().map_or("fr", String::as_str)
    }

    /// Whether people come over https, which makes the cookie `Secure`.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

impl App {
    /// The application of these parts, which runs these kinds of jobs.
    pub fn new(parts: Parts, kinds: Kinds<Self>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let region = CurrentRegion::new(parts.first_region.clone());
        Self(Arc::new(Inner {
            parts,
            region,
            sessions: SessionCache::default(),
            hashing: Semaphore::new(cores),
            in_flight: InFlight::default(),
            anonymous_requests: RateLimiter::default(),
            jobs: JobRunner::new(kinds),
            shared: SharedValues::default(),
        }))
    }

    /// The value of a type that all requests and jobs of this process share, made with its default when it is asked for the first time.
    pub fn shared<T: std::any::Any + Default + Send + Sync>(&self) -> Arc<T> {
        self.shared.get()
    }

    /// The region in use. A handler takes it once: another one may take its place at any time.
    pub fn region(&self) -> Arc<Region> {
        self.region.get()
    }

    /// Another region takes the place of the one in use.
    pub fn replace_region(&self, region: Region) {
        self.region.replace(region);
    }

    /// Notified when another region takes the place of the one in use.
    pub fn watch_region(&self) -> tokio::sync::watch::Receiver<Arc<Region>> {
        self.region.watch()
    }

    /// The kinds of jobs that run here.
    pub fn jobs(&self) -> &JobRunner {
        &self.jobs
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// The day that it is in the time zone of the installation, `YYYY-MM-DD`.
    pub fn today(&self) -> String {
        self.day_of(self.now())
    }

    /// The day of an instant in the time zone of the installation, `YYYY-MM-DD`.
    pub fn day_of(&self, at: Instant) -> String {
        self.settings.time_zone.day(at)
    }
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Deref for Inner {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}
