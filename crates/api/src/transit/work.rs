//! The worker: a run advances by small steps, each one transaction that holds what was written and how far it came, so that a
//! server that is killed goes on where it was. What is read stands under the run's own number and is shown all at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::UserId;
use domain::imports::{ImportNote, ImportState};
use domain::transit::TransportFeedSheet;
use feeds::gtfs::Transit;
use store::record::Stored;
use store::transit::{self as rows, TransitRun, TransportFeeds};

use super::{fetch, follow, mail, write};
use crate::App;
use crate::problem::Internal;
use crate::worker::{self, Bell, Worker};

/// How long the worker waits to be asked before it looks by itself for what is due.
const UNASKED: Duration = Duration::from_secs(60);

/// What transport feeds keep in the application.
#[derive(Debug, Default)]
pub struct TransitRoom {
    bell: Bell,
    /// What the run at work read.
    held: Mutex<Option<(i64, Arc<Transit>)>>,
}

impl TransitRoom {
    /// Tells the worker that a run waits.
    pub(super) fn wake(&self) {
        self.bell.ring();
    }

    pub(super) fn held(&self, run: i64) -> Option<Arc<Transit>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().filter(|(of, _)| *of == run).map(|(_, held)| Arc::clone(held))
    }

    /// Keeps what a run read; or lets go of it.
    pub(super) fn hold(&self, held: Option<(i64, Arc<Transit>)>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }
}

struct TransportFeedsAtWork;

impl Worker for TransportFeedsAtWork {
    const FAILURE: &'static str = "a transport feed could not be read on";

    fn bell(app: &App) -> &Bell {
        &app.transit.bell
    }

    fn patience(_: &App) -> Duration {
        UNASKED
    }

    async fn step(app: &App) -> Result<bool, Internal> {
        step(app).await
    }
}

/// Starts the worker; it ends with the runtime.
pub fn start(app: App) {
    worker::start::<TransportFeedsAtWork>(app);
}

/// Does everything that waits: for commands and tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    worker::settle::<TransportFeedsAtWork>(app).await
}

/// One step of what waits. False when nothing does.
pub async fn step(app: &App) -> Result<bool, Internal> {
    if let Some(run) = rows::next_run(app.store.read()).await? {
        turn(app, run).await?;
        return Ok(true);
    }
    for feed in rows::due(app.store.read(), app.now()).await? {
        if let Some(feed) = store::record::load::<TransportFeeds>(app.store.read(), feed).await? {
            begin(app, &feed, None).await?;
            return Ok(true);
        }
    }
    let tx = app.store.begin().await?;
    let swept = rows::sweep(&tx).await?;
    tx.commit().await?;
    Ok(swept)
}

/// Begins a run. None while one of the same feed is at work.
pub(super) async fn begin(
    app: &App,
    feed: &Stored<TransportFeedSheet>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let Some(white_label) = feed.white_label_id else { return Ok(None) };
    let tx = app.store.begin().await?;
    // Held, so that of two who ask at once one begins.
    store::record::lock::<TransportFeeds>(&tx, feed.id).await?;
    let made = rows::start(&tx, feed.id, white_label, asked_by, app.now()).await?;
    tx.commit().await?;
    app.transit.wake();
    Ok(made)
}

async fn turn(app: &App, run: TransitRun) -> Result<(), Internal> {
    if run.cancel {
        return end(app, &run, ImportState::Cancelled, None).await;
    }
    let feed = store::record::load::<TransportFeeds>(app.store.read(), run.feed_id).await?;
    let Some(feed) = feed else {
        return end(app, &run, ImportState::Failed, Some(ImportNote::new("transport/feed-gone"))).await;
    };
    match run.phase.as_str() {
        "read" => write::step(app, &run).await,
        "follow" => follow::step(app, &run).await,
        _ => fetch::step(app, &run, &feed).await,
    }
}

/// Ends a run, and tells who is to know when it failed.
pub(super) async fn end(
    app: &App,
    run: &TransitRun,
    state: ImportState,
    failure: Option<ImportNote>,
) -> Result<(), Internal> {
    let tx = app.store.begin().await?;
    let ended = rows::finish(&tx, run, state, failure.as_ref(), app.now()).await?;
    tx.commit().await?;
    app.transit.hold(None);
    tracing::info!(run = run.id, state = state.as_str(), counts = ?run.counts, "a transport feed was gone through");
    if ended && let Some(failure) = failure {
        mail::tell(app, run, &failure).await;
    }
    Ok(())
}
