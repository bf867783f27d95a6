//! Where a request comes from: the client's address behind trusted proxies, and the network that limits count.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net};

/// Entries of a forwarding header that are looked at. A chain of proxies is shorter; a longer list is an attack.
const MAX_HOPS: usize = 64;

/// What limits count as one client: an IPv4 address, or an IPv6 network of 64 bits. A household gets at least such a network
/// and may use any address of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientNetwork {
    /// An IPv4 address. An IPv4-mapped IPv6 address is one too.
    V4(Ipv4Addr),
    /// The first address of an IPv6 network of 64 bits.
    V6(Ipv6Addr),
    /// The address is not known: only in tests and tools that have no connection.
    Unknown,
}

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        }
    }
}

impl From<Option<IpAddr>> for ClientNetwork {
    fn from(address: Option<IpAddr>) -> Self {
        address.map_or(Self::Unknown, Self::from)
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(address) => address.fmt(f),
            Self::V6(network) => write!(f, "{network}/64"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// The proxies whose forwarding header is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustedProxies {
    /// Proxies in these networks. The header of any other peer is ignored.
    Networks(Vec<IpNet>),
    /// So many proxies, whatever their addresses. Kept for older configurations: a client that reaches the port without
    /// passing through the proxies can claim any address.
    Hops(usize),
}

impl Default for TrustedProxies {
    fn default() -> Self {
        Self::Networks(Vec::new())
    }
}

/// An entry of the list that is neither an address nor a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither an IP address nor a network such as 10.0.0.0/8")]
pub struct NotANetwork(String);

impl TrustedProxies {
    /// The networks of a list: each entry an address or a network in CIDR notation.
    pub fn networks<'a>(entries: impl IntoIterator<Item = &'a str>) -> Result<Self, NotANetwork> {
        let entries = entries.into_iter().map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(network).collect::<Result<_, _>>().map(Self::Networks)
    }

    /// Whether no proxy is trusted at all.
    pub fn is_none(&self) -> bool {
        match self {
            Self::Networks(networks) => networks.is_empty(),
            Self::Hops(count) => *count == 0,
        }
    }

    /// Whether an address is that of a trusted proxy. Without a list of networks none is known.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        matches!(self, Self::Networks(networks) if networks.iter().any(|network| network.contains(&address)))
    }

    /// The client's address: the peer, or, where the peer is a trusted proxy, the last address of the header that is not one.
    /// `forwarded` are the entries of the header from the last to the first.
    ///
    /// Each proxy appends the address it was called from. Entries left of the first untrusted address were written by the client.
    /// An entry that is not an address ends the search: then the proxy that wrote it counts as the client.
    pub fn client<'a>(&self, peer: Option<IpAddr>, forwarded: impl IntoIterator<Item = &'a str>) -> Option<IpAddr> {
        let peer = peer.map(|peer| peer.to_canonical());
        let mut entries = forwarded.into_iter().take(MAX_HOPS).map(parse_address);
        match self {
            Self::Hops(0) => peer,
            Self::Hops(count) => entries.nth(count - 1).flatten().or(peer),
            Self::Networks(_) => {
                let mut client = peer?;
                while self.trusts(client) {
                    match entries.next().flatten() {
                        Some(before) => client = before,
                        None => break,
                    }
                }
                Some(client)
            }
        }
    }
}

fn network(entry: &str) -> Result<IpNet, NotANetwork> {
    let wrong = || NotANetwork(entry.to_owned());
    let network: IpNet = match entry.parse() {
        Ok(network) => network,
        Err(_) => IpNet::from(entry.parse::<IpAddr>().map_err(|_| wrong())?),
    };
    // Addresses are compared in their canonical form: a network of IPv4-mapped addresses is one of IPv4.
    match (network, network.addr().to_canonical()) {
        (IpNet::V6(six), IpAddr::V4(four)) if six.prefix_len() >= 96 => {
            Ipv4Net::new(four, six.prefix_len() - 96).map(IpNet::V4).map_err(|_| wrong())
        }
        _ => Ok(network),
    }
}

/// An address as proxies write it: alone, with a port, in quotes, an IPv6 address in brackets.
fn parse_address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim().trim_matches('"');
    if entry.len() > 64 {
        return None;
    }
    let address = match entry.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0.parse().ok()?,
        None => match entry.parse::<IpAddr>() {
            Ok(address) => address,
            Err(_) => entry.parse::<std::net::SocketAddr>().ok()?.ip(),
        },
    };
    Some(address.to_canonical())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn client(proxies: &TrustedProxies, peer: &str, header: &str) -> String {
        proxies.client(Some(ip(peer)), header.rsplit(',')).unwrap().to_string()
    }

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_client_and_a_mapped_address_is_ipv4() {
        let network = |text: &str| ClientNetwork::from(ip(text));
        assert_eq!(network("2001:db8:1:2::7"), network("2001:db8:1:2:ffff::8"));
        assert_ne!(network("2001:db8:1:2::7"), network("2001:db8:1:3::7"));
        assert_eq!(network("::ffff:203.0.113.7"), network("203.0.113.7"));
        assert_eq!(network("2001:db8:1:2::7").to_string(), "2001:db8:1:2::/64");
        assert_eq!(network("::ffff:203.0.113.7").to_string(), "203.0.113.7");
    }

    #[test]
    fn the_header_of_a_peer_that_is_not_trusted_is_ignored() {
        let proxies = TrustedProxies::networks(["10.0.0.0/8"]).unwrap();
        assert_eq!(client(&proxies, "203.0.113.7", "1.1.1.1"), "203.0.113.7");
        assert_eq!(client(&TrustedProxies::default(), "127.0.0.1", "1.1.1.1"), "127.0.0.1");
        assert_eq!(proxies.client(None, ["1.1.1.1"]), None);
    }

    #[test]
    fn the_client_is_the_last_address_that_is_not_a_trusted_proxy() {
        let proxies = TrustedProxies::networks(["10.0.0.0/8", "::1", "2001:db8:f::/48"]).unwrap();
        assert_eq!(client(&proxies, "10.0.0.1", "1.1.1.1, 2.2.2.2"), "2.2.2.2");
        assert_eq!(client(&proxies, "10.0.0.1", "9.9.9.9, 1.1.1.1, 10.9.9.9"), "1.1.1.1");
        assert_eq!(client(&proxies, "::1", "9.9.9.9,[2001:db8:a::1]:443, 2001:db8:f::3"), "2001:db8:a::1");
        assert_eq!(client(&proxies, "::ffff:10.0.0.1", "::ffff:2.2.2.2"), "2.2.2.2");
        assert_eq!(client(&proxies, "10.0.0.1", "2.2.2.2:51000"), "2.2.2.2");
        assert_eq!(client(&proxies, "10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3", "a client inside");
    }

    #[test]
    fn garbage_makes_the_proxy_the_client_and_a_thousand_entries_cost_nothing() {
        let proxies = TrustedProxies::networks(["10.0.0.0/8"]).unwrap();
        for garbage in ["", "unknown", "_hidden", "1.2.3", "1.1.1.1.1", "[::1", "<script>", "1.1.1.1,"] {
            assert_eq!(client(&proxies, "10.0.0.1", garbage), "10.0.0.1", "{garbage}");
        }
        assert_eq!(client(&proxies, "10.0.0.1", &format!("{}, 2.2.2.2", ["1.1.1.1"; 1_000].join(", "))), "2.2.2.2");
        assert_eq!(client(&proxies, "10.0.0.1", &["10.1.1.1"; 1_000].join(", ")), "10.1.1.1");
        let mut read = 0;
        proxies.client(Some(ip("10.0.0.1")), std::iter::repeat_n("10.1.1.1", 1_000).inspect(|_| read += 1));
        assert_eq!(read, MAX_HOPS);
    }

    #[test]
    fn a_number_of_proxies_counts_entries_from_the_right() {
        assert_eq!(client(&TrustedProxies::Hops(0), "3.3.3.3", "1.1.1.1, 2.2.2.2"), "3.3.3.3");
        assert_eq!(client(&TrustedProxies::Hops(1), "3.3.3.3", "1.1.1.1, 2.2.2.2"), "2.2.2.2");
        assert_eq!(client(&TrustedProxies::Hops(2), "3.3.3.3", "9.9.9.9, 1.1.1.1, 2.2.2.2"), "1.1.1.1");
        assert_eq!(client(&TrustedProxies::Hops(1), "3.3.3.3", "nonsense"), "3.3.3.3");
        assert_eq!(client(&TrustedProxies::Hops(3), "3.3.3.3", "2.2.2.2"), "3.3.3.3");
    }

    #[test]
    fn networks_are_addresses_or_cidr_and_anything_else_is_named() {
        let proxies = TrustedProxies::networks(["::ffff:10.0.0.0/104", " 192.0.2.1 ", ""]).unwrap();
        assert!(
            proxies.trusts(ip("10.200.0.1")) && proxies.trusts(ip("192.0.2.1")) && !proxies.trusts(ip("192.0.2.2"))
        );
        assert_eq!(TrustedProxies::networks(["10.0.0.0/99"]).unwrap_err(), NotANetwork("10.0.0.0/99".to_owned()));
        assert!(TrustedProxies::default().is_none() && TrustedProxies::Hops(0).is_none() && !proxies.is_none());
    }
}
