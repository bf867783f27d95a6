//! What works through a queue that stands in the database: one step at a time, each one transaction, so that a server that
//! was killed goes on where it was and of two servers one wins.

use std::time::Duration;

use tokio::sync::Notify;

use crate::App;
use crate::problem::Internal;

/// How long a worker waits after a failure of ours.
const PAUSE: Duration = Duration::from_secs(10);

/// Rings when something was put in the queue.
#[derive(Debug, Default)]
pub(crate) struct Bell(Notify);

impl Bell {
    /// There is something to do.
    pub(crate) fn ring(&self) {
        self.0.notify_one();
    }
}

/// A queue, and what is done with the next of it.
pub(crate) trait Worker: 'static {
    /// What is logged when a step fails.
    const FAILURE: &'static str;

    /// What rings for it.
    fn bell(app: &App) -> &Bell;

    /// How long it waits to be rung for before it looks by itself: another server may have put something there, or died over it.
    fn patience(app: &App) -> Duration;

    /// Does the next that waits. False when nothing does.
    fn step(app: &App) -> impl Future<Output = Result<bool, Internal>> + Send;
}

/// Starts a worker; it ends with the runtime.
pub(crate) fn start<W: Worker>(app: App) {
    tokio::spawn(async move {
        loop {
            match W::step(&app).await {
                Ok(true) => {}
                Ok(false) => {
                    let _ = tokio::time::timeout(W::patience(&app), W::bell(&app).0.notified()).await;
                }
                Err(error) => {
                    tracing::error!(%error, "{}", W::FAILURE);
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    });
}

/// Does everything that waits: for commands and tests, which end.
pub(crate) async fn settle<W: Worker>(app: &App) -> Result<(), Internal> {
    while W::step(app).await? {}
    Ok(())
}
