//! `jalon health`: whether the server of this machine runs. Images without a shell have no other program that can ask.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::config::Config;
use crate::output;

/// Asks the server and prints its answer; false where it does not answer 200.
pub fn run(config: &Config, ready: bool) -> bool {
    let path = if ready { "/readyz" } else { "/livez" };
    let address = SocketAddr::new(reachable(config.bind), config.port);
    let answer = connect::probe(address, path, config.http.proxy_protocol);
    match &answer {
        Ok(status) => output::line(format!("{address}{path}: {status}")),
        Err(error) => output::line(format!("{address}{path}: {error}")),
    }
    matches!(answer, Ok(200))
}

/// The address at which this machine reaches a server that listens there.
fn reachable(bind: IpAddr) -> IpAddr {
    match bind {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}
