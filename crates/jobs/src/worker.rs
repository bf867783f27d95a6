//! Takes jobs, runs them and writes their outcome.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::job::JobReason;
use domain::{Clock, DAY_S, Instant};
use metrics::histogram;
use store::job::{Beat, Cancelling, Claimed, GivenUp, LeaseNumber};
use store::{Store, StoreError, Tx};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tracing::Instrument as _;

use crate::kind::AnyKind;
use crate::{Backoff, Ended, Failure, Kinds, Lease, NoStorage, Step};

/// How long things take.
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
            lease_s: 60,
            heartbeat: Duration::from_secs(15),
            poll: Duration::from_secs(2),
            grace: Duration::from_secs(5),
        }
    }
}

/// How long the worker waits after a failure of the database.
const PAUSE: Duration = Duration::from_secs(2);
/// How soon the outcome of a job is written again where the database did not answer.
const WRITE_AGAIN: Duration = Duration::from_millis(500);

/// How long jobs wait for a bucket that does not answer or for room on a disk, each time and in all: after that the attempts count again.
const STORAGE_WAIT: Backoff = Backoff { first_s: 30, longest_s: 30 };
const STORAGE_WAIT_IN_ALL_S: i64 = DAY_S;
/// The parameter of a reason with the instant since when the job waits so.
const SINCE: &str = "since";

/// The most jobs that one server runs at once.
const AT_ONCE: usize = 8;

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
    unstopped: Option<Arc<watch::Sender<bool>>>,
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
            unstopped: self.unstopped.clone(),
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
    /// Takes no further job, lets those that run come to an end, and after the grace time hands their leases back.
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
        Self { context, store, clock, kinds, node: node.into(), timing, stopping, unstopped: Some(Arc::new(sender)) }
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
        (self.stopping, self.unstopped) = (stopping, None);
        let task = tokio::spawn(async move { self.run().await });
        Running { stop, task }
    }

    async fn run(&self) {
        let mut running = JoinSet::new();
        let mut stopping = self.stopping.clone();
        while !*stopping.borrow() {
            let mut wait = self.timing.poll;
            while running.len() < AT_ONCE {
                match self.claim(None).await {
                    Ok(Some(claimed)) => {
                        let worker = self.clone();
                        running.spawn(async move { worker.work(claimed).await });
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::error!(%error, "no job could be taken");
                        wait = PAUSE;
                        break;
                    }
                }
            }
            tokio::select! {
                () = asked_to_stop(&mut stopping) => {}
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
        self.work(claimed).await;
        Ok(true)
    }

    /// Runs one job, if it may start now. False when it may not, or another worker has it.
    pub async fn run_one(&self, job: i64) -> Result<bool, StoreError> {
        let Some(claimed) = self.claim(Some(job)).await? else { return Ok(false) };
        self.work(claimed).await;
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

    /// Runs a job that was taken. Longer failures of the database leave it to its lease: another server takes it once that has run out.
    async fn work(&self, claimed: Claimed) {
        let (job, kind) = (claimed.lease.job, claimed.kind.clone());
        if let Err(error) = self.work_through(claimed).await {
            tracing::error!(job, kind, %error, "what became of a job could not be written");
        }
    }

    async fn work_through(&self, claimed: Claimed) -> Result<(), StoreError> {
        // Only kinds that are known are taken.
        let Some(kind) = self.kinds.get(&claimed.kind).map(Arc::clone) else { return Ok(()) };
        if claimed.is_cancelled {
            return self.stopped(&*kind, &claimed).await;
        }
        if claimed.is_taken_over && claimed.attempts > claimed.max_attempts {
            let reason = JobReason::new("job/abandoned").with("attempts", claimed.attempts - 1);
            return self.dead(&*kind, &claimed, &reason).await;
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
        let ran = match kind.run(self.context.clone(), lease, claimed.version, &claimed.payload) {
            Ok(run) => {
                let span = tracing::info_span!("job", kind = claimed.kind, job = claimed.lease.job);
                self.watched(tokio::spawn(run.instrument(span)), claimed.lease).await
            }
            Err(reason) => Ran::Ended(Err(Failure::Final(reason))),
        };
        let kind_name = claimed.kind.clone();
        histogram!("jalon_job_step_duration_seconds", "kind" => kind_name, "outcome" => ran.outcome())
            .record(started.elapsed());
        self.insist_on(&*kind, &claimed, &ran, &attempts).await
    }

    /// Writes what became of a job: tried again while the database does not answer or its disk is full, for as long as the lease lasts.
    /// Without that, what the job did outside, such as sending a mail, would be done again each time the database is restarted.
    async fn insist_on(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        ran: &Ran,
        attempts: &AtomicI64,
    ) -> Result<(), StoreError> {
        let begun = tokio::time::Instant::now();
        let lease_time = Duration::from_secs(self.timing.lease_s.unsigned_abs());
        loop {
            let time = if *self.stopping.borrow() { self.timing.grace } else { lease_time };
            match self.write_outcome(kind, claimed, ran, attempts.load(Ordering::Relaxed)).await {
                Err(error @ (StoreError::DatabaseUnavailable(_) | StoreError::Full(_))) if begun.elapsed() < time => {
                    tracing::warn!(%error, "the outcome of a job is written once the database can write it");
                    tokio::time::sleep(WRITE_AGAIN).await;
                }
                written => return written,
            }
        }
    }

    async fn write_outcome(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        ran: &Ran,
        attempts: i64,
    ) -> Result<(), StoreError> {
        match ran {
            Ran::Ended(Ok(Step::Done)) => {
                self.written(claimed, async |tx, lease, now| store::job::complete(tx, lease, now).await).await
            }
            Ran::Ended(Ok(Step::Again)) => {
                self.written(claimed, async |tx, lease, now| store::job::wait(tx, lease, now, now).await).await
            }
            Ran::Ended(Ok(Step::Later { seconds })) => {
                self.written(claimed, async |tx, lease, now| {
                    store::job::wait(tx, lease, now.plus_s(*seconds), now).await
                })
                .await
            }
            Ran::Ended(Err(Failure::Again { reason, max_attempts })) => {
                let max_attempts = max_attempts.unwrap_or(claimed.max_attempts).min(claimed.max_attempts);
                self.failed(kind, claimed, reason.clone(), (attempts, max_attempts)).await
            }
            Ran::Ended(Err(Failure::NoStorage(why))) => self.put_off(kind, claimed, *why, attempts).await,
            Ran::Ended(Err(Failure::Final(reason))) => self.dead(kind, claimed, reason).await,
            Ran::Ended(Err(Failure::LeaseLost)) | Ran::LeaseLost => {
                self.log_lost(claimed);
                Ok(())
            }
            Ran::Panicked => {
                self.failed(kind, claimed, JobReason::new("job/panicked"), (attempts, claimed.max_attempts)).await
            }
            Ran::Cancelled | Ran::Ended(Ok(Step::Cancelled)) => self.stopped(kind, claimed).await,
            Ran::Stopped => {
                self.written(claimed, async |tx, lease, now| store::job::hand_back(tx, lease, now).await).await
            }
        }
    }

    /// Waits for a run, and prolongs its lease meanwhile.
    async fn watched(&self, mut run: JoinHandle<Result<Step, Failure>>, lease: LeaseNumber) -> Ran {
        let mut stopping = self.stopping.clone();
        let mut heartbeat = tokio::time::interval(self.timing.heartbeat);
        heartbeat.tick().await;
        let mut held_at = tokio::time::Instant::now();
        let lease_time = Duration::from_secs(self.timing.lease_s.unsigned_abs());
        let stop = async {
            asked_to_stop(&mut stopping).await;
            tokio::time::sleep(self.timing.grace).await;
        };
        tokio::pin!(stop);
        let ran = loop {
            tokio::select! {
                ended = &mut run => return match ended {
                    Ok(ended) => Ran::Ended(ended),
                    Err(error) if error.is_panic() => Ran::Panicked,
                    Err(_) => Ran::Stopped,
                },
                () = &mut stop => break Ran::Stopped,
                _ = heartbeat.tick() => match self.beat(lease).await {
                    Ok(Beat::Held) => held_at = tokio::time::Instant::now(),
                    Ok(Beat::Cancelled) => break Ran::Cancelled,
                    Ok(Beat::Lost) => break Ran::LeaseLost,
                    Err(error) => {
                        tracing::warn!(job = lease.job, %error, "a lease could not be prolonged");
                        // Another server may have it by now.
                        if held_at.elapsed() >= lease_time {
                            break Ran::LeaseLost;
                        }
                    }
                },
            }
        };
        run.abort();
        // Only now nothing of it runs any more. It may have ended just before.
        match run.await {
            Ok(ended) => Ran::Ended(ended),
            Err(error) if error.is_panic() => Ran::Panicked,
            Err(_) => ran,
        }
    }

    async fn beat(&self, lease: LeaseNumber) -> Result<Beat, StoreError> {
        let tx = self.store.begin().await?;
        let beat = store::job::beat(&tx, lease, self.clock.now().plus_s(self.timing.lease_s)).await?;
        tx.commit_aside().await?;
        Ok(beat)
    }

    async fn written(
        &self,
        claimed: &Claimed,
        write: impl AsyncFnOnce(&Tx, LeaseNumber, Instant) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let tx = self.store.begin().await?;
        let is_held = write(&tx, claimed.lease, self.clock.now()).await?;
        tx.commit_aside().await?;
        if !is_held {
            self.log_lost(claimed);
        }
        Ok(())
    }

    fn log_lost(&self, claimed: &Claimed) {
        tracing::warn!(job = claimed.lease.job, kind = claimed.kind, "another server has taken a job that ran here");
    }

    /// Nothing can be stored: the job waits, and the attempt does not count within a day of the first one that failed so. An attempt
    /// that could store something, or failed for another reason, ends that day.
    async fn put_off(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        why: NoStorage,
        attempts: i64,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let before = claimed.reason.as_ref().and_then(|reason| reason.params.get(SINCE)?.as_i64());
        let since = before.map_or(now, Instant);
        let reason = why.reason().with(SINCE, since.0);
        if since.plus_s(STORAGE_WAIT_IN_ALL_S) < now {
            return self.failed(kind, claimed, reason, (attempts, claimed.max_attempts)).await;
        }
        let wait_s = STORAGE_WAIT.after_s(1, claimed.lease.job);
        self.written(claimed, async |tx, lease, now| store::job::put_off(tx, lease, &reason, now.plus_s(wait_s)).await)
            .await
    }

    async fn failed(
        &self,
        kind: &dyn AnyKind<C>,
        claimed: &Claimed,
        reason: JobReason,
        (attempts, max_attempts): (i64, i64),
    ) -> Result<(), StoreError> {
        if attempts >= max_attempts {
            return self.dead(kind, claimed, &reason).await;
        }
        let wait_s = kind.backoff().after_s(attempts, claimed.lease.job);
        tracing::warn!(
            job = claimed.lease.job,
            kind = claimed.kind,
            code = reason.code,
            wait_s,
            "a job is tried again"
        );
        self.written(claimed, async |tx, lease, now| store::job::fail(tx, lease, &reason, now.plus_s(wait_s)).await)
            .await
    }

    async fn dead(&self, kind: &dyn AnyKind<C>, claimed: &Claimed, reason: &JobReason) -> Result<(), StoreError> {
        tracing::error!(job = claimed.lease.job, kind = claimed.kind, code = reason.code, "a job is given up");
        let tx = self.store.begin().await?;
        match store::job::give_up(&tx, claimed.lease, reason, self.clock.now()).await? {
            GivenUp::Dead => {
                kind.ended(&self.context, &tx, claimed.version, &claimed.payload, Ended::Dead).await?;
                tx.commit().await
            }
            GivenUp::RunsAgain => tx.commit().await,
            GivenUp::LeaseLost => {
                self.log_lost(claimed);
                Ok(())
            }
        }
    }

    async fn stopped(&self, kind: &dyn AnyKind<C>, claimed: &Claimed) -> Result<(), StoreError> {
        let tx = self.store.begin().await?;
        if store::job::stopped(&tx, claimed.lease, self.clock.now()).await? {
            kind.ended(&self.context, &tx, claimed.version, &claimed.payload, Ended::Cancelled).await?;
            return tx.commit().await;
        }
        self.log_lost(claimed);
        Ok(())
    }

    /// Cancels a job, or asks the server that works on it to stop.
    pub async fn cancel(&self, tx: &Tx, job: i64) -> Result<Cancelling, StoreError> {
        let done = store::job::cancel(tx, job, self.clock.now()).await?;
        if done == Cancelling::Cancelled {
            self.inform_kind(tx, job, Ended::Cancelled).await?;
        }
        Ok(done)
    }

    /// Tries a dead job again, or starts one at once that waits after a failure. False when it is neither.
    pub async fn retry(&self, tx: &Tx, job: i64) -> Result<bool, StoreError> {
        let is_tried = store::job::retry(tx, job, self.clock.now()).await?;
        if is_tried {
            self.inform_kind(tx, job, Ended::TriedAgain).await?;
        }
        Ok(is_tried)
    }

    async fn inform_kind(&self, tx: &Tx, job: i64, ended: Ended) -> Result<(), StoreError> {
        if let Some((kind, version, payload)) = store::job::payload(tx, job).await?
            && let Some(known) = self.kinds.get(&kind)
        {
            known.ended(&self.context, tx, version, &payload, ended).await?;
        }
        Ok(())
    }
}

/// Returns once the worker is asked to stop. One whose other end was dropped never is: it ends with the runtime.
async fn asked_to_stop(stopping: &mut watch::Receiver<bool>) {
    if stopping.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// How a run ended.
enum Ran {
    Ended(Result<Step, Failure>),
    Panicked,
    LeaseLost,
    Cancelled,
    Stopped,
}

impl Ran {
    /// Its name in measurements.
    fn outcome(&self) -> &'static str {
        match self {
            Self::Ended(Ok(Step::Done)) => "done",
            Self::Ended(Ok(Step::Again | Step::Later { .. })) => "continued",
            Self::Ended(Err(Failure::Again { .. })) => "failed",
            Self::Ended(Err(Failure::NoStorage(why))) => why.outcome(),
            Self::Ended(Err(Failure::Final(_))) => "dead",
            Self::Ended(Err(Failure::LeaseLost)) | Self::LeaseLost => "lease_lost",
            Self::Panicked => "panicked",
            Self::Cancelled | Self::Ended(Ok(Step::Cancelled)) => "cancelled",
            Self::Stopped => "stopped",
        }
    }
}
