//! The client address of a request, read behind trusted proxies.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName};
use domain::ClientNetwork;

use crate::App;
use crate::{ForwardingHeader, Settings};

/// The address of the client. Limits count its [`ClientNetwork`], never the address itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientAddress(Option<IpAddr>);

impl ClientAddress {
    /// The address of a request's client: the peer of the connection, or the address that trusted proxies give.
    pub fn of(extensions: &Extensions, headers: &HeaderMap, settings: &Settings) -> Self {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let entries = match settings.forwarding_header {
            ForwardingHeader::XForwardedFor => lines_from_the_last(headers, "x-forwarded-for"),
            ForwardingHeader::Forwarded => lines_from_the_last(headers, "forwarded"),
        };
        let entries = entries.map(|entry| match settings.forwarding_header {
            ForwardingHeader::XForwardedFor => entry,
            ForwardingHeader::Forwarded => forwarded_for(entry),
        });
        Self(settings.trusted_proxies.client(peer, entries))
    }

    /// What limits count.
    pub fn network(self) -> ClientNetwork {
        ClientNetwork::from(self.0)
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(address) => address.fmt(f),
            None => f.write_str("unknown"),
        }
    }
}

impl FromRequestParts<App> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions, &parts.headers, &app.settings))
    }
}

/// The entries of all lines of a header, from the last to the first. A line that is not text counts as one entry that is not an address.
fn lines_from_the_last<'a>(headers: &'a HeaderMap, name: &'static str) -> impl Iterator<Item = &'a str> + use<'a> {
    let lines = headers.get_all(HeaderName::from_static(name)).iter().rev();
    lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','))
}

/// The address in an element of `Forwarded` (RFC 7239): `for=192.0.2.60;proto=http`, `for="[2001:db8::7]:4711"`.
fn forwarded_for(element: &str) -> &str {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("for")).map_or("", |(_, value)| value)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use axum::http::HeaderValue;
    use domain::TrustedProxies;

    use super::*;

    fn client(header: ForwardingHeader, lines: &[(&'static str, &str)]) -> String {
        let trusted_proxies = TrustedProxies::networks(["10.0.0.0/8"]).unwrap();
        let settings = Settings { trusted_proxies, forwarding_header: header, ..Settings::default() };
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::from(([10, 0, 0, 1], 4_711))));
        let mut headers = HeaderMap::new();
        for (name, line) in lines {
            headers.append(*name, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        ClientAddress::of(&extensions, &headers, &settings).to_string()
    }

    #[test]
    fn all_lines_of_the_header_are_one_list() {
        let of = |lines: &[&str]| {
            let lines: Vec<_> = lines.iter().map(|line| ("x-forwarded-for", *line)).collect();
            client(ForwardingHeader::XForwardedFor, &lines)
        };
        assert_eq!(of(&["9.9.9.9", "2.2.2.2"]), "2.2.2.2", "the client wrote the first line, the proxy the second");
        assert_eq!(of(&["9.9.9.9, 2.2.2.2", "10.0.0.3", "10.0.0.2"]), "2.2.2.2");
        assert_eq!(of(&["9.9.9.9", "é"]), "10.0.0.1");
        assert_eq!(of(&["9.9.9.9", ""]), "10.0.0.1");
        assert_eq!(of(&["9.9.9.9", "::ffff:2.2.2.2"]), "2.2.2.2");
        assert_eq!(of(&[]), "10.0.0.1");
    }

    #[test]
    fn one_header_is_believed_and_the_other_is_not() {
        let both =
            [("x-forwarded-for", "9.9.9.9"), ("forwarded", "for=1.1.1.1, For=\"[2001:db8::7]:4711\";proto=https")];
        assert_eq!(client(ForwardingHeader::Forwarded, &both), "2001:db8::7");
        assert_eq!(client(ForwardingHeader::XForwardedFor, &both), "9.9.9.9");
        assert_eq!(client(ForwardingHeader::Forwarded, &[("forwarded", "proto=https")]), "10.0.0.1");
        assert_eq!(client(ForwardingHeader::Forwarded, &[("forwarded", "for=_hidden")]), "10.0.0.1");
    }
}
