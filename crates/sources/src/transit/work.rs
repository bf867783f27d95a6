//! Reads transport feeds by jobs. A run advances by small steps, each one transaction with the written rows and the progress:
//! another server continues for a stopped one. The data is stored under the run's own number and shown all at once.

use std::sync::{Arc, Mutex, PoisonError};

use app::App;
use app::problem::Internal;
use app::worker::{reason_of, step_only};
use domain::imports::{ImportNote, ImportState};
use domain::transit::TransportFeedSheet;
use domain::{UserId, WhiteLabelId};
use feeds::gtfs::Transit;
use jobs::{Enqueue, Failure, JobEvent, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::record::Stored;
use store::transit::{self as rows, TransitRun, TransportFeeds};
use store::{StoreError, Tx};

use super::{fetch, follow, mail, write};

/// What the last run of this process read of its file: the next step needs it again.
#[derive(Debug, Default)]
pub struct TransitCache(Mutex<Option<(i64, Arc<Transit>)>>);

impl TransitCache {
    /// What a run read.
    pub(super) fn of_run(&self, run: i64) -> Option<Arc<Transit>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(of, _)| *of == run).map(|(_, transit)| Arc::clone(transit))
    }

    /// Stores what a run read, in the place of the run before.
    pub(super) fn keep(&self, run: i64, transit: Arc<Transit>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((run, transit));
    }

    /// Drops what a run read.
    pub(super) fn forget(&self, run: i64) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take_if(|(of, _)| *of == run);
    }
}

/// Which run.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Run {
    run: i64,
}

/// Reads a feed.
pub struct ReadFeed;

impl JobKind for ReadFeed {
    type Context = App;
    type Payload = Run;
    const NAME: &'static str = "transport_run";
    const LIMIT: i64 = 4;
    /// A feed takes much memory.
    const LIMIT_PER_SERVER: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Run) -> Result<Step, Failure> {
        let found = rows::find_run(app.store.read(), asked.run).await?;
        let Some(run) = found.filter(|run| run.state == ImportState::Running) else { return Ok(Step::Done) };
        if run.cancel {
            app.shared::<TransitCache>().forget(run.id);
            return Ok(Step::Cancelled);
        }
        let feed = store::record::load::<TransportFeeds>(app.store.read(), run.feed_id).await?;
        let Some(feed) = feed else {
            return fail(&app, &lease, &run, ImportNote::new("transport/feed-gone")).await;
        };
        match run.phase.as_str() {
            "read" => write::step(&app, &lease, &run).await,
            "follow" => follow::step(&app, &lease, &run).await,
            _ => fetch::step(&app, &lease, &run, &feed).await,
        }
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Run, event: JobEvent) -> Result<(), StoreError> {
        let Some(run) = rows::find_run(tx, asked.run).await? else { return Ok(()) };
        let (state, failure) = match event {
            JobEvent::Dead => (ImportState::Failed, Some(ImportNote::new("job/internal"))),
            JobEvent::Cancelled => (ImportState::Cancelled, None),
            JobEvent::TriedAgain => return rows::begin_anew(tx, run.id).await,
        };
        end_in(app, tx, &run, state, failure.as_ref()).await.map(|_| ())
    }
}

/// Which feed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Feed {
    feed: i64,
}

/// The schedule of a feed: begins a run whenever one is due, and waits in between. It is done once the feed has no schedule.
pub struct RefreshFeed;

impl JobKind for RefreshFeed {
    type Context = App;
    type Payload = Feed;
    const NAME: &'static str = rows::REFRESH;
    const LIMIT: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Feed) -> Result<Step, Failure> {
        let db = app.store.read();
        let Some(feed) = store::record::load::<TransportFeeds>(db, asked.feed).await? else { return Ok(Step::Done) };
        let Some(every_s) = feed.sheet.schedule.every_s() else { return Ok(Step::Done) };
        // The first run is started by a person; the schedule counts from the last run.
        let Some(last) = rows::last_run(db, feed.id).await? else { return Ok(Step::Done) };
        let left_s = last.started_at.plus_s(every_s).0 - app.now().0;
        if left_s > 0 {
            return Ok(Step::Later { seconds: left_s });
        }
        let tx = app.store.begin().await?;
        begin_in(&app, &tx, &feed, None).await?;
        lease.hold(&tx).await?;
        tx.commit().await?;
        Ok(Step::Later { seconds: every_s })
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Feed, event: JobEvent) -> Result<(), StoreError> {
        // The schedule is a setting of the feed: a job that was cancelled, or failed, leaves out one time only.
        if event != JobEvent::TriedAgain
            && let Some(feed) = store::record::load::<TransportFeeds>(tx, asked.feed).await?
        {
            enqueue_refresh(app, tx, &feed).await?;
        }
        Ok(())
    }
}

/// Does everything that may be done now: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    while step(app).await? {}
    Ok(())
}

/// One step of what may be done now. False when nothing may.
pub async fn step(app: &App) -> Result<bool, Internal> {
    Ok(step_only(app, ReadFeed::NAME).await? || step_only(app, RefreshFeed::NAME).await?)
}

/// Begins a run. None while one of the same feed is at work.
pub(super) async fn begin(
    app: &App,
    feed: &Stored<TransportFeedSheet>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let tx = app.store.begin().await?;
    let made = begin_in(app, &tx, feed, asked_by).await?;
    if made.is_some() {
        enqueue_refresh(app, &tx, feed).await?;
    }
    tx.commit().await?;
    Ok(made)
}

async fn begin_in(
    app: &App,
    tx: &Tx,
    feed: &Stored<TransportFeedSheet>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, StoreError> {
    let Some(white_label) = feed.white_label_id else { return Ok(None) };
    // Locked, so that of two requests at once one begins a run.
    store::record::lock::<TransportFeeds>(tx, feed.id).await?;
    let started = rows::start(tx, feed.id, white_label, asked_by, (app.now(), &app.today())).await?;
    let Some(id) = started else { return Ok(None) };
    enqueue(app, tx, id, white_label, asked_by).await?;
    Ok(Some(id))
}

/// Enqueues the job of a run that begins or is to stop.
pub(super) async fn enqueue(
    app: &App,
    tx: &Tx,
    run: i64,
    white_label: WhiteLabelId,
    asked_by: Option<UserId>,
) -> Result<(), StoreError> {
    let job = Enqueue::<ReadFeed>::new(Run { run }).unique(run).of_white_label(white_label).asked_by(asked_by);
    job.put(tx, app.now()).await.map(|_| ())
}

/// Enqueues the job that reads a feed again once its time has come.
async fn enqueue_refresh(app: &App, tx: &Tx, feed: &Stored<TransportFeedSheet>) -> Result<(), StoreError> {
    let Some(every_s) = feed.sheet.schedule.every_s() else { return Ok(()) };
    rows::enqueue_refresh(tx, feed, app.now().plus_s(every_s), app.now()).await
}

/// Ends a run that could not be read.
pub(super) async fn fail(app: &App, lease: &Lease, run: &TransitRun, failure: ImportNote) -> Result<Step, Failure> {
    end(app, lease, run, ImportState::Failed, Some(&failure)).await?;
    Err(Failure::Final(reason_of(&failure)))
}

/// Ends a run that came to its end.
pub(super) async fn finish(app: &App, lease: &Lease, run: &TransitRun) -> Result<Step, Failure> {
    end(app, lease, run, ImportState::Done, None).await?;
    Ok(Step::Done)
}

async fn end(
    app: &App,
    lease: &Lease,
    run: &TransitRun,
    state: ImportState,
    failure: Option<&ImportNote>,
) -> Result<(), Failure> {
    let tx = app.store.begin().await?;
    let mails = end_in(app, &tx, run, state, failure).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    app.shared::<TransitCache>().forget(run.id);
    tracing::info!(run = run.id, state = state.as_str(), counts = ?run.counts, "a transport feed was gone through");
    app::mail::flush(app, &mails).await;
    Ok(())
}

/// Ends a run in a transaction, and enqueues the mail that reports its failure.
async fn end_in(
    app: &App,
    tx: &Tx,
    run: &TransitRun,
    state: ImportState,
    failure: Option<&ImportNote>,
) -> Result<Vec<i64>, StoreError> {
    let has_ended = rows::finish(tx, run, state, failure, app.now()).await?;
    if has_ended
        && let Some(failure) = failure
        && let Some(letter) = mail::letter(app, tx, run, failure).await?
    {
        return Ok(vec![letter.enqueue(app, tx).await?]);
    }
    Ok(Vec::new())
}
