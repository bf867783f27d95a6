//! Connections beyond the bounds: answered at once, counted in the log.

use std::time::{Duration, Instant};

use tokio::net::TcpStream;

use crate::bounds::Full;

/// Time between two lines of the log.
const LOG_EVERY: Duration = Duration::from_secs(60);
/// The answer to a client of HTTP/1.1. It fits into the empty send buffer of a new connection.
const ANSWER: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n\
    Content-Type: application/problem+json\r\nContent-Length: 122\r\n\r\n\
    {\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\"code\":\"request/overloaded\",\"params\":{\"retry_after_s\":5}}";

/// Counts refused connections between two lines of the log.
#[derive(Debug, Default)]
pub struct Refused {
    by_server: u64,
    by_network: u64,
    logged: Option<Instant>,
}

impl Refused {
    /// Refuses a connection without waiting for the client.
    pub fn refuse(&mut self, stream: &TcpStream, full: Full) {
        // Whether it arrives is not important: the connection is closed either way.
        let _ = stream.try_write(ANSWER);
        match full {
            Full::Server => self.by_server += 1,
            Full::Network => self.by_network += 1,
        }
        if self.logged.is_none_or(|logged| logged.elapsed() >= LOG_EVERY) {
            let (all, network) = (self.by_server, self.by_network);
            tracing::warn!(
                refused_by_server = all,
                refused_by_network = network,
                "connections were refused: the limits are max_connections and max_connections_per_address"
            );
            *self = Self { logged: Some(Instant::now()), ..Self::default() };
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_its_content_length() {
        let text = std::str::from_utf8(ANSWER).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{}", body.len());
    }
}
