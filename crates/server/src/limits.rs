//! The bounds of the server. Each is a key of `[http]` in the configuration.

use std::time::Duration;

/// How many connections, and how slow they may be.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections open at once. One more is answered 503 and closed.
    pub max_connections: usize,
    /// Connections open at once from one client network; one more is answered 503 and closed. Trusted proxies are not counted: all clients come
    /// from them.
    pub max_connections_per_address: usize,
    /// Time for the header of a request, from its first byte to its last; also for the first byte of a new connection.
    pub header_timeout: Duration,
    /// A connection without request is closed after this time.
    pub idle_timeout: Duration,
    /// A client that takes nothing of its response for this time is cut off. What it takes gives it more time, see
    /// [`Self::min_bytes_per_s`], but never more than this.
    pub write_timeout: Duration,
    /// A response has to be taken at this rate on average.
    pub min_bytes_per_s: u32,
    /// Bytes of a request's header: of the whole with HTTP/1.1, of the fields with HTTP/2.
    pub max_header_bytes: u32,
    /// Requests at once on one HTTP/2 connection.
    pub max_streams: u32,
    /// Whether trusted proxies send a PROXY protocol header (version 1 or 2) before the first request.
    pub proxy_protocol: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_connections: 2_048,
            max_connections_per_address: 256,
            header_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(30),
            min_bytes_per_s: 500,
            max_header_bytes: 32 * 1024,
            max_streams: 100,
            proxy_protocol: false,
        }
    }
}
