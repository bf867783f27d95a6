//! The number of a lease on a job: jobs are written under it, and calls to paid services are claimed with it.

/// Which job, and the number of the lease on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseNumber {
    pub job: i64,
    /// How often a server has taken it, this time included.
    pub number: i64,
}
