//! What is logged in the thread of a test.

use std::sync::LazyLock;

use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber, Subscriber, set_default};

/// While there is one subscriber only, `tracing` asks that of the thread which meets a place of the code first, and remembers its answer for
/// all threads: a place that another test meets first would stay silent here. With a second one it asks both.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// Sends what this thread logs to a subscriber, until the guard is dropped.
pub fn listen(subscriber: impl Subscriber + Send + Sync + 'static) -> DefaultGuard {
    LazyLock::force(&SECOND);
    set_default(subscriber)
}
