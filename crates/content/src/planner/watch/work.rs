//! Scores parcours again by a job, one a step, on a thread that yields to everything else. How far a run has come is written in the
//! transaction of each score: another server over the same network goes on where one died.

use std::sync::Arc;
use std::time::Duration;

use app::background_thread::BackgroundThread;
use app::problem::Internal;
use app::worker::{settle_only, step_only};
use app::{App, Region};
use domain::parcours::TraceMode;
use domain::region::BundleId;
use domain::watch::{KnownNetwork, RunState, WatchChange, WatchRun};
use domain::{Instant, ParcoursId, UserId};
use jobs::{Enqueue, Failure, JobEvent, JobKind, Lease, Step};
use routing::RouteEngine;
use serde::{Deserialize, Serialize};
use store::parcours::{self as rows, NewTrace, StoredTrace};
use store::region::{self as regions, Bundle};
use store::watch::{self, NewRun, OpenChange};
use store::{StoreError, Tx};

use super::compare::{scoring, stretches};
use crate::parcours::compute::{arrange_steps, compute, network_of, pace_of};
use crate::parcours::trace::again;

/// How long a server waits, after its start and after a failure, for a planner that has not reported its data yet.
const PLANNER_POLL: Duration = Duration::from_secs(60);
/// How long a run waits, seconds, for a server over its network, when a server over another one took it.
const OTHER_NETWORK_S: i64 = 60;
/// How long a run waits, seconds, when a server over an older published region took it: that server gets the new region within seconds.
const OLDER_REGION_S: i64 = 5;

/// What the watch keeps in the application.
#[derive(Debug)]
pub struct WatchState {
    thread: BackgroundThread,
}

impl Default for WatchState {
    fn default() -> Self {
        Self { thread: BackgroundThread::new("watch") }
    }
}

/// Payload of the job: the number of the run.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Run {
    run: i64,
}

/// Scores parcours again on another network.
pub struct ScoreAgain;

impl JobKind for ScoreAgain {
    type Context = App;
    type Payload = Run;
    const NAME: &'static str = "network_watch";
    const LIMIT: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Run) -> Result<Step, Failure> {
        let db = app.store.read();
        let last = watch::latest(db).await?;
        let Some(run) = last.filter(|run| run.id == asked.run && run.state == RunState::Running) else {
            return Ok(Step::Done);
        };
        let region = app.region();
        let is_of_run = run.bundle.is_none() || run.bundle == region.bundle;
        if !is_of_run || network_in(&region).is_none_or(|today| today.name != run.after.name) {
            let seconds = if run.bundle.is_some() { OLDER_REGION_S } else { OTHER_NETWORK_S };
            return Ok(Step::Later { seconds });
        }
        let Some(id) = watch::next(db, &run).await? else {
            let tx = app.store.begin().await?;
            watch::finish(&tx, &run, app.now()).await?;
            lease.hold(&tx).await?;
            tx.commit().await?;
            let (scored, failed) = (run.scored, run.failed);
            tracing::info!(run = run.id, scored, failed, "parcours are scored on this network");
            return Ok(Step::Done);
        };
        // The fallback engine's score says nothing about this network: it is not stored.
        let found = found(&app, region.engine.clone(), id).await?;
        match found.filter(|found| found.trace.summary.network.as_ref() == Some(&run.after.name)) {
            Some(found) => store_result(&app, &lease, &run, id, found).await?,
            None => skip(&app, &lease, &run, id).await?,
        }
        Ok(Step::Again)
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Run, event: JobEvent) -> Result<(), StoreError> {
        match event {
            JobEvent::Dead | JobEvent::Cancelled => watch::give_up(tx, asked.run, app.now()).await,
            JobEvent::TriedAgain => watch::resume(tx, asked.run).await,
        }
    }
}

/// Looks whether the network of this server is another one than that of the last run: at the start, and when another region takes the
/// place of the one in use. It ends with the runtime.
pub fn start(app: App) {
    if app.region().engine.is_none() && app.region_source.is_none() {
        return;
    }
    let mut region = app.watch_region();
    tokio::spawn(async move {
        loop {
            region.mark_unchanged();
            let is_done = match today(&app) {
                Some(_) => begin_if_network_changed(&app)
                    .await
                    .inspect_err(|error| tracing::error!(%error, "parcours could not be scored again"))
                    .is_ok(),
                None => app.region().engine.is_none(),
            };
            if is_done {
                if region.changed().await.is_err() {
                    return;
                }
            } else {
                // Whichever comes first: the planner reports its data by then, or the region is another one.
                let _ = tokio::time::timeout(PLANNER_POLL, region.changed()).await;
            }
        }
    });
}

/// Looks whether the network is another one, and scores all that waits: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    begin_if_network_changed(app).await?;
    Ok(settle_only(app, ScoreAgain::NAME).await?)
}

/// Scores one parcours. False when none waits.
pub async fn step(app: &App) -> Result<bool, Internal> {
    Ok(step_only(app, ScoreAgain::NAME).await?)
}

/// Begins a run where the network is not that of the last one. Where a region is published, only a server that has it begins one.
pub async fn begin_if_network_changed(app: &App) -> Result<(), Internal> {
    let region = app.region();
    let Some(today) = network_in(&region) else { return Ok(()) };
    let tx = app.store.begin().await?;
    let bundle = match published_region(&tx, &region, &today).await? {
        PublishedRegion::None => None,
        PublishedRegion::Same(id) => Some(id),
        PublishedRegion::Other(_) => return Ok(()),
    };
    let last = watch::latest(&tx).await?;
    if let Some(last) = &last
        && is_scored(&tx, last, &today, bundle.as_ref()).await?
    {
        return Ok(());
    }
    let before = match last {
        Some(run) => Some(run.after),
        None => remembered(app, &today).await?,
    };
    tracing::info!(network = %today.name, "the network is another one: parcours are scored again");
    begin(app, tx, NewRun { before, after: today, bundle, forced: false, asked_by: None }).await
}

/// Whether the last run has scored, or is scoring, all that this network is to score.
async fn is_scored(
    tx: &Tx,
    last: &WatchRun,
    today: &KnownNetwork,
    bundle: Option<&BundleId>,
) -> Result<bool, Internal> {
    if last.after.name != today.name {
        return Ok(false);
    }
    let is_same = last.bundle.as_ref() == bundle;
    if bundle.is_none() || (is_same && last.state != RunState::Done) {
        return Ok(true);
    }
    if last.state == RunState::Running {
        // A run of another bundle: no server takes a step of it any more.
        return Ok(false);
    }
    // What a server with an older region stored meanwhile is scored now; what the run could not score is not tried again.
    let without_answer = if is_same { last.failed } else { 0 };
    Ok(watch::count(tx, &today.name, false).await? <= without_answer)
}

/// The published region, compared with that of this server.
enum PublishedRegion {
    /// None is published, or the planner is not that of a region.
    None,
    /// The region of this server is published.
    Same(BundleId),
    /// Another region than this server's is published.
    Other(Bundle),
}

/// Under a lock until the transaction ends: of two servers that take a region into use at once, the second finds the run of the first.
async fn published_region(tx: &Tx, region: &Region, today: &KnownNetwork) -> Result<PublishedRegion, Internal> {
    let Some(current) = regions::lock_current(tx).await? else { return Ok(PublishedRegion::None) };
    let Some(published) = regions::find(tx, &current.id).await? else { return Ok(PublishedRegion::None) };
    if published.network.engine != today.engine {
        return Ok(PublishedRegion::None);
    }
    let is_in_use = region.bundle.as_ref() == Some(&current.id);
    Ok(if is_in_use { PublishedRegion::Same(current.id) } else { PublishedRegion::Other(published) })
}

/// What came of the request for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    Begun,
    /// One is running.
    Running,
    /// No planner says on which network it works.
    NoNetwork,
}

/// Begins a run over everything, at a user's request.
pub(super) async fn begin_forced(app: &App, by: UserId) -> Result<Beginning, Internal> {
    let region = app.region();
    let Some(today) = network_in(&region) else { return Ok(Beginning::NoNetwork) };
    let tx = app.store.begin().await?;
    let (after, bundle) = match published_region(&tx, &region, &today).await? {
        PublishedRegion::None => (today, None),
        PublishedRegion::Same(id) => (today, Some(id)),
        // A server that has the published region does it.
        PublishedRegion::Other(published) => (published.network, Some(published.id)),
    };
    let last = watch::latest(&tx).await?;
    let is_running =
        |run: &WatchRun| run.state == RunState::Running && run.after.name == after.name && run.bundle == bundle;
    if last.as_ref().is_some_and(is_running) {
        return Ok(Beginning::Running);
    }
    begin(app, tx, NewRun { before: Some(after.clone()), after, bundle, forced: true, asked_by: Some(by) }).await?;
    Ok(Beginning::Begun)
}

async fn begin(app: &App, tx: Tx, run: NewRun) -> Result<(), Internal> {
    let (id, total) = watch::start(&tx, &run, app.now()).await?;
    let job = Enqueue::<ScoreAgain>::new(Run { run: id }).unique(id).total(total).asked_by(run.asked_by);
    job.put(&tx, app.now()).await?;
    Ok(tx.commit().await?)
}

/// Today's network. A planner that does not report its data is not watched: no report does not mean another network.
fn today(app: &App) -> Option<KnownNetwork> {
    network_in(&app.region())
}

/// The network of a region.
pub(super) fn network_in(region: &Region) -> Option<KnownNetwork> {
    let network = network_of(region.engine.as_deref()?)?;
    (network.data_date.is_some() || network.checksum.is_some()).then_some(network)
}

/// The network that scores of before the first run were made on.
async fn remembered(app: &App, today: &KnownNetwork) -> Result<Option<KnownNetwork>, Internal> {
    let db = app.store.read();
    let Some(id) = watch::scored_elsewhere(db, &today.name).await? else { return Ok(None) };
    let summary = rows::load(db, id).await?.and_then(|stored| stored.trace);
    Ok(summary.and_then(|summary| {
        let (name, engine, data_date) = (summary.network?, summary.engine, summary.data_date);
        Some(KnownNetwork { name, engine, data_date, checksum: None })
    }))
}

/// What another network makes of a trace.
struct Found {
    /// The revision it was made from.
    revision: i64,
    /// Length of the line in use until now: the steps' places were measured on it.
    old_length_m: f64,
    pace: domain::parcours::line::Pace,
    trace: NewTrace,
    /// Whether it is the same but for the network's name.
    same: bool,
    /// The earlier change that was not looked at yet; this one replaces it.
    open: Option<OpenChange>,
    /// The change to report, without the trace's new number.
    change: Option<WatchChange>,
}

/// Plans and scores a trace once more, on a thread for blocking work. None where the planner has no answer.
async fn found(app: &App, engine: Option<Arc<dyn RouteEngine>>, id: ParcoursId) -> Result<Option<Found>, Internal> {
    let db = app.store.read();
    let (Some(stored), Some(kept)) = (rows::load(db, id).await?, rows::trace(db, id).await?) else { return Ok(None) };
    if kept.summary.mode != TraceMode::Planner {
        return Ok(None);
    }
    let (profile, pace) = pace_of(db, stored.sheet.practice_type_id).await?;
    let ask = again(app, &kept, TraceMode::Planner, profile, pace);
    let revision = kept.summary.revision;
    let open = watch::open_change(db, id, revision).await?;
    // A change is measured against the trace of the last time that a person looked.
    let base = match open {
        Some(open) => rows::trace_at(db, id, open.before_revision).await?,
        None => None,
    };
    let at = app.now();
    let work = move || {
        let old_length_m = trace::measure(&kept.line()).distance_m;
        let trace = compute(engine.as_deref(), ask);
        let new = read_back(&trace);
        let same = is_same(&kept, &new);
        let change = change(id, base.as_ref().unwrap_or(&kept), &new, at);
        Found { revision, old_length_m, pace, trace, same, open, change }
    };
    let found = app.shared::<WatchState>().thread.run(work).await.ok();
    Ok(found.filter(|found| found.trace.summary.notice.is_none()))
}

/// A trace as it would be read from the database: numbers are compared with their stored precision.
fn read_back(trace: &NewTrace) -> StoredTrace {
    fn reread<T: serde::Serialize + serde::de::DeserializeOwned + Clone>(value: &T) -> T {
        let text = serde_json::to_string(value).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_else(|_| value.clone())
    }
    StoredTrace {
        summary: reread(&trace.summary),
        drawing: reread(&trace.drawing),
        legs: reread(&trace.legs),
        planned_line: reread(&trace.planned_line),
        source_line: None,
        extra: reread(&trace.extra),
    }
}

/// Whether nothing but the network's name and day is another.
fn is_same(kept: &StoredTrace, new: &StoredTrace) -> bool {
    kept.summary.reliability == new.summary.reliability
        && kept.summary.reliability_state == new.summary.reliability_state
        && kept.planned_line == new.planned_line
        && kept.extra == new.extra
}

fn change(id: ParcoursId, old: &StoredTrace, new: &StoredTrace, at: Instant) -> Option<WatchChange> {
    let (before, after) = (scoring(old), scoring(new));
    let turn = before.turned_to(&after)?;
    Some(WatchChange {
        parcours_id: id,
        turn,
        before,
        after,
        before_revision: old.summary.revision,
        after_revision: 0,
        stretches: stretches(old, new),
        at,
    })
}

/// Stores the result, if the trace is still the one that was scored.
async fn store_result(app: &App, lease: &Lease, run: &WatchRun, id: ParcoursId, found: Found) -> Result<(), Failure> {
    let languages = &app.settings.content_languages;
    let tx = app.store.begin().await?;
    let now = rows::lock(&tx, id).await?.filter(|now| now.trace_revision == Some(found.revision));
    if let Some(now) = now {
        let number = if found.same {
            rows::stamp(&tx, &now, &found.trace.summary, languages).await?;
            found.revision
        } else {
            let mut steps = now.steps.clone();
            arrange_steps(&mut steps, &found.trace, found.pace, Some(found.old_length_m));
            rows::rescore(&tx, &now, steps, &found.trace, languages).await?
        };
        if let Some(open) = found.open.filter(|_| !found.same) {
            watch::drop_change(&tx, open.id).await?;
        }
        if let Some(change) = found.change.filter(|_| !found.same) {
            watch::put_change(&tx, run.id, &WatchChange { after_revision: number, ..change }).await?;
        }
    }
    if watch::advance(&tx, run, id, false).await? {
        progress_in(&tx, lease, run).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Skips a parcours that could not be scored: it keeps its score, which lists show as one of an older network.
async fn skip(app: &App, lease: &Lease, run: &WatchRun, id: ParcoursId) -> Result<(), Failure> {
    let tx = app.store.begin().await?;
    if watch::advance(&tx, run, id, true).await? {
        progress_in(&tx, lease, run).await?;
        tx.commit_aside().await?;
    }
    Ok(())
}

/// Counts one more processed parcours. It fails where the lease is lost, as `Lease::hold` does.
async fn progress_in(tx: &Tx, lease: &Lease, run: &WatchRun) -> Result<(), Failure> {
    lease.progress_in(tx, run.scored + 1, run.total).await
}
