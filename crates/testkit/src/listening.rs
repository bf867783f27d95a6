//! Captures what the thread of a test logs.

use std::sync::LazyLock;

use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber, Subscriber, set_default};

/// A second subscriber. With only one, `tracing` caches for all threads whether the subscriber of the first thread wants a call site: a call
/// site that another test reached first would log nothing here. With two, `tracing` asks each time.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// Sends what this thread logs to a subscriber, until the guard is dropped.
pub fn listen(subscriber: impl Subscriber + Send + Sync + 'static) -> DefaultGuard {
    LazyLock::force(&SECOND);
    set_default(subscriber)
}
