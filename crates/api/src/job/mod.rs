//! The kinds of jobs of the application (decision 0042), and the worker that runs them.

mod act;
mod error;
pub mod hourly;
mod list;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use domain::audit::{Action, Detail, On, Who};
use domain::imports::ImportNote;
use domain::job::{Job, JobReason};
use jobs::{Failure, Kinds, Running, Worker};
use store::job::Cancelling;
use store::{StoreError, Tx};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::Parts;
use crate::audio::work::ReadTexts;
use crate::imports::matching::MatchLines;
use crate::imports::work::{RefreshSource, RunSource};
use crate::mail::SendMail;
use crate::media::work::MakeSizes;
use crate::parcours::trace_check::CheckTraces;
use crate::password_reset::AnswerPasswordReset;
use crate::planner::watch::ScoreAgain;
use crate::problem::Internal;
use crate::roadbook::batch::PrintBatch;
use crate::sit::pictures::FetchPictures;
use crate::tidy::EraseExpired;
use crate::transit::work::{ReadFeed, RefreshFeed};
use crate::translation::work::TranslateSheets;
use crate::{App, audit};

/// The kinds of jobs of this server, and its name.
#[derive(Debug)]
pub struct JobRunner {
    kinds: Arc<Kinds<App>>,
    node: String,
    is_worked: AtomicBool,
}

impl JobRunner {
    /// The kinds that an application of these parts can run.
    pub(crate) fn new(parts: &Parts) -> Self {
        let mut kinds = Kinds::default()
            .with::<SendMail>()
            .with::<AnswerPasswordReset>()
            .with::<MakeSizes>()
            .with::<TranslateSheets>()
            .with::<ReadTexts>()
            .with::<ReadFeed>()
            .with::<RefreshFeed>()
            .with::<RunSource>()
            .with::<RefreshSource>()
            .with::<FetchPictures>()
            .with::<EraseExpired>()
            .with::<CheckTraces>();
        // Where nothing prints, batches wait for a server that does.
        if parts.renderer.is_some() {
            kinds = kinds.with::<PrintBatch>();
        }
        // The same without a planner.
        if parts.engine.is_some() {
            kinds = kinds.with::<ScoreAgain>().with::<MatchLines>();
        }
        static APPLICATIONS: AtomicU64 = AtomicU64::new(0);
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        // A test runs several applications in one process: each counts as a separate server.
        let number = APPLICATIONS.fetch_add(1, Ordering::Relaxed);
        let suffix = if number == 0 { String::new() } else { format!(".{number}") };
        Self {
            kinds: Arc::new(kinds),
            node: format!("{host}:{}{suffix}", std::process::id()),
            is_worked: AtomicBool::new(false),
        }
    }

    /// Whether this server can run a job, or at least judge it.
    pub fn knows(&self, job: &Job) -> bool {
        self.kinds.knows(&job.kind, job.version)
    }

    /// Whether a worker runs in this process. Commands and tests have none: they run a job themselves where they need it done.
    pub(crate) fn is_worked(&self) -> bool {
        self.is_worked.load(Ordering::Relaxed)
    }
}

/// A worker for the jobs of an application. It takes none until it is started or called.
pub(crate) fn worker(app: &App) -> Worker<App> {
    let state = &app.jobs;
    Worker::new(app.clone(), app.store.clone(), Arc::clone(&app.clock), Arc::clone(&state.kinds), &state.node)
}

/// Starts the worker of a server, and enqueues the hourly jobs.
pub fn start(app: &App) -> Running {
    hourly::start(app.clone());
    app.jobs.is_worked.store(true, Ordering::Relaxed);
    worker(app).start()
}

/// Runs everything that may start now: for commands and tests.
pub async fn settle(app: &App) -> Result<(), StoreError> {
    worker(app).settle().await
}

/// Runs everything of one kind that may start now.
pub(crate) async fn settle_only(app: &App, kind: &str) -> Result<(), StoreError> {
    worker_only(app, kind).settle().await
}

/// Runs one job of one kind, or one step of it. False when none may start now.
pub(crate) async fn step_only(app: &App, kind: &str) -> Result<bool, StoreError> {
    worker_only(app, kind).step().await
}

fn worker_only(app: &App, kind: &str) -> Worker<App> {
    let state = &app.jobs;
    let kinds = Arc::new(state.kinds.only(kind));
    Worker::new(app.clone(), app.store.clone(), Arc::clone(&app.clock), kinds, &state.node)
}

/// A failure of the server in a job is logged and tried again.
impl From<Internal> for Failure {
    fn from(error: Internal) -> Self {
        Self::internal(error)
    }
}

/// The reason of a job for what is noted of the domain's own.
pub(crate) fn reason_of(note: &ImportNote) -> JobReason {
    let params = note.params.iter();
    params.fold(JobReason::new(&note.code), |reason, (name, value)| reason.with(name, value.as_str()))
}

/// Tries a dead job again, or starts one at once that waits after a failure, and records who asked for it. False when it is
/// neither, and when another job with its key waits by now.
pub async fn retry(app: &App, who: Who, id: i64) -> Result<bool, StoreError> {
    let tx = app.store.begin().await?;
    match worker(app).retry(&tx, id).await {
        Ok(true) => {
            recorded(app, &tx, who, Action::JobRetried, id).await?;
            tx.commit().await.map(|()| true)
        }
        Ok(false) | Err(StoreError::UniqueViolation(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Cancels a job, or asks the server that works on it to stop, and records who asked for it.
pub async fn cancel(app: &App, who: Who, id: i64) -> Result<Cancelling, StoreError> {
    let tx = app.store.begin().await?;
    let done = worker(app).cancel(&tx, id).await?;
    if done != Cancelling::Ended {
        recorded(app, &tx, who, Action::JobCancelled, id).await?;
    }
    tx.commit().await?;
    Ok(done)
}

async fn recorded(app: &App, tx: &Tx, who: Who, action: Action, id: i64) -> Result<(), StoreError> {
    let Some(job) = store::job::find(tx, id).await? else { return Ok(()) };
    let on = On { white_label: job.white_label_id, ..On::NOTHING };
    audit::done(app, tx, who, action, on, Detail::Job { id, kind: job.kind }).await
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_jobs))
        .routes(routes!(act::retry_job))
        .routes(routes!(act::cancel_job))
}
