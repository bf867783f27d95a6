//! The lease that a running job has.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use store::job::LeaseNumber;
use store::paid_call::Caller;
use store::{Store, Tx};
use tokio::sync::watch;

use crate::Failure;

/// The right of this server to work on a job, until another one has taken it.
#[derive(Debug, Clone)]
pub struct Lease {
    pub(crate) number: LeaseNumber,
    pub(crate) store: Store,
    pub(crate) attempts: Arc<AtomicI64>,
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Lease {
    /// Number of the job.
    pub fn job(&self) -> i64 {
        self.number.job
    }

    /// How often a server has taken the job, this time included: no two runs have the same one. Keys of files that a run makes
    /// carry it, so that a run never overwrites or deletes what another one made.
    pub fn number(&self) -> i64 {
        self.number.number
    }

    /// The caller of a paid service: this run of the job.
    pub fn caller(&self) -> Caller {
        Caller::Job(self.number)
    }

    /// Holds the job until the transaction ends. Fails where another server has taken it, so that a job that calls this in each
    /// transaction it writes in never writes beside another run of itself.
    ///
    /// Call it after the job's own writes, just before the commit: requests lock records first and the row of the job they
    /// enqueue last. In another order two transactions may wait for each other.
    pub async fn hold(&self, tx: &Tx) -> Result<(), Failure> {
        if store::job::hold(tx, self.number).await? { Ok(()) } else { Err(Failure::LeaseLost) }
    }

    /// Writes the progress of the job, in a separate transaction: never call it while one is open.
    pub async fn progress(&self, done: i64, total: i64) -> Result<(), Failure> {
        let tx = self.store.begin().await?;
        self.progress_in(&tx, done, total).await?;
        Ok(tx.commit_aside().await?)
    }

    /// Writes how far the job is, in a transaction of the job.
    pub async fn progress_in(&self, tx: &Tx, done: i64, total: i64) -> Result<(), Failure> {
        let attempts = store::job::progress(tx, self.number, done, total).await?.ok_or(Failure::LeaseLost)?;
        self.attempts.store(attempts, Ordering::Relaxed);
        Ok(())
    }

    /// From now on the job starts before others that wait, in a transaction of the job: for one whose steps share something costly.
    pub async fn put_first_in(&self, tx: &Tx) -> Result<(), Failure> {
        if store::job::put_first(tx, self.number).await? { Ok(()) } else { Err(Failure::LeaseLost) }
    }

    /// Whether the server stops: a job of many steps ends after the present one with [`crate::Step::Again`].
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }
}
