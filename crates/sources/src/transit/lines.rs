//! The lines of a feed: found by name, code, operator or stop, or near a parcours; and the stops of one.

use std::collections::HashMap;

use app::extract::{Importer, Paging, Path, Query};
use app::record::At;
use app::record::operations::seen;
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use content::parcours::access::seen as parcours_seen;
use content::parcours::not_found;
use content::stops_near::{PlaceKind, places, stops_near};
use domain::transit::{Departures, TransitLine};
use domain::transport_line::{LineBikes, LineMode};
use domain::{ParcoursId, Text};
use serde::{Deserialize, Serialize};
use store::Connection;
use store::transit::{self as rows, LineQuery};
use trace::Position;
use utoipa::{IntoParams, ToSchema};

use super::around::radius;
use super::list::EditionView;
use super::{TransitError, TransportFeedResource};

/// The filters of the list of lines.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FeedLineQuery {
    /// Words of the name, the code, the operator or a stop. The code itself comes first, then codes that begin like it.
    search: Option<String>,
    /// `tram`, `metro`, `rail`, `bus`, `ferry`, `cable`, `gondola`, `funicular`, `coach`, `other`, with commas.
    mode: Option<String>,
    /// `yes`, `no`, `conditions`, `unknown`, with commas.
    bike_carriage: Option<String>,
    /// The operator's whole name.
    operator: Option<String>,
    /// Only lines that stop near this parcours, the nearest first.
    parcours: Option<String>,
    /// Metres from its departure, its steps and its arrival, 100 to 5000; 1000 by default.
    radius_m: Option<String>,
}

/// Lines of a feed.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedLines {
    pub items: Vec<FeedLineView>,
    pub total: i64,
    /// The feed's edition; absent before it was read once.
    pub edition: Option<EditionView>,
    /// The operators of its lines.
    pub operators: Vec<String>,
}

/// A line of a feed.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedLineView {
    /// The line as its feed has it.
    #[serde(flatten)]
    pub line: TransitLine,
    /// Whether a bicycle comes along.
    pub bike_carriage: LineBikes,
    /// The transport line made of it, once it was added.
    pub line_id: Option<i64>,
    /// Where it stops near the parcours that was asked about.
    pub near: Option<NearestStop>,
}

/// The stop of a line that is nearest to a parcours.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NearestStop {
    pub stop: String,
    /// Metres from the place.
    pub distance_m: f64,
    /// What the place is.
    pub place: PlaceKind,
    /// The step's title.
    pub title: Text,
}

/// Search the lines of a feed.
#[utoipa::path(get, path = "/api/v1/transport-feeds/{id}/lines", tag = "transport-feeds",
    params(("id" = i64, Path), FeedLineQuery, Paging), security(("session" = ["content.import"])),
    responses((status = 200, body = FeedLines), TransitError))]
pub async fn search_feed_lines(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    Query(query): Query<FeedLineQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<FeedLines>, TransitError> {
    let db = app.store.read();
    let feed = seen::<TransportFeedResource>(db, &importer, &at).await?;
    let wanted = LineQuery {
        modes: filter::words("mode", query.mode.as_deref(), LineMode::parse)?,
        bikes: filter::words("bike_carriage", query.bike_carriage.as_deref(), LineBikes::parse)?,
        operator: query.operator,
        search: query.search,
    };
    let radius_m = radius(query.radius_m.as_deref())?;
    let parcours: Option<i64> = filter::number("parcours", query.parcours.as_deref())?;
    let Some(edition) = rows::edition(db, feed.id).await? else {
        return Ok(Json(FeedLines { items: Vec::new(), total: 0, edition: None, operators: Vec::new() }));
    };
    let mut found = rows::matching_lines(db, edition.run_id, &wanted).await?;
    let mut near = HashMap::new();
    if let Some(id) = parcours.map(ParcoursId) {
        parcours_seen(db, id, &importer).await?;
        near = nearest(db, edition.run_id, id, radius_m).await?;
        found.retain(|line| near.contains_key(line));
        found.sort_by(|a, b| near[a].distance_m.total_cmp(&near[b].distance_m));
    }
    let page = paging.page();
    let shown = found.iter().copied().skip(page.offset() as usize).take(page.per_page() as usize);
    let lines = rows::lines_at(db, edition.run_id, &shown.collect::<Vec<_>>()).await?;
    let added: HashMap<String, i64> =
        rows::added_of_routes(db, &[feed.id]).await?.into_iter().map(|(_, route, line)| (route, line)).collect();
    let view = |(number, line): (i64, TransitLine)| FeedLineView {
        bike_carriage: line.bikes.carriage(),
        line_id: added.get(&line.route).copied(),
        near: near.get(&number).cloned(),
        line,
    };
    Ok(Json(FeedLines {
        items: lines.into_iter().map(view).collect(),
        total: found.len() as i64,
        operators: rows::operators(db, edition.run_id).await?,
        edition: Some(EditionView::of(edition, &app.today())),
    }))
}

/// The nearest stop of each line that stops near a parcours.
async fn nearest(
    db: &impl Connection,
    edition: i64,
    id: ParcoursId,
    radius_m: f64,
) -> Result<HashMap<i64, NearestStop>, TransitError> {
    let stored = store::parcours::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let line = store::parcours::trace(db, id).await?.map(|trace| trace.line()).unwrap_or_default();
    let places = places(&stored.steps, &line);
    let stops = stops_near(db, edition, &places, radius_m).await?;
    let mut numbers: Vec<i64> = stops.iter().flatten().map(|(_, stop)| stop.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut lines_of: HashMap<i64, Vec<i64>> = HashMap::new();
    for call in rows::calls_at(db, edition, &numbers).await? {
        lines_of.entry(call.stop).or_default().push(call.line);
    }
    let mut near: HashMap<i64, NearestStop> = HashMap::new();
    for (place, stops) in places.iter().zip(&stops) {
        for (distance_m, stop) in stops {
            for line in lines_of.get(&stop.number).into_iter().flatten() {
                if near.get(line).is_none_or(|known| known.distance_m > *distance_m) {
                    let (place, title) = (place.kind, place.title.clone());
                    near.insert(*line, NearestStop { stop: stop.name.clone(), distance_m: *distance_m, place, title });
                }
            }
        }
    }
    for stop in near.values_mut() {
        stop.distance_m = stop.distance_m.round();
    }
    Ok(near)
}

/// The line whose stops are asked for.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LineStopQuery {
    /// The feed's identifier of it.
    route: String,
}

/// The stops of a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedLineStops {
    /// Each of them, by name.
    pub items: Vec<FeedLineStop>,
}

/// A stop of a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedLineStop {
    pub name: String,
    /// Its place: longitude and latitude.
    pub position: Position,
    /// Departures there, by kind of day.
    pub departures: Vec<Departures>,
}

/// The stops of a line of a feed, with its first and last departures.
#[utoipa::path(get, path = "/api/v1/transport-feeds/{id}/line-stops", tag = "transport-feeds",
    params(("id" = i64, Path), LineStopQuery), security(("session" = ["content.import"])),
    responses((status = 200, body = FeedLineStops), TransitError))]
pub async fn list_feed_line_stops(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    Query(query): Query<LineStopQuery>,
) -> Result<Json<FeedLineStops>, TransitError> {
    let db = app.store.read();
    let feed = seen::<TransportFeedResource>(db, &importer, &at).await?;
    let unknown = || TransitError::LineNotFound { route: query.route.clone() };
    let edition = rows::edition(db, feed.id).await?.ok_or_else(unknown)?;
    let found = rows::lines_by_route(db, edition.run_id, std::slice::from_ref(&query.route)).await?;
    let (number, _) = found.into_iter().next().ok_or_else(unknown)?;
    let stops = rows::calls_of_line(db, edition.run_id, number).await?;
    let view = |(stop, departures): (rows::StopAt, Vec<Departures>)| FeedLineStop {
        position: Position::new(stop.at[0], stop.at[1]),
        name: stop.name,
        departures,
    };
    Ok(Json(FeedLineStops { items: stops.into_iter().map(view).collect() }))
}
