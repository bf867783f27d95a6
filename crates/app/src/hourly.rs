//! Jobs that run every hour, on one of the servers.

use domain::HOUR_S;
use jobs::{Enqueue, JobEvent, JobKind};
use serde::{Deserialize, Serialize};
use store::{StoreError, Tx};

use crate::App;

/// An hourly job needs to know nothing. There is one of each kind.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Nothing {}

/// Enqueues an hourly job, or lets the one that waits start earlier.
pub async fn enqueue<K: JobKind<Payload = Nothing>>(app: &App, tx: &Tx, after_s: i64) -> Result<(), StoreError> {
    let job = Enqueue::<K>::new(Nothing {}).unique("all");
    job.run_after(app.now().plus_s(after_s)).put(tx, app.now()).await.map(|_| ())
}

/// An hourly job that failed too often, or was cancelled, leaves out one time.
pub async fn on_event<K: JobKind<Payload = Nothing>>(app: &App, tx: &Tx, event: JobEvent) -> Result<(), StoreError> {
    if event == JobEvent::TriedAgain {
        return Ok(());
    }
    enqueue::<K>(app, tx, HOUR_S).await
}
