//! A report of an app store, taken in.

use app::App;
use app::extract::{Importer, Query, refused_body};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use domain::statistics::{AppStore, Day, ReportFault, read_store_report};
use serde::{Deserialize, Serialize};
use store::statistics;
use utoipa::{IntoParams, ToSchema};

use super::error::StatisticsError;
use super::query::theirs;

/// The store the report is from.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ReportQuery {
    /// The white-label whose application it is.
    white_label_id: i64,
    /// The store it comes from.
    store: AppStore,
}

/// What was taken in.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = InstallReportTaken)]
pub struct ReportTaken {
    /// Days and countries.
    rows: usize,
    /// Rows that were there before and made place.
    replaced: u64,
    /// The first day.
    from: Day,
    /// The last day.
    to: Day,
    /// Installs in all.
    installs: i64,
    /// Uninstalls in all.
    uninstalls: i64,
}

impl From<ReportFault> for StatisticsError {
    fn from(fault: ReportFault) -> Self {
        match fault {
            ReportFault::NoHeader => Self::ReportNoHeader,
            ReportFault::NoFigures { line } => Self::ReportNoFigures { line },
            ReportFault::BadDay { line, value } => Self::ReportBadDay { line, value },
            ReportFault::BadNumber { line, value } => Self::ReportBadNumber { line, value },
            ReportFault::Empty => Self::ReportEmpty,
        }
    }
}

/// Take in a report of App Store Connect or of Play Console, as it was downloaded. From its first to its last day it
/// replaces what was taken in before: the same report twice counts once.
#[utoipa::path(post, path = "/api/v1/statistics/installs", tag = "statistics", params(ReportQuery),
    request_body(content = String, content_type = "text/csv", description = "A table with commas, semicolons or tabs, UTF-8 or UTF-16"),
    security(("session" = ["content.import"])), responses((status = 200, body = ReportTaken), StatisticsError))]
#[tracing::instrument(name = "statistics.import", skip_all)]
pub async fn import_installs(
    State(app): State<App>,
    importer: Importer,
    Query(asked): Query<ReportQuery>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ReportTaken>, StatisticsError> {
    let white_label = theirs(&importer, asked.white_label_id)?;
    let report = read_store_report(&body.map_err(refused_body)?)?;
    if let Some(store) = report.of.filter(|of| *of != asked.store) {
        return Err(StatisticsError::ReportOfOtherStore { store: store.as_str() });
    }
    let (Some(first), Some(last)) = (report.rows.first(), report.rows.last()) else {
        return Err(StatisticsError::ReportEmpty);
    };
    // A day more: it is tomorrow already where some people live.
    if last.day > Day::in_zone(&app.settings.time_zone, app.now()).plus(1) {
        return Err(StatisticsError::ReportFuture { day: last.day.to_string() });
    }
    let tx = app.store.begin().await?;
    let replaced = statistics::import_installs(&tx, white_label, asked.store, &report.rows).await?;
    tx.commit_aside().await?;
    Ok(Json(ReportTaken {
        rows: report.rows.len(),
        replaced,
        from: first.day,
        to: last.day,
        installs: report.rows.iter().map(|row| row.installs).sum(),
        uninstalls: report.rows.iter().map(|row| row.uninstalls).sum(),
    }))
}
