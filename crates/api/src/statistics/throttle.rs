//! How many events one address may send in a minute. Addresses are not kept: a number made of one with a key that is never
//! written anywhere stands for it, and is forgotten with the minute.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use domain::Instant;

const MINUTE_S: i64 = 60;

/// Events counted in the current minute.
#[derive(Debug, Default)]
pub struct Throttle {
    key: RandomState,
    minute: Mutex<Minute>,
}

#[derive(Debug, Default)]
struct Minute {
    number: i64,
    counts: HashMap<u64, u64>,
}

impl Throttle {
    /// Counts events of an address; the seconds to wait where they are more than `most` in this minute. 0 sets no limit.
    pub fn admit(&self, address: &str, events: usize, most: u64, now: Instant) -> Result<(), i64> {
        if most == 0 {
            return Ok(());
        }
        let place = self.key.hash_one(network(address));
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        let number = now.0.div_euclid(MINUTE_S);
        if minute.number != number {
            *minute = Minute { number, counts: HashMap::new() };
        }
        let count = minute.counts.entry(place).or_default();
        *count += events as u64;
        if *count > most { Err(MINUTE_S - now.0.rem_euclid(MINUTE_S)) } else { Ok(()) }
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
    fn an_address_waits_for_the_next_minute_and_others_do_not() {
        let throttle = Throttle::default();
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
