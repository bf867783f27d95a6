//! Probes for load balancers and supervisors: whether the process lives, and whether requests should be sent to it.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use app::App;
use app::token::new_token;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::{ReplicaState, StoreError};
use utoipa::ToSchema;

use super::disk::disk_state;
use crate::region::{RegionPhase, RegionProgress, keeps_unready, progress};

/// A part that does not answer within this time is reported as failing.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// The state of the database is reused for this time: the probes need no session, so the work per second is bounded.
const DATABASE_KEPT: Duration = Duration::from_secs(1);
/// The state of the blobs is reused for this time: each check writes, reads and deletes a blob.
const BLOBS_KEPT: Duration = Duration::from_secs(15);

/// What the probes remember.
#[derive(Debug, Default)]
pub(crate) struct Probed {
    is_stopping: AtomicBool,
    /// One request at a time asks the parts; the others wait for its answer.
    turn: tokio::sync::Mutex<()>,
    database: Mutex<Option<(Instant, DatabaseState)>>,
    blobs: Mutex<Option<(Instant, PartState)>>,
}

#[derive(Debug, Clone, Copy)]
struct DatabaseState {
    /// Whether it answers and takes writes.
    works: PartState,
    schema: PartState,
}

/// How a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartState {
    /// It works.
    Ok,
    /// It is not set up.
    None,
    /// It does not work.
    Failing,
    /// It works with older data, while newer ones are fetched.
    Updating,
    /// It is not there yet: it is being fetched.
    Fetching,
}

/// Whether requests should be sent to this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadyState {
    /// They should.
    Ready,
    /// It answers them, and some will fail: the blobs, the planner or the replica do not work, the disk is full, or the region that is
    /// published cannot be used.
    Degraded,
    /// The database does not answer or takes no writes, or its tables do not fit this version; or the server has no region yet and
    /// fetches the one that is published.
    NotReady,
    /// The server was asked to stop. It still answers what comes.
    Stopping,
}

/// Whether requests should be sent to this server, and how its parts are.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Readiness {
    status: ReadyState,
    version: String,
    /// Whether it answers and takes writes.
    database: PartState,
    /// Whether its tables fit this version.
    schema: PartState,
    /// The replica of the database: failing where the primary answers instead.
    replica: PartState,
    /// Whether a blob can be written, read and deleted; asked at most each 15 seconds.
    blobs: PartState,
    /// The planner's network.
    network: PartState,
    /// The base map.
    tiles: PartState,
    /// The disk of the data folder: failing with less than 32 MB of room.
    disk: PartState,
    /// The region that is published to all servers; none where none is.
    region: Option<RegionProgress>,
}

impl Readiness {
    /// Whether requests should be sent to it.
    pub fn status(&self) -> ReadyState {
        self.status
    }

    /// The parts that are measured, by their names, and whether each of them works; one that is not set up counts as working.
    pub fn parts(&self) -> [(&'static str, bool); 4] {
        [("database", self.database), ("blobs", self.blobs), ("disk", self.disk), ("network", self.network)]
            .map(|(name, state)| (name, state != PartState::Failing))
    }

    /// Whether the blobs work.
    pub(crate) fn blobs(&self) -> PartState {
        self.blobs
    }
}

/// From now on `/readyz` answers that this server stops, so that a load balancer sends no new requests. Requests that come are answered.
pub fn begin_stop(app: &App) {
    app.shared::<Probed>().is_stopping.store(true, Ordering::Relaxed);
}

/// Whether the process answers. It asks no other part: where it fails, a restart helps.
#[utoipa::path(get, path = "/livez", tag = "runtime", security(()), responses((status = 200, body = String, content_type = "text/plain")))]
pub async fn show_liveness() -> &'static str {
    "ok"
}

/// Whether requests should be sent to this server: 200 where it is ready or degraded, else 503.
#[utoipa::path(get, path = "/readyz", tag = "runtime", security(()), responses((status = 200, body = Readiness), (status = 503, body = Readiness)))]
pub async fn show_readiness(State(app): State<App>) -> Response {
    let found = readiness(&app).await;
    let good = matches!(found.status, ReadyState::Ready | ReadyState::Degraded);
    let status = if good { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(found)).into_response()
}

/// How this server and its parts are.
pub async fn readiness(app: &App) -> Readiness {
    let probed = app.shared::<Probed>();
    let turn = probed.turn.lock().await;
    let database = kept(&probed.database, DATABASE_KEPT, ask_database(app)).await;
    let blobs = kept(&probed.blobs, BLOBS_KEPT, ask_blobs(app)).await;
    drop(turn);
    let disk = disk_state(app);
    let replica = match app.store.replica().map(|found| found.state) {
        None => PartState::None,
        Some(ReplicaState::Ok) => PartState::Ok,
        Some(ReplicaState::Late | ReplicaState::Away) => PartState::Failing,
    };
    let (region, progress, without_region) = (app.region(), progress(app), keeps_unready(app));
    let is_fetching = without_region || progress.state == RegionPhase::Fetching;
    let there = |there: bool| match (there, is_fetching) {
        (true, true) => PartState::Updating,
        (true, false) => PartState::Ok,
        (false, true) => PartState::Fetching,
        (false, false) => PartState::None,
    };
    let network = if region.engine_failure.is_some() && !is_fetching {
        PartState::Failing
    } else {
        there(region.engine.is_some())
    };
    let failing = |part: PartState| part == PartState::Failing;
    let status = if probed.is_stopping.load(Ordering::Relaxed) {
        ReadyState::Stopping
    } else if failing(database.works) || failing(database.schema) || without_region {
        ReadyState::NotReady
    } else if [blobs, network, disk, replica].into_iter().any(failing) || progress.state == RegionPhase::Refused {
        ReadyState::Degraded
    } else {
        ReadyState::Ready
    };
    Readiness {
        status,
        version: app.settings.version.clone(),
        database: database.works,
        schema: database.schema,
        replica,
        blobs,
        network,
        tiles: there(region.tiles.is_some()),
        disk,
        region: Some(progress).filter(|progress| progress.published.is_some()),
    }
}

/// The answer from before, while it is young enough; else a new one.
async fn kept<T: Copy>(known: &Mutex<Option<(Instant, T)>>, time: Duration, ask: impl Future<Output = T>) -> T {
    let before = *known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, found)) = before.filter(|(at, _)| at.elapsed() < time) {
        return found;
    }
    let found = ask.await;
    *known.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), found));
    found
}

async fn ask_database(app: &App) -> DatabaseState {
    let asked = async { Ok::<_, StoreError>((app.store.schema().await?, app.store.takes_writes().await?)) };
    let failing = DatabaseState { works: PartState::Failing, schema: PartState::Failing };
    let (schema, takes_writes) = match tokio::time::timeout(PROBE_TIMEOUT, asked).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            tracing::error!(%error, "the database does not answer");
            return failing;
        }
        Err(_) => {
            tracing::error!("the database does not answer in time");
            return failing;
        }
    };
    if !takes_writes {
        tracing::error!("the database takes no writes: a standby, or read-only");
    }
    let fault = schema.fault();
    if let Some(fault) = &fault {
        tracing::error!("{fault}");
    }
    let state = |is_well: bool| if is_well { PartState::Ok } else { PartState::Failing };
    DatabaseState { works: state(takes_writes), schema: state(fault.is_none()) }
}

async fn ask_blobs(app: &App) -> PartState {
    match tokio::time::timeout(PROBE_TIMEOUT, app.blobs.check(&new_token())).await {
        Ok(Ok(())) => return PartState::Ok,
        Ok(Err(error)) => tracing::error!(%error, "the blobs cannot be used"),
        Err(_) => tracing::error!("the blobs do not answer in time"),
    }
    PartState::Failing
}
