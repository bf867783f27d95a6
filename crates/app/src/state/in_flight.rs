//! Counts the requests that are being handled, in all and for each client network.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::ClientNetwork;

/// Counts requests under way.
#[derive(Debug, Default)]
pub struct InFlight(Mutex<Counts>);

impl InFlight {
    // A panic elsewhere leaves whole numbers behind.
    pub fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Requests being answered.
#[derive(Debug, Default)]
pub struct Counts {
    pub all: usize,
    pub by_network: HashMap<ClientNetwork, usize>,
}
