//! Calls to services that are paid: claimed in a separate transaction before they are made, so that two servers never pay for the
//! same thing at once. If a server dies, at most the call that it was making is paid for again.

use std::collections::HashSet;

use jobs::{Failure, Lease};
use store::paid_call::{self as rows, Caller};
use store::{StoreError, Tx};

use crate::App;
use crate::random::random_bytes;

/// The caller of a paid service: a request, or a run of a job.
#[derive(Debug)]
pub struct Payer {
    caller: Caller,
    lease: Option<Lease>,
}

impl Payer {
    /// A request.
    pub fn request() -> Self {
        Self { caller: Caller::Request(i64::from_le_bytes(random_bytes())), lease: None }
    }

    /// A run of a job.
    pub fn job(lease: &Lease) -> Self {
        Self { caller: lease.caller(), lease: Some(lease.clone()) }
    }

    /// Claims paid work, and returns the subjects that may be paid for now. Look up known results in the same transaction, and
    /// commit before the call.
    pub async fn claim(&self, app: &App, tx: &Tx, subjects: &[String]) -> Result<HashSet<String>, StoreError> {
        rows::claim(tx, self.caller, subjects, app.now()).await
    }

    /// Gives claims back, in the transaction that stores what was paid for.
    pub async fn release_in(&self, tx: &Tx, subjects: &[String]) -> Result<(), StoreError> {
        rows::release(tx, self.caller, subjects).await
    }

    /// Gives claims back of a call that failed.
    pub async fn release(&self, app: &App, subjects: &[String]) -> Result<(), StoreError> {
        let tx = app.store.begin().await?;
        self.release_in(&tx, subjects).await?;
        tx.commit_aside().await
    }

    /// Holds the lease of a job just before the commit. A request has none.
    pub async fn hold(&self, tx: &Tx) -> Result<(), Failure> {
        match &self.lease {
            Some(lease) => lease.hold(tx).await,
            None => Ok(()),
        }
    }
}
