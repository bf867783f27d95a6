//! Why an attempt failed, and what follows.

use std::error::Error;

use domain::job::JobReason;
use store::{BlobsFault, StoreError, is_of_full_disk};

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It is tried again, until the attempts of its kind are used up.
    Again(JobReason),
    /// The job's output cannot be stored, which is not a fault of the job: it is tried again every half minute for a day, and these attempts
    /// do not count.
    NoStorage(NoStorage),
    /// Trying again cannot help: the job is dead.
    Final(JobReason),
    /// Another server has taken the job, or it was cancelled: what this one did is dropped.
    LeaseLost,
}

/// Why nothing can be stored at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoStorage {
    /// The bucket does not answer, fails or refuses the access key.
    BucketAway,
    /// The disk of the database, of the blobs or of the server is full.
    DiskFull,
}

impl NoStorage {
    /// The storage fault behind an error; none if the error has another cause.
    pub fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        match error.downcast_ref() {
            Some(StoreError::BlobsUnavailable(_)) => Some(Self::BucketAway),
            Some(StoreError::Full(_)) => Some(Self::DiskFull),
            // Files that are not blobs.
            _ => is_of_full_disk(error).then_some(Self::DiskFull),
        }
    }

    /// The reason that the list of jobs shows.
    pub fn reason(self) -> JobReason {
        JobReason::new(match self {
            Self::BucketAway => "job/bucket-away",
            Self::DiskFull => "job/disk-full",
        })
    }

    /// The value of the label `outcome` in the metrics.
    pub(crate) const fn outcome(self) -> &'static str {
        match self {
            Self::BucketAway => "bucket_away",
            Self::DiskFull => "disk_full",
        }
    }
}

impl Failure {
    /// A failure that may be temporary.
    pub fn again(reason: JobReason) -> Self {
        Self::Again(reason)
    }

    /// A failure of the server, of its bucket or of its disk. The log has its message, the job only its code.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let error: Box<dyn Error + Send + Sync> = error.into();
        if let Some(why) = NoStorage::of(error.as_ref()) {
            tracing::warn!(%error, "a job waits until it can store what it makes");
            return Self::NoStorage(why);
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

impl From<BlobsFault> for Failure {
    fn from(fault: BlobsFault) -> Self {
        tracing::warn!(%fault, "a job waits until it can store what it makes");
        Self::NoStorage(match fault {
            BlobsFault::Full => NoStorage::DiskFull,
            BlobsFault::NoBucket | BlobsFault::KeyRefused(_) | BlobsFault::Failed(_) | BlobsFault::OtherBytes => {
                NoStorage::BucketAway
            }
        })
    }
}
