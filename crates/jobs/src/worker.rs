//! Takes jobs, runs them and writes their outcome.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::job::JobReason;
use domain::{Clock, DAY_S, Instant};
use metrics::histogram;
use store::job::{CancelledRun, Cancelling, Claimed, GivenUp, Heartbeat, LeaseNumber};
use store::{Store, StoreError, Tx};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tracing::Instrument as _;

use crate::kind::AnyKind;
use crate::{Backoff, Failure, JobEvent, Kinds, Lease, NoStorage, Step};

/// Durations of leases, polling and shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Seconds after which a lease that was not renewed expires: the server has lost the job.
    pub lease_s: i64,
    /// How often a lease is prolonged.
    pub heartbeat: Duration,
    /// How often the table is read while nothing is enqueued on this server: another server may have enqueued a job, a job may be due
    /// after a failure, or a server may have stopped without handing its leases back.
    pub poll: Duration,
    /// How long jobs may still run once the server is asked to stop.
    pub grace: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lease_s: store::job::LEASE_S,
            heartbeat: Duration::from_secs(15),
            poll: Duration::from_secs(2),
            grace: Duration::from_secs(5),
        }
    }
}

/// How long the worker waits after a database error before it takes a job again.
const DATABASE_RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// How long the worker waits before it writes the outcome of a job again, when the database did not answer.
const OUTCOME_RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// How long a job waits before it tries again, when the bucket does not answer or a disk is full.
const STORAGE_WAIT: Backoff = Backoff { first_s: 30, max_s: 30 };
/// How long a job may wait for storage in total. After that, its failed attempts count again.
const MAX_STORAGE_WAIT_S: i64 = DAY_S;
/// The parameter of a job's reason that has the instant at which it began to wait for storage.
const WAITING_SINCE: &str = "since";

/// The most jobs that one server runs at once.
const MAX_CONCURRENT_JOBS: usize = 8;

/// Takes jobs and runs them. Cloning it is cheap.
pub struct Worker<C> {
    context: C,
    store: Store,
    clock: Arc<dyn Clock>,
    kinds: Arc<Kinds<C>>,
    node: Arc<str>,
    timing: Timing,
    stopping: watch::Receiver<bool>,
    /// Keeps `stopping` open where no other sender exists.
    own_sender: Option<Arc<watch::Sender<bool>>>,
}

impl<C: Clone> Clone for Worker<C> {
    fn clone(&self) -> Self {
        Self {
            context: self.context.clone(),
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            kinds: Arc::clone(&self.kinds),
            node: Arc::clone(&self.node),
            timing: self.timing,
            stopping: self.stopping.clone(),
            own_sender: self.own_sender.clone(),
        }
    }
}

impl<C> fmt::Debug for Worker<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("node", &self.node).field("kinds", &self.kinds).finish_non_exhaustive()
    }
}

/// A worker that runs.
#[derive(Debug)]
pub struct Running {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Running {
    /// Takes no further jobs and waits for the running ones. Those that still run after the grace time give their leases back.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.task.await;
    }
}

impl<C: Clone + Send + Sync + 'static> Worker<C> {
    /// A worker for these kinds. `node` names the server to people.
    pub fn new(context: C, store: Store, clock: Arc<dyn Clock>, kinds: Arc<Kinds<C>>, node: &str) -> Self {
        let (sender, stopping) = watch::channel(false);
        let timing = Timing::default();
        Self { context, store, clock, kinds, node: node.into(), timing, stopping, own_sender: Some(Arc::new(sender)) }
    }

    /// The same with other times.
    #[must_use]
    pub fn with_timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// Runs jobs until it is stopped.
    pub fn start(mut self) -> Running {
        let (stop, stopping) = watch::channel(false);
        (self.stopping, self.own_sender) = (stopping, None);
        let task = tokio::spawn(async move { self.run().await });
        Running { stop, task }
    }

    async fn run(&self) {
        let mut running = JoinSet::new();
        let mut stopping = self.stopping.clone();
        while !*stopping.borrow() {
            let mut wait = self.timing.poll;
            while running.len() < MAX_CONCURRENT_JOBS {
                match self.claim(None).await {
                    Ok(Some(claimed)) => {
                        let worker = self.clone();
                        running.spawn(async move { worker.run_claimed(claimed).await });
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::error!(%error, "no job could be taken");
                        wait = DATABASE_RETRY_INTERVAL;
                        break;
                    }
                }
            }
            tokio::select! {
                () = stop_requested(&mut stopping) => {}
                () = self.store.job_enqueued() => {}
                () = tokio::time::sleep(wait) => {}
                // A place is free.
                Some(_) = running.join_next() => {}
            }
        }
        while running.join_next().await.is_some() {}
    }

    /// Runs everything that may start now, one job after the other: for tests and commands.
    pub async fn settle(&self) -> Result<(), StoreError> {
        while self.step().await? {}
        Ok(())
    }

    /// Runs one job, or one step of it. False when none may start now.
    pub async fn step(&self) -> Result<bool, StoreError> {
        let Some(claimed) = self.claim(None).await? else { return Ok(false) };
        self.run_claimed(claimed).await;
        Ok(true)
    }

    /// Runs one job, if it may start now. False when it may not, or another worker has it.
    pub async fn run_one(&self, job: i64) -> Result<bool, StoreError> {
        let Some(claimed) = self.claim(Some(job)).await? else { return Ok(false) };
        self.run_claimed(claimed).await;
        Ok(true)
    }

    async fn claim(&self, only: Option<i64>) -> Result<Option<Claimed>, StoreError> {
        let (kinds, now) = (self.kinds.limits(), self.clock.now());
        if !store::job::is_due(self.store.read(), &kinds, now).await? {
            return Ok(None);
        }
        let tx = self.store.begin().await?;
        let claimed = store::job::claim(&tx, &kinds, &self.node, self.timing.lease_s, only, now).await?;
        tx.commit_aside().await?;
        Ok(claimed)
    }

    /// Runs a claimed job. If the database fails until the lease expires, another server takes the job.
    async fn run_claimed(&self, claimed: Claimed) {
        let (job, kind) = (claimed.lease.job, claimed.kind.clone());
        if let Err(error) = self.run_and_record(claimed).await {
            tracing::error!(job, kind, %error, "the outcome of a job could not be written");
        }
    }

    /// Runs a claimed job, or ends one that was cancelled or abandoned, and writes the outcome.
    async fn run_and_record(&self, claimed: Claimed) -> Result<(), StoreError> {
        // Only kinds that are known are taken.
        let Some(kind) = self.kinds.get(&claimed.kind).map(Arc::clone) else { return Ok(()) };
        if claimed.is_cancelled {
            return self.finish_cancelled(&*kind, &claimed).await;
        }
        // Each attempt that ended in another way than with the death of its server left a reason, or was not counted.
        let max_deaths = if claimed.reason.is_none() { kind.max_deaths() } else { claimed.max_attempts };
        if claimed.is_taken_over && claimed.attempts > max_deaths.min(claimed.max_attempts) {
            let reason = JobReason::new("job/abandoned").with("attempts", claimed.attempts - 1);
            return self.give_up(&*kind, &claimed, &reason).await;
        }
        let attempts = Arc::new(AtomicI64::new(claimed.attempts));
        let lease = Lease {
            number: claimed.lease,
            store: self.store.clone(),
            attempts: Arc::clone(&attempts),
            stopping: self.stopping.clone(),
        };
        let started = std::time::Instant::now();
        // In a separate task, so that a panic ends the job and not the worker.
        let result = match kind.run(self.context.clone(), lease, claimed.version, &claimed.payload) {
            Ok(run) => {
                let span = tracing::info_span!("job", kind = claimed.kind, job = claimed.lease.job);
                self.run_under_lease(tokio::spawn(run.instrument(span)), claimed.lease).await
            }
            Err(reason) => RunResult::Ended(Err(Failure::Final(reason))),
        };
        let kind_name = claimed.kind.clone();
        histogram!("jalon_job_step_duration_seconds", "kind" => kind_name, "outcome" => result.outcome())
            .record(started.elapsed());
        self.write_outcome_within_lease(&*kind, &claimed, &result, &attempts).await
    }

    /// Writes the outcome of a job. It retries while the database does not answer or its disk is full, until the lease expires. Without these
    /// retries, external effects such as a sent mail would be repeated each time the database restarts.
    async fn write_outcome_within_lease(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        result: &RunResult,
        attempts: &AtomicI64,
    ) -> Result<(), StoreError> {
        let begun = tokio::time::Instant::now();
        let lease_time = Duration::from_secs(self.timing.lease_s.unsigned_abs());
        loop {
            let time = if *self.stopping.borrow() { self.timing.grace } else { lease_time };
            match self.write_outcome(kind, claimed, result, attempts.load(Ordering::Relaxed)).await {
                Err(error @ (StoreError::DatabaseUnavailable(_) | StoreError::Full(_))) if begun.elapsed() < time => {
                    tracing::warn!(%error, "the outcome of a job is written once the database can write it");
                    tokio::time::sleep(OUTCOME_RETRY_INTERVAL).await;
                }
                written => return written,
            }
        }
    }

    async fn write_outcome(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        result: &RunResult,
        attempts: i64,
    ) -> Result<(), StoreError> {
        match result {
            RunResult::Ended(Ok(Step::Done)) => {
                self.write_under_lease(claimed, async |tx, lease, now| store::job::complete(tx, lease, now).await).await
            }
            RunResult::Ended(Ok(Step::Again)) => {
                self.write_under_lease(claimed, async |tx, lease, now| store::job::wait(tx, lease, now, now).await)
                    .await
            }
            RunResult::Ended(Ok(Step::Later { seconds })) => {
                self.write_under_lease(claimed, async |tx, lease, now| {
                    store::job::wait(tx, lease, now.plus_s(*seconds), now).await
                })
                .await
            }
            RunResult::Ended(Err(Failure::Again(reason))) => {
                self.retry_or_give_up(kind, claimed, reason.clone(), (attempts, claimed.max_attempts)).await
            }
            RunResult::Ended(Err(Failure::NoStorage(why))) => self.postpone(kind, claimed, *why, attempts).await,
            RunResult::Ended(Err(Failure::Final(reason))) => self.give_up(kind, claimed, reason).await,
            RunResult::Ended(Err(Failure::LeaseLost)) | RunResult::LeaseLost => {
                self.log_lost_lease(claimed);
                Ok(())
            }
            RunResult::Panicked => {
                self.retry_or_give_up(kind, claimed, JobReason::new("job/panicked"), (attempts, claimed.max_attempts))
                    .await
            }
            RunResult::Cancelled | RunResult::Ended(Ok(Step::Cancelled)) => self.finish_cancelled(kind, claimed).await,
            RunResult::Stopped => {
                self.write_under_lease(claimed, async |tx, lease, now| store::job::hand_back(tx, lease, now).await)
                    .await
            }
        }
    }

    /// Waits for a run and prolongs its lease meanwhile. Aborts the run when the lease is lost, the job is cancelled or the server stops.
    async fn run_under_lease(&self, mut run: JoinHandle<Result<Step, Failure>>, lease: LeaseNumber) -> RunResult {
        let mut stopping = self.stopping.clone();
        let mut heartbeat = tokio::time::interval(self.timing.heartbeat);
        heartbeat.tick().await;
        let mut held_at = tokio::time::Instant::now();
        let lease_time = Duration::from_secs(self.timing.lease_s.unsigned_abs());
        let stop = async {
            stop_requested(&mut stopping).await;
            tokio::time::sleep(self.timing.grace).await;
        };
        tokio::pin!(stop);
        let result = loop {
            tokio::select! {
                ended = &mut run => return match ended {
                    Ok(ended) => RunResult::Ended(ended),
                    Err(error) if error.is_panic() => RunResult::Panicked,
                    Err(_) => RunResult::Stopped,
                },
                () = &mut stop => break RunResult::Stopped,
                _ = heartbeat.tick() => match self.send_heartbeat(lease).await {
                    Ok(Heartbeat::Held) => held_at = tokio::time::Instant::now(),
                    Ok(Heartbeat::Cancelled) => break RunResult::Cancelled,
                    Ok(Heartbeat::Lost) => break RunResult::LeaseLost,
                    Err(error) => {
                        tracing::warn!(job = lease.job, %error, "a lease could not be prolonged");
                        // Another server may have it by now.
                        if held_at.elapsed() >= lease_time {
                            break RunResult::LeaseLost;
                        }
                    }
                },
            }
        };
        run.abort();
        // The task has stopped only after this `await`. It may have ended before it was aborted: then its own result counts.
        match run.await {
            Ok(ended) => RunResult::Ended(ended),
            Err(error) if error.is_panic() => RunResult::Panicked,
            Err(_) => result,
        }
    }

    async fn send_heartbeat(&self, lease: LeaseNumber) -> Result<Heartbeat, StoreError> {
        let tx = self.store.begin().await?;
        let found = store::job::heartbeat(&tx, lease, self.clock.now().plus_s(self.timing.lease_s)).await?;
        tx.commit_aside().await?;
        Ok(found)
    }

    /// Runs one write on the job, in a separate transaction. `write` returns false when the lease is lost, which is logged.
    async fn write_under_lease(
        &self,
        claimed: &Claimed,
        write: impl AsyncFnOnce(&Tx, LeaseNumber, Instant) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let tx = self.store.begin().await?;
        let is_held = write(&tx, claimed.lease, self.clock.now()).await?;
        tx.commit_aside().await?;
        if !is_held {
            self.log_lost_lease(claimed);
        }
        Ok(())
    }

    fn log_lost_lease(&self, claimed: &Claimed) {
        tracing::warn!(job = claimed.lease.job, kind = claimed.kind, "another server has taken a job that ran here");
    }

    /// Storage is unavailable: the job waits and the attempt does not count, for at most [`MAX_STORAGE_WAIT_S`] since the first such failure.
    /// A success or another failure in between restarts this period.
    async fn postpone(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        why: NoStorage,
        attempts: i64,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let before = claimed.reason.as_ref().and_then(|reason| reason.params.get(WAITING_SINCE)?.as_i64());
        let since = before.map_or(now, Instant);
        let reason = why.reason().with(WAITING_SINCE, since.0);
        if since.plus_s(MAX_STORAGE_WAIT_S) < now {
            return self.retry_or_give_up(kind, claimed, reason, (attempts, claimed.max_attempts)).await;
        }
        let wait_s = STORAGE_WAIT.after_s(1, claimed.lease.job);
        self.write_under_lease(claimed, async |tx, lease, now| {
            store::job::postpone(tx, lease, &reason, now.plus_s(wait_s)).await
        })
        .await
    }

    async fn retry_or_give_up(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        reason: JobReason,
        (attempts, max_attempts): (i64, i64),
    ) -> Result<(), StoreError> {
        if attempts >= max_attempts {
            return self.give_up(kind, claimed, &reason).await;
        }
        let wait_s = kind.backoff().after_s(attempts, claimed.lease.job);
        tracing::warn!(
            job = claimed.lease.job,
            kind = claimed.kind,
            code = reason.code,
            wait_s,
            "a job is tried again"
        );
        self.write_under_lease(claimed, async |tx, lease, now| {
            store::job::fail(tx, lease, &reason, now.plus_s(wait_s)).await
        })
        .await
    }

    async fn give_up(&self, kind: &dyn AnyKind<C>, claimed: &Claimed, reason: &JobReason) -> Result<(), StoreError> {
        tracing::error!(job = claimed.lease.job, kind = claimed.kind, code = reason.code, "a job is given up");
        let tx = self.store.begin().await?;
        match store::job::give_up(&tx, claimed.lease, reason, self.clock.now()).await? {
            GivenUp::Dead => {
                kind.on_event(&self.context, &tx, claimed.version, &claimed.payload, JobEvent::Dead).await?;
                tx.commit().await
            }
            GivenUp::RunsAgain => tx.commit().await,
            GivenUp::LeaseLost => {
                self.log_lost_lease(claimed);
                Ok(())
            }
        }
    }

    async fn finish_cancelled(&self, kind: &dyn AnyKind<C>, claimed: &Claimed) -> Result<(), StoreError> {
        let tx = self.store.begin().await?;
        match store::job::finish_cancelled(&tx, claimed.lease, self.clock.now()).await? {
            CancelledRun::Ended => {
                kind.on_event(&self.context, &tx, claimed.version, &claimed.payload, JobEvent::Cancelled).await?;
                tx.commit().await
            }
            CancelledRun::RunsAgain => tx.commit().await,
            CancelledRun::LeaseLost => {
                self.log_lost_lease(claimed);
                Ok(())
            }
        }
    }

    /// Cancels a job, or asks the server that works on it to stop.
    pub async fn cancel(&self, tx: &Tx, job: i64) -> Result<Cancelling, StoreError> {
        let done = store::job::cancel(tx, job, self.clock.now()).await?;
        if done == Cancelling::Cancelled {
            self.inform_kind(tx, job, JobEvent::Cancelled).await?;
        }
        Ok(done)
    }

    /// Tries a dead job again, or starts one at once that waits after a failure. False when it is neither.
    pub async fn retry(&self, tx: &Tx, job: i64) -> Result<bool, StoreError> {
        let is_tried = store::job::retry(tx, job, self.clock.now()).await?;
        if is_tried {
            self.inform_kind(tx, job, JobEvent::TriedAgain).await?;
        }
        Ok(is_tried)
    }

    async fn inform_kind(&self, tx: &Tx, job: i64, event: JobEvent) -> Result<(), StoreError> {
        if let Some((kind, version, payload)) = store::job::payload(tx, job).await?
            && let Some(known) = self.kinds.get(&kind)
        {
            known.on_event(&self.context, tx, version, &payload, event).await?;
        }
        Ok(())
    }
}

/// Returns once the worker is asked to stop. Never returns if the sender was dropped: the worker then ends with the runtime.
async fn stop_requested(stopping: &mut watch::Receiver<bool>) {
    if stopping.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The result of running a job once.
enum RunResult {
    Ended(Result<Step, Failure>),
    Panicked,
    LeaseLost,
    Cancelled,
    Stopped,
}

impl RunResult {
    /// The value of the label `outcome` in the metrics.
    fn outcome(&self) -> &'static str {
        match self {
            Self::Ended(Ok(Step::Done)) => "done",
            Self::Ended(Ok(Step::Again | Step::Later { .. })) => "continued",
            Self::Ended(Err(Failure::Again(_))) => "failed",
            Self::Ended(Err(Failure::NoStorage(why))) => why.outcome(),
            Self::Ended(Err(Failure::Final(_))) => "dead",
            Self::Ended(Err(Failure::LeaseLost)) | Self::LeaseLost => "lease_lost",
            Self::Panicked => "panicked",
            Self::Cancelled | Self::Ended(Ok(Step::Cancelled)) => "cancelled",
            Self::Stopped => "stopped",
        }
    }
}
