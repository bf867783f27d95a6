//! The kinds of jobs of the application (decision 0042), and the worker that runs them.

mod act;
mod error;
mod list;

use std::time::Duration;

use app::mail::SendMail;
use app::routes;
use app::worker::worker;
use app::{App, Parts, audit, hourly};
use content::media::work::MakeSizes;
use content::parcours::trace_check::CheckTraces;
use content::planner::watch::ScoreAgain;
use content::survey_campaign::MailCampaigns;
use domain::HOUR_S;
use domain::audit::{Action, Detail, On, Who};
use jobs::{Kinds, Running};
use outputs::audio::work::ReadTexts;
use outputs::roadbook::batch::{PrintBatch, PrintClientFiles};
use sources::import_job::RefreshSource;
use sources::imports::matching::MatchLines;
use sources::imports::work::RunSource;
use sources::sit::pictures::FetchPictures;
use sources::transit::work::{ReadFeed, RefreshFeed};
use store::job::Cancelling;
use store::{StoreError, Tx};
use utoipa_axum::router::OpenApiRouter;

use crate::blob_sweep::SweepBlobs;
use crate::password_reset::AnswerPasswordReset;
use crate::tidy::EraseExpired;
use crate::translation::work::TranslateSheets;

pub(crate) use self::list::{JobTotals, counted, shown_to};

/// The kinds of jobs that an application of these parts can run.
pub fn kinds(parts: &Parts) -> Kinds<App> {
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
        .with::<SweepBlobs>()
        .with::<CheckTraces>()
        .with::<MailCampaigns>();
    // Batches wait for a server that can print.
    if parts.renderer.is_some() {
        kinds = kinds.with::<PrintBatch>().with::<PrintClientFiles>();
    }
    // Jobs on the network wait for a server with a planner, or with a source of regions, which may bring one.
    if parts.first_region.engine.is_some() || parts.region_source.is_some() {
        kinds = kinds.with::<ScoreAgain>().with::<MatchLines>();
    }
    kinds
}

/// Starts the worker of a server, and enqueues the hourly jobs.
pub fn start(app: &App) -> Running {
    start_hourly(app.clone());
    app.jobs().start();
    worker(app).start()
}

/// Runs everything that may start now: for commands and tests.
pub async fn settle(app: &App) -> Result<(), StoreError> {
    worker(app).settle().await
}

/// Enqueues the hourly jobs when a server starts.
fn start_hourly(app: App) {
    tokio::spawn(async move {
        while let Err(error) = enqueue_hourly(&app).await {
            tracing::error!(%error, "the hourly jobs could not be enqueued");
            tokio::time::sleep(PAUSE).await;
        }
    });
}

/// Enqueues all hourly jobs, as a server does that starts.
pub async fn enqueue_hourly(app: &App) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    hourly::enqueue::<EraseExpired>(app, &tx, 0).await?;
    hourly::enqueue::<CheckTraces>(app, &tx, 0).await?;
    hourly::enqueue::<MailCampaigns>(app, &tx, 0).await?;
    // It lists the whole store: not at each start.
    hourly::enqueue::<SweepBlobs>(app, &tx, HOUR_S).await?;
    tx.commit_aside().await
}

/// How long a server waits before it tries again to enqueue them.
const PAUSE: Duration = Duration::from_secs(10);

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
