//! Public transport around a parcours, for the staff.

use app::extract::{Path, Query, Reader};
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use content::parcours::access::seen;
use content::parcours::not_found;
use content::stops_near::{NearStop, PlaceKind, RADIUS_M, WayHome, near, places, ways_home};
use domain::transit::{Departures, TransitLine, USUAL_PAUSES_PERCENT};
use domain::transport_line::LineBikes;
use domain::{ParcoursId, Text};
use serde::{Deserialize, Serialize};
use store::record::load;
use store::transit as rows;
use store::white_label::WhiteLabels;
use trace::Position;
use utoipa::{IntoParams, ToSchema};

use super::TransitError;

/// How far around.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct AroundQuery {
    /// Metres from each place, 100 to 5000; 1000 by default.
    radius_m: Option<String>,
}

/// Public transport around a parcours.
#[derive(Debug, Serialize, ToSchema)]
pub struct ParcoursTransport {
    /// Feeds that were searched: 0 if there is no feed yet.
    pub feeds: i64,
    /// Metres around each place.
    pub radius_m: f64,
    /// Seconds the parcours takes.
    pub duration_s: Option<f64>,
    /// Its places, in their order.
    pub places: Vec<TransportPlace>,
    /// The last ways home from its arrival, by kind of day.
    pub ways_home: Vec<WayHome>,
}

/// A place of a parcours, with the stops around it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransportPlace {
    pub kind: PlaceKind,
    /// The step it is.
    pub step_id: Option<i64>,
    /// The step's title.
    pub title: Text,
    /// The stops, nearest first.
    pub stops: Vec<TransportStop>,
}

/// A stop near a place.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransportStop {
    /// The feed it is of.
    pub feed_id: i64,
    pub name: String,
    /// Its place: longitude and latitude.
    pub position: Position,
    /// Metres as the crow flies.
    pub distance_m: f64,
    pub lines: Vec<TransportStopLine>,
}

/// A line at a stop.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransportStopLine {
    /// The line as its feed has it.
    #[serde(flatten)]
    pub line: TransitLine,
    /// Whether bicycles are carried.
    pub bike_carriage: LineBikes,
    /// Its departures there, by kind of day.
    pub departures: Vec<Departures>,
    /// The transport line made of it, once it was added.
    pub line_id: Option<i64>,
}

/// How far around is asked for.
pub fn radius(asked: Option<&str>) -> Result<f64, app::Rejection> {
    let asked: Option<f64> = filter::number("radius_m", asked)?;
    let fits = asked.is_none_or(|metres| (100.0..=5_000.0).contains(&metres));
    if fits { Ok(asked.unwrap_or(RADIUS_M)) } else { Err(app::Rejection::BadQuery { name: "radius_m".to_owned() }) }
}

/// The stops near the departure, the steps and the arrival of a parcours, with their lines, from the feeds of the white-label it
/// belongs to; and the last way home.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/transport", tag = "transport-feeds", params(("id" = i64, Path), AroundQuery),
    security(("session" = ["content.read"])), responses((status = 200, body = ParcoursTransport), TransitError))]
pub async fn show_parcours_transport(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Query(query): Query<AroundQuery>,
) -> Result<Json<ParcoursTransport>, TransitError> {
    let radius_m = radius(query.radius_m.as_deref())?;
    let db = app.store.read();
    let header = seen(db, id, &reader).await?;
    let stored = store::parcours::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let line = store::parcours::trace(db, id).await?.map(|trace| trace.line()).unwrap_or_default();
    let duration_s = stored.trace.as_ref().and_then(|trace| trace.duration_s);
    // People of other white-labels get what visitors get.
    let public = !reader.works_in(header.white_label_id);
    let feeds = rows::feeds_of(db, header.white_label_id, public).await?;
    let places = places(&stored.steps, &line);
    let found = near(db, &feeds, &places, radius_m).await?;
    let home = places.iter().zip(&found).rfind(|(place, _)| place.kind.is_end());
    let owner = load::<WhiteLabels>(db, header.white_label_id.0).await?;
    let pauses = owner.map_or(USUAL_PAUSES_PERCENT, |owner| owner.sheet.pauses());
    let ways_home = home.map(|(_, stops)| ways_home(stops, duration_s, pauses)).unwrap_or_default();
    let ids: Vec<i64> = feeds.iter().map(|(feed, _)| *feed).collect();
    let added = rows::added_of_routes(db, &ids).await?;
    let view = |stop: NearStop| TransportStop {
        feed_id: stop.feed,
        position: Position::new(stop.at[0], stop.at[1]),
        distance_m: stop.distance_m.round(),
        name: stop.name,
        lines: stop
            .lines
            .into_iter()
            .map(|near| TransportStopLine {
                bike_carriage: near.line.bikes.carriage(),
                line_id: added
                    .iter()
                    .find(|(feed, route, _)| *feed == stop.feed && *route == near.line.route)
                    .map(|(_, _, line)| *line),
                departures: near.departures,
                line: near.line,
            })
            .collect(),
    };
    let places = places.into_iter().zip(found).map(|(place, stops)| TransportPlace {
        kind: place.kind,
        step_id: place.step,
        title: place.title,
        stops: stops.into_iter().map(view).collect(),
    });
    Ok(Json(ParcoursTransport { feeds: feeds.len() as i64, radius_m, duration_s, places: places.collect(), ways_home }))
}
