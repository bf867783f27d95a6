//! The figures of a period beside those of the period before, and their curve.

use app::App;
use app::extract::{Query, Reader};
use axum::Json;
use axum::extract::State;
use domain::statistics::{AppStore, Bucket, Day, Period};
use serde::Serialize;
use store::statistics::{Counts, Filter, InstallSum, by_day, first_day, installs_by_day};
use utoipa::ToSchema;

use super::error::StatisticsError;
use super::query::{StatisticsCounts, StatisticsQuery};

/// The figures of a period.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Statistics)]
pub struct StatisticsView {
    period: Period,
    /// The period of the same length just before.
    before: Period,
    /// How long the period of one point of the curve is.
    bucket: Bucket,
    /// Counts of the period.
    totals: StatisticsCounts,
    /// Counts of the period before.
    totals_before: StatisticsCounts,
    /// The points of the curve, in order of time.
    points: Vec<StatisticsPoint>,
    /// The figures of the app stores; a store without figures in either period is left out.
    installs: Vec<StoreFigures>,
    /// The first day with figures; absent if nothing was ever counted.
    first_day: Option<Day>,
}

/// A point of the curve.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StatisticsPoint {
    /// The first day of its period.
    from: Day,
    /// The last day of its period.
    to: Day,
    /// Counts of its period.
    counts: StatisticsCounts,
    /// Counts of the point at the same position in the period before; absent if that period has fewer points.
    before: Option<StatisticsCounts>,
}

/// The figures of a store.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StoreFigures {
    /// The app store.
    store: AppStore,
    installs: i64,
    uninstalls: i64,
    /// Installs in the period before.
    installs_before: i64,
    /// Uninstalls in the period before.
    uninstalls_before: i64,
    /// Installs of each point of the curve.
    points: Vec<i64>,
}

/// The figures of a period beside those of the period before. App stores' figures are narrowed by white-label alone.
#[utoipa::path(get, path = "/api/v1/statistics", tag = "statistics", params(StatisticsQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = StatisticsView), StatisticsError))]
#[tracing::instrument(name = "statistics.show", skip_all)]
pub async fn show_statistics(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<StatisticsQuery>,
) -> Result<Json<StatisticsView>, StatisticsError> {
    let filter = query.filter(&app, &reader)?;
    app.store.recent(figures(&app, &filter)).await.map(Json)
}

async fn figures(app: &App, filter: &Filter) -> Result<StatisticsView, StatisticsError> {
    let db = app.store.read();
    let (period, before) = (filter.period, filter.period.before());
    let bucket = period.bucket();
    let current = gather(&by_day(db, filter).await?, &period.points(bucket));
    let previous = by_day(db, &Filter { period: before, ..filter.clone() }).await?;
    let previous = gather(&previous, &before.points(bucket));
    let points =
        period.points(bucket).into_iter().zip(&current).enumerate().map(|(at, (days, counts))| StatisticsPoint {
            from: days.from,
            to: days.to,
            counts: (*counts).into(),
            before: previous.get(at).map(|counts| (*counts).into()),
        });
    Ok(StatisticsView {
        period,
        before,
        bucket,
        totals: sum(&current).into(),
        totals_before: sum(&previous).into(),
        points: points.collect(),
        installs: stores(app, filter).await?,
        first_day: first_day(db, &filter.white_label_ids).await?,
    })
}

fn sum(points: &[Counts]) -> Counts {
    points.iter().fold(Counts::default(), |mut sum, counts| {
        sum.add(counts);
        sum
    })
}

/// The index of the point that contains a day. The points are in order and without gaps.
fn point_of(points: &[Period], day: Day) -> Option<usize> {
    points.partition_point(|point| point.from <= day).checked_sub(1)
}

fn gather(days: &[(Day, Counts)], points: &[Period]) -> Vec<Counts> {
    let mut sums = vec![Counts::default(); points.len()];
    for (day, counts) in days {
        if let Some(at) = point_of(points, *day) {
            sums[at].add(counts);
        }
    }
    sums
}

async fn stores(app: &App, filter: &Filter) -> Result<Vec<StoreFigures>, StatisticsError> {
    let (db, before) = (app.store.read(), filter.period.before());
    let whole = Period { from: before.from, to: filter.period.to };
    let days = installs_by_day(db, &filter.white_label_ids, whole).await?;
    let points = filter.period.points(filter.period.bucket());
    let figures = AppStore::ALL.into_iter().filter_map(|store| {
        let sums: Vec<(Day, InstallSum)> =
            days.iter().filter(|(_, of, _)| *of == store).map(|(day, _, sum)| (*day, *sum)).collect();
        let of = |now: bool, read: fn(&InstallSum) -> i64| {
            sums.iter().filter(|(day, _)| (*day >= filter.period.from) == now).map(|(_, sum)| read(sum)).sum()
        };
        let mut curve = vec![0; points.len()];
        for (day, sum) in &sums {
            if let Some(at) = point_of(&points, *day) {
                curve[at] += sum.installs;
            }
        }
        (!sums.is_empty()).then(|| StoreFigures {
            store,
            installs: of(true, |sum| sum.installs),
            uninstalls: of(true, |sum| sum.uninstalls),
            installs_before: of(false, |sum| sum.installs),
            uninstalls_before: of(false, |sum| sum.uninstalls),
            points: curve,
        })
    });
    Ok(figures.collect())
}
