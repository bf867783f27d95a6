//! The engine of jobs, on both databases.

#![allow(clippy::unwrap_used, reason = "a test that unwraps says where it failed")]

mod warnings;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::job::{Job, JobReason, JobState};
use domain::{Clock as _, FrozenClock, WhiteLabelId};
use jobs::{Backoff, Enqueue, Failure, JobEvent, JobKind, Kinds, Lease, Step, Timing, Worker};
use macros::app_test;
use serde::{Deserialize, Serialize};
use store::job::{CancelledRun, Cancelling, Claimed, JobFilter, RunnableKind};
use store::{DatabaseSettings, Dialect, Store, StoreError, Tx};
use teststore::{NOW, TestStore, until};
use tokio::sync::Notify;
use tracing::Dispatch;
use tracing::instrument::WithSubscriber as _;
use tracing::subscriber::NoSubscriber;

use crate::warnings::Warnings;

/// What the jobs of these tests use.
#[derive(Clone)]
struct Context {
    store: Store,
    clock: Arc<FrozenClock>,
    log: Arc<Mutex<Vec<String>>>,
    started: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Context {
    fn over(test: &TestStore) -> Self {
        Self {
            store: test.store.clone(),
            clock: Arc::new(FrozenClock::at(NOW)),
            log: Arc::default(),
            started: Arc::default(),
            go_on: Arc::default(),
        }
    }

    fn note(&self, words: impl Into<String>) {
        self.log.lock().unwrap().push(words.into());
    }

    fn log(&self) -> Vec<String> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }

    fn worker(&self, node: &str) -> Worker<Self> {
        let kinds = Kinds::default()
            .with::<Plain>()
            .with::<Writes>()
            .with::<Single>()
            .with::<OneEach>()
            .with::<FailsAfterSignal>()
            .with::<MayKill>();
        Worker::new(self.clone(), self.store.clone(), Arc::clone(&self.clock) as _, Arc::new(kinds), node)
    }

    async fn enqueue<K: JobKind<Context = Self>>(&self, job: Enqueue<K>) -> i64 {
        let tx = self.store.begin().await.unwrap();
        let id = job.put(&tx, self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    async fn job(&self, id: i64) -> Job {
        store::job::find(self.store.read(), id).await.unwrap().unwrap()
    }

    async fn cancel(&self, id: i64) -> Cancelling {
        let tx = self.store.begin().await.unwrap();
        let done = self.worker("other").cancel(&tx, id).await.unwrap();
        tx.commit().await.unwrap();
        done
    }

    /// A server takes the job, and does nothing with it yet.
    async fn claim(&self, id: i64) -> Claimed {
        let plain = RunnableKind { name: Plain::NAME, version: Plain::VERSION, limit: 4, limit_per_server: 4 };
        let tx = self.store.begin().await.unwrap();
        let claimed = store::job::claim(&tx, &[plain], "one", 60, Some(id), self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        claimed.unwrap()
    }

    async fn retry(&self, id: i64) -> bool {
        let tx = self.store.begin().await.unwrap();
        let done = self.worker("other").retry(&tx, id).await.unwrap();
        tx.commit().await.unwrap();
        done
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Words {
    say: String,
    does: Does,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Does {
    Well,
    Fail,
    Panic,
    GiveUp,
    /// Fails until it has been tried three times.
    ThirdTime,
    /// Does two steps.
    Steps,
    /// Does its first step, then fails without another.
    StuckStep,
    /// The bucket does not answer until this many seconds after the start of the test.
    BucketAwayFor(i64),
    /// The disk is full until this many seconds after the start of the test.
    DiskFullFor(i64),
    /// Runs every hour; the bucket does not answer for this many seconds from the third day on.
    HourlyAwayFor(i64),
}

const THIRD_DAY_S: i64 = 2 * 86_400;

fn words(say: &str, does: Does) -> Words {
    Words { say: say.to_owned(), does }
}

struct Plain;

impl JobKind for Plain {
    type Context = Context;
    type Payload = Words;
    const NAME: &'static str = "plain";
    const VERSION: i64 = 2;
    const LIMIT: i64 = 4;
    const MAX_ATTEMPTS: i64 = 3;

    async fn run(context: Context, lease: Lease, words: Words) -> Result<Step, Failure> {
        context.note(&words.say);
        match words.does {
            Does::Fail => Err(Failure::again(JobReason::new("test/failed").with("word", words.say))),
            Does::GiveUp => Err(Failure::Final(JobReason::new("test/never"))),
            Does::BucketAwayFor(seconds) if context.clock.now() < NOW.plus_s(seconds) => {
                Err(StoreError::BlobsUnavailable("away".into()).into())
            }
            Does::DiskFullFor(seconds) if context.clock.now() < NOW.plus_s(seconds) => {
                Err(StoreError::Full("no room".into()).into())
            }
            Does::HourlyAwayFor(seconds) => {
                let away_for = context.clock.now().since_s(NOW) - THIRD_DAY_S;
                if (0..seconds).contains(&away_for) {
                    return Err(StoreError::BlobsUnavailable("away".into()).into());
                }
                Ok(Step::Later { seconds: 3_600 })
            }
            Does::Panic => panic!("on purpose"),
            Does::ThirdTime if lease.number() < 3 => Err(Failure::again(JobReason::new("test/failed"))),
            Does::Well | Does::ThirdTime | Does::BucketAwayFor(_) | Does::DiskFullFor(_) => Ok(Step::Done),
            Does::Steps => {
                lease.progress(lease.number(), 2).await?;
                Ok(if lease.number() < 2 { Step::Again } else { Step::Done })
            }
            Does::StuckStep => {
                lease.progress(1, 2).await?;
                Err(Failure::again(JobReason::new("test/failed")))
            }
        }
    }

    async fn on_event(context: &Context, _: &Tx, words: &Words, event: JobEvent) -> Result<(), StoreError> {
        context.note(format!("{} {event:?}", words.say));
        Ok(())
    }
}

/// Waits for the signal `go_on`, then writes in a transaction that holds the lease.
struct Writes;

impl JobKind for Writes {
    type Context = Context;
    type Payload = ();
    const NAME: &'static str = "writes";
    const LIMIT: i64 = 8;
    const MAX_ATTEMPTS: i64 = 2;
    const BACKOFF: Backoff = Backoff { first_s: 1, max_s: 1 };

    async fn run(context: Context, lease: Lease, (): ()) -> Result<Step, Failure> {
        context.started.notify_one();
        context.go_on.notified().await;
        let tx = context.store.begin().await?;
        lease.hold(&tx).await?;
        context.note(format!("written under lease {}", lease.number()));
        tx.commit().await?;
        Ok(Step::Done)
    }
}

/// Waits for the signal `go_on`, then fails for good.
struct FailsAfterSignal;

impl JobKind for FailsAfterSignal {
    type Context = Context;
    type Payload = ();
    const NAME: &'static str = "fails_after_signal";
    const LIMIT: i64 = 1;

    async fn run(context: Context, _: Lease, (): ()) -> Result<Step, Failure> {
        context.started.notify_one();
        context.go_on.notified().await;
        Err(Failure::Final(JobReason::new("test/never")))
    }
}

/// Comes a step further once, then waits for the signal `go_on` and fails. Its input may kill a server.
struct MayKill;

impl JobKind for MayKill {
    type Context = Context;
    type Payload = ();
    const NAME: &'static str = "may_kill";
    const LIMIT: i64 = 1;
    const MAX_DEATHS: i64 = 2;

    async fn run(context: Context, lease: Lease, (): ()) -> Result<Step, Failure> {
        lease.progress(1, 2).await?;
        context.started.notify_one();
        context.go_on.notified().await;
        Err(Failure::again(JobReason::new("test/failed")))
    }
}

/// At most one runs at a time, over all servers.
struct Single;

impl JobKind for Single {
    type Context = Context;
    type Payload = ();
    const NAME: &'static str = "single";
    const LIMIT: i64 = 1;

    async fn run(context: Context, _: Lease, (): ()) -> Result<Step, Failure> {
        context.started.notify_one();
        context.go_on.notified().await;
        Ok(Step::Done)
    }
}

/// At most one runs at a time on each server.
struct OneEach;

impl JobKind for OneEach {
    type Context = Context;
    type Payload = ();
    const NAME: &'static str = "one_each";
    const LIMIT: i64 = 4;
    const LIMIT_PER_SERVER: i64 = 1;

    async fn run(context: Context, _: Lease, (): ()) -> Result<Step, Failure> {
        context.started.notify_one();
        context.go_on.notified().await;
        Ok(Step::Done)
    }
}

#[app_test]
async fn a_job_exists_only_if_its_transaction_commits(test: TestStore) {
    let context = Context::over(&test);
    let tx = test.store.begin().await.unwrap();
    let dropped = Enqueue::<Plain>::new(words("dropped", Does::Well)).put(&tx, NOW).await.unwrap();
    drop(tx);
    let kept = context.enqueue(Enqueue::<Plain>::new(words("kept", Does::Well))).await;
    context.worker("one").settle().await.unwrap();
    assert_eq!(context.log(), ["kept"]);
    assert_eq!(context.job(kept).await.state, JobState::Done);
    let found = store::job::find(test.store.read(), dropped).await.unwrap();
    assert!(found.is_none_or(|job| job.id == kept), "the one that was dropped is not there");
}

#[app_test]
async fn two_workers_run_each_job_once(test: TestStore) {
    let context = Context::over(&test);
    for number in 0..30 {
        context.enqueue(Enqueue::<Plain>::new(words(&number.to_string(), Does::Well))).await;
    }
    let (one, other) = (context.worker("one"), context.worker("other"));
    let (first, second) = tokio::join!(one.settle(), other.settle());
    first.unwrap();
    second.unwrap();
    let mut done = context.log();
    done.sort_by_key(|number| number.parse::<i64>().unwrap());
    assert_eq!(done, (0..30).map(|number| number.to_string()).collect::<Vec<_>>());
}

#[app_test]
async fn a_lease_that_ran_out_is_taken_over_and_the_loser_writes_nothing(test: TestStore) {
    let context = Context::over(&test);
    let id = context.enqueue(Enqueue::<Writes>::new(())).await;
    let slow = tokio::spawn({
        let worker = context.worker("slow");
        async move { worker.run_one(id).await }
    });
    context.started.notified().await;
    assert!(!context.worker("next").run_one(id).await.unwrap(), "its lease holds");
    context.clock.advance_s(61);
    let other = Context { go_on: Arc::default(), ..context.clone() };
    let next = tokio::spawn({
        let worker = other.worker("next");
        async move { worker.run_one(id).await }
    });
    context.started.notified().await;
    let running = context.job(id).await;
    assert_eq!((running.lease, running.node.as_deref(), running.attempts), (2, Some("next"), 2));
    // Both go on: only the one that has the lease writes.
    context.go_on.notify_one();
    slow.await.unwrap().unwrap();
    let running = context.job(id).await;
    assert_eq!((running.state, context.log()), (JobState::Running, Vec::new()), "the loser wrote nothing");
    other.go_on.notify_one();
    next.await.unwrap().unwrap();
    assert_eq!(context.log(), ["written under lease 2"]);
    assert_eq!(context.job(id).await.state, JobState::Done);
}

#[app_test]
async fn a_job_whose_server_died_while_its_clock_was_ahead_is_taken_over_and_cancelled(test: TestStore) {
    let context = Context::over(&test);
    let ids = [
        context.enqueue(Enqueue::<Plain>::new(words("one", Does::Well))).await,
        context.enqueue(Enqueue::<Plain>::new(words("two", Does::Well))).await,
    ];
    context.clock.advance_s(86_400);
    for id in ids {
        context.claim(id).await;
    }
    // Of a live server whose clock is some minutes ahead, a lease holds.
    context.clock.advance_s(-600);
    assert!(!context.worker("next").run_one(ids[0]).await.unwrap(), "its lease holds");
    context.clock.advance_s(600 - 86_400);
    assert_eq!(context.cancel(ids[1]).await, Cancelling::Cancelled);
    assert!(context.worker("next").run_one(ids[0]).await.unwrap());
    assert_eq!(
        [context.job(ids[0]).await.state, context.job(ids[1]).await.state],
        [JobState::Done, JobState::Cancelled]
    );
}

#[app_test]
async fn the_outcome_of_a_job_is_written_once_the_database_answers_again(test: TestStore) {
    let change = |settings: &mut DatabaseSettings| {
        (settings.max_connections, settings.acquire_timeout) = (2, Duration::from_secs(1));
    };
    let impatient = test.reopened(change).await;
    let context = Context { store: impatient.clone(), ..Context::over(&test) };
    let id = context.enqueue(Enqueue::<Single>::new(())).await;
    let (worker, warnings) = (context.worker("one"), Warnings::default());
    // With one subscriber alone, `tracing` would ask that of the thread which logs first, and remember its answer for all threads.
    let _second = Dispatch::new(NoSubscriber::new());
    let work = tokio::spawn(async move { worker.run_one(id).await }.with_subscriber(warnings.dispatch()));
    context.started.notified().await;
    // Nothing can be written: SQLite has one writer for a file, PostgreSQL as many as the worker has connections.
    let held = match impatient.dialect() {
        Dialect::Sqlite => vec![test.store.begin().await.unwrap()],
        Dialect::Postgres => vec![impatient.begin().await.unwrap(), impatient.begin().await.unwrap()],
    };
    context.go_on.notify_one();
    until("the first attempt to write the outcome fails", async || warnings.count() > 0).await;
    assert!(!work.is_finished());
    drop(held);
    work.await.unwrap().unwrap();
    let done = context.job(id).await;
    assert_eq!((done.state, done.attempts), (JobState::Done, 1), "it is not run again");
    impatient.close().await.unwrap();
}

#[app_test]
async fn a_job_that_kills_its_server_each_time_ends_dead(test: TestStore) {
    let context = Context::over(&test);
    let id = context.enqueue(Enqueue::<Writes>::new(())).await;
    for _ in 0..2 {
        let dying = tokio::spawn({
            let worker = context.worker("dying");
            async move { worker.run_one(id).await }
        });
        context.started.notified().await;
        dying.abort();
        context.clock.advance_s(61);
    }
    context.worker("next").settle().await.unwrap();
    let job = context.job(id).await;
    assert_eq!(job.state, JobState::Dead);
    assert_eq!(job.reason, Some(JobReason::new("job/abandoned").with("attempts", 2)));
}

#[app_test]
async fn a_job_that_kills_its_server_twice_at_one_place_is_given_up(test: TestStore) {
    let context = Context::over(&test);
    let dies = async |id: i64| {
        let dying = tokio::spawn({
            let worker = context.worker("dying");
            async move { worker.run_one(id).await }
        });
        context.started.notified().await;
        dying.abort();
        let _ = dying.await;
        context.clock.advance_s(61);
    };
    let id = context.enqueue(Enqueue::<MayKill>::new(())).await;
    // After the first progress, then without any.
    dies(id).await;
    dies(id).await;
    context.worker("next").settle().await.unwrap();
    let job = context.job(id).await;
    assert_eq!((job.state, job.lease), (JobState::Dead, 3), "it did not run a third time");
    assert_eq!(job.reason, Some(JobReason::new("job/abandoned").with("attempts", 2)));
    // One that failed too has all its attempts.
    let fails = async |id: i64| {
        let fresh = Context { started: Arc::default(), go_on: Arc::default(), ..context.clone() };
        fresh.go_on.notify_one();
        fresh.worker("one").run_one(id).await.unwrap();
        context.clock.advance_s(61);
    };
    let id = context.enqueue(Enqueue::<MayKill>::new(())).await;
    fails(id).await;
    dies(id).await;
    dies(id).await;
    fails(id).await;
    let job = context.job(id).await;
    assert_eq!((job.state, job.attempts), (JobState::Waiting, 4));
}

#[app_test]
async fn a_failure_is_tried_again_later_and_later_then_the_job_is_dead(test: TestStore) {
    let context = Context::over(&test);
    let id = context.enqueue(Enqueue::<Plain>::new(words("x", Does::Fail))).await;
    let worker = context.worker("one");
    worker.settle().await.unwrap();
    worker.settle().await.unwrap();
    assert_eq!(context.log(), ["x"], "it waits");
    let job = context.job(id).await;
    assert_eq!((job.state, job.attempts), (JobState::Waiting, 1));
    assert!((10..=12).contains(&job.run_after.since_s(NOW)), "{} s", job.run_after.since_s(NOW));
    context.clock.advance_s(12);
    worker.settle().await.unwrap();
    let job = context.job(id).await;
    assert!((20..=24).contains(&job.run_after.since_s(context.clock.now())));
    context.clock.advance_s(24);
    worker.settle().await.unwrap();
    let job = context.job(id).await;
    assert_eq!((job.state, job.attempts), (JobState::Dead, 3));
    assert_eq!(job.reason, Some(JobReason::new("test/failed").with("word", "x")));
    assert_eq!(context.log(), ["x", "x", "x Dead"]);
    // A user tries it again: it has all its attempts.
    assert!(context.retry(id).await);
    assert_eq!((context.job(id).await.attempts, context.log()), (0, vec!["x TriedAgain".to_owned()]));
    let third = context.enqueue(Enqueue::<Plain>::new(words("y", Does::ThirdTime))).await;
    for _ in 0..3 {
        worker.settle().await.unwrap();
        context.clock.advance_s(60);
    }
    let job = context.job(third).await;
    assert_eq!((job.state, job.reason), (JobState::Done, None));
}

#[app_test]
async fn a_bucket_that_is_away_and_a_full_disk_use_up_no_attempt_for_a_day(test: TestStore) {
    let context = Context::over(&test);
    let worker = context.worker("one");
    for (code, hour, two_days) in [
        ("job/bucket-away", Does::BucketAwayFor(3_600), Does::BucketAwayFor(2 * 86_400)),
        ("job/disk-full", Does::DiskFullFor(3_600), Does::DiskFullFor(2 * 86_400)),
    ] {
        context.clock.advance_s(NOW.since_s(context.clock.now()));
        let hour = context.enqueue(Enqueue::<Plain>::new(words("an hour", hour))).await;
        let two_days = context.enqueue(Enqueue::<Plain>::new(words("two days", two_days))).await;
        worker.settle().await.unwrap();
        let job = context.job(hour).await;
        assert_eq!((job.state, job.attempts), (JobState::Waiting, 0));
        assert!((30..=36).contains(&job.run_after.since_s(NOW)));
        assert_eq!(job.reason.unwrap().code, code);
        for _ in 0..61 {
            context.clock.advance_s(60);
            worker.settle().await.unwrap();
        }
        assert_eq!((context.job(hour).await.state, context.job(hour).await.reason), (JobState::Done, None));
        assert_eq!(context.job(two_days).await.state, JobState::Waiting);
        context.clock.advance_s(86_400);
        for _ in 0..3 {
            worker.settle().await.unwrap();
            context.clock.advance_s(3_600);
        }
        let job = context.job(two_days).await;
        assert_eq!((job.state, job.attempts), (JobState::Dead, 3));
        assert_eq!(job.reason.unwrap().code, code);
        // A user tries it again: it waits for another day.
        assert!(context.retry(two_days).await);
        worker.settle().await.unwrap();
        let job = context.job(two_days).await;
        assert_eq!((job.state, job.attempts, job.reason.unwrap().code.as_str()), (JobState::Waiting, 0, code));
        assert_eq!(context.cancel(two_days).await, Cancelling::Cancelled);
    }
}

#[app_test]
async fn an_hourly_job_waits_for_a_bucket_a_day_from_when_it_is_away_and_not_from_its_first_run(test: TestStore) {
    let context = Context::over(&test);
    let job = context.enqueue(Enqueue::<Plain>::new(words("hourly", Does::HourlyAwayFor(7_200)))).await;
    let worker = context.worker("one");
    while context.clock.now().since_s(NOW) < THIRD_DAY_S {
        worker.settle().await.unwrap();
        context.clock.advance_s(3_600);
    }
    for _ in 0..119 {
        worker.settle().await.unwrap();
        let found = context.job(job).await;
        assert_eq!((found.state, found.attempts), (JobState::Waiting, 0), "{:?}", found.reason);
        assert_eq!(found.reason.unwrap().code, "job/bucket-away");
        context.clock.advance_s(60);
    }
    context.clock.advance_s(60);
    worker.settle().await.unwrap();
    let found = context.job(job).await;
    assert_eq!((found.state, found.reason), (JobState::Waiting, None));
    assert_eq!(found.run_after, context.clock.now().plus_s(3_600), "it runs every hour again");
}

#[app_test]
async fn a_job_that_reports_the_same_progress_again_and_again_ends_dead(test: TestStore) {
    let context = Context::over(&test);
    let id = context.enqueue(Enqueue::<Plain>::new(words("x", Does::StuckStep))).await;
    for attempt in 1..=3 {
        context.worker("one").settle().await.unwrap();
        assert_eq!((context.job(id).await.attempts, context.job(id).await.done), (attempt, Some(1)));
        context.clock.advance_s(60);
    }
    assert_eq!(context.job(id).await.state, JobState::Dead);
}

#[app_test]
async fn a_job_that_died_while_it_was_cancelled_runs_when_it_is_tried_again(test: TestStore) {
    let context = Context::over(&test);
    let id = context.enqueue(Enqueue::<FailsAfterSignal>::new(())).await;
    let worker = context.worker("one");
    let work = tokio::spawn(async move { worker.settle().await });
    context.started.notified().await;
    assert_eq!(context.cancel(id).await, Cancelling::Asked);
    // It fails for good before the heartbeat reads the cancellation.
    context.go_on.notify_one();
    work.await.unwrap().unwrap();
    assert_eq!((context.job(id).await.state, context.job(id).await.is_cancelling), (JobState::Dead, false));
    assert!(context.retry(id).await);
    context.go_on.notify_one();
    context.worker("one").settle().await.unwrap();
    assert_eq!(context.job(id).await.state, JobState::Dead, "it ran");
}

#[app_test]
async fn a_job_that_failed_while_it_was_cancelled_runs_when_it_is_tried_again(test: TestStore) {
    let context = Context::over(&test);
    let id = context.enqueue(Enqueue::<Plain>::new(words("x", Does::Well))).await;
    let claimed = context.claim(id).await;
    assert_eq!(context.cancel(id).await, Cancelling::Asked);
    // It fails before the heartbeat reads the cancellation, and waits for its next attempt, which would be cancelled.
    let tx = context.store.begin().await.unwrap();
    assert!(store::job::fail(&tx, claimed.lease, &JobReason::new("job/panicked"), NOW.plus_s(30)).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!((context.job(id).await.state, context.job(id).await.is_cancelling), (JobState::Waiting, true));
    assert!(context.retry(id).await);
    assert!(!context.job(id).await.is_cancelling);
    context.worker("one").settle().await.unwrap();
    assert_eq!(
        (context.job(id).await.state, context.log()),
        (JobState::Done, vec!["x TriedAgain".to_owned(), "x".to_owned()])
    );
}

#[app_test]
async fn a_job_that_was_enqueued_again_runs_even_if_the_run_before_was_to_be_cancelled(test: TestStore) {
    let context = Context::over(&test);
    let keyed = || Enqueue::<Plain>::new(words("x", Does::Well)).unique("a");
    let id = context.enqueue(keyed()).await;
    let claimed = context.claim(id).await;
    assert_eq!(context.cancel(id).await, Cancelling::Asked);
    assert_eq!(context.enqueue(keyed()).await, id, "once more");
    // It ends before the heartbeat reads the cancellation.
    let tx = context.store.begin().await.unwrap();
    assert!(store::job::complete(&tx, claimed.lease, NOW).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!((context.job(id).await.state, context.job(id).await.is_cancelling), (JobState::Waiting, false));
    context.worker("one").settle().await.unwrap();
    assert_eq!((context.job(id).await.state, context.log()), (JobState::Done, vec!["x".to_owned()]));
}

#[app_test]
async fn a_job_that_is_enqueued_after_it_was_cancelled_runs_once_it_has_stopped(test: TestStore) {
    let context = Context::over(&test);
    let timing = Timing { heartbeat: Duration::from_millis(20), ..Timing::default() };
    let keyed = || Enqueue::<Writes>::new(()).unique("a");
    let id = context.enqueue(keyed()).await;
    let work = tokio::spawn({
        let worker = context.worker("one").with_timing(timing);
        async move { worker.settle().await }
    });
    context.started.notified().await;
    // In one transaction: the heartbeat reads the cancellation with the second request.
    let tx = context.store.begin().await.unwrap();
    assert_eq!(context.worker("other").cancel(&tx, id).await.unwrap(), Cancelling::Asked);
    assert_eq!(keyed().put(&tx, context.clock.now()).await.unwrap(), id);
    tx.commit().await.unwrap();
    tokio::time::timeout(Duration::from_secs(20), context.started.notified()).await.expect("it runs again");
    context.go_on.notify_one();
    work.await.unwrap().unwrap();
    let job = context.job(id).await;
    assert_eq!((job.state, job.is_cancelling), (JobState::Done, false));
    assert_eq!(context.log(), ["written under lease 2"]);
}

#[app_test]
async fn only_what_was_enqueued_after_the_cancellation_runs_again(test: TestStore) {
    let context = Context::over(&test);
    let keyed = |key: &str| Enqueue::<Plain>::new(words(key, Does::Well)).unique(key);
    let stop = async |claimed: &Claimed| {
        let tx = context.store.begin().await.unwrap();
        let stopped = store::job::finish_cancelled(&tx, claimed.lease, NOW).await.unwrap();
        tx.commit().await.unwrap();
        stopped
    };
    let before = context.enqueue(keyed("before")).await;
    let claimed = context.claim(before).await;
    context.enqueue(keyed("before")).await;
    assert_eq!(context.cancel(before).await, Cancelling::Asked);
    assert_eq!(stop(&claimed).await, CancelledRun::Ended);
    assert_eq!(context.job(before).await.state, JobState::Cancelled);

    let twice = context.enqueue(keyed("twice")).await;
    let claimed = context.claim(twice).await;
    context.cancel(twice).await;
    context.enqueue(keyed("twice")).await;
    context.cancel(twice).await;
    assert_eq!(stop(&claimed).await, CancelledRun::Ended, "the second cancellation is about the second request");

    // It fails before the heartbeat reads the cancellation, and waits for its next attempt.
    let failed = context.enqueue(keyed("failed")).await;
    let claimed = context.claim(failed).await;
    context.cancel(failed).await;
    let tx = context.store.begin().await.unwrap();
    assert!(store::job::fail(&tx, claimed.lease, &JobReason::new("job/panicked"), NOW.plus_s(30)).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(context.enqueue(keyed("failed")).await, failed);
    context.worker("one").settle().await.unwrap();
    assert_eq!((context.job(failed).await.state, context.log()), (JobState::Done, vec!["failed".to_owned()]));
}

#[app_test]
async fn a_panic_is_a_failure_of_the_job_and_the_worker_goes_on(test: TestStore) {
    let context = Context::over(&test);
    let bad = context.enqueue(Enqueue::<Plain>::new(words("bad", Does::Panic))).await;
    let good = context.enqueue(Enqueue::<Plain>::new(words("good", Does::Well))).await;
    let worker = context.worker("one");
    worker.settle().await.unwrap();
    assert_eq!(context.job(good).await.state, JobState::Done);
    let job = context.job(bad).await;
    assert_eq!((job.state, job.reason), (JobState::Waiting, Some(JobReason::new("job/panicked"))));
    let never = context.enqueue(Enqueue::<Plain>::new(words("never", Does::GiveUp))).await;
    worker.settle().await.unwrap();
    assert_eq!(context.job(never).await.state, JobState::Dead, "after one attempt");
}

#[app_test]
async fn a_key_is_unique_while_a_job_waits_and_asks_for_one_more_run_while_it_runs(test: TestStore) {
    let context = Context::over(&test);
    let keyed = || Enqueue::<Writes>::new(()).unique("a");
    let first = context.enqueue(keyed()).await;
    assert_eq!(context.enqueue(keyed()).await, first);
    assert_ne!(context.enqueue(Enqueue::<Writes>::new(()).unique("b").run_after(NOW.plus_s(9_999))).await, first);
    let running = tokio::spawn({
        let worker = context.worker("one");
        async move { worker.run_one(first).await }
    });
    context.started.notified().await;
    assert_eq!(context.enqueue(keyed()).await, first, "asked for while it runs");
    context.go_on.notify_one();
    running.await.unwrap().unwrap();
    assert_eq!(context.job(first).await.state, JobState::Waiting, "once more");
    context.go_on.notify_one();
    context.worker("one").settle().await.unwrap();
    assert_eq!(context.job(first).await.state, JobState::Done);
    assert_ne!(context.enqueue(keyed()).await, first, "the first one has ended");
}

#[app_test]
async fn a_job_that_was_enqueued_again_during_its_last_attempt_runs_once_more(test: TestStore) {
    let context = Context::over(&test);
    let keyed = || Enqueue::<FailsAfterSignal>::new(()).unique("a");
    let id = context.enqueue(keyed()).await;
    let running = tokio::spawn({
        let worker = context.worker("one");
        async move { worker.run_one(id).await }
    });
    context.started.notified().await;
    assert_eq!(context.enqueue(keyed()).await, id);
    context.go_on.notify_one();
    running.await.unwrap().unwrap();
    let job = context.job(id).await;
    assert_eq!((job.state, job.attempts, job.reason, job.finished_at), (JobState::Waiting, 0, None, None));
    context.go_on.notify_one();
    context.worker("one").settle().await.unwrap();
    assert_eq!(context.job(id).await.state, JobState::Dead);
}

#[app_test]
async fn jobs_are_taken_while_sums_of_maps_are_worked_out(test: TestStore) {
    if test.store.dialect() == Dialect::Sqlite {
        return;
    }
    let context = Context::over(&test);
    let id = context.enqueue(Enqueue::<Plain>::new(words("x", Does::Well))).await;
    // The lock of `m0093_map_cells`.
    let sums = test.store.begin().await.unwrap();
    store::server::run_sql(&sums, "SELECT pg_advisory_xact_lock(319358889839)").await.unwrap();
    context.worker("one").settle().await.unwrap();
    assert_eq!(context.job(id).await.state, JobState::Done);
}

#[app_test]
async fn white_labels_take_turns_and_urgent_jobs_come_first(test: TestStore) {
    let context = Context::over(&test);
    let of = |white_label: i64, number: i64| {
        let say = format!("{white_label}.{number}");
        Enqueue::<Plain>::new(words(&say, Does::Well)).of_white_label(WhiteLabelId(white_label))
    };
    for number in 1..=4 {
        context.enqueue(of(1, number)).await;
    }
    context.enqueue(of(2, 1)).await;
    context.enqueue(of(2, 2)).await;
    context.enqueue(of(3, 1)).await;
    context.enqueue(Enqueue::<Plain>::new(words("urgent", Does::Well)).priority(-1)).await;
    context.worker("one").settle().await.unwrap();
    assert_eq!(context.log(), ["urgent", "1.1", "2.1", "3.1", "1.2", "2.2", "1.3", "1.4"]);
}

#[app_test]
async fn no_more_run_at_once_than_the_kind_allows(test: TestStore) {
    let context = Context::over(&test);
    let first = context.enqueue(Enqueue::<Single>::new(())).await;
    let second = context.enqueue(Enqueue::<Single>::new(())).await;
    let running = tokio::spawn({
        let worker = context.worker("one");
        async move { worker.run_one(first).await }
    });
    context.started.notified().await;
    assert!(!context.worker("other").run_one(second).await.unwrap(), "another server waits");
    context.go_on.notify_one();
    running.await.unwrap().unwrap();
    context.go_on.notify_one();
    assert!(context.worker("other").run_one(second).await.unwrap());
}

#[app_test]
async fn a_server_runs_no_more_at_once_than_the_kind_allows_it(test: TestStore) {
    let context = Context::over(&test);
    let first = context.enqueue(Enqueue::<OneEach>::new(())).await;
    let second = context.enqueue(Enqueue::<OneEach>::new(())).await;
    let start = |node: &'static str, id: i64| {
        let worker = context.worker(node);
        tokio::spawn(async move { worker.run_one(id).await.unwrap() })
    };
    let running = start("one", first);
    context.started.notified().await;
    assert!(!context.worker("one").run_one(second).await.unwrap());
    let other = start("other", second);
    context.started.notified().await;
    while !(running.is_finished() && other.is_finished()) {
        context.go_on.notify_one();
        tokio::task::yield_now().await;
    }
    assert!(running.await.unwrap() && other.await.unwrap());
}

#[app_test]
async fn a_job_is_cancelled_while_it_waits_and_while_it_runs(test: TestStore) {
    let context = Context::over(&test);
    let waiting = context.enqueue(Enqueue::<Plain>::new(words("w", Does::Well))).await;
    assert_eq!(context.cancel(waiting).await, Cancelling::Cancelled);
    assert_eq!(context.log(), ["w Cancelled"]);
    assert_eq!(context.cancel(waiting).await, Cancelling::Ended);
    let timing = Timing { heartbeat: Duration::from_millis(20), ..Timing::default() };
    let running = context.enqueue(Enqueue::<Writes>::new(())).await;
    let work = tokio::spawn({
        let worker = context.worker("one").with_timing(timing);
        async move { worker.settle().await }
    });
    context.started.notified().await;
    assert_eq!(context.cancel(running).await, Cancelling::Asked);
    work.await.unwrap().unwrap();
    let job = context.job(running).await;
    assert_eq!((job.state, job.is_cancelling, context.log()), (JobState::Cancelled, false, Vec::new()));
}

#[app_test]
async fn a_worker_that_stops_hands_its_leases_back(test: TestStore) {
    let context = Context::over(&test);
    let timing = Timing { grace: Duration::from_millis(20), poll: Duration::from_millis(20), ..Timing::default() };
    let running = context.worker("one").with_timing(timing).start();
    // The worker finds the job in the table.
    let id = context.enqueue(Enqueue::<Writes>::new(())).await;
    context.started.notified().await;
    running.stop().await;
    let job = context.job(id).await;
    assert_eq!((job.state, job.attempts, job.lease), (JobState::Waiting, 0, 1));
    context.go_on.notify_one();
    context.worker("next").settle().await.unwrap();
    assert_eq!(
        (context.job(id).await.state, context.log()),
        (JobState::Done, vec!["written under lease 2".to_owned()])
    );
}

#[app_test]
async fn unknown_kinds_and_newer_payloads_wait_for_another_server(test: TestStore) {
    let context = Context::over(&test);
    let stored = async |kind: &'static str, version: i64, payload: &str| {
        let job = store::job::NewJob { version, max_attempts: 3, ..store::job::NewJob::new(kind, payload, NOW) };
        let tx = test.store.begin().await.unwrap();
        let id = store::job::enqueue(&tx, &job, NOW).await.unwrap();
        tx.commit().await.unwrap();
        id
    };
    let unknown = stored("of_the_next_release", 1, "{}").await;
    let newer = stored("plain", 3, "{}").await;
    let older = stored("plain", 1, r#"{"words":"an older form"}"#).await;
    let poisoned = stored("plain", 2, "{not json").await;
    let good = context.enqueue(Enqueue::<Plain>::new(words("good", Does::Well))).await;
    let worker = context.worker("one");
    worker.settle().await.unwrap();
    for (id, state) in [
        (unknown, JobState::Waiting),
        (newer, JobState::Waiting),
        (older, JobState::Dead),
        (poisoned, JobState::Dead),
        (good, JobState::Done),
    ] {
        assert_eq!(context.job(id).await.state, state, "job {id}");
    }
    let reason = JobReason::new("job/payload-version").with("found", 1).with("expected", 2);
    assert_eq!(context.job(older).await.reason, Some(reason));
    assert_eq!(context.job(poisoned).await.reason, Some(JobReason::new("job/payload-unreadable")));
    let kinds = Kinds::<Context>::default().with::<Plain>();
    assert!(kinds.knows("plain", 2) && !kinds.knows("plain", 3) && !kinds.knows("of_the_next_release", 1));
}

#[app_test]
async fn steps_wait_their_turn_and_progress_is_seen(test: TestStore) {
    let context = Context::over(&test);
    let steps = Enqueue::<Plain>::new(words("step", Does::Steps)).of_white_label(WhiteLabelId(1)).total(2);
    let id = context.enqueue(steps).await;
    context.enqueue(Enqueue::<Plain>::new(words("between", Does::Well)).of_white_label(WhiteLabelId(2))).await;
    context.worker("one").settle().await.unwrap();
    assert_eq!(context.log(), ["step", "between", "step"]);
    let job = context.job(id).await;
    assert_eq!((job.state, job.done, job.total, job.lease), (JobState::Done, Some(2), Some(2), 2));
}

#[app_test]
async fn what_ended_is_kept_for_a_while(test: TestStore) {
    let context = Context::over(&test);
    let done = context.enqueue(Enqueue::<Plain>::new(words("done", Does::Well))).await;
    let dead = context.enqueue(Enqueue::<Plain>::new(words("dead", Does::GiveUp))).await;
    let waits =
        context.enqueue(Enqueue::<Plain>::new(words("waits", Does::Well)).run_after(NOW.plus_s(9_999_999))).await;
    context.worker("one").settle().await.unwrap();
    let left = async |days: i64| {
        let tx = test.store.begin().await.unwrap();
        assert!(!store::job::tidy(&tx, NOW.plus_s(days * 86_400)).await.unwrap());
        tx.commit().await.unwrap();
        let mut found: Vec<i64> = store::job::list(test.store.read(), &JobFilter::default(), None, 50)
            .await
            .unwrap()
            .iter()
            .map(|job| job.id)
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(left(6).await, [done, dead, waits]);
    assert_eq!(left(8).await, [dead, waits]);
    assert_eq!(left(31).await, [waits]);
}
