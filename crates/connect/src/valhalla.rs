//! The connection to a Valhalla server. `planner` writes the requests and reads the answers.

use std::time::Duration;

use routing::server::{Answer, Exchange, Unanswered};

use crate::http::{Addresses, Breaker, Client, HttpError, Limits, Server};

/// The answer for a line of 200,000 points is some 40 MB.
const MAX_BODY_BYTES: u64 = 64 * 1024 * 1024;

/// The address, and the timeout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValhallaSettings {
    /// `http://localhost:8002`; the operator's own, so it may lie anywhere.
    pub url: String,
    /// Time for one request.
    pub timeout: Duration,
}

/// The connection to a Valhalla server, for `planner::valhalla::Valhalla`. It sends no request yet.
pub fn valhalla(settings: &ValhallaSettings, breaker: Breaker) -> Box<dyn Exchange> {
    let limits = Limits { timeout: settings.timeout, max_body_bytes: MAX_BODY_BYTES };
    Box::new(Server::new(&settings.url, Client::new("valhalla", Addresses::Any, limits), breaker))
}

impl Exchange for Server {
    fn ask(&self, action: &str, question: &[u8]) -> Result<Answer, Unanswered> {
        let reply = self.read(action, question).map_err(|error| match error {
            HttpError::TimedOut => Unanswered::TimedOut,
            HttpError::TooLarge { .. } | HttpError::BadAnswer(_) => Unanswered::BadAnswer,
            HttpError::Unreachable(_)
            | HttpError::BackingOff
            | HttpError::NotPublic
            | HttpError::NotEncrypted
            | HttpError::NotKept(_)
            | HttpError::BadUrl(_) => Unanswered::Unreachable,
        })?;
        Ok(Answer { is_ok: reply.status == 200, body: reply.body })
    }
}
