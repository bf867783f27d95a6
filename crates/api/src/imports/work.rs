//! Runs of sources, by jobs. A run advances by small steps. Each step is one transaction with the records, the progress of the run
//! and the lease of its job: a server that continues for a stopped one misses nothing and writes nothing twice.

use std::sync::{Arc, Mutex, PoisonError};

use domain::audit::{Action, Detail, Who};
use domain::imports::{ImportKind, ImportMode, ImportNote, ImportSourceSheet, ImportState};
use domain::record::Kind;
use domain::sit::SitSourceSheet;
use domain::{UserId, WhiteLabelId};
use jobs::{Ended, Enqueue, Failure, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::imports::{self as rows, ImportRun, ImportSources, NewRun, ScheduledSource};
use store::record::Stored;
use store::sit::SitSources;
use store::{Connection, StoreError, Tx};

use super::fetch::Held;
use super::matching::MatchLines;
use super::prepare::sum_of;
use super::{items, mail, matching, media, missing, undo};
use crate::background_thread::BackgroundThread;
use crate::job::{reason_of, step_only};
use crate::problem::Internal;
use crate::sit::pictures::FetchPictures;
use crate::{App, audit};

/// Seconds of a day.
const DAY_S: i64 = 86_400;
/// How long a scheduled run waits for another run of the same source, seconds.
pub(super) const OTHER_RUN_S: i64 = 60;

/// The author of what a run writes: who started the run, or else who changed the source last.
pub(super) fn author(run: &ImportRun, source: &Stored<ImportSourceSheet>) -> Option<UserId> {
    run.asked_by.as_ref().or(source.updated_by.as_ref()).map(|(id, _)| *id)
}

/// What this server keeps in memory for the runs it works on. It is only a cache: another server, or this one after a restart, fetches
/// the page again.
#[derive(Debug)]
pub struct ImportCache {
    /// The thread that lays lines on the network.
    thread: BackgroundThread,
    /// The page of a source of routes that the last step worked on, already parsed.
    held: Mutex<Option<Arc<Held>>>,
    /// The same of tourist records.
    records: Mutex<Option<Arc<crate::sit::Held>>>,
}

impl Default for ImportCache {
    fn default() -> Self {
        Self { thread: BackgroundThread::new("imports"), held: Mutex::default(), records: Mutex::default() }
    }
}

impl ImportCache {
    pub(super) fn thread(&self) -> &BackgroundThread {
        &self.thread
    }

    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn hold(&self, held: Option<Arc<Held>>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    pub(crate) fn held_records(&self) -> Option<Arc<crate::sit::Held>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn hold_records(&self, held: Option<Arc<crate::sit::Held>>) {
        *self.records.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    /// Whether the page that a run is at is in memory and its next step needs it.
    fn has_page_of(&self, run: &ImportRun) -> bool {
        let is_at_hand = if run.kind == Kind::SitSource {
            self.held_records().is_some_and(|held| held.run == run.id && held.page == run.page)
        } else {
            self.held().is_some_and(|held| held.run == run.id && held.page == run.page)
        };
        is_at_hand && matches!(run.phase.as_str(), "items" | "gone")
    }

    /// Drops what is in memory for a run.
    fn forget(&self, run: i64) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).take_if(|held| held.run == run);
        self.records.lock().unwrap_or_else(PoisonError::into_inner).take_if(|held| held.run == run);
    }
}

/// Which run.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Run {
    /// Its number.
    run: i64,
}

/// Runs a source of routes or of tourist records.
pub(crate) struct RunSource;

impl JobKind for RunSource {
    type Context = App;
    type Payload = Run;
    const NAME: &'static str = "import_run";
    const LIMIT: i64 = 4;
    /// A page takes much memory.
    const LIMIT_PER_SERVER: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Run) -> Result<Step, Failure> {
        let mut is_first = true;
        loop {
            let found = rows::find_run(app.store.read(), asked.run).await?;
            let Some(run) = found.filter(|run| run.state == ImportState::Running) else {
                app.imports.forget(asked.run);
                return Ok(Step::Done);
            };
            if run.cancel {
                return Ok(Step::Cancelled);
            }
            // Another run takes its turn after each page: taken earlier, this one would have to fetch its page again.
            if !is_first && (lease.is_stopping() || !app.imports.has_page_of(&run)) {
                return Ok(Step::Again);
            }
            one_step(&app, &lease, &run).await?;
            is_first = false;
        }
    }

    async fn ended(app: &App, tx: &Tx, asked: &Run, ended: Ended) -> Result<(), StoreError> {
        app.imports.forget(asked.run);
        let Some(run) = rows::find_run(tx, asked.run).await? else { return Ok(()) };
        let (state, failure) = match ended {
            Ended::Dead => (ImportState::Failed, Some(ImportNote::new("job/internal"))),
            Ended::Cancelled => (ImportState::Cancelled, None),
            Ended::TriedAgain => return rows::resume(tx, run.id).await,
        };
        end_in(app, tx, &run, state, failure.as_ref()).await.map(|_| ())
    }
}

/// Which source.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Source {
    /// `import_source` or `sit_source`.
    kind: Kind,
    /// Its number.
    source: i64,
}

/// Begins a run of a source at its scheduled time, and waits in between, until the source is run by hand only.
pub(crate) struct RefreshSource;

impl JobKind for RefreshSource {
    type Context = App;
    type Payload = Source;
    const NAME: &'static str = rows::REFRESH;
    const LIMIT: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Source) -> Result<Step, Failure> {
        let db = app.store.read();
        let Some(source) = Loaded::find(db, asked).await? else { return Ok(Step::Done) };
        let scheduled = source.scheduled();
        let Some(every_s) = scheduled.schedule.every_s().filter(|_| scheduled.white_label_id.is_some()) else {
            return Ok(Step::Done);
        };
        // The first run is started by a person; the schedule counts from the last run.
        let Some(last) = rows::last_started(db, asked.kind, asked.source).await? else { return Ok(Step::Done) };
        let left_s = last.plus_s(every_s).0 - app.now().0;
        if left_s > 0 {
            return Ok(Step::Later { seconds: left_s });
        }
        let tx = app.store.begin().await?;
        let made = match &source {
            Loaded::Routes(source) => begin_in(&app, &tx, source, ImportMode::Real, None, None).await?,
            Loaded::Records(source) => crate::sit::work::begin_in(&app, &tx, source, None).await?,
        };
        lease.hold(&tx).await?;
        tx.commit().await?;
        Ok(Step::Later { seconds: if made.is_some() { every_s } else { OTHER_RUN_S } })
    }

    async fn ended(app: &App, tx: &Tx, asked: &Source, ended: Ended) -> Result<(), StoreError> {
        // The schedule is a setting of the source: a job that was cancelled, or failed, leaves out one time only.
        if ended != Ended::TriedAgain
            && let Some(source) = Loaded::find(tx, *asked).await?
        {
            enqueue_refresh(app, tx, source.scheduled()).await?;
        }
        Ok(())
    }
}

/// A source that a schedule is about.
enum Loaded {
    Routes(Box<Stored<ImportSourceSheet>>),
    Records(Box<Stored<SitSourceSheet>>),
}

impl Loaded {
    async fn find(db: &impl Connection, asked: Source) -> Result<Option<Self>, StoreError> {
        Ok(match asked.kind {
            Kind::ImportSource => {
                let found = store::record::load::<ImportSources>(db, asked.source).await?;
                found.map(|source| Self::Routes(Box::new(source)))
            }
            Kind::SitSource => {
                let found = store::record::load::<SitSources>(db, asked.source).await?;
                found.map(|source| Self::Records(Box::new(source)))
            }
            _ => None,
        })
    }

    fn scheduled(&self) -> ScheduledSource {
        match self {
            Self::Routes(source) => ScheduledSource::from(&**source),
            Self::Records(source) => ScheduledSource::from(&**source),
        }
    }
}

/// Does everything that may be done now: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    while step(app).await? {}
    Ok(())
}

/// Does one turn of what may be done now: of a run, the steps of one page. False when nothing may.
pub async fn step(app: &App) -> Result<bool, Internal> {
    for kind in [RunSource::NAME, RefreshSource::NAME, MatchLines::NAME, FetchPictures::NAME] {
        if step_only(app, kind).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Begins a run. None while another run of the same source is working.
pub(super) async fn begin(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    mode: ImportMode,
    of_run: Option<i64>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let tx = app.store.begin().await?;
    let made = begin_in(app, &tx, source, mode, of_run, asked_by).await?;
    if made.is_some() {
        enqueue_refresh(app, &tx, source.into()).await?;
    }
    tx.commit().await?;
    Ok(made)
}

async fn begin_in(
    app: &App,
    tx: &Tx,
    source: &Stored<ImportSourceSheet>,
    mode: ImportMode,
    of_run: Option<i64>,
    asked_by: Option<UserId>,
) -> Result<Option<i64>, Internal> {
    let Some(white_label_id) = source.white_label_id else { return Ok(None) };
    // Locked, so that of two requests at once one begins a run.
    store::record::lock::<ImportSources>(tx, source.id).await?;
    let recipe = recipe_of(&source.sheet);
    let since = match (mode, rows::last_complete(tx, Kind::ImportSource, source.id).await?) {
        (ImportMode::Real, Some(last)) if last.recipe == recipe && !rows::has_unread(tx, source.id).await? => {
            match source.sheet.kind {
                // The moment from which to ask next time, which the source sent by its own clock.
                ImportKind::Jalon => last.validators.0,
                // One day earlier, because the clock and the time zone of the source may differ from ours.
                _ => Some(last.started_at.plus_s(-DAY_S).day()),
            }
        }
        _ => None,
    };
    let kind = Kind::ImportSource;
    let new = NewRun { kind, source_id: source.id, white_label_id, mode, of_run, asked_by, recipe, since };
    let Some(id) = rows::start(tx, &new, app.now()).await? else { return Ok(None) };
    if mode == ImportMode::Undo {
        let who = Who { user: asked_by, structure: None };
        audit::done(app, tx, who, Action::ImportUndone, audit::on::<ImportSources>(source), Detail::None).await?;
    }
    enqueue(app, tx, id, white_label_id, asked_by).await?;
    Ok(Some(id))
}

/// Enqueues the job of a run that begins or is to stop.
pub(crate) async fn enqueue(
    app: &App,
    tx: &Tx,
    run: i64,
    white_label: WhiteLabelId,
    asked_by: Option<UserId>,
) -> Result<(), StoreError> {
    let job = Enqueue::<RunSource>::new(Run { run }).unique(run).of_white_label(white_label).asked_by(asked_by);
    job.put(tx, app.now()).await.map(|_| ())
}

/// Enqueues the job that runs a source again once its time has come.
pub(crate) async fn enqueue_refresh(app: &App, tx: &Tx, source: ScheduledSource) -> Result<(), StoreError> {
    let Some(every_s) = source.schedule.every_s() else { return Ok(()) };
    rows::enqueue_refresh(tx, source, app.now().plus_s(every_s), app.now()).await
}

/// Checksum of the settings that decide how an item is imported: when it differs, unchanged items are imported again.
fn recipe_of(sheet: &ImportSourceSheet) -> String {
    /// Grows when this version of Jalon makes something else of the same bytes.
    const EDITION: u32 = 4;
    let file = sheet.file.as_ref().map(|file| &file.sha256);
    let parts = serde_json::json!([
        EDITION,
        sheet.kind,
        sheet.url,
        sheet.distribute_own,
        sheet.force_published,
        sheet.force_source_geometry,
        sheet.fields,
        sheet.values,
        file,
    ]);
    sum_of(parts.to_string().as_bytes())
}

async fn one_step(app: &App, lease: &Lease, run: &ImportRun) -> Result<(), Failure> {
    if run.kind == Kind::SitSource {
        return crate::sit::work::one_step(app, lease, run).await;
    }
    let source = store::record::load::<ImportSources>(app.store.read(), run.source_id).await?;
    let Some(source) = source else {
        return fail(app, lease, run, ImportNote::new("import/source-gone")).await;
    };
    match run.phase.as_str() {
        "undo" => undo::step(app, lease, run).await,
        "gone" => missing::step(app, lease, run, &source).await,
        "media" => media::step(app, lease, run, &source).await,
        _ => items::step(app, lease, run, &source).await,
    }
}

/// Commits a step with how far the run came. False when the run has ended meanwhile: nothing is written.
pub(crate) async fn commit(lease: &Lease, tx: Tx, run: &ImportRun) -> Result<bool, Failure> {
    if !rows::advance(&tx, run).await? {
        return Ok(false);
    }
    match run.total {
        // It fails where the lease is lost, as `Lease::hold` does.
        Some(total) => {
            let done = run.counts.total();
            lease.progress_in(&tx, done, total.max(done)).await?;
        }
        None => lease.hold(&tx).await?,
    }
    tx.commit().await?;
    Ok(true)
}

/// Ends a run that came to its end.
pub(crate) async fn finish(app: &App, lease: &Lease, run: &ImportRun) -> Result<(), Failure> {
    end(app, lease, app.store.begin().await?, run, ImportState::Done, None).await
}

/// Ends a run that cannot go on, and notifies the people in charge. Its job is dead with the same reason.
pub(crate) async fn fail(app: &App, lease: &Lease, run: &ImportRun, failure: ImportNote) -> Result<(), Failure> {
    end(app, lease, app.store.begin().await?, run, ImportState::Failed, Some(&failure)).await?;
    Err(Failure::Final(reason_of(&failure)))
}

/// Ends a run in the transaction of its last step.
pub(crate) async fn end(
    app: &App,
    lease: &Lease,
    tx: Tx,
    run: &ImportRun,
    state: ImportState,
    failure: Option<&ImportNote>,
) -> Result<(), Failure> {
    let mails = end_in(app, &tx, run, state, failure).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    app.imports.forget(run.id);
    tracing::info!(run = run.id, state = state.as_str(), counts = ?run.counts, "an import ended");
    crate::mail::flush(app, &mails).await;
    Ok(())
}

/// Ends a run in a transaction. Enqueues the mail that reports its failure, and the job that lays its lines on the network.
async fn end_in(
    app: &App,
    tx: &Tx,
    run: &ImportRun,
    state: ImportState,
    failure: Option<&ImportNote>,
) -> Result<Vec<i64>, StoreError> {
    if !rows::finish(tx, run, state, failure, app.now()).await? {
        return Ok(Vec::new());
    }
    if run.kind == Kind::ImportSource {
        matching::enqueue(app, tx, run).await?;
    }
    if let Some(failure) = failure
        && let Some(letter) = mail::letter(app, tx, run, failure).await?
    {
        return Ok(vec![letter.enqueue(app, tx).await?]);
    }
    Ok(Vec::new())
}
