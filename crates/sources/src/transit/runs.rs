//! Runs: begin one, watch it, stop it.

use app::App;
use app::extract::{Importer, Paging, Path, Query};
use app::record::operations::seen;
use app::record::{At, Named};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Instant;
use domain::imports::{ImportNote, ImportState};
use domain::transit::FeedCounts;
use serde::Serialize;
use store::transit::{self as rows, TransitRun};
use utoipa::ToSchema;

use super::work::{begin, enqueue};
use super::{TransitError, TransportFeedResource};

/// A run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TransportRunView {
    pub id: i64,
    pub feed_id: i64,
    pub state: ImportState,
    /// What it does now: `fetch`, `read`, `follow`.
    pub phase: String,
    /// Rows of the phase that are written.
    pub done: i64,
    /// Rows of the phase.
    pub total: Option<i64>,
    /// Whether the file was the same as the last time.
    pub unchanged: bool,
    pub counts: FeedCounts,
    /// Remarks on the feed.
    pub notes: Vec<ImportNote>,
    /// Why it failed.
    pub failure: Option<ImportNote>,
    /// Whether it was asked to stop.
    pub cancelling: bool,
    /// Who asked for it; absent for a scheduled run.
    pub asked_by: Option<Named>,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

impl TransportRunView {
    pub(super) fn of(run: TransitRun) -> Self {
        Self {
            id: run.id,
            feed_id: run.feed_id,
            cancelling: run.cancel && run.state == ImportState::Running,
            state: run.state,
            phase: run.phase,
            done: run.at,
            total: run.total,
            unchanged: run.unchanged,
            counts: run.counts,
            notes: run.notes,
            failure: run.failure,
            asked_by: run.asked_by.map(|(id, name)| Named { id: id.0, name }),
            started_at: run.started_at,
            finished_at: run.finished_at,
        }
    }
}

/// Runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransportRunList {
    /// The items of the page, the newest first.
    pub items: Vec<TransportRunView>,
    pub total: i64,
}

/// Read a feed now.
#[utoipa::path(post, path = "/api/v1/transport-feeds/{id}/runs", tag = "transport-feeds", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 202, body = TransportRunView), TransitError))]
#[tracing::instrument(name = "transport.start", skip_all)]
pub async fn start_transport_run(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
) -> Result<(StatusCode, Json<TransportRunView>), TransitError> {
    let feed = seen::<TransportFeedResource>(app.store.read(), &importer, &at).await?;
    if feed.sheet.url.is_none() && feed.sheet.file.is_none() {
        return Err(TransitError::NothingToRead);
    }
    let id = begin(&app, &feed, Some(importer.user_id)).await?.ok_or(TransitError::Running)?;
    let run = rows::find_run(app.store.read(), id).await?.ok_or(TransitError::RunNotFound { id })?;
    Ok((StatusCode::ACCEPTED, Json(TransportRunView::of(run))))
}

/// The runs of a feed, the newest first.
#[utoipa::path(get, path = "/api/v1/transport-feeds/{id}/runs", tag = "transport-feeds", params(("id" = i64, Path), Paging),
    security(("session" = ["content.import"])), responses((status = 200, body = TransportRunList), TransitError))]
pub async fn list_transport_runs(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    Query(paging): Query<Paging>,
) -> Result<Json<TransportRunList>, TransitError> {
    let db = app.store.read();
    let feed = seen::<TransportFeedResource>(db, &importer, &at).await?;
    let (runs, total) = rows::runs(db, feed.id, paging.page()).await?;
    Ok(Json(TransportRunList { items: runs.into_iter().map(TransportRunView::of).collect(), total }))
}

/// A run of a white-label that the person works in.
async fn theirs(app: &App, importer: &Importer, id: i64) -> Result<TransitRun, TransitError> {
    let found = rows::find_run(app.store.read(), id).await?.filter(|run| importer.works_in(run.white_label_id));
    found.ok_or(TransitError::RunNotFound { id })
}

/// One run: its progress, and the remarks on the feed.
#[utoipa::path(get, path = "/api/v1/transport-runs/{id}", tag = "transport-feeds", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 200, body = TransportRunView), TransitError))]
pub async fn show_transport_run(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<i64>,
) -> Result<Json<TransportRunView>, TransitError> {
    Ok(Json(TransportRunView::of(theirs(&app, &importer, id).await?)))
}

/// Stop a run after its step. What was shown of the feed stays shown.
#[utoipa::path(post, path = "/api/v1/transport-runs/{id}/cancellation", tag = "transport-feeds", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 204), TransitError))]
#[tracing::instrument(name = "transport.cancel", skip_all)]
pub async fn cancel_transport_run(
    State(app): State<App>,
    importer: Importer,
    Path(id): Path<i64>,
) -> Result<StatusCode, TransitError> {
    let run = theirs(&app, &importer, id).await?;
    let tx = app.store.begin().await?;
    if !rows::cancel(&tx, id).await? {
        return Err(TransitError::Over);
    }
    enqueue(&app, &tx, id, run.white_label_id, run.asked_by.map(|(user, _)| user)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
