//! How much one address may send in a while. Addresses are not kept: a number made of one with a key that is never written
//! anywhere stands for it, and is forgotten with the while.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use domain::Instant;

/// What addresses sent in the current while of so many seconds.
#[derive(Debug, Default)]
pub struct Throttle<const WHILE_S: i64> {
    key: RandomState,
    current: Mutex<While>,
}

#[derive(Debug, Default)]
struct While {
    number: i64,
    counts: HashMap<u64, u64>,
}

impl<const WHILE_S: i64> Throttle<WHILE_S> {
    /// Counts so many of an address; the seconds to wait where there are more than `most` in this while. 0 sets no limit.
    pub fn admit(&self, address: &str, sent: usize, most: u64, now: Instant) -> Result<(), i64> {
        if most == 0 {
            return Ok(());
        }
        let place = self.key.hash_one(network(address));
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let number = now.0.div_euclid(WHILE_S);
        if current.number != number {
            *current = While { number, counts: HashMap::new() };
        }
        let count = current.counts.entry(place).or_default();
        *count += sent as u64;
        if *count > most { Err(WHILE_S - now.0.rem_euclid(WHILE_S)) } else { Ok(()) }
    }
}

/// One household has one IPv4 address, and as many IPv6 addresses as it likes in one network of 64 bits.
fn network(address: &str) -> [u8; 8] {
    let mut network = [0; 8];
    match address.parse() {
        Ok(IpAddr::V4(four)) => network[..4].copy_from_slice(&four.octets()),
        Ok(IpAddr::V6(six)) => network.copy_from_slice(&six.octets()[..8]),
        Err(_) => {}
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_waits_for_the_next_while_and_others_do_not() {
        let throttle = Throttle::<60>::default();
        assert_eq!(throttle.admit("203.0.113.7", 3, 3, Instant(70)), Ok(()));
        assert_eq!(throttle.admit("203.0.113.7", 1, 3, Instant(70)), Err(50));
        assert_eq!(throttle.admit("203.0.113.8", 1, 3, Instant(70)), Ok(()));
        assert_eq!(throttle.admit("203.0.113.7", 1, 3, Instant(120)), Ok(()));
        assert_eq!(throttle.admit("203.0.113.7", 9_999, 0, Instant(120)), Ok(()));
    }

    #[test]
    fn an_ipv6_network_is_one_address() {
        assert_eq!(network("2001:db8:1:2::7"), network("2001:db8:1:2:ffff::8"));
        assert_ne!(network("2001:db8:1:2::7"), network("2001:db8:1:3::7"));
    }
}
