//! The jobs that run sources of routes (`imports`) and of tourist records (`sit`), and start them at their scheduled times.

use app::App;
use app::problem::Internal;
use app::worker::step_only;
use domain::imports::{ImportMode, ImportNote, ImportSourceSheet, ImportState};
use domain::record::Kind;
use domain::sit::SitSourceSheet;
use jobs::{Failure, JobEvent, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::imports::{self as rows, ImportRun, ImportSources, ScheduledSource};
use store::record::Stored;
use store::sit::SitSources;
use store::{Connection, StoreError, Tx};

use crate::imports::matching::MatchLines;
use crate::imports::work::{ImportCache, OTHER_RUN_S, Run, RunSource, begin_in, end_in, enqueue_refresh};
use crate::sit::SitCache;
use crate::sit::pictures::FetchPictures;
use crate::{imports, sit};

impl JobKind for RunSource {
    type Context = App;
    type Payload = Run;
    const NAME: &'static str = "import_run";
    const LIMIT: i64 = 4;
    /// A page takes much memory.
    const LIMIT_PER_SERVER: i64 = 1;
    /// What a source sends may be what the server died of.
    const MAX_DEATHS: i64 = 3;

    async fn run(app: App, lease: Lease, asked: Run) -> Result<Step, Failure> {
        let mut is_first = true;
        loop {
            let found = rows::find_run(app.store.read(), asked.run).await?;
            let Some(run) = found.filter(|run| run.state == ImportState::Running) else {
                forget(&app, asked.run);
                return Ok(Step::Done);
            };
            if run.cancel {
                return Ok(Step::Cancelled);
            }
            // Another run takes its turn after each page: taken earlier, this one would have to fetch its page again.
            if !is_first && (lease.is_stopping() || !has_page_of(&app, &run)) {
                return Ok(Step::Again);
            }
            one_step(&app, &lease, &run).await?;
            is_first = false;
        }
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Run, event: JobEvent) -> Result<(), StoreError> {
        forget(app, asked.run);
        let Some(run) = rows::find_run(tx, asked.run).await? else { return Ok(()) };
        let (state, failure) = match event {
            JobEvent::Dead => (ImportState::Failed, Some(failure_of(tx, asked.run).await?)),
            JobEvent::Cancelled => (ImportState::Cancelled, None),
            JobEvent::TriedAgain => return rows::resume(tx, run.id).await,
        };
        end_in(app, tx, &run, state, failure.as_ref()).await.map(|_| ())
    }
}

/// Why the job of a run is dead, as the run says it.
async fn failure_of(tx: &Tx, run: i64) -> Result<ImportNote, StoreError> {
    let reason = store::job::reason_of_dead(tx, RunSource::NAME, &run.to_string()).await?;
    let Some(reason) = reason else { return Ok(ImportNote::new("job/internal")) };
    let words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let params = reason.params.iter();
    Ok(params.fold(ImportNote::new(reason.code), |note, (name, value)| note.with(name, words(value))))
}

/// Whether the page that a run is at is in memory and its next step needs it.
fn has_page_of(app: &App, run: &ImportRun) -> bool {
    let is_at_hand = match run.kind {
        Kind::SitSource => app.shared::<SitCache>().has_page_of(run),
        _ => app.shared::<ImportCache>().has_page_of(run),
    };
    is_at_hand && matches!(run.phase.as_str(), "items" | "gone")
}

/// Drops what is in memory for a run.
fn forget(app: &App, run: i64) {
    app.shared::<ImportCache>().forget(run);
    app.shared::<SitCache>().forget(run);
}

/// Which source.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Source {
    /// `import_source` or `sit_source`.
    kind: Kind,
    source: i64,
}

/// Begins a run of a source at its scheduled time, and waits in between, until the source is run by hand only.
pub struct RefreshSource;

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
            Loaded::Records(source) => sit::work::begin_in(&app, &tx, source, None).await?,
        };
        lease.hold(&tx).await?;
        tx.commit().await?;
        Ok(Step::Later { seconds: if made.is_some() { every_s } else { OTHER_RUN_S } })
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Source, event: JobEvent) -> Result<(), StoreError> {
        // The schedule is a setting of the source: a job that was cancelled, or failed, leaves out one time only.
        if event != JobEvent::TriedAgain
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

/// Runs all jobs that are due; used by tests.
pub async fn settle(app: &App) -> Result<(), Internal> {
    while step(app).await? {}
    Ok(())
}

/// Runs one due job; of a run, one page. False when no job is due.
pub async fn step(app: &App) -> Result<bool, Internal> {
    for kind in [RunSource::NAME, RefreshSource::NAME, MatchLines::NAME, FetchPictures::NAME] {
        if step_only(app, kind).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn one_step(app: &App, lease: &Lease, run: &ImportRun) -> Result<(), Failure> {
    match run.kind {
        Kind::SitSource => sit::work::one_step(app, lease, run).await,
        _ => imports::work::one_step(app, lease, run).await,
    }
}
