//! Which line stops where, and when it first and last leaves from there, gathered from stop times that pass by once.

use std::collections::HashMap;

use domain::transit::{BikeCounts, DayKind, Departures};

use super::files::Files;
use super::lines::Lines;
use super::rules::{Rules, text, time_of_day};
use super::services::{Services, too_many, written};
use super::stops::Stops;
use super::table::{Column, Table};
use super::told::Remarks;
use crate::incoming::Refused;

/// More trips than any feed has, and more places a line stops at.
const MAX_TRIPS: usize = 8_000_000;
const MAX_CALLS: usize = 4_000_000;
/// No time, no direction.
const NONE: u32 = u32::MAX;

/// First and last departure of a kind of day.
#[derive(Debug, Clone, Copy)]
struct Span {
    first: u32,
    last: u32,
    /// Where the last one goes, and until which day.
    towards: u32,
    until: u32,
    /// On which days of the week the last one runs (bits, 1 is Monday), and whether it is one day alone.
    week: u8,
    is_one_day: bool,
}

const EMPTY: Span = Span { first: NONE, last: 0, towards: NONE, until: 0, week: 0, is_one_day: false };
/// Monday to Friday.
const WORKING_WEEK: u8 = 0b1_1111;

/// A trip, as far as its stop times ask: eight million of them are 320 MB, the usual feed has a hundred thousand.
struct Trip {
    line: u32,
    kinds: u8,
    week: u8,
    is_one_day: bool,
    towards: u32,
    until: u32,
    /// How much later its last round begins than it is told to: of trips that are repeated all day.
    later: u32,
    /// The stop time met last: stop, time, place in the order. It is a departure once another one follows.
    stop: u32,
    time: u32,
    order: u32,
}

/// What is gathered.
#[derive(Default)]
pub(super) struct Calls {
    by_place: HashMap<(u32, u32), [Span; 3]>,
    headsigns: Vec<String>,
    pub stop_times: u64,
}

struct Columns {
    trip: Column,
    stop: Column,
    leaves: Column,
    arrives: Column,
    order: Column,
    pickup: Column,
    drop_off: Column,
    from: Column,
    to: Column,
    rule: Column,
    drop_rule: Column,
    group: Column,
    area: Column,
    continuous: Column,
}

impl Columns {
    fn of(table: &Table<'_>) -> Self {
        Self {
            trip: table.column("trip_id"),
            stop: table.column("stop_id"),
            leaves: table.column("departure_time"),
            arrives: table.column("arrival_time"),
            order: table.column("stop_sequence"),
            pickup: table.column("pickup_type"),
            drop_off: table.column("drop_off_type"),
            from: table.column("start_pickup_drop_off_window"),
            to: table.column("end_pickup_drop_off_window"),
            rule: table.column("pickup_booking_rule_id"),
            drop_rule: table.column_of(&["drop_off_booking_rule_id", "dropoff_booking_rule_id"]),
            group: table.column("location_group_id"),
            area: table.column("location_id"),
            continuous: table.column("continuous_pickup"),
        }
    }
}

struct Trips {
    by_id: HashMap<Box<[u8]>, u32>,
    all: Vec<Trip>,
}

/// Goes through trips and stop times. Departures are of trips that run today or later; of a feed that is over, of all.
pub(super) fn read(
    files: &mut Files<'_>,
    (lines, stops, services, rules): (&mut Lines, &Stops, &Services, &Rules),
    today: u32,
    remarks: &mut Remarks,
) -> Result<Calls, Refused> {
    let mut calls = Calls::default();
    let mut trips = trips(files, (lines, services), today, &mut calls.headsigns, remarks)?;
    frequencies(files, &mut trips, remarks)?;
    let missing = || Refused::new("transport/missing-file").with("file", "stop_times.txt");
    let mut table = files.table("stop_times.txt")?.ok_or_else(missing)?;
    let columns = Columns::of(&table);
    let mut known: (Box<[u8]>, Option<u32>) = (Box::default(), None);
    while table.next()? {
        let id = table.get(columns.trip);
        // Almost always the trip of the row before.
        if *known.0 != *id {
            known = (id.into(), trips.by_id.get(id).copied());
        }
        let Some(trip) = known.1.and_then(|at| trips.all.get_mut(at as usize)) else {
            remarks.add("transport/unknown-trip", id);
            continue;
        };
        calls.row(&table, &columns, trip, (lines, stops, rules), remarks);
        if calls.by_place.len() > MAX_CALLS {
            return Err(too_many("stop_times.txt"));
        }
    }
    calls.stop_times = table.rows;
    drop(table);
    // What follows nothing is a terminus: one arrives there, and does not leave.
    for trip in &trips.all {
        if trip.stop != NONE {
            calls.serves(trip.line, trip.stop);
        }
    }
    Ok(calls)
}

fn trips(
    files: &mut Files<'_>,
    (lines, services): (&mut Lines, &Services),
    today: u32,
    headsigns: &mut Vec<String>,
    remarks: &mut Remarks,
) -> Result<Trips, Refused> {
    let missing = || Refused::new("transport/missing-file").with("file", "trips.txt");
    let mut trips = Trips { by_id: HashMap::new(), all: Vec::new() };
    let mut table = files.table("trips.txt")?.ok_or_else(missing)?;
    let [id, route, service, headsign, bikes] =
        ["trip_id", "route_id", "service_id", "trip_headsign", "bikes_allowed"].map(|name| table.column(name));
    let mut known: HashMap<Box<[u8]>, u32> = HashMap::new();
    while table.next()? {
        let Some(line) = lines.by_id.get(table.get(route)).copied() else {
            remarks.add("transport/unknown-line", table.get(route));
            continue;
        };
        let own = table.get(id);
        if trips.by_id.contains_key(own) {
            remarks.add("transport/double-trip", own);
            continue;
        }
        if trips.all.len() >= MAX_TRIPS {
            return Err(too_many("trips.txt"));
        }
        if let Some(line) = lines.all.get_mut(line as usize) {
            line.trips += 1;
            let BikeCounts { yes, no, unknown } = &mut line.bikes;
            *match table.get(bikes) {
                b"1" => yes,
                b"2" => no,
                _ => unknown,
            } += 1;
        }
        let runs = services.get(table.get(service));
        if runs.is_none() {
            remarks.add("transport/unknown-service", table.get(service));
        }
        let runs = runs.filter(|runs| runs.to >= today || services.to < today).unwrap_or_default();
        let sign = table.get(headsign);
        let towards = if let Some(towards) = known.get(sign) {
            *towards
        } else {
            let at = text(sign, 100).map_or(NONE, |sign| {
                headsigns.push(sign);
                headsigns.len() as u32 - 1
            });
            known.insert(sign.into(), at);
            at
        };
        trips.by_id.insert(own.into(), trips.all.len() as u32);
        // Of what runs until the feed's end no end is told: there is another feed then.
        let is_one_day = runs.from == runs.to;
        let until = if runs.to == services.to && !is_one_day { NONE } else { runs.to };
        let (kinds, week) = (runs.kinds, runs.week);
        trips.all.push(Trip {
            line,
            kinds,
            week,
            is_one_day,
            towards,
            until,
            later: 0,
            stop: NONE,
            time: NONE,
            order: 0,
        });
    }
    Ok(trips)
}

/// Trips that are repeated from one hour to another.
fn frequencies(files: &mut Files<'_>, trips: &mut Trips, remarks: &mut Remarks) -> Result<(), Refused> {
    let Some(mut table) = files.table("frequencies.txt")? else { return Ok(()) };
    let (id, from, to) = (table.column("trip_id"), table.column("start_time"), table.column("end_time"));
    while table.next()? {
        let Some(trip) = trips.by_id.get(table.get(id)).and_then(|at| trips.all.get_mut(*at as usize)) else {
            remarks.add("transport/unknown-trip", table.get(id));
            continue;
        };
        if let (Some(from), Some(to)) = (time_of_day(table.get(from)), time_of_day(table.get(to))) {
            trip.later = trip.later.max(to.saturating_sub(from));
        }
    }
    Ok(())
}

/// The days of the week on which the last departure runs, where they are not all of its kind.
fn weekdays(day: DayKind, span: Span) -> Vec<u8> {
    let week = span.week & WORKING_WEEK;
    if day != DayKind::Weekday || week == WORKING_WEEK || span.is_one_day {
        return Vec::new();
    }
    (1..=5).filter(|number| week & (1 << (number - 1)) != 0).collect()
}

impl Calls {
    fn row(
        &mut self,
        table: &Table<'_>,
        columns: &Columns,
        trip: &mut Trip,
        (lines, stops, rules): (&mut Lines, &Stops, &Rules),
        remarks: &mut Remarks,
    ) {
        let get = |column| table.get(column);
        let (from, to) = (time_of_day(get(columns.from)), time_of_day(get(columns.to)));
        let called = |column| matches!(get(column), b"2" | b"3");
        let rule = [columns.rule, columns.drop_rule].into_iter().map(get).find(|rule| !rule.is_empty());
        let on_demand = rule.is_some() || from.is_some() || called(columns.pickup) || called(columns.drop_off);
        if (on_demand || called(columns.continuous))
            && let Some(line) = lines.all.get_mut(trip.line as usize)
        {
            line.bookable = true;
            if line.booking.is_none() {
                line.booking = rule.and_then(|rule| rules.get(rule)).cloned();
            }
        }
        let boards = get(columns.pickup) != b"1";
        let group = get(columns.group);
        if !group.is_empty() {
            for stop in stops.group(group) {
                self.serves(trip.line, *stop);
                if boards && let Some((from, to)) = from.zip(to) {
                    self.leaves(trip, *stop, from);
                    self.leaves(trip, *stop, to);
                }
            }
            return;
        }
        let Some(stop) = stops.get(get(columns.stop)) else {
            if !get(columns.area).is_empty() {
                remarks.add("transport/area", get(columns.area));
            } else if !stops.knows(get(columns.stop)) {
                remarks.add("transport/unknown-stop", get(columns.stop));
            }
            return;
        };
        self.serves(trip.line, stop);
        if let Some((from, to)) = from.zip(to) {
            if boards {
                self.leaves(trip, stop, from);
                self.leaves(trip, stop, to);
            }
            return;
        }
        let time = time_of_day(get(columns.leaves)).or_else(|| time_of_day(get(columns.arrives)));
        let time = time.filter(|_| boards).unwrap_or(NONE);
        let order = std::str::from_utf8(get(columns.order)).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        // Rows of a trip may come in any order: of two the later one waits, the earlier one is a departure.
        if trip.stop == NONE || order >= trip.order {
            let (stop_before, time_before) = (trip.stop, trip.time);
            (trip.stop, trip.time, trip.order) = (stop, time, order);
            if stop_before != NONE {
                self.leaves(trip, stop_before, time_before);
            }
        } else {
            self.leaves(trip, stop, time);
        }
    }

    fn serves(&mut self, line: u32, stop: u32) -> &mut [Span; 3] {
        self.by_place.entry((line, stop)).or_insert([EMPTY; 3])
    }

    fn leaves(&mut self, trip: &Trip, stop: u32, time: u32) {
        if time == NONE || trip.kinds == 0 {
            return;
        }
        let last = time + trip.later;
        let (kinds, towards, until) = (trip.kinds, trip.towards, trip.until);
        let (week, is_one_day) = (trip.week, trip.is_one_day);
        let spans = self.serves(trip.line, stop);
        for (_, span) in spans.iter_mut().enumerate().filter(|(kind, _)| kinds & 1 << kind != 0) {
            span.first = span.first.min(time);
            // Of two at the same hour the one that runs longer in the year is told.
            if (last, until) >= (span.last, span.until) {
                (span.last, span.towards, span.until) = (last, towards, until);
                (span.week, span.is_one_day) = (week, is_one_day);
            }
        }
    }

    /// What was gathered: line, stop, departures; by line, then by stop.
    pub(super) fn gathered(self) -> impl Iterator<Item = (u32, u32, Vec<Departures>)> {
        let headsigns = self.headsigns;
        let mut places: Vec<_> = self.by_place.into_iter().collect();
        places.sort_unstable_by_key(|(place, _)| *place);
        places.into_iter().map(move |((line, stop), spans)| {
            let days = DayKind::ALL.into_iter().zip(spans).filter(|(_, span)| span.first != NONE);
            let departures = days.map(|(day, span)| Departures {
                day,
                first_s: span.first,
                last_s: span.last,
                towards: headsigns.get(span.towards as usize).cloned(),
                until: written(span.until).filter(|_| !span.is_one_day),
                weekdays: weekdays(day, span),
                on: written(span.until).filter(|_| span.is_one_day),
            });
            (line, stop, departures.collect())
        })
    }
}
