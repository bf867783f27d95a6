//! Figures as a table.

use app::csv::csv_line;
use app::download::attachment;
use app::extract::{Exporter, Query};
use app::{App, audit};
use axum::extract::State;
use axum::response::Response;
use domain::Text;
use domain::audit::ExportedList;
use domain::statistics::EventKind;
use serde::Deserialize;
use store::statistics::{Counts, by_day};
use utoipa::{IntoParams, ToSchema};

use super::breakdown::{Breakdown, MAX_ROWS, rows};
use super::error::StatisticsError;
use super::query::StatisticsQuery;

/// What a row of the table is.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum RowOf {
    /// A day on which something happened.
    #[default]
    Day,
    Parcours,
    WhiteLabel,
    Source,
    Country,
    Language,
    Referrer,
}

/// What is taken away.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct ExportQuery {
    /// What a row is.
    #[param(inline)]
    by: RowOf,
}

/// Figures as a table: semicolons, UTF-8 with the mark that spreadsheets look for; at most 1,000 rows where they are grouped.
#[utoipa::path(get, path = "/api/v1/statistics/export.csv", tag = "statistics", params(ExportQuery, StatisticsQuery),
    security(("session" = ["content.export"])),
    responses((status = 200, description = "A table", body = String, content_type = "text/csv"), StatisticsError))]
#[tracing::instrument(name = "statistics.export", skip_all)]
pub async fn export_statistics_csv(
    State(app): State<App>,
    exporter: Exporter,
    Query(asked): Query<StatisticsQuery>,
    Query(how): Query<ExportQuery>,
) -> Result<Response, StatisticsError> {
    let filter = asked.filter(&app, &exporter)?;
    let (of, name) = match how.by {
        RowOf::Day => (None, "day"),
        RowOf::Parcours => (Some(Breakdown::Parcours), "parcours"),
        RowOf::WhiteLabel => (Some(Breakdown::WhiteLabel), "white_label"),
        RowOf::Source => (Some(Breakdown::Source), "source"),
        RowOf::Country => (Some(Breakdown::Country), "country"),
        RowOf::Language => (Some(Breakdown::Language), "language"),
        RowOf::Referrer => (Some(Breakdown::Referrer), "referrer"),
    };
    let mut text = String::from("\u{feff}");
    match of {
        None => {
            let kinds = EventKind::ALL.map(EventKind::as_str);
            text.push_str(&csv_line(std::iter::once(name).chain(kinds).chain(["total"])));
            let days = app.store.recent(async { by_day(app.store.read(), &filter).await }).await?;
            for (day, counts) in days {
                let cells: Vec<String> =
                    std::iter::once(day.to_string()).chain(numbers(&counts).map(|n| n.to_string())).collect();
                text.push_str(&csv_line(cells.iter().map(String::as_str)));
            }
        }
        Some(of) => {
            text.push_str(&csv_line([name, "name", "total", "total_before"].into_iter()));
            let language = app.settings.main_language();
            for row in rows(&app, &exporter, &filter, of, MAX_ROWS).await? {
                let title = row.title.as_ref().map(|title: &Text| title.best(language).to_owned());
                let label = title.or(row.name).unwrap_or_default();
                let (total, before) = (row.counts.total.to_string(), row.total_before.to_string());
                text.push_str(&csv_line([row.key.as_str(), &label, &total, &before].into_iter()));
            }
        }
    }
    let rows = text.lines().count().saturating_sub(1);
    audit::list_exported(&app, &exporter, ExportedList::Statistics, rows).await?;
    let period = filter.period;
    let file = format!("statistiques-{name}-{}-{}.csv", period.from, period.to);
    Ok(attachment(&file, "text/csv; charset=utf-8", text.into_bytes()))
}

fn numbers(counts: &Counts) -> impl Iterator<Item = i64> {
    counts.0.into_iter().chain([counts.total()])
}
