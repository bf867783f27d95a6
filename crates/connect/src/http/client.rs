//! The guarded client: a timeout for the whole call, a largest size of the answer, no redirects, no proxy of the environment, and
//! a check of the address at the time of the connection.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use flate2::read::MultiGzDecoder;
use ureq::http::Request;
use ureq::middleware::MiddlewareNext;
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, SendBody};

use super::addresses::{Addresses, Guarded, NotEncrypted, NotPublic};
use crate::measured;

/// The limits of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time for the whole call, from the name to the last byte of the answer.
    pub timeout: Duration,
    /// The largest size of the answer.
    pub max_body_bytes: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// No server at the address, or the connection broke.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The server did not answer in time.
    #[error("the server did not answer in time")]
    TimedOut,
    /// The answer is larger than it may be.
    #[error("the answer is over {limit_bytes} bytes")]
    TooLarge {
        /// The largest body that is accepted.
        limit_bytes: u64,
    },
    /// The answer is not HTTP.
    #[error("the server does not speak HTTP: {0}")]
    BadAnswer(String),
    /// The address is not public, and only public ones are allowed.
    #[error("the address is not one of the public Internet")]
    NotPublic,
    /// A key would cross the public Internet unencrypted.
    #[error("a key is sent over the public Internet by https alone")]
    NotEncrypted,
    /// No request was made: the server failed too often just now.
    #[error("the server failed too often and is not asked for the moment")]
    BackingOff,
    /// The answer could not be written to its file.
    #[error("what came could not be written: {0}")]
    NotKept(io::Error),
    /// The URL cannot be requested. Only its host is named: the rest may contain a key.
    #[error("not a URL that can be asked, at `{0}`")]
    BadUrl(String),
}

/// An answer, of whatever status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its HTTP status; a redirect is not followed.
    pub status: u16,
    /// `application/json`, without parameters.
    pub media_type: String,
    pub body: Vec<u8>,
}

/// An answer with the values of its headers.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) reply: Reply,
    pub(super) location: Option<String>,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    pub(crate) retry_after_s: Option<u64>,
    /// The name of a compression that is not read here; the body is left out then.
    pub(super) other_encoding: Option<String>,
    /// Why the body could not be read to its end, or unpacked; it is left out then.
    pub(super) broken: Option<String>,
}

/// A request to a service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    pub url: &'a str,
    pub headers: &'a [(&'a str, &'a str)],
    /// The JSON body of a POST; none for a GET.
    pub body: Option<&'a [u8]>,
}

/// Calls other servers. A clone shares the connections.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
    limits: Limits,
}

impl Client {
    /// A client with these limits, for requests without a key. `service` names it in measurements.
    pub fn new(service: &'static str, addresses: Addresses, limits: Limits) -> Self {
        Self::guarded(service, Guarded { addresses, has_key: false }, limits)
    }

    /// A client with these limits, for requests with a key: it calls public addresses by https alone.
    pub fn with_key(service: &'static str, addresses: Addresses, limits: Limits) -> Self {
        Self::guarded(service, Guarded { addresses, has_key: true }, limits)
    }

    fn guarded(service: &'static str, guarded: Guarded, limits: Limits) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(limits.timeout))
            .http_status_as_error(false)
            // A redirect could lead to an address that is not allowed.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .middleware(move |request: Request<SendBody<'_>>, next: MiddlewareNext<'_>| {
                let started = Instant::now();
                let answer = next.handle(request);
                let status = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
                measured(service, status, started);
                answer
            })
            .user_agent(concat!("Jalon/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: Agent::with_parts(config, DefaultConnector::default(), guarded), limits }
    }

    /// Its limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Fetch.
    pub fn get(&self, url: &str, within: Duration) -> Result<Reply, HttpError> {
        let call = self.agent.get(url).config().timeout_global(Some(within)).build().call();
        self.read(url, call)
    }

    /// Fetch with these headers, up to a number of bytes, which are written to a file if one is named.
    pub(super) fn get_with(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        within: Duration,
        max_bytes: u64,
        into: Option<&Path>,
    ) -> Result<Answer, HttpError> {
        let asked = self.agent.get(url).config().timeout_global(Some(within)).build();
        let asked = headers.iter().fold(asked, |asked, (name, value)| asked.header(*name, *value));
        let failed = |error| http_error(error, url, max_bytes);
        let mut reply = asked.call().map_err(failed)?;
        let head = |name: &str| reply.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (location, etag, last_modified) = (head("location"), head("etag"), head("last-modified"));
        let encoding = head("content-encoding").unwrap_or_default().trim().to_ascii_lowercase();
        let retry_after_s = retry_after_s(&reply);
        let media_type = reply.body().mime_type().unwrap_or_default().to_owned();
        let status = reply.status().as_u16();
        let is_packed = matches!(encoding.as_str(), "gzip" | "x-gzip");
        let other_encoding = Some(encoding).filter(|name| !is_packed && !matches!(name.as_str(), "" | "identity"));
        let mut broken = None;
        // The body of an error status is not used.
        let body = if (200..=299).contains(&status) && other_encoding.is_none() {
            let plain = reply.body_mut().with_config().limit(max_bytes).reader();
            let unpacked: Box<dyn Read + '_> =
                if is_packed { Box::new(MultiGzDecoder::new(plain)) } else { Box::new(plain) };
            // The size of what is unpacked is limited too.
            let mut unpacked = unpacked.take(max_bytes.saturating_add(1));
            let mut body = Vec::new();
            let written = match into {
                None => unpacked.read_to_end(&mut body).map_err(Copied::NotRead),
                Some(path) => {
                    let mut file = File::create(path).map_err(HttpError::NotKept)?;
                    copied(&mut unpacked, &mut file)
                }
            };
            match written {
                Ok(written) if written as u64 > max_bytes => {
                    return Err(HttpError::TooLarge { limit_bytes: max_bytes });
                }
                Ok(_) => body,
                Err(Copied::NotKept(error)) => return Err(HttpError::NotKept(error)),
                Err(Copied::NotRead(error)) => match failed(ureq::Error::from(error)) {
                    // The server was reached: it answered, and its answer stopped or is not what its headers say.
                    HttpError::Unreachable(why) | HttpError::BadAnswer(why) => {
                        broken = Some(why);
                        Vec::new()
                    }
                    error => return Err(error),
                },
            }
        } else {
            Vec::new()
        };
        let reply = Reply { status, media_type, body };
        Ok(Answer { reply, location, etag, last_modified, retry_after_s, other_encoding, broken })
    }

    /// Sends a request and reads the body of the answer at any status: the reason of a refusal is in its body.
    pub(crate) fn ask(&self, question: Question<'_>, within: Duration) -> Result<Answer, HttpError> {
        let limit_bytes = self.limits.max_body_bytes;
        let mut reply = self.open(question, within)?;
        let retry_after_s = retry_after_s(&reply);
        let media_type = reply.body().mime_type().unwrap_or_default().to_owned();
        let status = reply.status().as_u16();
        let body = reply.body_mut().with_config().limit(limit_bytes).read_to_vec();
        let body = body.map_err(|error| http_error(error, question.url, limit_bytes))?;
        Ok(Answer {
            reply: Reply { status, media_type, body },
            location: None,
            etag: None,
            last_modified: None,
            retry_after_s,
            other_encoding: None,
            broken: None,
        })
    }

    /// The same, for a body that is read while it arrives.
    pub(crate) fn open(
        &self,
        question: Question<'_>,
        within: Duration,
    ) -> Result<ureq::http::Response<ureq::Body>, HttpError> {
        let limit_bytes = self.limits.max_body_bytes;
        let failed = |error| http_error(error, question.url, limit_bytes);
        let reply = if let Some(body) = question.body {
            let asked = self.agent.post(question.url).config().timeout_global(Some(within)).build();
            let asked = question.headers.iter().fold(asked, |asked, (name, value)| asked.header(*name, *value));
            // Most services speak JSON; the others set a content type.
            let has_type = question.headers.iter().any(|(name, _)| *name == "content-type");
            let asked = if has_type { asked } else { asked.content_type("application/json") };
            asked.send(body)
        } else {
            let asked = self.agent.get(question.url).config().timeout_global(Some(within)).build();
            question.headers.iter().fold(asked, |asked, (name, value)| asked.header(*name, *value)).call()
        };
        reply.map_err(failed)
    }

    /// Send JSON.
    pub fn post_json(&self, url: &str, body: &[u8], within: Duration) -> Result<Reply, HttpError> {
        let asked = self.agent.post(url).config().timeout_global(Some(within)).build();
        self.read(url, asked.content_type("application/json").send(body))
    }

    fn read(
        &self,
        url: &str,
        reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Reply, HttpError> {
        let limit_bytes = self.limits.max_body_bytes;
        let failed = |error| http_error(error, url, limit_bytes);
        let mut reply = reply.map_err(failed)?;
        let media_type = reply.body().mime_type().unwrap_or_default().to_owned();
        let status = reply.status().as_u16();
        let body = reply.body_mut().with_config().limit(limit_bytes).read_to_vec().map_err(failed)?;
        Ok(Reply { status, media_type, body })
    }
}

/// Why a body is not in its file.
enum Copied {
    NotRead(io::Error),
    NotKept(io::Error),
}

/// Copies a body into a file; returns its size in bytes. The error says on which side it failed.
fn copied(body: &mut impl Read, file: &mut File) -> Result<usize, Copied> {
    let mut piece = vec![0; 64 * 1024];
    let mut size = 0;
    loop {
        match body.read(&mut piece) {
            Ok(0) => return file.flush().map(|()| size).map_err(Copied::NotKept),
            Ok(read) => {
                file.write_all(&piece[..read]).map_err(Copied::NotKept)?;
                size += read;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Copied::NotRead(error)),
        }
    }
}

/// The wait that the server asks for, in seconds.
#[expect(
    clippy::disallowed_methods,
    reason = "the date of another server is compared with the clock of this machine, which no test freezes"
)]
pub(crate) fn retry_after_s(reply: &ureq::http::Response<ureq::Body>) -> Option<u64> {
    wait_s(reply.headers().get("retry-after")?.to_str().ok()?, SystemTime::now())
}

/// The wait of a `Retry-After` header: a number of seconds, or a date, of which the seconds until then are rounded up.
fn wait_s(value: &str, now: SystemTime) -> Option<u64> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(seconds);
    }
    let until = httpdate::parse_http_date(value).ok()?;
    // A date that is over asks for no wait.
    let wait = until.duration_since(now).unwrap_or_default();
    Some(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
}

fn http_error(error: ureq::Error, url: &str, limit_bytes: u64) -> HttpError {
    match error {
        ureq::Error::Timeout(_) => HttpError::TimedOut,
        ureq::Error::BodyExceedsLimit(_) => HttpError::TooLarge { limit_bytes },
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => HttpError::BadUrl(server_of(url)),
        ureq::Error::Protocol(error) => HttpError::BadAnswer(error.to_string()),
        ureq::Error::Other(inner) if inner.is::<NotPublic>() => HttpError::NotPublic,
        ureq::Error::Other(inner) if inner.is::<NotEncrypted>() => HttpError::NotEncrypted,
        ureq::Error::Io(error) => of_io(&error),
        other => HttpError::Unreachable(other.to_string()),
    }
}

/// Scheme and host of an address, for the log: paths and queries may contain keys.
pub(super) fn server_of(url: &str) -> String {
    let end = url.find("://").map_or(0, |at| at + 3);
    let authority = url[end..].split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{}{}", &url[..end], host.chars().take(200).collect::<String>())
}

fn of_io(error: &io::Error) -> HttpError {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => HttpError::TimedOut,
        io::ErrorKind::InvalidData => HttpError::BadAnswer(error.to_string()),
        _ => HttpError::Unreachable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_a_number_of_seconds_or_a_date() {
        // 1994-11-06T08:49:37Z, and half a second.
        let now = SystemTime::UNIX_EPOCH + Duration::from_millis(784_111_777_500);
        for (value, expected) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sunday, 06-Nov-94 08:50:07 GMT", Some(30)),
            ("Sun Nov  6 08:49:40 1994", Some(3)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("soon", None),
            ("-5", None),
        ] {
            assert_eq!(wait_s(value, now), expected, "{value}");
        }
    }
}
