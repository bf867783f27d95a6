//! How many connections are open, in all and for each client network.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::ClientNetwork;

/// Counts open connections.
#[derive(Debug)]
pub struct Bounds {
    max: usize,
    max_per_network: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    by_network: HashMap<ClientNetwork, usize>,
}

/// Why a connection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// Too many connections in all.
    Server,
    /// Too many of this client network.
    Network,
}

/// A counted connection; dropping it gives its place back.
#[derive(Debug)]
pub struct Place {
    bounds: Arc<Bounds>,
    network: Option<ClientNetwork>,
}

impl Bounds {
    /// Bounds with a maximum in all, and a maximum per client network.
    pub fn new(max: usize, max_per_network: usize) -> Arc<Self> {
        Arc::new(Self { max, max_per_network, open: Mutex::default() })
    }

    /// Counts a connection; not for a network while that is unknown or is a proxy's.
    pub fn enter(self: &Arc<Self>, network: Option<ClientNetwork>) -> Result<Place, Full> {
        let mut open = self.lock();
        if open.all >= self.max {
            return Err(Full::Server);
        }
        open.all += 1;
        drop(open);
        let mut place = Place { bounds: Arc::clone(self), network: None };
        match network {
            Some(network) => place.count_for(network).map(|()| place),
            None => Ok(place),
        }
    }

    // A panic elsewhere leaves whole numbers behind.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Counts the connection for its network, once that is known.
    pub fn count_for(&mut self, network: ClientNetwork) -> Result<(), Full> {
        let mut open = self.bounds.lock();
        let count = open.by_network.entry(network).or_default();
        if *count >= self.bounds.max_per_network {
            return Err(Full::Network);
        }
        *count += 1;
        drop(open);
        self.network = Some(network);
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.bounds.lock();
        open.all -= 1;
        let Some(network) = self.network else { return };
        if let Entry::Occupied(mut count) = open.by_network.entry(network) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn network(last: u8) -> ClientNetwork {
        ClientNetwork::V4([203, 0, 113, last].into())
    }

    #[test]
    fn connections_are_limited_per_network_and_in_total() {
        let bounds = Bounds::new(3, 2);
        let first = bounds.enter(Some(network(1))).unwrap();
        let _second = bounds.enter(Some(network(1))).unwrap();
        assert_eq!(bounds.enter(Some(network(1))).unwrap_err(), Full::Network);
        let _other = bounds.enter(Some(network(2))).unwrap();
        assert_eq!(bounds.enter(Some(network(3))).unwrap_err(), Full::Server);
        drop(first);
        let _again = bounds.enter(Some(network(1))).unwrap();
    }

    #[test]
    fn released_places_leave_no_entry() {
        let bounds = Bounds::new(10, 2);
        let mut proxied = bounds.enter(None).unwrap();
        proxied.count_for(network(1)).unwrap();
        drop((proxied, bounds.enter(Some(network(2))).unwrap()));
        let open = bounds.lock();
        assert_eq!((open.all, open.by_network.len()), (0, 0));
    }
}
