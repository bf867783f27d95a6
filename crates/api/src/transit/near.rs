//! The stops around the places of a parcours, with their lines, and how one gets home.

use std::collections::HashMap;

use domain::step::{Step, StepKind};
use domain::transit::{DayKind, Departures, TransitLine, leave_before, pauses_s};
use domain::{Text, fold};
use serde::Serialize;
use store::transit::{self as rows, StopAt};
use store::{Connection, StoreError};
use trace::{Position, distance_m};
use utoipa::ToSchema;

/// Metres one walks to a stop.
pub(crate) const RADIUS_M: f64 = 1_000.0;
/// The most places of a parcours that are looked around.
const MAX_PLACES: usize = 60;
/// The most stops of a place, and the most lines of a stop.
const MAX_STOPS: usize = 6;
const MAX_LINES: usize = 12;
/// A loop ends where it begins.
const LOOP_M: f64 = 150.0;

/// What a place of a parcours is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// Where it begins.
    Departure,
    /// Where it begins and ends.
    DepartureArrival,
    /// On the way.
    Step,
    /// Where it ends.
    Arrival,
}

impl PlaceKind {
    /// Whether one goes home from there.
    pub(crate) const fn is_end(self) -> bool {
        matches!(self, Self::Arrival | Self::DepartureArrival)
    }
}

/// A place of a parcours.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub kind: PlaceKind,
    pub step: Option<i64>,
    pub title: Text,
    pub at: Position,
}

/// The places of a parcours: its ends and its steps, in their order.
pub(crate) fn places(steps: &[Step], line: &[Position]) -> Vec<Place> {
    let of = |kind: StepKind| steps.iter().find(|step| step.kind == kind);
    let end = |step: Option<&Step>, point: Option<&Position>, kind: PlaceKind| {
        let at = step.map(|step| step.position).or(point.copied())?;
        let title = step.map(|step| step.title.clone()).unwrap_or_default();
        Some(Place { kind, step: step.map(|step| step.id), title, at })
    };
    let departure = end(of(StepKind::Departure), line.first(), PlaceKind::Departure);
    let arrival = end(of(StepKind::Arrival), line.last(), PlaceKind::Arrival);
    let on_the_way = steps.iter().filter(|step| {
        !matches!(step.kind, StepKind::Waypoint | StepKind::Departure | StepKind::Arrival | StepKind::Advice)
    });
    let on_the_way = on_the_way.map(|step| Place {
        kind: PlaceKind::Step,
        step: Some(step.id),
        title: step.title.clone(),
        at: step.position,
    });
    let mut places: Vec<Place> = departure.into_iter().chain(on_the_way).take(MAX_PLACES - 1).collect();
    match (places.first_mut().filter(|first| first.kind == PlaceKind::Departure), arrival) {
        (Some(first), Some(arrival)) if distance_m(first.at, arrival.at) < LOOP_M => {
            first.kind = PlaceKind::DepartureArrival;
        }
        (_, Some(arrival)) => places.push(arrival),
        _ => {}
    }
    places
}

/// A stop near a place.
#[derive(Debug, Clone)]
pub(crate) struct NearStop {
    pub feed: i64,
    pub name: String,
    pub at: [f64; 2],
    pub distance_m: f64,
    pub lines: Vec<NearLine>,
}

/// A line at a stop near a place.
#[derive(Debug, Clone)]
pub(crate) struct NearLine {
    pub line: TransitLine,
    pub departures: Vec<Departures>,
}

/// The box around a place.
fn around(at: Position, radius_m: f64) -> [f64; 4] {
    let north = radius_m / 111_195.0;
    let east = north / at.lat.to_radians().cos().max(0.05);
    [at.lon - east, at.lat - north, at.lon + east, at.lat + north]
}

/// The stops of an edition near some places, each with its distance: by place, nearest first.
pub(crate) async fn stops_near(
    db: &impl Connection,
    edition: i64,
    places: &[Place],
    radius_m: f64,
) -> Result<Vec<Vec<(f64, StopAt)>>, StoreError> {
    let mut all = Vec::with_capacity(places.len());
    for place in places {
        let found = rows::stops_in(db, edition, around(place.at, radius_m)).await?;
        let far = |stop: &StopAt| distance_m(place.at, Position::new(stop.at[0], stop.at[1]));
        let mut near: Vec<(f64, StopAt)> = found.into_iter().map(|stop| (far(&stop), stop)).collect();
        near.retain(|(metres, _)| *metres <= radius_m);
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.push(near);
    }
    Ok(all)
}

/// The stops near some places, of some feeds (each with its edition): by place, nearest first, those of one name as one.
pub(crate) async fn near(
    db: &impl Connection,
    feeds: &[(i64, i64)],
    places: &[Place],
    radius_m: f64,
) -> Result<Vec<Vec<NearStop>>, StoreError> {
    let mut all: Vec<Vec<NearStop>> = vec![Vec::new(); places.len()];
    for (feed, edition) in feeds {
        let found = stops_near(db, *edition, places, radius_m).await?;
        let mut numbers: Vec<i64> = found.iter().flatten().map(|(_, stop)| stop.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let calls = rows::calls_at(db, *edition, &numbers).await?;
        let mut lines: Vec<i64> = calls.iter().map(|call| call.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let lines: HashMap<i64, TransitLine> = rows::lines_at(db, *edition, &lines).await?.into_iter().collect();
        for (place, found) in all.iter_mut().zip(found) {
            for (distance_m, stop) in found {
                let here = calls.iter().filter(|call| call.stop == stop.number);
                let here = here.filter_map(|call| Some((lines.get(&call.line)?, &call.departures)));
                let name = fold(&stop.name);
                let known = place.iter().position(|known| known.feed == *feed && fold(&known.name) == name);
                let at = known.unwrap_or_else(|| {
                    let (feed, name, at) = (*feed, stop.name.clone(), stop.at);
                    place.push(NearStop { feed, name, at, distance_m, lines: Vec::new() });
                    place.len() - 1
                });
                for (line, departures) in here {
                    add(&mut place[at].lines, line, departures);
                }
            }
        }
    }
    for place in &mut all {
        place.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m));
        place.truncate(MAX_STOPS);
        for stop in place {
            stop.lines.sort_by(|a, b| natural(&a.line.code).cmp(&natural(&b.line.code)));
            stop.lines.truncate(MAX_LINES);
        }
    }
    Ok(all)
}

/// 2 before 10, 10 before A.
fn natural(code: &str) -> (u64, &str) {
    let digits = code.find(|c: char| !c.is_ascii_digit()).unwrap_or(code.len());
    (code[..digits].parse().unwrap_or(u64::MAX), code)
}

/// A line of another quay of the same stop: its departures join those that are told.
fn add(lines: &mut Vec<NearLine>, line: &TransitLine, departures: &[Departures]) {
    let Some(known) = lines.iter_mut().find(|known| known.line.route == line.route) else {
        lines.push(NearLine { line: line.clone(), departures: departures.to_vec() });
        return;
    };
    for new in departures {
        match known.departures.iter_mut().find(|known| known.day == new.day) {
            Some(known) => {
                let first_s = known.first_s.min(new.first_s);
                if new.last_s > known.last_s {
                    *known = new.clone();
                }
                known.first_s = first_s;
            }
            None => known.departures.push(new.clone()),
        }
    }
}

/// The last way home on a kind of day.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WayHome {
    /// The kind of day.
    pub day: DayKind,
    /// The last departure, in seconds from midnight; after midnight it counts on.
    pub last_s: u32,
    /// Where it goes.
    pub towards: Option<String>,
    /// The last day it runs, where it does not run to the end of the feed.
    pub until: Option<String>,
    /// The days of the week on which it runs, 1 is Monday; none where it is every day of the kind.
    pub weekdays: Vec<u8>,
    /// The only day on which it runs.
    pub on: Option<String>,
    /// The line.
    pub code: String,
    /// The stop, and how far it is from the arrival.
    pub stop: String,
    /// Metres from the arrival.
    pub distance_m: f64,
    /// Whether a place must be booked.
    pub bookable: bool,
    /// When the parcours is begun at the latest to catch it, pauses included; none where its duration is not known, or the day
    /// is too short.
    pub leave_by_s: Option<u32>,
    /// The seconds that are kept for pauses.
    pub pauses_s: u32,
}

/// The last way home from stops near the arrival, by kind of day. `pauses` is the share of the duration kept for them, percent.
pub(crate) fn ways_home(stops: &[NearStop], duration_s: Option<f64>, pauses: i64) -> Vec<WayHome> {
    let pauses_s = duration_s.map_or(0, |duration_s| pauses_s(duration_s, pauses));
    let on = |day: DayKind| {
        let all = stops.iter().flat_map(|stop| {
            stop.lines.iter().flat_map(move |line| {
                line.departures.iter().filter(move |of| of.day == day).map(move |of| (stop, line, of))
            })
        });
        // Of two at the same hour the nearer one.
        let last = all.reduce(|best, one| if one.2.last_s > best.2.last_s { one } else { best });
        last.map(|(stop, line, of)| WayHome {
            day,
            last_s: of.last_s,
            towards: of.towards.clone(),
            until: of.until.clone(),
            weekdays: of.weekdays.clone(),
            on: of.on.clone(),
            code: line.line.code.clone(),
            stop: stop.name.clone(),
            distance_m: stop.distance_m.round(),
            bookable: line.line.bookable,
            leave_by_s: duration_s
                .and_then(|duration_s| leave_before(of.last_s, duration_s, pauses_s, stop.distance_m)),
            pauses_s,
        })
    };
    DayKind::ALL.into_iter().filter_map(on).collect()
}
