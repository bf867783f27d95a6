//! The figures by parcours, white-label, source, country, language, and by the sites that led here.

use std::collections::HashMap;

use app::App;
use app::extract::{Query, Reader};
use axum::Json;
use axum::extract::State;
use domain::record::Kind;
use domain::{Actor, Text, WhiteLabelId};
use serde::{Deserialize, Serialize};
use store::statistics::{Counts, Filter, GroupBy, Sum, by, hosts, titles_of};
use store::{StoreError, white_label};
use utoipa::{IntoParams, ToSchema};

use super::error::StatisticsError;
use super::query::{StatisticsCounts, StatisticsQuery, UNKNOWN};

/// Rows by default.
const USUAL: u64 = 10;
/// The most rows of an answer.
pub(super) const MAX_ROWS: u64 = 1_000;
/// How far down the time before is looked through for the rows of this one.
const BEFORE: u64 = 10_000;

/// What the figures are grouped by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Breakdown {
    #[default]
    Parcours,
    /// White-labels.
    WhiteLabel,
    /// Public page, widget, app, link, API.
    Source,
    Country,
    Language,
    /// Hosts of the sites that led here, narrowed by white-label alone; each has a total and nothing else.
    Referrer,
}

/// How they are grouped.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct BreakdownQuery {
    /// The grouping.
    #[param(inline)]
    by: Breakdown,
    /// How many rows at most, up to 1,000.
    #[param(minimum = 1, maximum = 1000, example = 10)]
    limit: Option<u64>,
}

/// The figures of one of them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct BreakdownRow {
    /// A number, a word, two letters, a host; `unknown` where it is not known, `*` for the hosts beyond a day's measure.
    pub key: String,
    /// The name of a parcours; absent for one that was deleted or that this person does not see.
    pub title: Option<Text>,
    /// The name of a white-label.
    pub name: Option<String>,
    /// Its figures.
    pub counts: StatisticsCounts,
    /// The total of the time before.
    pub total_before: i64,
}

/// The grouped figures, the greatest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StatisticsBreakdown {
    /// The grouping.
    by: Breakdown,
    /// One row each.
    rows: Vec<BreakdownRow>,
}

/// The figures of a period by group, the greatest first.
#[utoipa::path(get, path = "/api/v1/statistics/breakdown", tag = "statistics", params(BreakdownQuery, StatisticsQuery),
    security(("session" = ["content.read"])), responses((status = 200, body = StatisticsBreakdown), StatisticsError))]
#[tracing::instrument(name = "statistics.list", skip_all)]
pub async fn list_statistics(
    State(app): State<App>,
    reader: Reader,
    Query(asked): Query<StatisticsQuery>,
    Query(how): Query<BreakdownQuery>,
) -> Result<Json<StatisticsBreakdown>, StatisticsError> {
    let filter = asked.filter(&app, &reader)?;
    let rows = rows(&app, &reader, &filter, how.by, how.limit.unwrap_or(USUAL).clamp(1, MAX_ROWS)).await?;
    Ok(Json(StatisticsBreakdown { by: how.by, rows }))
}

/// The rows of a breakdown, with their names.
pub(super) async fn rows(
    app: &App,
    actor: &Actor,
    filter: &Filter,
    apart: Breakdown,
    limit: u64,
) -> Result<Vec<BreakdownRow>, StoreError> {
    let earlier = Filter { period: filter.period.before(), ..filter.clone() };
    let read = async {
        let (now, before) = (sums(app, filter, apart, limit).await?, sums(app, &earlier, apart, BEFORE).await?);
        let names = names(app, actor, apart, &now).await?;
        Ok::<_, StoreError>((now, before, names))
    };
    let (now, before, names) = app.store.recent(read).await?;
    let before: HashMap<String, i64> = before.into_iter().map(|sum| (sum.key, sum.counts.total())).collect();
    let row = |sum: Sum| {
        let (title, name) = names.get(&sum.key).cloned().unwrap_or_default();
        let total_before = before.get(&sum.key).copied().unwrap_or_default();
        let key = if sum.key.is_empty() { UNKNOWN.to_owned() } else { sum.key };
        BreakdownRow { key, title, name, counts: sum.counts.into(), total_before }
    };
    Ok(now.into_iter().map(row).collect())
}

async fn sums(app: &App, filter: &Filter, apart: Breakdown, limit: u64) -> Result<Vec<Sum>, StoreError> {
    let db = app.store.read();
    let column = match apart {
        Breakdown::Parcours => GroupBy::Parcours,
        Breakdown::WhiteLabel => GroupBy::WhiteLabel,
        Breakdown::Source => GroupBy::Source,
        Breakdown::Country => GroupBy::Country,
        Breakdown::Language => GroupBy::Language,
        Breakdown::Referrer => {
            let found = hosts(db, filter, limit).await?;
            let of_views = |total| Counts([total, 0, 0, 0, 0, 0]);
            return Ok(found.into_iter().map(|(key, total)| Sum { key, counts: of_views(total) }).collect());
        }
    };
    by(db, filter, column, limit).await
}

/// The names of what has a number.
async fn names(
    app: &App,
    actor: &Actor,
    apart: Breakdown,
    sums: &[Sum],
) -> Result<HashMap<String, (Option<Text>, Option<String>)>, StoreError> {
    let db = app.store.read();
    let ids: Vec<i64> = sums.iter().filter_map(|sum| sum.key.parse().ok()).collect();
    Ok(match apart {
        Breakdown::Parcours => {
            // A parcours that its owner no longer shares is still counted here, but not named.
            let seen = store::visible::seen_among(db, actor, Kind::Parcours, &ids).await?;
            let ids: Vec<i64> = ids.into_iter().filter(|id| seen.contains(id)).collect();
            let titles = titles_of(db, &ids).await?;
            titles.into_iter().map(|(id, title)| (id.to_string(), (Some(title), None))).collect()
        }
        Breakdown::WhiteLabel => {
            let ids: Vec<WhiteLabelId> = ids.into_iter().map(WhiteLabelId).collect();
            let found = white_label::find_many(db, &ids).await?;
            found.into_iter().map(|one| (one.id.to_string(), (None, Some(one.name)))).collect()
        }
        _ => HashMap::new(),
    })
}
