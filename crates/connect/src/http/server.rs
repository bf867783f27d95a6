//! A server that answers read-only JSON requests, with retries and a circuit breaker.

use std::thread;
use std::time::{Duration, Instant};

use super::breaker::Breaker;
use super::client::{Client, HttpError, Reply};

/// How many times a request that failed is sent again.
pub const RETRIES: u32 = 2;
/// Wait before the first repetition; the wait is doubled before the next one.
const PAUSE: Duration = Duration::from_millis(50);

/// One server with its circuit breaker.
#[derive(Debug)]
pub struct Server {
    client: Client,
    base_url: String,
    /// The URL for the log, without user name and password.
    name: String,
    breaker: Breaker,
}

impl Server {
    /// The server at a URL.
    pub fn new(base_url: &str, client: Client, breaker: Breaker) -> Self {
        let base_url = base_url.trim_end_matches('/').to_owned();
        let name = base_url.rsplit('@').next().unwrap_or_default().trim_start_matches("http://").to_owned();
        Self { client, base_url, name, breaker }
    }

    /// Posts a question that changes nothing on the server, so that it may be sent again. All attempts together take at most the
    /// client's timeout.
    ///
    /// # Errors
    /// If the answer is not JSON, is a redirect or has a status of 500 or above, if there is no answer in time, or if the circuit
    /// breaker is open after several failures in a row.
    pub fn read(&self, path: &str, question: &[u8]) -> Result<Reply, HttpError> {
        if !self.breaker.lets_pass() {
            return Err(HttpError::BackingOff);
        }
        let answer = self.with_retries(path, question).and_then(sensible);
        match &answer {
            Ok(_) => self.breaker.succeeded(),
            Err(error) => {
                tracing::warn!(server = self.name, path, %error, "no answer");
                if self.breaker.failed() {
                    tracing::error!(server = self.name, "failed too often: it gets no requests for a while");
                }
            }
        }
        answer
    }

    fn with_retries(&self, path: &str, question: &[u8]) -> Result<Reply, HttpError> {
        let until = Instant::now() + self.client.limits().timeout;
        let url = format!("{}/{path}", self.base_url);
        let mut pause = PAUSE;
        for again in (0..=RETRIES).rev() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let answer = self.client.post_json(&url, question, left);
            let is_transient = match &answer {
                Ok(reply) => matches!(reply.status, 502..=504),
                Err(error) => matches!(error, HttpError::Unreachable(_)),
            };
            if !is_transient || again == 0 {
                return answer;
            }
            thread::sleep(pause.min(until.saturating_duration_since(Instant::now())));
            pause *= 2;
        }
        Err(HttpError::TimedOut)
    }
}

/// JSON of a status that is neither a failure nor a redirect.
fn sensible(reply: Reply) -> Result<Reply, HttpError> {
    if reply.status >= 500 {
        return Err(HttpError::Unreachable(format!("status {}", reply.status)));
    }
    let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&reply.body).is_ok();
    if (300..400).contains(&reply.status) || !is_json {
        return Err(HttpError::BadAnswer(format!("status {}, {}, no JSON", reply.status, reply.media_type)));
    }
    Ok(reply)
}
