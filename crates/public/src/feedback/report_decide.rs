//! What the staff do with a field report.

use app::App;
use app::extract::{Body, Path, Publisher};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use content::parcours::access::held;
use domain::feedback::{ReportState, check_warning};
use domain::{Instant, ParcoursId, Text};
use serde::Deserialize;
use store::feedback::{self as rows, Report, Subject};
use tracing::instrument;
use utoipa::ToSchema;

use super::FeedbackError;
use super::report_list::{ReportView, views};

/// What is done with a report.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub enum ReportDecision {
    /// The staff know of it; walkers are warned meanwhile, or not. Sent again for a seen report, it changes the warning.
    See {
        /// Whether walkers are warned.
        shown: bool,
        /// The words for that, beside what was found and where; what was sent is not shown.
        #[serde(default)]
        warning: Text,
    },
    /// It is put right: the warning goes.
    Solve {},
}

impl ReportDecision {
    /// Applies the decision to a report; returns the entry for its history.
    fn apply(self, report: &mut Report, now: Instant) -> Result<(&'static str, &'static str), FeedbackError> {
        match self {
            Self::See { shown, warning } => {
                report.warning = check_warning(warning).map_err(|errors| FeedbackError::Refused { errors })?;
                report.shown = shown;
                let what = if report.state == ReportState::Solved { "reopened" } else { "seen" };
                (report.state, report.solved_at) = (ReportState::Seen, None);
                Ok((what, if shown { "shown" } else { "" }))
            }
            Self::Solve {} => {
                (report.state, report.solved_at, report.shown) = (ReportState::Solved, Some(now), false);
                Ok(("solved", ""))
            }
        }
    }
}

/// Note that a report is seen, with or without a warning for walkers, or that it is solved.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/field-reports/{report_id}/decision", tag = "feedback",
    params(("id" = i64, Path), ("report_id" = i64, Path)), request_body = ReportDecision,
    security(("session" = ["content.publish"])), responses((status = 200, body = ReportView), FeedbackError))]
#[instrument(name = "report.decide", skip_all, fields(parcours.id = %id))]
pub async fn decide_report(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, report_id)): Path<(ParcoursId, i64)>,
    Body(decision): Body<ReportDecision>,
) -> Result<Json<ReportView>, FeedbackError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    held(&tx, id, &publisher).await?;
    rows::hold(&tx, id).await?;
    let no_report = || FeedbackError::NoReport { id: report_id };
    let mut report = rows::find_report(&tx, id, report_id).await?.ok_or_else(no_report)?;
    let (what, kind) = decision.apply(&mut report, now)?;
    rows::save_report(&tx, &report).await?;
    rows::note(&tx, (Subject::Report, report_id), (what, kind, ""), Some(publisher.user_id), now).await?;
    rows::settle(&tx, id, now).await?;
    let view = views(&tx, &publisher, vec![report]).await?.pop();
    tx.commit().await?;
    view.map(Json).ok_or_else(no_report)
}

/// Delete a report and its photo for good: for spam, or for a text about a person.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}/field-reports/{report_id}", tag = "feedback",
    params(("id" = i64, Path), ("report_id" = i64, Path)), security(("session" = ["content.publish"])),
    responses((status = 204), FeedbackError))]
#[instrument(name = "report.delete", skip_all, fields(parcours.id = %id))]
pub async fn delete_report(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, report_id)): Path<(ParcoursId, i64)>,
) -> Result<StatusCode, FeedbackError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    held(&tx, id, &publisher).await?;
    rows::hold(&tx, id).await?;
    let report = rows::find_report(&tx, id, report_id).await?.ok_or(FeedbackError::NoReport { id: report_id })?;
    rows::delete_report(&tx, report_id).await?;
    rows::settle(&tx, id, now).await?;
    tx.commit().await?;
    if let Some(key) = report.photo_key {
        app.blobs.delete(&key).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
