//! The addresses that a request may go to. The check is made on the addresses that the name resolves to, not on the name.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// Where requests may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addresses {
    /// Any address: the operator gave the URL, which may well be of this machine or its network.
    Any,
    /// Only addresses of the public Internet: the URL comes from a user, who must not reach the private network of the server.
    Public,
}

/// Resolves a name and keeps the addresses that are allowed. The connection then goes to one of those, so that a name
/// cannot resolve to another address between the check and the call.
#[derive(Debug)]
pub(crate) struct Guarded {
    /// Where requests may go.
    pub addresses: Addresses,
    /// Whether the request contains a key: then it crosses the public Internet by https alone.
    pub has_key: bool,
}

impl Resolver for Guarded {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = DefaultResolver::default().resolve(uri, config, timeout)?;
        let is_encrypted = uri.scheme_str() == Some("https");
        let mut kept = self.empty();
        for address in found.iter().filter(|address| self.lets_pass(address.ip(), is_encrypted)) {
            kept.push(*address);
        }
        if !kept.is_empty() {
            return Ok(kept);
        }
        let unencrypted = found.iter().any(|address| is_public(address.ip()));
        Err(ureq::Error::Other(if unencrypted { Box::new(NotEncrypted) } else { Box::new(NotPublic) }))
    }
}

impl Guarded {
    fn lets_pass(&self, ip: IpAddr, is_encrypted: bool) -> bool {
        if is_public(ip) { is_encrypted || !self.has_key } else { self.addresses == Addresses::Any }
    }
}

/// A key would cross the public Internet unencrypted.
#[derive(Debug, thiserror::Error)]
#[error("a key is sent over the public Internet by https alone")]
pub(crate) struct NotEncrypted;

/// The name resolves to no address of the public Internet.
#[derive(Debug, thiserror::Error)]
#[error("not an address of the public Internet")]
pub(crate) struct NotPublic;

/// Is this an address of the public Internet? Those in IANA's special-purpose registries are not (RFC 6890), nor is that of Azure's hosts.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    let is_protocol = (a, b, c) == (192, 0, 0) || (a, b, c) == (192, 88, 99);
    let is_benchmark = a == 198 && (18..20).contains(&b);
    // In the public space, but each virtual machine of Azure reaches its host there, which hands out the machine's settings and certificates.
    let is_azure_host = ip == Ipv4Addr::new(168, 63, 129, 16);
    !(a == 0
        || a >= 224
        || ip.is_loopback()
        || ip.is_private()
        || ip.is_link_local()
        || ip.is_documentation()
        || is_shared
        || is_protocol
        || is_benchmark
        || is_azure_host)
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let parts = ip.segments();
    let inner = |high: u16, low: u16| is_public_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    match parts {
        // An IPv4 address within an IPv6 one: mapped, translated (RFC 6052), tunnelled (6to4).
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            inner(high, low)
        }
        // Documentation and protocol assignments (Teredo among them).
        [0x2001, 0x0db8, ..] => false,
        [0x2001, second, ..] if second < 0x0200 => false,
        // All addresses that are allocated so far begin with 001.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_key_crosses_the_public_internet_by_https_alone() {
        let [near, far]: [IpAddr; 2] = ["10.1.2.3", "8.8.8.8"].map(|text| text.parse().unwrap());
        let lets = |addresses, has_key| {
            let guarded = Guarded { addresses, has_key };
            [(near, false), (near, true), (far, false), (far, true)].map(|(ip, https)| guarded.lets_pass(ip, https))
        };
        assert_eq!(lets(Addresses::Any, true), [true, true, false, true]);
        assert_eq!(lets(Addresses::Public, true), [false, false, false, true]);
        assert_eq!(lets(Addresses::Any, false), [true; 4]);
        assert_eq!(lets(Addresses::Public, false), [false, false, true, true]);
    }

    #[test]
    fn what_lies_behind_the_server_is_not_public() {
        for text in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "168.63.129.16",
            "::ffff:168.63.129.16",
            "192.0.2.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
        for text in [
            "8.8.8.8",
            "168.63.129.17",
            "100.128.0.1",
            "172.32.0.1",
            "2a01:e0a::1",
            "64:ff9b::808:808",
            "::ffff:8.8.8.8",
        ] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }
}
