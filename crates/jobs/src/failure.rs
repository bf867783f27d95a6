//! Why an attempt failed, and what follows.

use std::error::Error;

use domain::job::JobReason;
use store::StoreError;

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It is tried again, until the attempts of its kind are used up.
    Again {
        /// The reason.
        reason: JobReason,
        /// A limit of attempts below that of the kind.
        max_attempts: Option<i64>,
    },
    /// The bucket does not answer, which is not a fault of the job: it is tried again every half minute for a day, and these attempts
    /// do not count.
    BucketAway,
    /// Trying again cannot help: the job is dead.
    Final(JobReason),
    /// Another server has taken the job, or it was cancelled: what this one did is dropped.
    LeaseLost,
}

impl Failure {
    /// A failure that may be temporary.
    pub fn again(reason: JobReason) -> Self {
        Self::Again { reason, max_attempts: None }
    }

    /// A failure of the server, or of its bucket. The log has its message, the job only its code.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let error: Box<dyn Error + Send + Sync> = error.into();
        if let Some(StoreError::BlobsUnavailable(_)) = error.downcast_ref() {
            tracing::warn!(%error, "a job waits for the bucket");
            return Self::BucketAway;
        }
        tracing::error!(%error, "a job failed");
        Self::again(JobReason::new("job/internal"))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}
