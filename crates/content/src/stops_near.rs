//! The stops around the places of a parcours, with their lines, and how one gets home.

use std::collections::HashMap;

use domain::step::{Step, StepKind};
use domain::transit::{DayKind, Departures, TransitLine, leave_before, pauses_s};
use domain::{Text, fold};
use serde::Serialize;
use store::transit::{self as rows, StopAt};
use store::{Connection, StoreError};
use trace::{Position, bbox_around, distance_m};
use utoipa::ToSchema;

/// Metres one walks to a stop.
pub const RADIUS_M: f64 = 1_000.0;
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
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Arrival | Self::DepartureArrival)
    }
}

/// A place of a parcours.
#[derive(Debug, Clone)]
pub struct Place {
    pub kind: PlaceKind,
    /// The step that is there.
    pub step: Option<i64>,
    /// The title of the step.
    pub title: Text,
    /// Where it is.
    pub at: Position,
}

/// The places of a parcours: its ends and its steps, in their order.
pub fn places(steps: &[Step], line: &[Position]) -> Vec<Place> {
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
pub struct NearStop {
    /// The feed that has it.
    pub feed: i64,
    pub name: String,
    /// Where it is.
    pub at: [f64; 2],
    /// Metres from the place.
    pub distance_m: f64,
    /// The lines that stop there.
    pub lines: Vec<NearLine>,
}

/// A line at a stop near a place.
#[derive(Debug, Clone)]
pub struct NearLine {
    pub line: TransitLine,
    /// The first and last departures of each kind of day.
    pub departures: Vec<Departures>,
}

/// The stops of an edition near some places, each with its distance: by place, nearest first.
pub async fn stops_near(
    db: &impl Connection,
    edition: i64,
    places: &[Place],
    radius_m: f64,
) -> Result<Vec<Vec<(f64, StopAt)>>, StoreError> {
    let mut all = Vec::with_capacity(places.len());
    for place in places {
        let found = rows::stops_in(db, edition, bbox_around([place.at.lon, place.at.lat], radius_m)).await?;
        let far = |stop: &StopAt| distance_m(place.at, Position::new(stop.at[0], stop.at[1]));
        let mut near: Vec<(f64, StopAt)> = found.into_iter().map(|stop| (far(&stop), stop)).collect();
        near.retain(|(metres, _)| *metres <= radius_m);
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.push(near);
    }
    Ok(all)
}

/// The stops near some places, of some feeds (each with its edition): by place, nearest first, those of one name as one.
pub async fn near(
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

/// Adds the line of another quay of the same stop: its departures join the known ones.
fn add(lines: &mut Vec<NearLine>, line: &TransitLine, departures: &[Departures]) {
    let Some(known) = lines.iter_mut().find(|known| known.line.route == line.route) else {
        lines.push(NearLine { line: line.clone(), departures: departures.to_vec() });
        return;
    };
    known.departures.extend_from_slice(departures);
    known.departures = later_of_each_day(&known.departures);
}

/// Merges departures of several quays: each day of the week keeps its last one, days that end alike are listed together.
fn later_of_each_day(all: &[Departures]) -> Vec<Departures> {
    let mut kept = Vec::new();
    for day in DayKind::ALL {
        let of_day: Vec<&Departures> = all.iter().filter(|of| of.day == day).collect();
        let found = last_of_each_day(of_day.iter().map(|of| (of.last_s, *of)));
        kept.extend(found.into_iter().map(|(week, of)| {
            let first = of_day.iter().filter(|one| one.week() & week != 0 && one.on.is_none() == of.on.is_none());
            let first_s = first.map(|one| one.first_s).min().unwrap_or(of.first_s);
            Departures { first_s, ..of.on_days(week) }
        }));
    }
    kept
}

/// The last departure of each day of the week, among departures of one kind of day, each with its hour, with the days that it is
/// the last of, the first day first. A single day of the calendar is listed apart, where it is later than what runs every week.
fn last_of_each_day<'a>(all: impl Iterator<Item = (u32, &'a Departures)>) -> Vec<(u8, &'a Departures)> {
    let (single, usual): (Vec<_>, Vec<_>) = all.partition(|(_, of)| of.on.is_some());
    let mut found: Vec<(u8, &Departures)> = Vec::new();
    for bit in (0..7).map(|day| 1_u8 << day) {
        let mine = usual.iter().filter(|(_, of)| of.week() & bit != 0);
        // Of two at the same hour the one that came first.
        let last = mine.reduce(|best, one| if one.0 > best.0 { one } else { best });
        let Some((_, last)) = last else { continue };
        match found.iter_mut().find(|(_, known)| std::ptr::eq(*known, *last)) {
            Some((week, _)) => *week |= bit,
            None => found.push((bit, last)),
        }
    }
    for (last_s, of) in &single {
        let same_day = single.iter().filter(|(_, one)| one.on == of.on);
        let is_last = same_day.map(|(hour, _)| *hour).max() == Some(*last_s);
        let is_later = found.iter().all(|(_, usual)| usual.on.is_some() || usual.last_s < *last_s);
        let is_listed = found.iter().any(|(_, known)| known.on.is_some() && known.on == of.on);
        if is_last && is_later && !is_listed {
            found.push((of.week(), of));
        }
    }
    found
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

/// The last ways home from stops near the arrival, by kind of day; days of one kind that end differently are separate. `pauses` is
/// the share of the duration kept for them, percent.
pub fn ways_home(stops: &[NearStop], duration_s: Option<f64>, pauses: i64) -> Vec<WayHome> {
    let pauses_s = duration_s.map_or(0, |duration_s| pauses_s(duration_s, pauses));
    let on = |day: DayKind| {
        let all: Vec<_> = stops
            .iter()
            .flat_map(|stop| {
                stop.lines.iter().flat_map(move |line| line.departures.iter().map(move |of| (stop, line, of)))
            })
            .filter(|(_, _, of)| of.day == day)
            .collect();
        let found = last_of_each_day(all.iter().map(|(_, _, of)| (of.last_s, *of)));
        found
            .into_iter()
            .filter_map(|(week, of)| {
                let (stop, line, of) = all.iter().find(|(_, _, one)| std::ptr::eq(*one, of))?;
                let days = of.on_days(week);
                Some(WayHome {
                    day,
                    last_s: of.last_s,
                    towards: of.towards.clone(),
                    until: of.until.clone(),
                    weekdays: if of.on.is_some() { Vec::new() } else { days.weekdays },
                    on: of.on.clone(),
                    code: line.line.code.clone(),
                    stop: stop.name.clone(),
                    distance_m: stop.distance_m.round(),
                    bookable: line.line.bookable,
                    leave_by_s: duration_s
                        .and_then(|duration_s| leave_before(of.last_s, duration_s, pauses_s, stop.distance_m)),
                    pauses_s,
                })
            })
            .collect::<Vec<_>>()
    };
    DayKind::ALL.into_iter().flat_map(on).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(last_s: u32, weekdays: &[u8], on: Option<&str>) -> Departures {
        Departures {
            day: DayKind::Weekday,
            first_s: 25_000,
            last_s,
            towards: None,
            until: None,
            weekdays: weekdays.to_vec(),
            on: on.map(str::to_owned),
        }
    }

    fn stop(distance_m: f64, departures: Vec<Departures>) -> NearStop {
        let line = TransitLine { code: format!("{distance_m}"), ..TransitLine::default() };
        let lines = vec![NearLine { line, departures }];
        NearStop { feed: 1, name: "Halle".to_owned(), at: [4.0, 47.0], distance_m, lines }
    }

    fn hours_of(ways: &[WayHome]) -> Vec<(u32, Vec<u8>, Option<&str>)> {
        ways.iter().map(|way| (way.last_s, way.weekdays.clone(), way.on.as_deref())).collect()
    }

    #[test]
    fn a_late_monday_hides_no_other_day_of_the_week() {
        let stops = [stop(100.0, vec![of(64_800, &[2, 3, 4, 5], None), of(72_000, &[1], None)])];
        assert_eq!(hours_of(&ways_home(&stops, None, 0)), [(72_000, vec![1], None), (64_800, vec![2, 3, 4, 5], None)]);
        // The same from two stops: every day of one, and a later Monday of the other.
        let stops = [stop(100.0, vec![of(64_800, &[], None)]), stop(300.0, vec![of(72_000, &[1], None)])];
        assert_eq!(hours_of(&ways_home(&stops, None, 0)), [(72_000, vec![1], None), (64_800, vec![2, 3, 4, 5], None)]);
    }

    #[test]
    fn a_single_day_is_reported_beside_the_week_where_it_is_later() {
        let fair = of(80_000, &[], Some("2027-05-05"));
        let stops = [stop(100.0, vec![fair.clone(), of(64_800, &[], None)])];
        assert_eq!(
            hours_of(&ways_home(&stops, None, 0)),
            [(64_800, vec![], None), (80_000, vec![], Some("2027-05-05"))]
        );
        let stops = [stop(100.0, vec![fair, of(84_000, &[], None)])];
        assert_eq!(hours_of(&ways_home(&stops, None, 0)), [(84_000, vec![], None)]);
    }

    #[test]
    fn quays_of_one_stop_keep_the_last_of_each_day() {
        let kept = later_of_each_day(&[of(64_800, &[], None), of(72_000, &[1, 2], None), of(60_000, &[3], None)]);
        let hours: Vec<_> = kept.iter().map(|of| (of.last_s, of.weekdays.clone())).collect();
        assert_eq!(hours, [(72_000, vec![1, 2]), (64_800, vec![3, 4, 5])]);
    }
}
