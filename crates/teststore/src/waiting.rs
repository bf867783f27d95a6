//! Waiting for an event of a test, with a bound.

use std::time::{Duration, Instant};

use store::server::is_waited_for;
use store::{Dialect, Store, Tx};

/// The longest wait for one event.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Waits until a condition holds.
///
/// # Panics
/// When it does not hold after 20 seconds.
pub async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    let begun = Instant::now();
    while !condition().await {
        assert!(begun.elapsed() < TIMEOUT, "not within {TIMEOUT:?}: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until another transaction waits for a row that this one has locked. On SQLite, which has one writer, it returns at once:
/// another transaction begins when this one has ended.
///
/// # Panics
/// When none waits after 20 seconds, or the locks cannot be read.
pub async fn until_waited_for(store: &Store, tx: &Tx) {
    if store.dialect() == Dialect::Postgres {
        let is_waited_for = async || is_waited_for(store.read(), tx).await.expect("the locks can be read");
        until("another transaction waits for this one", is_waited_for).await;
    }
}
