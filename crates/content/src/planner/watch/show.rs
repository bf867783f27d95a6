//! Shows the progress of the watch, and starts it again.

use app::App;
use app::extract::{Reader, Superadmin};
use app::problem::Internal;
use app::record::Named;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::watch::{KnownNetwork, RunState, Turn, WatchRun};
use domain::{Actor, Capability, Instant};
use serde::Serialize;
use store::OwnerFilter;
use store::watch::{self as rows, ChangeFilter, TurnCounts};
use utoipa::ToSchema;

use super::WatchError;
use super::work::{Beginning, begin_forced, network_in};

/// The watch.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WatchView {
    /// The last run; none before the first.
    pub run: Option<WatchRunView>,
    /// Changes of the active white-label's own parcours that were not looked at yet.
    pub waiting: WatchCounts,
    /// Whether this person may score everything again.
    pub may_run: bool,
}

/// Everything scored once more.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WatchRunView {
    pub id: i64,
    /// How far it has come; `failed`: given up, another network came meanwhile.
    pub state: RunState,
    /// Whether a user asked for it, over everything; else the network was replaced.
    pub forced: bool,
    /// Who asked.
    pub asked_by: Option<Named>,
    /// The network before, where it is known.
    pub before: Option<NetworkView>,
    /// The network that is scored on.
    pub after: NetworkView,
    /// Parcours to go through.
    pub total: i64,
    /// Parcours processed.
    pub scored: i64,
    /// Parcours that could not be scored: they keep their last score, as `stale`.
    pub failed: i64,
    /// What it found among the parcours that this person sees.
    pub counts: WatchCounts,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

/// A network.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NetworkView {
    /// The planner it belongs to.
    pub engine: Option<String>,
    /// The day of its data.
    pub data_date: Option<String>,
    /// Checksum of the data it was made from, hexadecimal.
    pub checksum: Option<String>,
}

/// How changes share out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct WatchCounts {
    /// Guidance lost.
    pub lost: i64,
    /// Guidance gained.
    pub gained: i64,
    /// A higher score, guidance unchanged.
    pub better: i64,
    /// A lower score, guidance unchanged.
    pub worse: i64,
}

impl From<TurnCounts> for WatchCounts {
    fn from(counts: TurnCounts) -> Self {
        Self {
            lost: counts.of(Turn::Lost),
            gained: counts.of(Turn::Gained),
            better: counts.of(Turn::Better),
            worse: counts.of(Turn::Worse),
        }
    }
}

impl From<KnownNetwork> for NetworkView {
    fn from(network: KnownNetwork) -> Self {
        Self { engine: network.engine, data_date: network.data_date, checksum: network.checksum }
    }
}

/// What the network watch found last, and how far it is.
#[utoipa::path(get, path = "/api/v1/planner/watch", tag = "planner", security(("session" = ["content.read"])),
    responses((status = 200, body = WatchView), WatchError))]
#[tracing::instrument(name = "watch.show", skip_all)]
pub async fn show_watch(State(app): State<App>, reader: Reader) -> Result<Json<WatchView>, WatchError> {
    Ok(Json(view(&app, &reader).await?))
}

/// Score every parcours again now, also those scored on this very network.
#[utoipa::path(post, path = "/api/v1/planner/watch/runs", tag = "planner", security(("session" = ["reference.manage"])),
    responses((status = 202, body = WatchView), WatchError))]
#[tracing::instrument(name = "watch.run", skip_all)]
pub async fn start_watch_run(
    State(app): State<App>,
    superadmin: Superadmin,
) -> Result<(StatusCode, Json<WatchView>), WatchError> {
    match begin_forced(&app, superadmin.user_id).await? {
        Beginning::Begun => {}
        Beginning::Running => return Err(WatchError::Running),
        Beginning::NoNetwork => return Err(WatchError::Absent),
    }
    Ok((StatusCode::ACCEPTED, Json(view(&app, &superadmin).await?)))
}

async fn view(app: &App, actor: &Actor) -> Result<WatchView, Internal> {
    let run = match rows::latest(app.store.read()).await? {
        Some(run) => Some(run_view(app, actor, run).await?),
        None => None,
    };
    let may_run = network_in(&app.region()).is_some() && actor.can(Capability::ReferenceManage);
    Ok(WatchView { run, waiting: waiting(app, actor).await?, may_run })
}

/// Changes of the active white-label's own parcours that were not looked at yet.
pub async fn waiting(app: &App, actor: &Actor) -> Result<WatchCounts, Internal> {
    let mine = ChangeFilter { owner: OwnerFilter::Mine, ..ChangeFilter::default() };
    Ok(rows::counts(app.store.read(), actor, &mine).await?.into())
}

async fn run_view(app: &App, actor: &Actor, run: WatchRun) -> Result<WatchRunView, Internal> {
    let found = ChangeFilter { run: Some(run.id), with_seen: true, ..ChangeFilter::default() };
    let counts = rows::counts(app.store.read(), actor, &found).await?.into();
    Ok(WatchRunView {
        id: run.id,
        state: run.state,
        forced: run.forced,
        asked_by: run.asked_by.map(|(id, name)| Named { id: id.0, name }),
        before: run.before.map(Into::into),
        after: run.after.into(),
        total: run.total,
        scored: run.scored,
        failed: run.failed,
        counts,
        started_at: run.started_at,
        finished_at: run.finished_at,
    })
}
