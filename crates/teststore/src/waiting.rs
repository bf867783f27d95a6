//! Waiting for an event of a test, with a bound.

use std::time::{Duration, Instant};

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
