//! The operator's limits on requests: their number, their size, their duration.

use std::time::Duration;

/// Bounds of requests. Each is a key of `[http]` in the configuration.
#[derive(Debug, Clone)]
pub struct RequestLimits {
    /// Requests at once, until their responses are sent. One more is refused with 503.
    pub max_requests: usize,
    /// Requests at once of one client network. One more is refused with 429.
    pub max_requests_per_address: usize,
    /// A request whose body does not come for this time is refused with 408. What comes gives it more time, see
    /// [`Self::min_bytes_per_s`], but never more than this.
    pub body_timeout: Duration,
    /// A body has to come at this rate on average.
    pub min_bytes_per_s: u32,
    /// Bytes of a body sent to an operation that needs no session; more are refused with 413.
    pub anonymous_body_bytes: usize,
    /// Requests a minute of one client network to one operation that needs no session, but for reading. More are refused with 429;
    /// 0 sets no limit.
    pub anonymous_writes_per_minute: u32,
    /// Requests a minute of one client network that read without a session being needed: pages, tiles, feeds. 0 sets no limit.
    pub anonymous_reads_per_minute: u32,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            max_requests: 512,
            max_requests_per_address: 128,
            body_timeout: Duration::from_secs(20),
            min_bytes_per_s: 500,
            anonymous_body_bytes: 64 * 1024,
            anonymous_writes_per_minute: 120,
            anonymous_reads_per_minute: 0,
        }
    }
}
