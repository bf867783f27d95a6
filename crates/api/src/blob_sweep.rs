//! Deletes orphan blobs once a day, on one of the servers: what a server left that stopped between storing a blob and noting it.

use app::App;
use app::hourly::{self, Nothing};
use domain::DAY_S;
use jobs::{Failure, JobEvent, JobKind, Lease, Step};
use store::blob_check::{self, ORPHANS_KEPT_S};
use store::{StoreError, Tx};

/// Deletes orphan blobs. It can be repeated, and two servers that do the same do no harm: no part needs the lease.
pub(crate) struct SweepBlobs;

impl JobKind for SweepBlobs {
    type Context = App;
    type Payload = Nothing;
    const NAME: &'static str = "blob_sweep";
    const LIMIT: i64 = 1;
    /// After all other work: it lists the whole store.
    const PRIORITY: i64 = 10;

    async fn run(app: App, lease: Lease, _: Nothing) -> Result<Step, Failure> {
        let before = app.now().plus_s(-ORPHANS_KEPT_S);
        let found = blob_check::sweep(app.store.read(), &app.blobs, before).await?;
        if let Some(refusal) = found.refusal() {
            tracing::warn!("no orphan blob is deleted: {refusal}. `jalon blobs sweep` lists them");
            return Ok(Step::Later { seconds: DAY_S });
        }
        let orphans = found.orphans;
        for blob in &orphans {
            if lease.is_stopping() {
                return Ok(Step::Again);
            }
            app.blobs.delete(&blob.key).await?;
        }
        if !orphans.is_empty() {
            let bytes: u64 = orphans.iter().map(|blob| blob.bytes).sum();
            tracing::info!(count = orphans.len(), bytes, "orphan blobs deleted");
        }
        Ok(Step::Later { seconds: DAY_S })
    }

    async fn on_event(app: &App, tx: &Tx, _: &Nothing, event: JobEvent) -> Result<(), StoreError> {
        hourly::on_event::<Self>(app, tx, event).await
    }
}
