//! The parcours that follow an itinerary, found on the ground.

use std::collections::{HashMap, HashSet};

use app::App;
use app::extract::{Path, Reader};
use app::problem::Internal;
use app::record::{At, operations};
use axum::Json;
use axum::extract::State;
use domain::itinerary::{FOLLOWED_WITHIN_M, MultiLine, Way};
use domain::{Actor, ParcoursId, Text};
use serde::Serialize;
use store::itinerary::{self as rows, Nearby};
use trace::Position;
use utoipa::ToSchema;

use super::{ItineraryError, ItineraryResource};
use crate::closure::closed_today;

/// What follows for less only crosses.
const FOLLOWS_FROM_M: i64 = 300;
/// The way is looked along in boxes of this length: one box around a river would hold a whole country.
const BOX_EVERY_M: f64 = 3_000.0;
/// Lines that are read and judged at once.
const AT_ONCE: usize = 50;
/// Most parcours in the answer.
const MAX_LISTED: usize = 500;

/// A parcours along an itinerary.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Follower {
    id: i64,
    title: Text,
    /// Metres of it that run within 30 m of the itinerary.
    share_m: i64,
    /// Metres of it in all.
    distance_m: Option<f64>,
    /// Whether its sheet names the itinerary.
    linked: bool,
    /// Closed somewhere today.
    closed: bool,
}

/// The parcours along an itinerary.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Followers {
    /// Those that follow it longest first, at most 500.
    items: Vec<Follower>,
    total: usize,
}

/// The parcours that follow an itinerary: those that run along it for 300 m or more, and those that name it.
#[utoipa::path(get, path = "/api/v1/itineraries/{id}/parcours", tag = "itineraries", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = Followers), ItineraryError))]
pub async fn list_itinerary_parcours(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
) -> Result<Json<Followers>, ItineraryError> {
    let db = app.store.read();
    let itinerary = operations::seen::<ItineraryResource>(db, &reader, &at).await?;
    let shares = shares(&app, &reader, at.id, itinerary.sheet.line.as_ref()).await?;
    let linked: HashSet<i64> = rows::naming(db, &reader, at.id).await?.into_iter().collect();
    let mut found: Vec<(i64, i64)> = shares
        .iter()
        .map(|(id, share_m)| (*id, *share_m))
        .filter(|(id, share_m)| *share_m >= FOLLOWS_FROM_M || linked.contains(id))
        .collect();
    found.extend(linked.iter().filter(|id| !shares.contains_key(id)).map(|id| (*id, 0)));
    found.sort_unstable_by_key(|(id, share_m)| (-share_m, *id));
    let total = found.len();
    found.truncate(MAX_LISTED);
    let ids: Vec<i64> = found.iter().map(|(id, _)| *id).collect();
    let mut titles: HashMap<i64, (Text, Option<f64>)> =
        rows::followers(db, &ids).await?.into_iter().map(|(id, title, metres)| (id, (title, metres))).collect();
    let closed = closed_today(&app, ids.into_iter().map(ParcoursId)).await?;
    let items = found.into_iter().filter_map(|(id, share_m)| {
        let (title, distance_m) = titles.remove(&id)?;
        let closed = closed.contains(&ParcoursId(id));
        Some(Follower { id, title, share_m, distance_m, linked: linked.contains(&id), closed })
    });
    Ok(Json(Followers { items: items.collect(), total }))
}

/// Metres of each parcours nearby that follow the line. Results are stored: they are valid until a line changes.
async fn shares(
    app: &App,
    actor: &Actor,
    id: i64,
    line: Option<&MultiLine>,
) -> Result<HashMap<i64, i64>, ItineraryError> {
    let Some(line) = line else { return Ok(HashMap::new()) };
    let db = app.store.read();
    let line_key = rows::line_key(db, id).await?;
    let mut nearby = rows::nearby(db, actor, id, line_key, &boxes(line)).await?;
    let mut unknown: Vec<&mut Nearby> = nearby.iter_mut().filter(|one| one.share_m.is_none()).collect();
    if !unknown.is_empty() {
        let way = std::sync::Arc::new(Way::of(line));
        for some in unknown.chunks_mut(AT_ONCE) {
            let ids: Vec<i64> = some.iter().map(|one| one.id.0).collect();
            let (lines, way) = (rows::lines(db, &ids).await?, way.clone());
            let judged = tokio::task::spawn_blocking(move || judged(&way, &lines)).await.map_err(Internal::new)?;
            for one in some {
                one.share_m = Some(judged.get(&one.id.0).copied().unwrap_or(0));
            }
        }
        let worked_out: Vec<Nearby> = unknown.into_iter().map(|one| *one).collect();
        let tx = app.store.begin().await?;
        rows::remember(&tx, id, line_key, &worked_out).await?;
        tx.commit().await?;
    }
    Ok(nearby.into_iter().filter_map(|one| Some((one.id.0, one.share_m?))).collect())
}

fn judged(way: &Way, lines: &[(domain::ParcoursId, Vec<Position>)]) -> HashMap<i64, i64> {
    lines.iter().map(|(id, line)| (id.0, way.followed_m(line).round() as i64)).collect()
}

/// Boxes along a line, each wide enough for what is near.
fn boxes(line: &MultiLine) -> Vec<[f64; 4]> {
    let mut boxes = Vec::new();
    for piece in line.pieces() {
        let mut from_m = 0.0;
        let mut around: Option<[f64; 4]> = None;
        for (place, at_m) in piece.iter().zip(trace::cumulative_m(&piece)) {
            let [west, south, east, north] = around.unwrap_or([place.lon, place.lat, place.lon, place.lat]);
            let grown = [west.min(place.lon), south.min(place.lat), east.max(place.lon), north.max(place.lat)];
            around = Some(grown);
            if at_m - from_m >= BOX_EVERY_M {
                boxes.push(trace::widened(grown, FOLLOWED_WITHIN_M));
                // The next box begins where this one ends.
                (from_m, around) = (at_m, Some([place.lon, place.lat, place.lon, place.lat]));
            }
        }
        boxes.extend(around.map(|around| trace::widened(around, FOLLOWED_WITHIN_M)));
    }
    boxes
}
