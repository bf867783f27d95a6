//! `[http]` of the configuration: how many connections and requests, how large and how slow, and who is in front.

use std::time::Duration;

use app::{ForwardingHeader, RequestLimits};
use domain::TrustedProxies;
use serde::{Deserialize, Serialize};
use server::Limits;

/// Bounds of connections and requests.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Http {
    /// Connections open at once, and of one address (of IPv6: one network of 64 bits).
    pub max_connections: usize,
    /// The most of one address; trusted proxies are not counted.
    pub max_connections_per_address: usize,
    /// Requests under way at once.
    pub max_requests: usize,
    /// The most of one address.
    pub max_requests_per_address: usize,
    /// Time for the header of a request, in seconds.
    pub header_timeout_s: u64,
    /// Time in which a body may pause, in seconds.
    pub body_timeout_s: u64,
    /// Time in which a client may take nothing of its response, in seconds.
    pub write_timeout_s: u64,
    /// Time after which a connection without request is closed, in seconds.
    pub idle_timeout_s: u64,
    /// The least rate of bodies and of responses, on average.
    pub min_bytes_per_s: u32,
    /// Bytes of a request's header.
    pub max_header_bytes: u32,
    /// Requests at once on one HTTP/2 connection.
    pub max_streams: u32,
    /// Bytes of a body sent to an operation that needs no session.
    pub anonymous_body_bytes: usize,
    /// Requests a minute of one address to one operation that needs no session and changes something; 0 sets no limit.
    pub anonymous_writes_per_minute: u32,
    /// Requests a minute of one address that read without a session; 0 sets no limit.
    pub anonymous_reads_per_minute: u32,
    /// The header in which trusted proxies say who the client is: `x-forwarded-for` or `forwarded`.
    pub forwarding_header: Forwarding,
    /// Seconds for which a server that a supervisor stops (SIGTERM) still takes requests while `/readyz` says that it stops.
    pub drain_s: u64,
    /// Whether trusted proxies send a PROXY protocol header.
    pub proxy_protocol: bool,
}

/// Headers that say who the client is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forwarding {
    /// `X-Forwarded-For`.
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl Default for Http {
    fn default() -> Self {
        let (connections, requests) = (Limits::default(), RequestLimits::default());
        Self {
            max_connections: connections.max_connections,
            max_connections_per_address: connections.max_connections_per_address,
            max_requests: requests.max_requests,
            max_requests_per_address: requests.max_requests_per_address,
            header_timeout_s: connections.header_timeout.as_secs(),
            body_timeout_s: requests.body_timeout.as_secs(),
            write_timeout_s: connections.write_timeout.as_secs(),
            idle_timeout_s: connections.idle_timeout.as_secs(),
            min_bytes_per_s: connections.min_bytes_per_s,
            max_header_bytes: connections.max_header_bytes,
            max_streams: connections.max_streams,
            anonymous_body_bytes: requests.anonymous_body_bytes,
            anonymous_writes_per_minute: requests.anonymous_writes_per_minute,
            anonymous_reads_per_minute: requests.anonymous_reads_per_minute,
            forwarding_header: Forwarding::XForwardedFor,
            drain_s: 0,
            proxy_protocol: connections.proxy_protocol,
        }
    }
}

impl Http {
    /// The error in the settings, as a sentence.
    pub fn check(&self, trusted: &TrustedProxies) -> Result<(), String> {
        let whole = [
            ("max_connections", self.max_connections),
            ("max_connections_per_address", self.max_connections_per_address),
            ("max_requests", self.max_requests),
            ("max_requests_per_address", self.max_requests_per_address),
            ("min_bytes_per_s", self.min_bytes_per_s as usize),
            ("max_streams", self.max_streams as usize),
            ("anonymous_body_bytes", self.anonymous_body_bytes),
        ];
        if let Some((key, _)) = whole.into_iter().find(|(_, value)| *value == 0) {
            return Err(format!("http.{key} must be 1 or more"));
        }
        let times = [
            ("header_timeout_s", self.header_timeout_s),
            ("body_timeout_s", self.body_timeout_s),
            ("write_timeout_s", self.write_timeout_s),
            ("idle_timeout_s", self.idle_timeout_s),
        ];
        if let Some((key, _)) = times.into_iter().find(|(_, seconds)| !(1..=3_600).contains(seconds)) {
            return Err(format!("http.{key} must be between 1 and 3600"));
        }
        if !(8 * 1024..=1024 * 1024).contains(&self.max_header_bytes) {
            return Err("http.max_header_bytes must be between 8192 and 1048576".into());
        }
        if self.drain_s > 300 {
            return Err("http.drain_s must not be above 300".into());
        }
        if self.proxy_protocol && !matches!(trusted, TrustedProxies::Networks(networks) if !networks.is_empty()) {
            return Err(
                "http.proxy_protocol needs trusted_proxies as a list of networks: only these may send it".into()
            );
        }
        Ok(())
    }

    /// The bounds of connections.
    pub fn connections(&self) -> Limits {
        Limits {
            max_connections: self.max_connections,
            max_connections_per_address: self.max_connections_per_address,
            header_timeout: Duration::from_secs(self.header_timeout_s),
            idle_timeout: Duration::from_secs(self.idle_timeout_s),
            write_timeout: Duration::from_secs(self.write_timeout_s),
            min_bytes_per_s: self.min_bytes_per_s,
            max_header_bytes: self.max_header_bytes,
            max_streams: self.max_streams,
            proxy_protocol: self.proxy_protocol,
        }
    }

    /// The bounds of requests.
    pub fn requests(&self) -> RequestLimits {
        RequestLimits {
            max_requests: self.max_requests,
            max_requests_per_address: self.max_requests_per_address,
            body_timeout: Duration::from_secs(self.body_timeout_s),
            min_bytes_per_s: self.min_bytes_per_s,
            anonymous_body_bytes: self.anonymous_body_bytes,
            anonymous_writes_per_minute: self.anonymous_writes_per_minute,
            anonymous_reads_per_minute: self.anonymous_reads_per_minute,
        }
    }

    /// The header that is believed.
    pub fn forwarding_header(&self) -> ForwardingHeader {
        match self.forwarding_header {
            Forwarding::XForwardedFor => ForwardingHeader::XForwardedFor,
            Forwarding::Forwarded => ForwardingHeader::Forwarded,
        }
    }
}

/// `trusted_proxies` as it may be written: a list, one text with commas, or the number of older configurations.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "trusted_proxies must be a list of addresses and networks, such as [\"127.0.0.1\", \"10.0.0.0/8\"]"
)]
pub enum TrustedProxiesSetting {
    /// So many proxies, whatever their addresses.
    Hops(usize),
    /// Addresses and networks.
    List(Vec<String>),
    /// The same in one text, as the environment has it.
    Text(String),
}

impl Default for TrustedProxiesSetting {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl TrustedProxiesSetting {
    /// What it means.
    pub fn read(&self) -> Result<TrustedProxies, String> {
        let read = match self {
            Self::Hops(count) => return Ok(TrustedProxies::Hops(*count)),
            Self::List(entries) => TrustedProxies::networks(entries.iter().map(String::as_str)),
            Self::Text(text) => TrustedProxies::networks(text.split([',', ' '])),
        };
        read.map_err(|error| format!("trusted_proxies: {error}"))
    }

    /// What the operator should know about it at the start.
    pub fn warning(&self, is_https: bool) -> Option<&'static str> {
        match self.read() {
            Ok(trusted) if trusted.is_none() && is_https => Some(
                "public_url is https and no proxy is trusted: all visitors count as the proxy in front, and share its limits. \
                 Set trusted_proxies to its address, such as [\"127.0.0.1\"].",
            ),
            Ok(TrustedProxies::Hops(1..)) => Some(
                "trusted_proxies is a number: a client that reaches the port past the proxies can claim any address. \
                 Set it to the addresses or networks of the proxies, such as [\"127.0.0.1\", \"10.0.0.0/8\"].",
            ),
            _ => None,
        }
    }
}
