//! Each server writes every few seconds how it is, into a row of its own.

use std::time::Duration;

use app::App;
use domain::{DAY_S, Instant};
use store::StoreError;
use store::node::{self, Node};

use crate::region::progress;
use crate::runtime::disk;

/// How often a server writes its row.
const EVERY: Duration = Duration::from_secs(15);
/// How often it looks whether what it does about its region is another thing now.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// A server that has not written for so long does not answer.
pub(super) const SILENT_S: i64 = 60;
/// After so long its row is deleted.
pub(super) const FORGOTTEN_S: i64 = DAY_S;

/// Writes the row of this server again and again. It ends with the runtime.
pub fn start(app: App) {
    let started_at = app.now();
    tokio::spawn(async move {
        loop {
            let before = progress(&app).state;
            if let Err(error) = note(&app, started_at).await {
                // The probes and the log say more about a database that does not answer.
                tracing::debug!(%error, "how this server is could not be written");
            }
            let written = tokio::time::Instant::now();
            while written.elapsed() < EVERY && progress(&app).state == before {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        }
    });
}

/// Writes once how this server is, and forgets those that have been silent for a day.
pub async fn note(app: &App, started_at: Instant) -> Result<(), StoreError> {
    let (region, progress) = (app.region(), progress(app));
    let tiles_date =
        || region.tiles.as_deref().and_then(basemap::Tiles::data_date_s).map(|seconds| Instant(seconds).day());
    let data_date = region.engine.as_deref().and_then(|engine| engine.status().data_date).or_else(tiles_date);
    let now = app.now();
    let row = Node {
        name: app.jobs().node().to_owned(),
        version: app.settings.version.clone(),
        build: app.settings.build_id.clone(),
        started_at,
        seen_at: now,
        bundle: region.bundle.clone(),
        data_date,
        region_state: progress.state.as_str().to_owned(),
        region_percent: progress.percent,
        region_problem: progress.problem,
        disk: disk(app),
    };
    let tx = app.store.begin().await?;
    node::put(&tx, &row).await?;
    node::forget_before(&tx, now.plus_s(-FORGOTTEN_S)).await?;
    tx.commit_aside().await
}

/// Deletes the row of this server, which stops.
pub async fn leave(app: &App) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    node::remove(&tx, app.jobs().node()).await?;
    tx.commit_aside().await
}
