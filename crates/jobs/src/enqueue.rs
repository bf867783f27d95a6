//! Putting a job into the table.

use domain::{Instant, UserId, WhiteLabelId};
use store::job::NewJob;
use store::{StoreError, Tx};

use crate::JobKind;

/// A job to be enqueued.
#[derive(Debug)]
pub struct Enqueue<K: JobKind> {
    payload: K::Payload,
    unique_key: Option<String>,
    white_label_id: Option<WhiteLabelId>,
    asked_by: Option<UserId>,
    priority: i64,
    run_after: Option<Instant>,
    total: Option<i64>,
}

impl<K: JobKind> Enqueue<K> {
    /// A job with this payload.
    pub fn new(payload: K::Payload) -> Self {
        Self {
            payload,
            unique_key: None,
            white_label_id: None,
            asked_by: None,
            priority: K::PRIORITY,
            run_after: None,
            total: None,
        }
    }

    /// Sets a key. While a job of the same kind and key waits, no second one is added; while one runs, it is run once more.
    #[must_use]
    pub fn unique(mut self, key: impl ToString) -> Self {
        self.unique_key = Some(key.to_string());
        self
    }

    /// Sets the white-label it works for. White-labels are served in turn.
    #[must_use]
    pub fn of_white_label(mut self, id: impl Into<Option<WhiteLabelId>>) -> Self {
        self.white_label_id = id.into();
        self
    }

    /// Sets the user who asked for it.
    #[must_use]
    pub fn asked_by(mut self, id: impl Into<Option<UserId>>) -> Self {
        self.asked_by = id.into();
        self
    }

    /// Sets the priority, in place of that of the kind. Jobs with a lower number start first.
    #[must_use]
    pub fn priority(mut self, priority: i64) -> Self {
        self.priority = priority;
        self
    }

    /// Sets the earliest start.
    #[must_use]
    pub fn run_after(mut self, at: Instant) -> Self {
        self.run_after = Some(at);
        self
    }

    /// Sets the number of its steps.
    #[must_use]
    pub fn total(mut self, steps: i64) -> Self {
        self.total = Some(steps);
        self
    }

    /// Enqueues it in this transaction and returns its number: that of the job that waits or runs already, where there is one
    /// with its key.
    pub async fn put(self, tx: &Tx, now: Instant) -> Result<i64, StoreError> {
        let job = NewJob {
            kind: K::NAME,
            version: K::VERSION,
            // Cannot fail: only maps with keys that are not strings fail.
            payload: serde_json::to_string(&self.payload).unwrap_or_default(),
            unique_key: self.unique_key,
            white_label_id: self.white_label_id,
            asked_by: self.asked_by,
            priority: self.priority,
            run_after: self.run_after.unwrap_or(now),
            max_attempts: K::MAX_ATTEMPTS,
            total: self.total,
        };
        store::job::enqueue(tx, &job, now).await
    }
}
