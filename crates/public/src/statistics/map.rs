//! The viewed parcours, at their departures.

use app::App;
use app::extract::{Query, Reader};
use axum::Json;
use axum::extract::State;
use domain::Text;
use domain::record::Kind;
use serde::Serialize;
use store::statistics::{Filter, points, titles_of};
use utoipa::ToSchema;

use super::error::StatisticsError;
use super::query::{StatisticsCounts, StatisticsQuery};

/// The most parcours on the map: those with the greatest figures.
const MAX_PARCOURS: u64 = 2_000;

/// Parcours on a map.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StatisticsMap {
    /// The greatest first.
    points: Vec<StatisticsPlace>,
}

/// A parcours where it starts.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StatisticsPlace {
    parcours_id: i64,
    title: Text,
    /// Degrees east and north.
    #[schema(value_type = trace::Place)]
    position: [f64; 2],
    /// Its figures.
    counts: StatisticsCounts,
}

/// The figures of each parcours where it starts, at most 2,000 of them.
#[utoipa::path(get, path = "/api/v1/statistics/map", tag = "statistics", params(StatisticsQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = StatisticsMap), StatisticsError))]
#[tracing::instrument(name = "statistics.map", skip_all)]
pub async fn show_statistics_map(
    State(app): State<App>,
    reader: Reader,
    Query(asked): Query<StatisticsQuery>,
) -> Result<Json<StatisticsMap>, StatisticsError> {
    let filter = asked.filter(&app, &reader)?;
    app.store.recent(places(&app, &reader, &filter)).await.map(Json)
}

async fn places(app: &App, reader: &Reader, filter: &Filter) -> Result<StatisticsMap, StatisticsError> {
    let db = app.store.read();
    let mut found = points(db, filter, MAX_PARCOURS).await?;
    let ids: Vec<i64> = found.iter().map(|point| point.parcours_id.0).collect();
    // A parcours that its owner no longer shares is neither named nor placed.
    let seen = store::visible::seen_among(db, reader, Kind::Parcours, &ids).await?;
    found.retain(|point| seen.contains(&point.parcours_id.0));
    let ids: Vec<i64> = seen.into_iter().collect();
    let mut titles = titles_of(db, &ids).await?;
    let place = |point: store::statistics::Point| StatisticsPlace {
        parcours_id: point.parcours_id.0,
        title: titles.remove(&point.parcours_id.0).unwrap_or_default(),
        position: point.position,
        counts: point.counts.into(),
    };
    Ok(StatisticsMap { points: found.into_iter().map(place).collect() })
}
