//! The status page: a superadmin sees all of it, an administrator what names no machine and no other structure.

use app::App;
use app::extract::Admin;
use app::problem::Internal;
use axum::Json;
use axum::extract::State;
use domain::job::JobState;
use domain::{Instant, Role};
use serde::Serialize;
use store::node::{self, Node};
use store::{BlobsPlace, Dialect, backup_made, job as jobs, region};
use utoipa::ToSchema;

use super::error::StatusError;
use super::heartbeat::{FORGOTTEN_S, SILENT_S};
use crate::job::{JobTotals, counted, shown_to};
use crate::region::RegionPhase;
use crate::runtime::{PartState, disk, readiness};

/// How the platform is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Status {
    /// Whether the reader sees all of it: machines, disks, sentences for operators.
    is_whole: bool,
    /// When it was worked out.
    at: Instant,
    /// The version of the server that answers.
    version: String,
    database: DatabaseStatus,
    /// The files.
    blobs: BlobsStatus,
    /// Servers that wrote how they are within the last minute.
    servers_running: i64,
    /// Each server of the last day, by name; none for an administrator.
    servers: Vec<ServerStatus>,
    /// The region that is published to all servers; none where each has its own.
    region: Option<RegionStatus>,
    /// The work after answers.
    queue: QueueStatus,
    /// The last backup that `jalon backup create` made; none where none was noted.
    backup: Option<BackupStatus>,
}

/// The database.
#[derive(Debug, Serialize, ToSchema)]
pub struct DatabaseStatus {
    /// Which one.
    kind: DatabaseKind,
    /// The version of its tables.
    schema: Option<i64>,
}

/// A kind of database.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DatabaseKind {
    /// SQLite, in the data folder.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// Where files are kept, and whether they can be written and read.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlobsStatus {
    /// Whether they are in an S3 bucket; else in a folder.
    in_bucket: bool,
    /// Whether one could be written, read and deleted within the last 15 seconds.
    state: PartState,
}

/// A server.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerStatus {
    /// The machine and the number of the process.
    name: String,
    /// Whether it is the one that answers.
    is_this: bool,
    /// Whether it wrote within the last minute.
    is_running: bool,
    /// The version of its program.
    version: String,
    /// When it started.
    started_at: Instant,
    /// When it last wrote.
    seen_at: Instant,
    /// The first digits of the bundle of its region; none for a folder of its own.
    bundle: Option<String>,
    /// The day of its region's data.
    data_date: Option<String>,
    /// What it does about its region.
    region_state: RegionPhase,
    /// How much of a region it has fetched, while it fetches one.
    region_percent: Option<u8>,
    /// Why it cannot use the region that is published, for operators.
    region_problem: Option<String>,
    /// Free bytes of the disk of its data folder.
    disk_free: Option<u64>,
    /// All bytes of that disk.
    disk_total: Option<u64>,
}

/// The region that is published to all servers.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegionStatus {
    /// The first digits of its bundle.
    bundle: String,
    /// The day of its data.
    data_date: Option<String>,
    /// When it was published, or taken again.
    set_at: Instant,
    /// Bytes of its files.
    bytes: u64,
    /// Servers that use it, of those that run.
    in_use_by: i64,
    /// Servers that refuse it.
    refused_by: i64,
}

/// The work after answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueStatus {
    /// Jobs of the reader's structure; all jobs for a superadmin.
    counts: JobTotals,
    /// Jobs of the platform and of other structures.
    others: JobTotals,
    /// For how many seconds the oldest job that may start has waited; for a superadmin.
    oldest_waits_s: Option<i64>,
}

/// A backup.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupStatus {
    made_at: Instant,
    /// Its size.
    bytes: u64,
    /// How many files the database needs and it does not have.
    missing: u64,
    /// The name of its file; for a superadmin.
    file: Option<String>,
}

/// How the platform is: servers, database, queue, region, backup. A superadmin sees all of it.
#[utoipa::path(get, path = "/api/v1/status", tag = "runtime", security(("session" = ["users.manage"])),
    responses((status = 200, body = Status), StatusError))]
#[tracing::instrument(name = "status.show", skip_all)]
pub async fn show_status(State(app): State<App>, admin: Admin) -> Result<Json<Status>, StatusError> {
    let (db, now) = (app.store.read(), app.now());
    let is_whole = admin.role == Role::Superadmin;
    let nodes = node::list(db, now.plus_s(-FORGOTTEN_S)).await.map_err(Internal::from)?;
    let is_running = |node: &Node| is_running(&app, now, node);
    let region = region_status(&app, &nodes, is_running).await?;
    let shown = shown_to(&admin);
    let counts = counted(db, &shown).await.map_err(Internal::from)?;
    let all = counted(db, &jobs::JobFilter::default()).await.map_err(Internal::from)?;
    let due = jobs::count_by_kind(db).await.map_err(Internal::from)?.into_iter();
    let oldest = due
        .filter(|found| found.state == JobState::Waiting && found.first_due <= now)
        .map(|found| found.first_due)
        .min();
    let backup = backup_made::last(db).await.map_err(Internal::from)?;
    let dialect = app.store.dialect();
    Ok(Json(Status {
        is_whole,
        at: now,
        version: app.settings.version.clone(),
        database: DatabaseStatus {
            kind: if dialect == Dialect::Sqlite { DatabaseKind::Sqlite } else { DatabaseKind::Postgres },
            schema: app.store.schema().await.map_err(Internal::from)?.database,
        },
        blobs: BlobsStatus { in_bucket: app.blobs.place() == BlobsPlace::Bucket, state: readiness(&app).await.blobs() },
        servers_running: nodes.iter().filter(|node| is_running(node)).count() as i64,
        region,
        queue: QueueStatus {
            others: all.minus(counts),
            counts,
            oldest_waits_s: oldest.filter(|_| is_whole).map(|due| now.since_s(due).max(0)),
        },
        backup: backup.map(|made| BackupStatus {
            made_at: made.made_at,
            bytes: made.bytes,
            missing: made.missing,
            file: is_whole.then_some(made.file),
        }),
        servers: if is_whole { nodes.into_iter().map(|node| server(&app, now, node)).collect() } else { Vec::new() },
    }))
}

async fn region_status(
    app: &App,
    nodes: &[Node],
    is_running: impl Fn(&Node) -> bool,
) -> Result<Option<RegionStatus>, Internal> {
    let Some(current) = region::current(app.store.read()).await? else { return Ok(None) };
    // One that this version cannot read has no date; the servers say why they refuse it.
    let bundle = region::find(app.store.read(), &current.id).await.ok().flatten();
    let running = || nodes.iter().filter(|node| is_running(node));
    Ok(Some(RegionStatus {
        bundle: current.id.short().to_owned(),
        data_date: bundle.as_ref().and_then(|bundle| bundle.network.data_date.clone()),
        set_at: current.set_at,
        bytes: bundle.map_or(0, |bundle| bundle.manifest.bytes()),
        in_use_by: running().filter(|node| node.bundle.as_ref() == Some(&current.id)).count() as i64,
        refused_by: running().filter(|node| node.region_state == RegionPhase::Refused.as_str()).count() as i64,
    }))
}

/// Whether a server wrote within the last minute. The one that answers runs, also where its row cannot be written.
fn is_running(app: &App, now: Instant, node: &Node) -> bool {
    node.name == app.jobs().node() || node.seen_at.0 >= now.0 - SILENT_S
}

fn server(app: &App, now: Instant, node: Node) -> ServerStatus {
    let is_this = node.name == app.jobs().node();
    let disk = if is_this { disk(app) } else { node.disk };
    ServerStatus {
        is_this,
        is_running: is_running(app, now, &node),
        version: node.version,
        started_at: node.started_at,
        seen_at: node.seen_at,
        bundle: node.bundle.map(|id| id.short().to_owned()),
        data_date: node.data_date,
        // A newer version may know more.
        region_state: RegionPhase::parse(&node.region_state).unwrap_or(RegionPhase::Starting),
        region_percent: node.region_percent,
        region_problem: node.region_problem,
        disk_free: disk.map(|disk| disk.0),
        disk_total: disk.map(|disk| disk.1),
        name: node.name,
    }
}
