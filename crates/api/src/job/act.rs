//! Trying a job again, and cancelling one.

use app::App;
use app::extract::{Admin, Path};
use axum::Json;
use axum::extract::State;
use domain::Actor;
use domain::audit::Who;
use store::job::{self as rows, Cancelling};
use tracing::instrument;

use super::error::JobError;
use super::list::{JobView, shown_to, views};

/// Try a dead job again, or start one at once that waits after a failure.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/retry", tag = "jobs", params(("id" = i64, Path)),
    security(("session" = ["users.manage"])), responses((status = 200, body = JobView), JobError))]
#[instrument(name = "job.retry", skip_all, fields(job.id = %id))]
pub async fn retry_job(State(app): State<App>, admin: Admin, Path(id): Path<i64>) -> Result<Json<JobView>, JobError> {
    shown(&app, &admin, id).await?;
    if !super::retry(&app, Who::from(&*admin), id).await? {
        return Err(JobError::NotRetryable { id });
    }
    shown(&app, &admin, id).await.map(Json)
}

/// Cancel a job that waits; ask the server that works on one to stop.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/cancel", tag = "jobs", params(("id" = i64, Path)),
    security(("session" = ["users.manage"])), responses((status = 200, body = JobView), JobError))]
#[instrument(name = "job.cancel", skip_all, fields(job.id = %id))]
pub async fn cancel_job(State(app): State<App>, admin: Admin, Path(id): Path<i64>) -> Result<Json<JobView>, JobError> {
    shown(&app, &admin, id).await?;
    if super::cancel(&app, Who::from(&*admin), id).await? == Cancelling::Ended {
        return Err(JobError::Ended { id });
    }
    shown(&app, &admin, id).await.map(Json)
}

async fn shown(app: &App, actor: &Actor, id: i64) -> Result<JobView, JobError> {
    let db = app.store.read();
    let job = rows::find_shown(db, &shown_to(actor), id).await?.ok_or(JobError::NotFound { id })?;
    views(app, db, actor, vec![job]).await?.pop().ok_or(JobError::NotFound { id })
}
