//! Services that are called with a key: the permitted addresses, the timeout, the retries.

use std::thread;
use std::time::Duration;

use crate::http::{Addresses, Answer, Client, HttpError, Limits, Question};

/// The most attempts of a request.
const TRIES: u32 = 3;
/// The longest wait a service may ask for; a service that asks for more is refused with a message.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// The largest answer of a service.
const MAX_BODY_BYTES: u64 = 8 * 1024 * 1024;

/// How services are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceSettings {
    /// The permitted addresses.
    pub addresses: Addresses,
    /// Time for one answer.
    pub timeout: Duration,
    /// The wait before the second attempt; twice that before the third.
    pub back_off: Duration,
}

impl Default for ServiceSettings {
    fn default() -> Self {
        Self { addresses: Addresses::Public, timeout: Duration::from_secs(20), back_off: Duration::from_secs(1) }
    }
}

/// Calls services. A clone shares the connections.
#[derive(Debug, Clone)]
pub struct Services {
    pub(crate) client: Client,
    settings: ServiceSettings,
}

impl Services {
    /// Services with these settings.
    pub fn new(settings: ServiceSettings) -> Self {
        let limits = Limits { timeout: settings.timeout, max_body_bytes: MAX_BODY_BYTES };
        Self { client: Client::with_key("services", settings.addresses, limits), settings }
    }

    /// Whether services in the private network are permitted.
    pub fn asks_private_addresses(&self) -> bool {
        self.settings.addresses == Addresses::Any
    }

    /// Makes a request that may be repeated. After "too many requests" and short failures it waits, and tries again.
    pub(crate) fn ask(&self, name: &str, question: Question<'_>) -> Result<Answer, HttpError> {
        let mut pause = self.settings.back_off;
        let mut left = TRIES;
        loop {
            left -= 1;
            let answer = self.client.ask(question, self.settings.timeout);
            let wait = match &answer {
                Ok(answer) if matches!(answer.reply.status, 429 | 500 | 502 | 503 | 504 | 529) => {
                    answer.retry_after_s.map_or(pause, Duration::from_secs)
                }
                Err(HttpError::Unreachable(_)) => pause,
                _ => Duration::MAX,
            };
            let status = answer.as_ref().map_or(0, |answer| answer.reply.status);
            if left == 0 || wait > MAX_WAIT {
                tracing::info!(service = name, status, "asked");
                return answer;
            }
            tracing::info!(service = name, status, "asked again");
            thread::sleep(wait);
            pause *= 2;
        }
    }
}
