//! The table of jobs (decision 0042).
//!
//! A job is enqueued in the transaction that wants it. A server that takes it gets a [`LeaseNumber`]: every later write of that
//! server carries the number and changes nothing once another server has taken the job.

use std::collections::{BTreeMap, HashMap};

use domain::job::{Job, JobReason, JobState};
use domain::{DAY_S, Instant, StructureId, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

pub use crate::lease::LeaseNumber;
use crate::sealed::{self, SealedColumn};
use crate::sql::{all, execute, flag, for_update, get, json, numbers, one, text};
use crate::{Connection, Dialect, StoreError, Tx, advisory_lock};

/// Days that a job which ended well, or was cancelled, is kept.
pub const DONE_KEPT_DAYS: i64 = 7;
/// Days that a dead job is kept.
pub const DEAD_KEPT_DAYS: i64 = 30;

/// Attempts after which a job is dead, unless its kind says otherwise.
pub const MAX_ATTEMPTS: i64 = 8;

/// Seconds of a lease that is not prolonged.
pub const LEASE_S: i64 = 60;
/// A lease that ends later than this many seconds from now was written by a server whose clock was ahead: it counts as run out.
/// A live server whose clock is up to 14 minutes ahead keeps its jobs; a dead job of a clock that was ahead waits at most 15 minutes.
const MAX_LEASE_S: i64 = 15 * 60;

/// The most rows one transaction of [`tidy`] deletes.
const MAX_DELETED_ROWS: i64 = 1_000;

/// A job to be enqueued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    pub kind: &'static str,
    /// Version of the payload.
    pub version: i64,
    /// The payload, as JSON.
    pub payload: String,
    /// While a job of the same kind and key waits, no second one is made; while one runs, it is run once more.
    pub unique_key: Option<String>,
    /// The white-label it works for.
    pub white_label_id: Option<WhiteLabelId>,
    /// The user who asked for it.
    pub asked_by: Option<UserId>,
    /// Jobs with a lower number start first.
    pub priority: i64,
    /// It does not start before.
    pub run_after: Instant,
    /// Attempts after which it is dead.
    pub max_attempts: i64,
    /// Steps in all, where that is known.
    pub total: Option<i64>,
}

impl NewJob {
    /// A job with a payload of version 1, without user, with the usual number of attempts.
    #[must_use]
    pub fn new(kind: &'static str, payload: impl Into<String>, run_after: Instant) -> Self {
        Self {
            kind,
            version: 1,
            payload: payload.into(),
            unique_key: None,
            white_label_id: None,
            asked_by: None,
            priority: 0,
            run_after,
            max_attempts: MAX_ATTEMPTS,
            total: None,
        }
    }
}

/// A kind of job that a server can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunnableKind {
    pub name: &'static str,
    /// The newest version of its payload that the server reads. Newer ones wait for a newer server.
    pub version: i64,
    /// The most that run at once over all servers.
    pub limit: i64,
    /// The most that run at once on one server.
    pub limit_per_server: i64,
}

/// A job that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    pub lease: LeaseNumber,
    pub kind: String,
    /// Version of the payload.
    pub version: i64,
    /// The payload, as JSON.
    pub payload: String,
    /// Attempts, this one included.
    pub attempts: i64,
    /// Attempts after which it is dead.
    pub max_attempts: i64,
    /// Why the attempt before failed, where nothing was done since.
    pub reason: Option<JobReason>,
    /// A person cancelled it while a server that has died worked on it.
    pub is_cancelled: bool,
    /// The server that worked on it before let its lease run out.
    pub is_taken_over: bool,
}

/// What a heartbeat found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heartbeat {
    /// The lease is prolonged.
    Held,
    /// The lease is prolonged, and the job is to stop.
    Cancelled,
    /// Another server took the job, or it ended.
    Lost,
}

/// Enqueues a job and returns its number: that of the job that waits or runs already, where there is one with its key. Where a person
/// has asked to cancel that job and it has not stopped yet, `cancel` becomes 2: it is run once more after it stopped.
pub async fn enqueue(tx: &Tx, job: &NewJob, now: Instant) -> Result<i64, StoreError> {
    let sql =
        "INSERT INTO job (kind, version, payload, unique_key, white_label_id, asked_by, state, priority, run_after,
          max_attempts, total, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, 'waiting', $7, $8, $9, $10, $11)
        ON CONFLICT (kind, unique_key) WHERE unique_key IS NOT NULL AND state IN ('waiting', 'running') DO UPDATE SET
          again = CASE WHEN job.state = 'running' THEN 1 ELSE 0 END,
          cancel = CASE WHEN job.cancel = 0 THEN 0 ELSE 2 END,
          priority = CASE WHEN excluded.priority < job.priority THEN excluded.priority ELSE job.priority END,
          run_after = CASE WHEN job.state = 'waiting' AND excluded.run_after < job.run_after
            THEN excluded.run_after ELSE job.run_after END
        RETURNING id";
    let values: [Value; 11] = [
        job.kind.into(),
        job.version.into(),
        job.payload.as_str().into(),
        job.unique_key.clone().into(),
        job.white_label_id.map(|id| id.0).into(),
        job.asked_by.map(|id| id.0).into(),
        job.priority.into(),
        job.run_after.0.into(),
        job.max_attempts.into(),
        job.total.into(),
        now.0.into(),
    ];
    let row = one(tx, sql, values).await?.ok_or_else(|| StoreError::row("job", 0, "no number"))?;
    tx.note_enqueued();
    get(&row, 0)
}

/// Stores the sealed part of a payload.
pub async fn put_sealed(tx: &Tx, id: i64, sealed: Vec<u8>) -> Result<(), StoreError> {
    execute(tx, "UPDATE job SET sealed = $2 WHERE id = $1", [id.into(), sealed.into()]).await?;
    Ok(())
}

/// The sealed part of a payload.
pub async fn sealed(db: &impl Connection, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(sealed::find(db, SealedColumn::JobPayload, id).await?.map(|value| value.sealed))
}

/// Whether a job of one of these kinds can start now. Takes no lock: it saves a transaction where nothing waits.
pub async fn is_due(db: &impl Connection, kinds: &[RunnableKind], now: Instant) -> Result<bool, StoreError> {
    let mut values = due_values(now);
    let sql = format!("SELECT 1 FROM job j WHERE {} AND {DUE} LIMIT 1", of_kinds(kinds, &mut values));
    Ok(one(db, &sql, values).await?.is_some())
}

/// Jobs that wait and may start, or whose server let its lease run out; see [`due_values`] for `$1` and `$2`.
const DUE: &str = "((j.state = 'waiting' AND j.run_after <= $1)
    OR (j.state = 'running' AND (j.lease_until < $1 OR j.lease_until > $2)))";

/// Now, and the latest end of a lease that a server may have written.
fn due_values(now: Instant) -> Vec<Value> {
    vec![now.0.into(), now.plus_s(MAX_LEASE_S).0.into()]
}

fn of_kinds(kinds: &[RunnableKind], values: &mut Vec<Value>) -> String {
    let mut parts = Vec::with_capacity(kinds.len());
    for kind in kinds {
        values.push(kind.name.into());
        values.push(kind.version.into());
        parts.push(format!("(j.kind = ${} AND j.version <= ${})", values.len() - 1, values.len()));
    }
    if parts.is_empty() { "1 = 0".to_owned() } else { format!("({})", parts.join(" OR ")) }
}

/// Takes the next job of these kinds, or the one job `only`, for `lease_s` seconds. None where none may start.
///
/// By priority; within one priority the white-label that was served longest ago comes first.
pub async fn claim(
    tx: &Tx,
    kinds: &[RunnableKind],
    node: &str,
    lease_s: i64,
    only: Option<i64>,
    now: Instant,
) -> Result<Option<Claimed>, StoreError> {
    let is_postgres = tx.dialect() == Dialect::Postgres;
    // Two servers that count what runs at the same time would both start the last job that the limit allows.
    advisory_lock::hold(tx, advisory_lock::JOB_CLAIM).await?;
    let counted = "SELECT kind, COUNT(*), COUNT(CASE WHEN node = $3 THEN 1 END) FROM job
        WHERE state = 'running' AND lease_until >= $1 AND lease_until <= $2 GROUP BY kind";
    let mut running = HashMap::<String, (i64, i64)>::new();
    let mut values = due_values(now);
    values.push(node.into());
    for row in all(tx, counted, values).await? {
        running.insert(get(&row, 0)?, (get(&row, 1)?, get(&row, 2)?));
    }
    let is_free = |kind: &&RunnableKind| {
        let (everywhere, here) = running.get(kind.name).copied().unwrap_or_default();
        everywhere < kind.limit && here < kind.limit_per_server
    };
    let free: Vec<RunnableKind> = kinds.iter().filter(is_free).copied().collect();
    let mut values = due_values(now);
    let of_kinds = of_kinds(&free, &mut values);
    let only = only.map_or(String::new(), |id| {
        values.push(id.into());
        format!("AND j.id = ${}", values.len())
    });
    // A job whose row is locked is being written by the server that works on it: it is not abandoned.
    let lock = if is_postgres { "FOR UPDATE OF j SKIP LOCKED" } else { "" };
    let sql = format!(
        "SELECT j.id, j.lease, j.kind, j.version, j.payload, j.attempts, j.max_attempts, j.cancel, j.state, j.white_label_id,
          j.reason
        FROM job j LEFT JOIN job_turn t ON t.kind = j.kind AND t.white_label_id = COALESCE(j.white_label_id, 0)
        WHERE {of_kinds} AND {DUE} {only}
        ORDER BY j.priority, COALESCE(t.turn, 0), j.run_after, j.id LIMIT 1 {lock}"
    );
    let Some(row) = one(tx, &sql, values).await? else { return Ok(None) };
    let (id, state): (i64, String) = (get(&row, "id")?, get(&row, "state")?);
    let reason: Option<String> = get(&row, "reason")?;
    let claimed = Claimed {
        lease: LeaseNumber { job: id, number: get::<i64>(&row, "lease")? + 1 },
        kind: get(&row, "kind")?,
        version: get(&row, "version")?,
        payload: get(&row, "payload")?,
        attempts: get::<i64>(&row, "attempts")? + 1,
        max_attempts: get(&row, "max_attempts")?,
        reason: reason.map(|reason| json("job", id, &reason)).transpose()?,
        is_cancelled: flag(&row, "cancel")?,
        is_taken_over: state == JobState::Running.as_str(),
    };
    let sql = "UPDATE job SET state = 'running', lease = $2, lease_until = $3, node = $4, attempts = $5,
          started_at = COALESCE(started_at, $6) WHERE id = $1";
    let values: [Value; 6] = [
        claimed.lease.job.into(),
        claimed.lease.number.into(),
        now.plus_s(lease_s).0.into(),
        node.into(),
        claimed.attempts.into(),
        now.0.into(),
    ];
    execute(tx, sql, values).await?;
    let white_label = get::<Option<i64>>(&row, "white_label_id")?.unwrap_or_default();
    let sql = "INSERT INTO job_turn (kind, white_label_id, turn)
        SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), COALESCE(MAX(turn), 0) + 1 FROM job_turn WHERE 1 = 1
        ON CONFLICT (kind, white_label_id) DO UPDATE SET turn = excluded.turn";
    execute(tx, sql, [claimed.kind.as_str().into(), white_label.into()]).await?;
    Ok(Some(claimed))
}

/// The job of a lease, `$1` its number and `$2` the lease's, unless the lease is lost.
const UNDER_LEASE: &str = "id = $1 AND lease = $2 AND state = 'running'";

/// A write under a lease. False when the lease is lost: nothing was written.
async fn write(
    tx: &Tx,
    lease: LeaseNumber,
    set: &str,
    more: impl IntoIterator<Item = Value>,
) -> Result<bool, StoreError> {
    let sql = format!("UPDATE job SET {set} WHERE {UNDER_LEASE}");
    let values: Vec<Value> = [lease.job.into(), lease.number.into()].into_iter().chain(more).collect();
    Ok(execute(tx, &sql, values).await? == 1)
}

/// Holds the lease until the transaction ends: no other server takes the job meanwhile. False when it is lost.
pub async fn hold(tx: &Tx, lease: LeaseNumber) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM job WHERE {UNDER_LEASE}{}", for_update(tx.dialect(), "job"));
    Ok(one(tx, &sql, [lease.job.into(), lease.number.into()]).await?.is_some())
}

/// Prolongs a lease.
pub async fn heartbeat(tx: &Tx, lease: LeaseNumber, until: Instant) -> Result<Heartbeat, StoreError> {
    let sql = format!("UPDATE job SET lease_until = $3 WHERE {UNDER_LEASE} RETURNING cancel");
    let values: [Value; 3] = [lease.job.into(), lease.number.into(), until.0.into()];
    Ok(match one(tx, &sql, values).await? {
        Some(row) if flag(&row, 0)? => Heartbeat::Cancelled,
        Some(_) => Heartbeat::Held,
        None => Heartbeat::Lost,
    })
}

/// Writes how far a job is, and returns the number of its attempt: a job that goes on is on its first one again, so that only
/// attempts without progress make it dead. None when the lease is lost: nothing was written.
pub async fn progress(tx: &Tx, lease: LeaseNumber, done: i64, total: i64) -> Result<Option<i64>, StoreError> {
    let sql = format!(
        "UPDATE job SET done = $3, total = $4, attempts = CASE WHEN $3 > COALESCE(done, 0) THEN 1 ELSE attempts END
        WHERE {UNDER_LEASE} RETURNING attempts"
    );
    let values: [Value; 4] = [lease.job.into(), lease.number.into(), done.into(), total.into()];
    one(tx, &sql, values).await?.map(|row| get(&row, 0)).transpose()
}

/// The job ended well. Where it was enqueued again meanwhile, it waits again.
pub async fn complete(tx: &Tx, lease: LeaseNumber, now: Instant) -> Result<bool, StoreError> {
    tx.note_enqueued();
    // The wish to cancel was about the run that has ended.
    let set = "state = CASE WHEN again = 1 THEN 'waiting' ELSE 'done' END,
        finished_at = CASE WHEN again = 1 THEN NULL ELSE CAST($3 AS BIGINT) END,
        attempts = CASE WHEN again = 1 THEN 0 ELSE attempts END,
        sealed = CASE WHEN again = 1 THEN sealed ELSE NULL END,
        run_after = $3, again = 0, cancel = 0, lease_until = NULL, reason = NULL";
    write(tx, lease, set, [now.0.into()]).await
}

/// The job did a step and has more to do: it waits until `run_after`, or less where it was enqueued again meanwhile.
pub async fn wait(tx: &Tx, lease: LeaseNumber, run_after: Instant, now: Instant) -> Result<bool, StoreError> {
    tx.note_enqueued();
    let set = "state = 'waiting', attempts = 0, lease_until = NULL, reason = NULL,
        run_after = CASE WHEN again = 1 THEN CAST($4 AS BIGINT) ELSE CAST($3 AS BIGINT) END, again = 0";
    write(tx, lease, set, [run_after.0.into(), now.0.into()]).await
}

/// From now on the job starts before others that wait.
pub async fn put_first(tx: &Tx, lease: LeaseNumber) -> Result<bool, StoreError> {
    write(tx, lease, "priority = -1", []).await
}

/// The server stops: the job waits, and the attempt does not count.
pub async fn hand_back(tx: &Tx, lease: LeaseNumber, now: Instant) -> Result<bool, StoreError> {
    let set = "state = 'waiting', run_after = $3, attempts = attempts - 1, lease_until = NULL";
    write(tx, lease, set, [now.0.into()]).await
}

/// The job failed: it waits until `retry_at`.
pub async fn fail(tx: &Tx, lease: LeaseNumber, reason: &JobReason, retry_at: Instant) -> Result<bool, StoreError> {
    let set = "state = 'waiting', run_after = $3, reason = $4, lease_until = NULL";
    write(tx, lease, set, [retry_at.0.into(), text(reason).into()]).await
}

/// The result of the last attempt of a job that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenUp {
    Dead,
    /// It was enqueued again meanwhile: it waits, with all its attempts.
    RunsAgain,
    /// Another server has its lease.
    LeaseLost,
}

/// The job failed for good. Where it was enqueued again meanwhile, it waits again: this attempt may have read what it works on before.
pub async fn give_up(tx: &Tx, lease: LeaseNumber, reason: &JobReason, now: Instant) -> Result<GivenUp, StoreError> {
    tx.note_enqueued();
    // The wish to cancel ends with the job: otherwise a job that is tried again would be cancelled at once.
    let set = "state = CASE WHEN again = 1 THEN 'waiting' ELSE 'dead' END,
        finished_at = CASE WHEN again = 1 THEN NULL ELSE CAST($3 AS BIGINT) END,
        attempts = CASE WHEN again = 1 THEN 0 ELSE attempts END,
        run_after = CASE WHEN again = 1 THEN CAST($3 AS BIGINT) ELSE run_after END,
        reason = CASE WHEN again = 1 THEN NULL ELSE CAST($4 AS TEXT) END, again = 0, cancel = 0, lease_until = NULL";
    if !write(tx, lease, set, [now.0.into(), text(reason).into()]).await? {
        return Ok(GivenUp::LeaseLost);
    }
    Ok(if is_waiting(tx, lease).await? { GivenUp::RunsAgain } else { GivenUp::Dead })
}

/// The storage that the job needs is unavailable: it waits, and the attempt does not count.
pub async fn postpone(tx: &Tx, lease: LeaseNumber, reason: &JobReason, run_after: Instant) -> Result<bool, StoreError> {
    let set = "state = 'waiting', run_after = $3, reason = $4, attempts = attempts - 1, lease_until = NULL";
    write(tx, lease, set, [run_after.0.into(), text(reason).into()]).await
}

/// The result of stopping a job that a person cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelledRun {
    Ended,
    /// It was enqueued again after the request to cancel: it waits, with all its attempts.
    RunsAgain,
    /// Another server has its lease.
    LeaseLost,
}

/// The job stopped because a person cancelled it. Where it was enqueued again after that, it waits again.
pub async fn finish_cancelled(tx: &Tx, lease: LeaseNumber, now: Instant) -> Result<CancelledRun, StoreError> {
    tx.note_enqueued();
    let set = "state = CASE WHEN cancel = 2 THEN 'waiting' ELSE 'cancelled' END,
        finished_at = CASE WHEN cancel = 2 THEN NULL ELSE CAST($3 AS BIGINT) END,
        attempts = CASE WHEN cancel = 2 THEN 0 ELSE attempts END,
        run_after = CASE WHEN cancel = 2 THEN CAST($3 AS BIGINT) ELSE run_after END,
        reason = CASE WHEN cancel = 2 THEN NULL ELSE reason END,
        sealed = CASE WHEN cancel = 2 THEN sealed ELSE NULL END, cancel = 0, again = 0, lease_until = NULL";
    if !write(tx, lease, set, [now.0.into()]).await? {
        return Ok(CancelledRun::LeaseLost);
    }
    Ok(if is_waiting(tx, lease).await? { CancelledRun::RunsAgain } else { CancelledRun::Ended })
}

/// Whether the job of a lease that has just ended waits again.
async fn is_waiting(tx: &Tx, lease: LeaseNumber) -> Result<bool, StoreError> {
    let row = one(tx, "SELECT state FROM job WHERE id = $1", [lease.job.into()]).await?;
    let state: Option<String> = row.map(|row| get(&row, 0)).transpose()?;
    Ok(state.as_deref() == Some(JobState::Waiting.as_str()))
}

/// The result of a request to cancel a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelling {
    Cancelled,
    /// The server that works on it stops within some seconds.
    Asked,
    /// It has ended already, or does not exist.
    Ended,
}

/// Cancels a job that waits, or whose server let its lease run out; asks the server that works on it to stop.
pub async fn cancel(tx: &Tx, id: i64, now: Instant) -> Result<Cancelling, StoreError> {
    let sql =
        "UPDATE job SET state = 'cancelled', finished_at = $2, cancel = 0, again = 0, sealed = NULL, lease = lease + 1,
          lease_until = NULL
        WHERE id = $1 AND (state = 'waiting' OR (state = 'running' AND (lease_until < $2 OR lease_until > $3)))";
    if execute(tx, sql, [id.into(), now.0.into(), now.plus_s(MAX_LEASE_S).0.into()]).await? == 1 {
        return Ok(Cancelling::Cancelled);
    }
    let sql = "UPDATE job SET cancel = 1 WHERE id = $1 AND state = 'running'";
    let is_asked = execute(tx, sql, [id.into()]).await? == 1;
    Ok(if is_asked { Cancelling::Asked } else { Cancelling::Ended })
}

/// Tries a dead job again, or starts one at once that waits after a failure: its attempts, its last failure and a wish to cancel it
/// are reset. False when it is neither.
pub async fn retry(tx: &Tx, id: i64, now: Instant) -> Result<bool, StoreError> {
    tx.note_enqueued();
    let sql =
        "UPDATE job SET state = 'waiting', run_after = $2, attempts = 0, finished_at = NULL, reason = NULL, cancel = 0
        WHERE id = $1 AND state IN ('dead', 'waiting')";
    Ok(execute(tx, sql, [id.into(), now.0.into()]).await? == 1)
}

/// The kind, the version and the payload of a job.
pub async fn payload(db: &impl Connection, id: i64) -> Result<Option<(String, i64, String)>, StoreError> {
    let row = one(db, "SELECT kind, version, payload FROM job WHERE id = $1", [id.into()]).await?;
    row.map(|row| Ok((get(&row, 0)?, get(&row, 1)?, get(&row, 2)?))).transpose()
}

/// Why the last job of a kind with a key is dead. None where no job with it is.
pub async fn reason_of_dead(
    db: &impl Connection,
    kind: &'static str,
    unique_key: &str,
) -> Result<Option<JobReason>, StoreError> {
    let sql = "SELECT id, reason FROM job WHERE kind = $1 AND unique_key = $2 AND state = 'dead' AND reason IS NOT NULL
        ORDER BY id DESC LIMIT 1";
    let row = one(db, sql, [kind.into(), unique_key.into()]).await?;
    row.map(|row| json("job", get(&row, 0)?, &get::<String>(&row, 1)?)).transpose()
}

/// Deletes jobs that ended long ago, and claims of paid calls that were never given back. True when more jobs are left.
pub async fn tidy(tx: &Tx, now: Instant) -> Result<bool, StoreError> {
    crate::paid_call::tidy(tx, now).await?;
    let sql = format!(
        "DELETE FROM job WHERE id IN (SELECT id FROM job WHERE finished_at < $1 AND (state <> 'dead' OR finished_at < $2)
        ORDER BY finished_at LIMIT {MAX_DELETED_ROWS})"
    );
    let before = |days: i64| now.plus_s(-days * DAY_S).0;
    let deleted = execute(tx, &sql, [before(DONE_KEPT_DAYS).into(), before(DEAD_KEPT_DAYS).into()]).await?;
    Ok(deleted == MAX_DELETED_ROWS as u64)
}

const COLUMNS: &str =
    "id, kind, version, white_label_id, asked_by, state, priority, run_after, attempts, max_attempts, lease,
    lease_until, node, cancel, done, total, reason, created_at, started_at, finished_at";

/// A job.
pub async fn find(db: &impl Connection, id: i64) -> Result<Option<Job>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM job WHERE id = $1");
    one(db, &sql, [id.into()]).await?.as_ref().map(read).transpose()
}

/// Which jobs a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// Only jobs of the white-labels of this structure. `None` for all.
    pub structure: Option<StructureId>,
    /// In these states. Empty for every state.
    pub states: Vec<JobState>,
    /// Only this kind.
    pub kind: Option<String>,
}

impl JobFilter {
    fn condition(&self, values: &mut Vec<Value>) -> String {
        let mut terms = vec!["1 = 1".to_owned()];
        terms.extend(self.structure.map(|id| {
            values.push(id.0.into());
            format!("white_label_id IN (SELECT id FROM white_label WHERE structure_id = ${})", values.len())
        }));
        if !self.states.is_empty() {
            // Words of a closed list of the code.
            let words: Vec<String> = self.states.iter().map(|state| format!("'{}'", state.as_str())).collect();
            terms.push(format!("state IN ({})", words.join(",")));
        }
        if let Some(kind) = &self.kind {
            values.push(kind.as_str().into());
            terms.push(format!("kind = ${}", values.len()));
        }
        terms.join(" AND ")
    }
}

/// The newest jobs that a filter shows, at most `limit`, with numbers below `before`.
pub async fn list(
    db: &impl Connection,
    filter: &JobFilter,
    before: Option<i64>,
    limit: u64,
) -> Result<Vec<Job>, StoreError> {
    let mut values = Vec::new();
    let condition = filter.condition(&mut values);
    let before = before.map_or(String::new(), |id| format!("AND id < {id}"));
    let sql = format!("SELECT {COLUMNS} FROM job WHERE {condition} {before} ORDER BY id DESC LIMIT {limit}");
    all(db, &sql, values).await?.iter().map(read).collect()
}

/// How many jobs a filter shows, by state.
pub async fn count(db: &impl Connection, filter: &JobFilter) -> Result<BTreeMap<JobState, i64>, StoreError> {
    let mut values = Vec::new();
    let sql = format!("SELECT state, COUNT(*) FROM job WHERE {} GROUP BY state", filter.condition(&mut values));
    let counted = |row: &QueryResult| {
        let state: String = get(row, 0)?;
        let unknown = || StoreError::row("job", 0, format!("state {state}"));
        Ok((JobState::parse(&state).ok_or_else(unknown)?, get(row, 1)?))
    };
    all(db, &sql, values).await?.iter().map(counted).collect()
}

/// How many jobs of a kind are in a state, and since when the first of them could have started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindCount {
    /// The name of the kind.
    pub kind: String,
    /// `waiting`, `running` or `dead`.
    pub state: JobState,
    pub count: i64,
    /// The earliest instant at which one of them may start or could have.
    pub first_due: Instant,
}

/// The jobs that are not over, and the dead ones, by kind and state.
pub async fn count_by_kind(db: &impl Connection) -> Result<Vec<KindCount>, StoreError> {
    let sql = "SELECT kind, state, COUNT(*) AS total, MIN(run_after) AS first_due FROM job
        WHERE state IN ('waiting', 'running', 'dead') GROUP BY kind, state";
    let counted = |row: &QueryResult| {
        let state: String = get(row, "state")?;
        let unknown = || StoreError::row("job", 0, format!("state {state}"));
        let state = JobState::parse(&state).ok_or_else(unknown)?;
        Ok(KindCount {
            kind: get(row, "kind")?,
            state,
            count: get(row, "total")?,
            first_due: Instant(get(row, "first_due")?),
        })
    };
    all(db, sql, []).await?.iter().map(counted).collect()
}

/// A job that a filter shows.
pub async fn find_shown(db: &impl Connection, filter: &JobFilter, id: i64) -> Result<Option<Job>, StoreError> {
    let mut values = Vec::new();
    let condition = filter.condition(&mut values);
    let sql = format!("SELECT {COLUMNS} FROM job WHERE {condition} AND id = {id}");
    one(db, &sql, values).await?.as_ref().map(read).transpose()
}

/// Names of the white-labels and full names of the users of these jobs; of the users only those of `structure`, if there is one.
pub async fn names(
    db: &impl Connection,
    jobs: &[Job],
    structure: Option<StructureId>,
) -> Result<(HashMap<i64, String>, HashMap<i64, String>), StoreError> {
    let mut labels: Vec<i64> = jobs.iter().filter_map(|job| job.white_label_id).map(|id| id.0).collect();
    let mut people: Vec<i64> = jobs.iter().filter_map(|job| job.asked_by).map(|id| id.0).collect();
    for ids in [&mut labels, &mut people] {
        ids.sort_unstable();
        ids.dedup();
    }
    let sql = format!("SELECT id, name FROM white_label WHERE id IN {}", numbers(&labels));
    let named = |row: &QueryResult| Ok((get(row, 0)?, get(row, 1)?));
    let labels = all(db, &sql, []).await?.iter().map(named).collect::<Result<_, StoreError>>()?;
    let theirs = structure.map_or(String::new(), |id| format!("AND structure_id = {}", id.0));
    let sql = format!(r#"SELECT id, first_name, last_name FROM "user" WHERE id IN {} {theirs}"#, numbers(&people));
    let full = |row: &QueryResult| {
        let names = [get::<Option<String>>(row, 1)?, get::<Option<String>>(row, 2)?];
        Ok((get(row, 0)?, names.into_iter().flatten().collect::<Vec<_>>().join(" ").trim().to_owned()))
    };
    let people = all(db, &sql, []).await?.iter().map(full).collect::<Result<_, StoreError>>()?;
    Ok((labels, people))
}

fn read(row: &QueryResult) -> Result<Job, StoreError> {
    let id: i64 = get(row, "id")?;
    let state: String = get(row, "state")?;
    let reason: Option<String> = get(row, "reason")?;
    Ok(Job {
        id,
        kind: get(row, "kind")?,
        version: get(row, "version")?,
        white_label_id: get::<Option<i64>>(row, "white_label_id")?.map(WhiteLabelId),
        asked_by: get::<Option<i64>>(row, "asked_by")?.map(UserId),
        state: JobState::parse(&state).ok_or_else(|| StoreError::row("job", id, format!("state {state}")))?,
        priority: get(row, "priority")?,
        run_after: Instant(get(row, "run_after")?),
        attempts: get(row, "attempts")?,
        max_attempts: get(row, "max_attempts")?,
        lease: get(row, "lease")?,
        lease_until: get::<Option<i64>>(row, "lease_until")?.map(Instant),
        node: get(row, "node")?,
        is_cancelling: flag(row, "cancel")?,
        done: get(row, "done")?,
        total: get(row, "total")?,
        reason: reason.map(|reason| json("job", id, &reason)).transpose()?,
        created_at: Instant(get(row, "created_at")?),
        started_at: get::<Option<i64>>(row, "started_at")?.map(Instant),
        finished_at: get::<Option<i64>>(row, "finished_at")?.map(Instant),
    })
}
