//! Failed tries to sign in, by account, by address and by device; and mails that strangers asked for, by address.

use domain::Instant;
use domain::login_wait::{Failures, MAX_AHEAD_S};

use crate::sql::{execute, get, one};
use crate::{Connection, StoreError, Tx};

/// The failures of a subject.
pub async fn find(db: &impl Connection, subject: &str) -> Result<Failures, StoreError> {
    let found = one(db, "SELECT faded_at, last_at FROM login_failure WHERE subject = $1", [subject.into()]).await?;
    let Some(row) = found else { return Ok(Failures::default()) };
    Ok(Failures { faded_at_s: get(&row, 0)?, last_at_s: get(&row, 1)? })
}

/// Locks a subject until the transaction ends, so that tries at the same time are judged one after the other.
/// (On SQLite the single writer does that.)
pub async fn lock(tx: &Tx, subject: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO login_failure (subject, faded_at, last_at, failed_at) VALUES ($1, 0, 0, 0)
        ON CONFLICT (subject) DO UPDATE SET faded_at = login_failure.faded_at";
    execute(tx, sql, [subject.into()]).await?;
    Ok(())
}

/// Counts a try before its outcome is known. The subject is locked. A failure that a clock noted which was ahead is forgotten:
/// [`take_back`] would make it the last one again.
pub async fn add(tx: &Tx, subject: &str, faded_at_s: i64, now: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE login_failure SET faded_at = $2, last_at = $3,
          failed_at = CASE WHEN failed_at > $4 THEN 0 ELSE failed_at END
        WHERE subject = $1";
    execute(tx, sql, [subject.into(), faded_at_s.into(), now.0.into(), now.plus_s(MAX_AHEAD_S).0.into()]).await?;
    Ok(())
}

/// The try of an instant was a failure.
pub async fn confirm(tx: &Tx, subject: &str, tried_at: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE login_failure SET
          failed_at = CASE WHEN failed_at < $2 THEN $2 ELSE failed_at END,
          last_at = CASE WHEN last_at < $2 THEN $2 ELSE last_at END
        WHERE subject = $1";
    execute(tx, sql, [subject.into(), tried_at.0.into()]).await?;
    Ok(())
}

/// The try of an instant was no failure: the wait is again the one that the last failure made, unless another try came after.
pub async fn take_back(tx: &Tx, subject: &str, added_s: i64, tried_at: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE login_failure SET
          faded_at = faded_at - $2,
          last_at = CASE WHEN last_at = $3 THEN failed_at ELSE last_at END
        WHERE subject = $1";
    execute(tx, sql, [subject.into(), added_s.into(), tried_at.0.into()]).await?;
    Ok(())
}

/// Forgets the failures of a subject.
pub async fn clear(tx: &Tx, subject: &str) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM login_failure WHERE subject = $1", [subject.into()]).await?;
    Ok(())
}

/// Deletes the subjects whose failures have all faded.
pub async fn delete_faded(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM login_failure WHERE faded_at <= $1", [now.0.into()]).await?;
    Ok(())
}
