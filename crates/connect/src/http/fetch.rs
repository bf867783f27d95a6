//! Fetching from other servers: files, pages of feeds, pictures. Redirects are followed here, each address checked again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::Uri;

use super::addresses::Addresses;
use super::client::{Client, HttpError, Limits, server_of};

/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;
/// Requests for one address before it is given up.
const TRIES: u32 = 3;
/// The longest wait a server may ask for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(30);

/// The least time from an answer to the next request to the same host.
const MIN_PAUSE: Duration = Duration::from_millis(50);

/// How the fetcher makes its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchSettings {
    /// Where requests may go.
    pub addresses: Addresses,
    /// Time for one answer, from the name to the last byte.
    pub timeout: Duration,
    /// The longest time from a request to the next one to the same host. A server that answers soon is asked again after as long as its answer
    /// took, and 50 ms at least.
    pub pause: Duration,
    /// Before the second try; twice that before the third.
    pub back_off: Duration,
}

impl Default for FetchSettings {
    fn default() -> Self {
        Self {
            addresses: Addresses::Public,
            timeout: Duration::from_secs(60),
            pause: Duration::from_secs(1),
            back_off: Duration::from_secs(2),
        }
    }
}

/// Validators of the last answer: with them the server sends only what has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// Its entity tag.
    pub etag: Option<String>,
    /// When it last changed, in the server's words.
    pub last_modified: Option<String>,
}

/// The result of a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// It changed, or is new.
    New {
        bytes: Vec<u8>,
        /// The media type that the server gives, without parameters.
        media_type: String,
        /// The validators for the next request.
        validators: Validators,
    },
    /// It did not change.
    Same,
}

/// Why a fetch failed.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// No answer that could be used.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// A status that is not a success.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// The server redirects too often.
    #[error("the server redirects without end")]
    Redirects,
    /// The answer is compressed in a way that is not read here.
    #[error("the answer is compressed as `{0}`")]
    Encoded(String),
    /// The answer stopped before its end, or is not compressed as its headers say.
    #[error("the answer is broken: {0}")]
    Broken(String),
    /// Neither http nor https.
    #[error("no address of the web, at `{0}`")]
    Scheme(String),
}

impl FetchError {
    /// The stable code that the interface translates.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Http(HttpError::TimedOut) => "fetch/timed-out",
            Self::Http(HttpError::NotKept(_)) => "fetch/not-kept",
            Self::Http(HttpError::TooLarge { .. }) => "fetch/too-large",
            Self::Http(HttpError::BadAnswer(_)) => "fetch/not-http",
            Self::Http(HttpError::NotPublic) => "fetch/not-public",
            Self::Http(HttpError::NotEncrypted) => "fetch/not-encrypted",
            Self::Http(HttpError::BadUrl(_)) | Self::Scheme(_) => "fetch/bad-url",
            Self::Http(HttpError::Unreachable(_) | HttpError::BackingOff) => "fetch/unreachable",
            Self::Status(401 | 403) => "fetch/forbidden",
            Self::Status(404 | 410) => "fetch/not-found",
            Self::Status(429) => "fetch/too-many-requests",
            Self::Status(_) => "fetch/status",
            Self::Redirects => "fetch/redirects",
            Self::Encoded(_) => "fetch/encoded",
            Self::Broken(_) => "fetch/broken",
        }
    }

    /// The parameters of its sentence.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Status(status) => vec![("status", status.to_string())],
            Self::Encoded(encoding) => vec![("encoding", encoding.chars().take(40).collect())],
            Self::Http(HttpError::TooLarge { limit_bytes }) => {
                vec![("megabytes", (limit_bytes / 1_000_000).to_string())]
            }
            _ => Vec::new(),
        }
    }

    /// Whether a later try may succeed.
    const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Http(HttpError::Unreachable(_) | HttpError::TimedOut)
                | Self::Broken(_)
                | Self::Status(429 | 500 | 502 | 503 | 504)
        )
    }
}

/// The address to fetch, and the conditions.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The address.
    pub url: &'a str,
    /// Validators of the last answer.
    pub known: &'a Validators,
    /// Headers for the server of the address; no other server gets them after a redirect.
    pub headers: &'a [(&'static str, String)],
    /// Whether the address or the headers contain a key: it crosses the public Internet by https alone, redirects included.
    pub has_key: bool,
    /// The largest size, in bytes.
    pub max_bytes: u64,
    /// The file for the answer, instead of memory.
    pub into: Option<&'a Path>,
}

/// Fetches from other servers. It blocks: handlers and workers call it on a blocking thread.
#[derive(Debug)]
pub struct Fetcher {
    settings: FetchSettings,
    client: Client,
    key_client: Client,
    asked: Mutex<HashMap<String, Instant>>,
}

impl Fetcher {
    /// A fetcher with these settings.
    pub fn new(settings: FetchSettings) -> Self {
        let limits = Limits { timeout: settings.timeout, max_body_bytes: u64::MAX };
        Self {
            settings,
            client: Client::new("sources", settings.addresses, limits),
            key_client: Client::with_key("sources", settings.addresses, limits),
            asked: Mutex::default(),
        }
    }

    /// Whether it calls addresses of the private network too.
    pub fn asks_private_addresses(&self) -> bool {
        self.settings.addresses == Addresses::Any
    }

    /// Fetches an address, up to a number of bytes, unless the answer is the same as the last time.
    pub fn fetch(&self, url: &str, known: &Validators, max_bytes: u64) -> Result<Fetched, FetchError> {
        self.fetch_with(Ask { url, known, headers: &[], has_key: false, max_bytes, into: None })
    }

    /// Fetches an address with these conditions.
    pub fn fetch_with(&self, ask: Ask<'_>) -> Result<Fetched, FetchError> {
        let (url, mut pause) = (ask.url, self.settings.back_off);
        for left in (0..TRIES).rev() {
            match self.follow(ask) {
                Err((error, asked_for)) if error.may_pass() && left > 0 => {
                    tracing::info!(%error, "asked again");
                    thread::sleep(asked_for.unwrap_or(pause));
                    pause *= 2;
                }
                Err((error, _)) => {
                    tracing::warn!(host = host(url).unwrap_or_default(), code = error.code(), %error, "nothing came");
                    return Err(error);
                }
                Ok(fetched) => return Ok(fetched),
            }
        }
        Err(FetchError::Http(HttpError::TimedOut))
    }

    fn follow(&self, ask: Ask<'_>) -> Result<Fetched, (FetchError, Option<Duration>)> {
        let plain = |error: FetchError| (error, None);
        let Ask { known, max_bytes, .. } = ask;
        let mut at = ask.url.to_owned();
        for _ in 0..=MAX_REDIRECTS {
            let asked_host = host(&at).map_err(plain)?;
            let due = self.wait_for(&asked_host);
            let started = Instant::now();
            let mut headers = vec![("accept-encoding", "gzip")];
            // A key is for the server of the address, not for a server that it redirects to.
            if same_origin(ask.url, &at) {
                headers.extend(ask.headers.iter().map(|(name, value)| (*name, value.as_str())));
            }
            headers.extend(known.etag.as_deref().map(|etag| ("if-none-match", etag)));
            headers.extend(known.last_modified.as_deref().map(|at| ("if-modified-since", at)));
            let client = if ask.has_key { &self.key_client } else { &self.client };
            let answer = client.get_with(&at, &headers, self.settings.timeout, max_bytes, ask.into);
            let answer = answer.map_err(|error| plain(error.into()))?;
            let status = answer.reply.status;
            // A server that has too much to do is not asked sooner; one that does not have a file is.
            if status < 500 && status != 429 {
                self.ask_sooner(&asked_host, due, started.elapsed());
            }
            match status {
                304 if *known != Validators::default() => return Ok(Fetched::Same),
                200..=299 => {
                    if let Some(encoding) = answer.other_encoding {
                        return Err(plain(FetchError::Encoded(encoding)));
                    }
                    if let Some(why) = answer.broken {
                        return Err(plain(FetchError::Broken(why)));
                    }
                    let validators = Validators { etag: answer.etag, last_modified: answer.last_modified };
                    let (bytes, media_type) = (answer.reply.body, answer.reply.media_type);
                    return Ok(Fetched::New { bytes, media_type, validators });
                }
                301 | 302 | 303 | 307 | 308 => {
                    let to = answer.location.ok_or_else(|| plain(FetchError::Status(status)))?;
                    at = resolved(&at, &to).ok_or_else(|| plain(FetchError::Scheme(server_of(&to))))?;
                }
                _ => {
                    let wait = answer.retry_after_s.map(|seconds| Duration::from_secs(seconds).min(MAX_RETRY_AFTER));
                    return Err((FetchError::Status(status), wait));
                }
            }
        }
        Err(plain(FetchError::Redirects))
    }

    /// Waits until the next request to a host is due. Returns when the one after it is.
    fn wait_for(&self, host: &str) -> Instant {
        let (wait, due) = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            asked.retain(|_, next| *next > now);
            let next = asked.get(host).copied().unwrap_or(now).max(now);
            let due = next + self.settings.pause;
            asked.insert(host.to_owned(), due);
            (next - now, due)
        };
        if !wait.is_zero() {
            thread::sleep(wait);
        }
        due
    }

    /// Makes the next request to a host due sooner, after an answer that took so long: unless another thread waits for its turn.
    fn ask_sooner(&self, host: &str, due: Instant, took: Duration) {
        let sooner = Instant::now() + took.max(MIN_PAUSE);
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(next) = asked.get_mut(host).filter(|next| **next == due && sooner < due) {
            *next = sooner;
        }
    }
}

/// The host of a web address.
fn host(url: &str) -> Result<String, FetchError> {
    let wrong_scheme = || FetchError::Scheme(server_of(url));
    let uri: Uri = url.parse().map_err(|_| wrong_scheme())?;
    match uri.scheme_str() {
        Some("http" | "https") => uri.authority().map(|at| at.host().to_ascii_lowercase()).ok_or_else(wrong_scheme),
        _ => Err(wrong_scheme()),
    }
}

/// Whether two addresses have the same scheme, host and port.
fn same_origin(one: &str, other: &str) -> bool {
    let origin = |url: &str| {
        let uri: Uri = url.parse().ok()?;
        Some((uri.scheme_str()?.to_ascii_lowercase(), uri.authority()?.as_str().to_ascii_lowercase()))
    };
    origin(one).is_some_and(|own| Some(own) == origin(other))
}

/// The complete address that a page names, which may be relative to its own: of a redirect, of a next page.
pub fn resolved(from: &str, to: &str) -> Option<String> {
    if to.starts_with("http://") || to.starts_with("https://") {
        return Some(to.to_owned());
    }
    let uri: Uri = from.parse().ok()?;
    let origin = format!("{}://{}", uri.scheme_str()?, uri.authority()?);
    if let Some(rest) = to.strip_prefix("//") {
        return Some(format!("{}://{rest}", uri.scheme_str()?));
    }
    if to.starts_with('/') {
        return Some(format!("{origin}{to}"));
    }
    if to.starts_with('?') {
        return Some(format!("{origin}{}{to}", uri.path()));
    }
    if to.split('?').next()?.contains("://") {
        return None;
    }
    let folder = uri.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    Some(format!("{origin}{folder}/{to}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_for_the_server_that_was_named() {
        let own = "https://feed.example/a?b";
        assert!(same_origin(own, "https://FEED.example/c"));
        for other in ["http://feed.example/a", "https://feed.example:8443/a", "https://feed.example.org/", "file:///a"]
        {
            assert!(!same_origin(own, other), "{other}");
        }
    }

    #[test]
    fn a_redirect_leads_where_it_says_seen_from_where_it_stands() {
        let from = "https://feed.example/a/b?c=d";
        let to = |to: &str| resolved(from, to).unwrap_or_default();
        assert_eq!(to("/e"), "https://feed.example/e");
        assert_eq!(to("e"), "https://feed.example/a/e");
        assert_eq!(to("?offset=5"), "https://feed.example/a/b?offset=5");
        assert_eq!(to("//other.example/e"), "https://other.example/e");
        assert_eq!(to("http://127.0.0.1/"), "http://127.0.0.1/");
        assert_eq!(resolved(from, "file:///etc/passwd"), None);
        assert!(matches!(host("file:///etc/passwd"), Err(FetchError::Scheme(_))));
        assert!(matches!(host("gopher://feed.example/"), Err(FetchError::Scheme(_))));
    }
}
