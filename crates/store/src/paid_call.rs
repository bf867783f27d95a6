//! Calls to services that are paid: each is claimed before it is made, so that two servers never pay for the same thing at once.

use std::collections::HashSet;

use domain::{DAY_S, Instant};
use sea_orm::Value;

use crate::lease::LeaseNumber;
use crate::sql::{all, execute, for_update, get};
use crate::{Connection as _, StoreError, Tx};

/// Seconds after which the claim of a job expires: longer than any call takes.
const JOB_CLAIM_S: i64 = 300;
/// The same of a request: its client may hang up in the middle of a call.
const REQUEST_CLAIM_S: i64 = 30;

/// Subjects claimed in one statement.
const AT_ONCE: usize = 200;

/// The caller of a paid service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A job, under a lease. Its claims are void once it lost the lease or ended.
    Job(LeaseNumber),
    /// A request, by a number that no other one has.
    Request(i64),
}

impl Caller {
    fn values(self) -> (Option<i64>, i64) {
        match self {
            Self::Job(lease) => (Some(lease.job), lease.number),
            Self::Request(number) => (None, number),
        }
    }

    const fn claim_s(self) -> i64 {
        match self {
            Self::Job(_) => JOB_CLAIM_S,
            Self::Request(_) => REQUEST_CLAIM_S,
        }
    }
}

/// Claims paid work, and returns the subjects that this caller has now: others are paying for the rest. Look up known results in
/// the same transaction, after this.
pub async fn claim(tx: &Tx, caller: Caller, subjects: &[String], now: Instant) -> Result<HashSet<String>, StoreError> {
    let (job, number) = caller.values();
    let mut claimed = HashSet::with_capacity(subjects.len());
    // In one order, so that two callers never wait for each other.
    let mut subjects: Vec<&String> = subjects.iter().collect();
    subjects.sort_unstable();
    for subjects in subjects.chunks(AT_ONCE) {
        let places: Vec<String> = (0..subjects.len()).map(|at| format!("(${}, $1, $2, $3)", at + 5)).collect();
        let sql = format!(
            "INSERT INTO paid_call (subject, job_id, lease, until) VALUES {}
            ON CONFLICT (subject) DO UPDATE SET job_id = excluded.job_id, lease = excluded.lease, until = excluded.until
            WHERE paid_call.until < $4 OR (paid_call.job_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job
              WHERE job.id = paid_call.job_id AND job.lease = paid_call.lease AND job.state = 'running'))
            RETURNING subject",
            places.join(", ")
        );
        let values: [Value; 4] = [job.into(), number.into(), now.plus_s(caller.claim_s()).0.into(), now.0.into()];
        let values = values.into_iter().chain(subjects.iter().map(|subject| Value::from(subject.as_str())));
        for row in all(tx, &sql, values).await? {
            claimed.insert(get(&row, 0)?);
        }
    }
    Ok(claimed)
}

/// Gives claims back: what was paid for is stored, or the call failed.
pub async fn release(tx: &Tx, caller: Caller, subjects: &[String]) -> Result<(), StoreError> {
    let (job, number) = caller.values();
    let lock = for_update(tx.dialect(), "paid_call");
    for subjects in subjects.chunks(AT_ONCE) {
        let places: Vec<String> = (0..subjects.len()).map(|at| format!("${}", at + 3)).collect();
        let sql = format!(
            "DELETE FROM paid_call WHERE subject IN (SELECT subject FROM paid_call
            WHERE COALESCE(job_id, 0) = $1 AND lease = $2 AND subject IN ({}) ORDER BY subject{lock})",
            places.join(", ")
        );
        let values: [Value; 2] = [job.unwrap_or_default().into(), number.into()];
        let values = values.into_iter().chain(subjects.iter().map(|subject| Value::from(subject.as_str())));
        execute(tx, &sql, values).await?;
    }
    Ok(())
}

/// Deletes claims that have been void for a day: their callers died, and the same was never asked for again.
pub async fn tidy(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM paid_call WHERE until < $1", [now.plus_s(-DAY_S).0.into()]).await?;
    Ok(())
}
