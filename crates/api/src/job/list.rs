//! What runs, waits and failed.

use app::extract::{Admin, Query, rows_per_page};
use app::record::Named;
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use domain::job::{Job, JobReason, JobState};
use domain::{Actor, Instant, Role};
use serde::{Deserialize, Serialize};
use store::job::{self as rows, JobFilter};
use store::{Connection, StoreError};
use utoipa::{IntoParams, ToSchema};

use super::error::JobError;

/// Which jobs are asked for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct JobQuery {
    /// States, with commas: `waiting`, `running`, `done`, `dead`, `cancelled`.
    state: Option<String>,
    /// `mail`, `roadbook_batch` …
    kind: Option<String>,
    /// Jobs before the one of this number: `next_before` of the page before.
    before: Option<i64>,
    /// Jobs on a page, at most 200.
    #[param(minimum = 1, maximum = 200, example = 50)]
    #[serde(deserialize_with = "rows_per_page")]
    per_page: Option<u64>,
}

/// A job.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Job)]
pub struct JobView {
    /// Number of the job.
    id: i64,
    /// `mail`, `roadbook_batch` …
    kind: String,
    /// False for a kind that this server does not know: a newer server made it, and one like it must run it.
    is_known: bool,
    state: JobState,
    /// Whether a running job was asked to stop.
    is_cancelling: bool,
    /// The white-label it works for. None for the platform.
    white_label: Option<Named>,
    /// The user who asked for it, where the reader sees them.
    asked_by: Option<Named>,
    /// Starts since it was enqueued, tried again by hand, or last made progress.
    attempts: i64,
    /// Attempts after which it is dead.
    max_attempts: i64,
    /// It does not start before.
    run_after: Instant,
    /// The server that works on it, or did last.
    server: Option<String>,
    /// Steps done.
    done: Option<i64>,
    /// Steps in all.
    total: Option<i64>,
    /// Why it failed last, or cannot run here.
    reason: Option<JobReason>,
    /// When it was enqueued.
    created_at: Instant,
    /// When it first started.
    started_at: Option<Instant>,
    /// When it ended.
    finished_at: Option<Instant>,
}

/// How many jobs there are, by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobTotals {
    /// No server works on them.
    waiting: i64,
    /// Servers work on them.
    running: i64,
    /// They failed.
    dead: i64,
}

impl JobTotals {
    /// The counts of `self` without the jobs counted in `those`.
    pub(crate) fn minus(self, those: Self) -> Self {
        Self {
            waiting: self.waiting - those.waiting,
            running: self.running - those.running,
            dead: self.dead - those.dead,
        }
    }
}

/// A page of jobs.
#[derive(Debug, Serialize, ToSchema)]
pub struct Jobs {
    /// The jobs, the newest first.
    items: Vec<JobView>,
    /// What to ask for as `before` to get the next page. None on the last one.
    next_before: Option<i64>,
    /// Jobs of the reader’s structure; of all structures for a superadmin.
    counts: JobTotals,
    /// Jobs of the platform and of other structures: the reader’s own jobs may wait for them.
    others: JobTotals,
}

/// The jobs whose names an administrator sees.
pub(crate) fn shown_to(actor: &Actor) -> JobFilter {
    let structure = (actor.role != Role::Superadmin).then_some(actor.structure_id);
    JobFilter { structure, ..JobFilter::default() }
}

/// Jobs as an administrator sees them.
pub(super) async fn views(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    jobs: Vec<Job>,
) -> Result<Vec<JobView>, StoreError> {
    let (labels, people) = rows::names(db, &jobs, shown_to(actor).structure).await?;
    let view = |job: Job| {
        let is_known = app.jobs().knows(&job);
        let unknown = (!is_known && job.state == JobState::Waiting).then(|| JobReason::new("job/unknown-kind"));
        let label = job.white_label_id.map(|id| id.0);
        let person = job.asked_by.map(|id| id.0);
        JobView {
            id: job.id,
            kind: job.kind,
            is_known,
            state: job.state,
            is_cancelling: job.is_cancelling,
            white_label: label.and_then(|id| labels.get(&id).map(|name| Named { id, name: name.clone() })),
            asked_by: person.and_then(|id| people.get(&id).map(|name| Named { id, name: name.clone() })),
            attempts: job.attempts,
            max_attempts: job.max_attempts,
            run_after: job.run_after,
            server: job.node,
            done: job.done,
            total: job.total,
            reason: job.reason.or(unknown),
            created_at: job.created_at,
            started_at: job.started_at,
            finished_at: job.finished_at,
        }
    };
    Ok(jobs.into_iter().map(view).collect())
}

/// How many jobs a filter shows.
pub(crate) async fn counted(db: &impl Connection, filter: &JobFilter) -> Result<JobTotals, StoreError> {
    let found = rows::count(db, filter).await?;
    let of = |state: JobState| found.get(&state).copied().unwrap_or_default();
    Ok(JobTotals { waiting: of(JobState::Waiting), running: of(JobState::Running), dead: of(JobState::Dead) })
}

/// Work that servers do after their answers: of the white-labels of the administrator’s structure; all of it for a superadmin.
#[utoipa::path(get, path = "/api/v1/jobs", tag = "jobs", security(("session" = ["users.manage"])),
    params(JobQuery), responses((status = 200, body = Jobs), JobError))]
#[tracing::instrument(name = "job.list", skip_all)]
pub async fn list_jobs(
    State(app): State<App>,
    admin: Admin,
    Query(query): Query<JobQuery>,
) -> Result<Json<Jobs>, JobError> {
    let db = app.store.read();
    let shown = shown_to(&admin);
    let counts = counted(db, &shown).await?;
    let all = counted(db, &JobFilter::default()).await?;
    let others = all.minus(counts);
    let states = filter::words("state", query.state.as_deref(), JobState::parse)?;
    let kind = query.kind.filter(|kind| !kind.is_empty());
    let per_page = query.per_page.unwrap_or(50);
    let mut jobs = rows::list(db, &JobFilter { states, kind, ..shown }, query.before, per_page + 1).await?;
    let more = jobs.len() as u64 > per_page;
    jobs.truncate(per_page as usize);
    let next_before = jobs.last().filter(|_| more).map(|last| last.id);
    Ok(Json(Jobs { items: views(&app, db, &admin, jobs).await?, next_before, counts, others }))
}
