//! Runs jobs of this application: one kind or all, once or until nothing is left to do.

use std::sync::Arc;

use domain::imports::ImportNote;
use domain::job::JobReason;
use jobs::{Failure, Kinds, NoStorage, Worker};
use store::StoreError;

use crate::App;
use crate::problem::{DATABASE_UNAVAILABLE, Internal, Problem, STORAGE_FULL, STORAGE_UNAVAILABLE};

/// A worker for the jobs of an application. It takes none until it is started or called.
pub fn worker(app: &App) -> Worker<App> {
    worker_of(app, Arc::clone(app.jobs().kinds()))
}

/// Runs everything of one kind that may start now.
pub async fn settle_only(app: &App, kind: &str) -> Result<(), StoreError> {
    worker_only(app, kind).settle().await
}

/// Runs one job of one kind, or one step of it. False when none may start now.
pub async fn step_only(app: &App, kind: &str) -> Result<bool, StoreError> {
    worker_only(app, kind).step().await
}

fn worker_only(app: &App, kind: &str) -> Worker<App> {
    worker_of(app, Arc::new(app.jobs().kinds().only(kind)))
}

fn worker_of(app: &App, kinds: Arc<Kinds<App>>) -> Worker<App> {
    Worker::new(app.clone(), app.store.clone(), Arc::clone(&app.clock), kinds, app.jobs().node())
}

/// The reason of a job for what is noted of the domain's own.
pub fn reason_of(note: &ImportNote) -> JobReason {
    let params = note.params.iter();
    params.fold(JobReason::new(&note.code), |reason, (name, value)| reason.with(name, value.as_str()))
}

/// The failure of a job whose part was refused because the database, the bucket or the disk does not work; none where that part alone
/// was refused, and the job may do the others.
pub fn unavailable(refusal: &Problem) -> Option<Failure> {
    Some(match refusal.reason().0 {
        code if code == STORAGE_UNAVAILABLE.code => Failure::NoStorage(NoStorage::BucketAway),
        code if code == STORAGE_FULL.code => Failure::NoStorage(NoStorage::DiskFull),
        code if code == DATABASE_UNAVAILABLE.code => Failure::again(JobReason::new("job/internal")),
        _ => return None,
    })
}

/// A failure of the server in a job is logged and tried again.
impl From<Internal> for Failure {
    fn from(error: Internal) -> Self {
        Self::internal(error.cause())
    }
}
