//! Jobs that run every hour, on one of the servers.

use std::time::Duration;

use jobs::{Ended, Enqueue, JobKind};
use serde::{Deserialize, Serialize};
use store::{StoreError, Tx};

use crate::App;
use crate::parcours::trace_check::CheckTraces;
use crate::tidy::EraseExpired;

/// Seconds between two runs.
pub(crate) const HOUR_S: i64 = 3_600;
/// How long a server waits before it tries again to enqueue them.
const PAUSE: Duration = Duration::from_secs(10);

/// An hourly job needs to know nothing. There is one of each kind.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Nothing {}

/// Enqueues an hourly job, or lets the one that waits start earlier.
pub(crate) async fn enqueue<K: JobKind<Payload = Nothing>>(app: &App, tx: &Tx, after_s: i64) -> Result<(), StoreError> {
    let job = Enqueue::<K>::new(Nothing {}).unique("all");
    job.run_after(app.now().plus_s(after_s)).put(tx, app.now()).await.map(|_| ())
}

/// An hourly job that failed too often, or was cancelled, leaves out one time.
pub(crate) async fn ended<K: JobKind<Payload = Nothing>>(app: &App, tx: &Tx, ended: Ended) -> Result<(), StoreError> {
    if ended == Ended::TriedAgain {
        return Ok(());
    }
    enqueue::<K>(app, tx, HOUR_S).await
}

/// Enqueues the hourly jobs when a server starts.
pub(super) fn start(app: App) {
    tokio::spawn(async move {
        while let Err(error) = enqueue_all(&app).await {
            tracing::error!(%error, "the hourly jobs could not be enqueued");
            tokio::time::sleep(PAUSE).await;
        }
    });
}

/// Enqueues all hourly jobs, as a server does that starts.
pub async fn enqueue_all(app: &App) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    enqueue::<EraseExpired>(app, &tx, 0).await?;
    enqueue::<CheckTraces>(app, &tx, 0).await?;
    tx.commit_aside().await
}
