//! Which line stops where, and when it first and last leaves from there, gathered from stop times that pass by once.

use std::collections::HashMap;

use domain::transit::{BikeCounts, DayKind, Departures};

use super::files::Files;
use super::lines::Lines;
use super::remarks::Remarks;
use super::rules::{Rules, text, time_of_day};
use super::services::{Service, Services, too_many, written};
use super::stops::Stops;
use super::table::{Column, Table};
use crate::incoming::Refused;

/// More trips than any feed has, and more places a line stops at.
const MAX_TRIPS: usize = 8_000_000;
const MAX_CALLS: usize = 4_000_000;
/// The most stops read as members of groups: a row of `stop_times.txt` that names a group is read once for each stop of the group.
const MAX_GROUP_CALLS: usize = 50_000_000;
/// No time, no direction.
const NONE: u32 = u32::MAX;

/// First and last departure on some days of the week.
#[derive(Debug, Clone, Copy)]
struct Span {
    first: u32,
    last: u32,
    /// Where the last one goes, and until which day.
    towards: u32,
    until: u32,
    /// The days of the week (bits, 1 is Monday), and whether the last one runs on one day of the calendar alone.
    week: u8,
    is_one_day: bool,
}

impl Span {
    /// Of two departures at the same hour, the one that runs longer in the year is kept.
    fn is_before(&self, other: &Self) -> bool {
        (self.last, self.until) <= (other.last, other.until)
    }

    /// Whether both spans have the same last departure.
    fn ends_like(&self, other: &Self) -> bool {
        (self.last, self.towards, self.until, self.is_one_day)
            == (other.last, other.towards, other.until, other.is_one_day)
    }
}

/// The days of the week of a kind of day.
const fn week_of(day: DayKind) -> u8 {
    match day {
        DayKind::Weekday => 0b1_1111,
        DayKind::Saturday => 0b10_0000,
        DayKind::Sunday => 0b100_0000,
    }
}

/// Adds the departures of a trip to those of a place: each day of the week keeps its own last one. No day is in two spans of the
/// same sort, so that a place has seven of each sort at most.
fn add(spans: &mut Vec<Span>, new: Span) {
    let mut rest = new.week;
    for at in 0..spans.len() {
        let known = spans[at];
        let both = known.week & rest;
        if both == 0 || known.is_one_day != new.is_one_day {
            continue;
        }
        rest &= !both;
        let last = if known.is_before(&new) { new } else { known };
        let joined = Span { week: both, first: known.first.min(new.first), ..last };
        if joined.first == known.first && joined.ends_like(&known) {
            continue;
        }
        spans[at] = joined;
        if known.week != both {
            spans.push(Span { week: known.week & !both, ..known });
        }
    }
    if rest != 0 {
        spans.push(Span { week: rest, ..new });
    }
}

/// The spans to show for one kind of day: the usual departures first, days that end alike together; then single days of the
/// calendar on which a later departure runs.
fn shown(spans: &[Span], day: DayKind) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let usual = spans.iter().filter(|span| !span.is_one_day);
    for span in usual.map(|span| Span { week: span.week & week_of(day), ..*span }).filter(|span| span.week != 0) {
        match found.iter_mut().find(|known| known.ends_like(&span)) {
            Some(known) => {
                known.week |= span.week;
                known.first = known.first.min(span.first);
            }
            None => found.push(span),
        }
    }
    found.sort_by_key(|span| span.week.trailing_zeros());
    let single = spans.iter().filter(|span| span.is_one_day && span.week & week_of(day) != 0);
    let later = |span: &&Span| {
        let usual = found.iter().find(|usual| usual.week & span.week != 0);
        usual.is_none_or(|usual| usual.last < span.last)
    };
    let single: Vec<Span> = single.filter(later).copied().collect();
    found.extend(single);
    found
}

/// Days on which trips run, and the last of them.
#[derive(Debug, Clone, Copy)]
struct Days {
    week: u8,
    until: u32,
    is_one_day: bool,
}

/// A trip that is repeated: its stop times say how long it takes, not when it leaves. They are kept until all of them are read.
struct Rounds {
    /// When the first and the last round begin.
    first: u32,
    last: u32,
    /// The place in the order and the time of the first stop time.
    begins: Option<(u32, u32)>,
    /// Stops and times of departure.
    departures: Vec<(u32, u32)>,
}

/// A trip, as far as its stop times ask: eight million of them are 320 MB, the usual feed has a hundred thousand.
struct Trip {
    line: u32,
    /// Its place among the days of all services. `NONE` where its service is not in the feed.
    days: u32,
    towards: u32,
    /// Its place among the rounds of all repeated trips. `NONE` where it is not repeated.
    rounds: u32,
    /// The stop time met last: stop, time, place in the order. It is a departure once another one follows.
    stop: u32,
    time: u32,
    order: u32,
}

/// The calls read so far.
#[derive(Default)]
pub(super) struct Calls {
    by_place: HashMap<(u32, u32), Vec<Span>>,
    headsigns: Vec<String>,
    days: Vec<Vec<Days>>,
    rounds: Vec<Rounds>,
    /// Departures of repeated trips.
    of_rounds: usize,
    /// How often a stop was met as one of a group.
    of_groups: usize,
    pub stop_times: u64,
    /// Whether the days of at least one trip are in the feed.
    pub have_days: bool,
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
    have_days: bool,
}

/// Goes through trips and stop times. Departures are of trips that run today or later; of a feed that is over, of all.
pub(super) fn read(
    files: &mut Files<'_>,
    (lines, stops, services, rules): (&mut Lines, &Stops, &Services, &Rules),
    today: u32,
    remarks: &mut Remarks,
) -> Result<Calls, Refused> {
    let mut calls = Calls::default();
    let mut trips = trips(files, (lines, services), today, &mut calls, remarks)?;
    calls.rounds = frequencies(files, &mut trips, remarks)?;
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
        if calls.by_place.len() > MAX_CALLS || calls.of_groups > MAX_GROUP_CALLS || calls.of_rounds > MAX_CALLS {
            return Err(too_many("stop_times.txt"));
        }
    }
    calls.stop_times = table.rows;
    calls.have_days = trips.have_days;
    drop(table);
    // What follows nothing is a terminus: one arrives there, and does not leave.
    for trip in &trips.all {
        if trip.stop != NONE {
            calls.serves(trip.line, trip.stop);
        }
        calls.repeat(trip);
    }
    Ok(calls)
}

fn trips(
    files: &mut Files<'_>,
    (lines, services): (&mut Lines, &Services),
    today: u32,
    calls: &mut Calls,
    remarks: &mut Remarks,
) -> Result<Trips, Refused> {
    let missing = || Refused::new("transport/missing-file").with("file", "trips.txt");
    let mut trips = Trips { by_id: HashMap::new(), all: Vec::new(), have_days: false };
    let mut table = files.table("trips.txt")?.ok_or_else(missing)?;
    let [id, route, service, headsign, bikes] =
        ["trip_id", "route_id", "service_id", "trip_headsign", "bikes_allowed"].map(|name| table.column(name));
    let (mut known, mut known_days) = (HashMap::<Box<[u8]>, u32>::new(), HashMap::<Box<[u8]>, u32>::new());
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
        let service = table.get(service);
        let days = if let Some(days) = known_days.get(service) {
            *days
        } else if let Some(runs) = services.get(service) {
            calls.days.push(days_of(runs, services, today));
            let at = calls.days.len() as u32 - 1;
            known_days.insert(service.into(), at);
            at
        } else {
            remarks.add("transport/unknown-service", service);
            NONE
        };
        trips.have_days |= days != NONE;
        let sign = table.get(headsign);
        let towards = if let Some(towards) = known.get(sign) {
            *towards
        } else {
            let at = text(sign, 100).map_or(NONE, |sign| {
                calls.headsigns.push(sign);
                calls.headsigns.len() as u32 - 1
            });
            known.insert(sign.into(), at);
            at
        };
        trips.by_id.insert(own.into(), trips.all.len() as u32);
        trips.all.push(Trip { line, days, towards, rounds: NONE, stop: NONE, time: NONE, order: 0 });
    }
    Ok(trips)
}

/// The days of a service that runs today or later; of a feed that is over, all.
fn days_of(runs: impl Iterator<Item = Service>, services: &Services, today: u32) -> Vec<Days> {
    let shown = runs.filter(|runs| runs.week != 0 && (runs.to >= today || services.to < today));
    let days = shown.map(|runs| {
        // A service that runs until the feed ends shows no end date: another feed follows.
        let is_one_day = runs.from == runs.to;
        let until = if runs.to == services.to && !is_one_day { NONE } else { runs.to };
        Days { week: runs.week, until, is_one_day }
    });
    days.collect()
}

/// Trips that are repeated from one hour to another.
fn frequencies(files: &mut Files<'_>, trips: &mut Trips, remarks: &mut Remarks) -> Result<Vec<Rounds>, Refused> {
    let mut found: Vec<Rounds> = Vec::new();
    let Some(mut table) = files.table("frequencies.txt")? else { return Ok(found) };
    let [id, from, to, every] = ["trip_id", "start_time", "end_time", "headway_secs"].map(|name| table.column(name));
    while table.next()? {
        let Some(trip) = trips.by_id.get(table.get(id)).and_then(|at| trips.all.get_mut(*at as usize)) else {
            remarks.add("transport/unknown-trip", table.get(id));
            continue;
        };
        let Some((first, to)) = time_of_day(table.get(from)).zip(time_of_day(table.get(to))) else { continue };
        let every = std::str::from_utf8(table.get(every)).ok().and_then(|text| text.parse::<u32>().ok());
        // None begins at the end of the window. Where no interval is given, only the first round is known.
        let rounds = every.and_then(|every| to.saturating_sub(first).saturating_sub(1).checked_div(every));
        let last = first + rounds.zip(every).map_or(0, |(rounds, every)| rounds * every);
        if let Some(known) = found.get_mut(trip.rounds as usize) {
            (known.first, known.last) = (known.first.min(first), known.last.max(last));
        } else {
            trip.rounds = found.len() as u32;
            found.push(Rounds { first, last, begins: None, departures: Vec::new() });
        }
    }
    Ok(found)
}

/// The days of the week, 1 is Monday, where they are not all of their kind.
fn weekdays(day: DayKind, span: &Span) -> Vec<u8> {
    if span.week == week_of(day) || span.is_one_day {
        return Vec::new();
    }
    (1..=7).filter(|number| span.week & (1 << (number - 1)) != 0).collect()
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
        let order: u32 = std::str::from_utf8(get(columns.order)).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        // The first stop may be one without a position.
        if let Some(rounds) = self.rounds.get_mut(trip.rounds as usize)
            && let Some(time) = time_of_day(get(columns.leaves)).or_else(|| time_of_day(get(columns.arrives)))
            && rounds.begins.is_none_or(|begins| (order, time) < begins)
        {
            rounds.begins = Some((order, time));
        }
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
            let members = stops.group(group);
            self.of_groups += members.len();
            for stop in members {
                self.serves(trip.line, *stop);
                if boards && let Some((from, to)) = from.zip(to) {
                    self.leaves(trip, *stop, (from, from));
                    self.leaves(trip, *stop, (to, to));
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
                self.leaves(trip, stop, (from, from));
                self.leaves(trip, stop, (to, to));
            }
            return;
        }
        let mut time_at = |column| {
            let time = time_of_day(get(column));
            if time.is_none() && !get(column).is_empty() {
                remarks.add("transport/bad-time", get(column));
            }
            time
        };
        let time = time_at(columns.leaves);
        let time = time.or_else(|| time_at(columns.arrives));
        let time = time.filter(|_| boards).unwrap_or(NONE);
        // Rows of a trip may come in any order: of two the later one waits, the earlier one is a departure.
        if trip.stop == NONE || order >= trip.order {
            let (stop_before, time_before) = (trip.stop, trip.time);
            (trip.stop, trip.time, trip.order) = (stop, time, order);
            if stop_before != NONE {
                self.departs(trip, stop_before, time_before);
            }
        } else {
            self.departs(trip, stop, time);
        }
    }

    /// Adds a departure; one of a repeated trip once all its stop times are read.
    fn departs(&mut self, trip: &Trip, stop: u32, time: u32) {
        if time == NONE {
            return;
        }
        match self.rounds.get_mut(trip.rounds as usize) {
            Some(rounds) => {
                rounds.departures.push((stop, time));
                self.of_rounds += 1;
            }
            None => self.leaves(trip, stop, (time, time)),
        }
    }

    /// Adds the departures of a repeated trip: as long after the beginning of each round as the stop times say.
    fn repeat(&mut self, trip: &Trip) {
        let Some(rounds) = self.rounds.get_mut(trip.rounds as usize) else { return };
        let (first, last, begins) = (rounds.first, rounds.last, rounds.begins.unwrap_or_default().1);
        for (stop, time) in std::mem::take(&mut rounds.departures) {
            let after = time.saturating_sub(begins);
            self.leaves(trip, stop, (first + after, last + after));
        }
    }

    fn serves(&mut self, line: u32, stop: u32) {
        self.by_place.entry((line, stop)).or_default();
    }

    /// Adds departures from a stop, from the first one to the last one of a day.
    fn leaves(&mut self, trip: &Trip, stop: u32, (first, last): (u32, u32)) {
        let Some(days) = self.days.get(trip.days as usize) else { return };
        let spans = self.by_place.entry((trip.line, stop)).or_default();
        for Days { week, until, is_one_day } in days.iter().copied() {
            add(spans, Span { first, last, towards: trip.towards, until, week, is_one_day });
        }
    }

    /// Whether no line stops anywhere.
    pub(super) fn are_none(&self) -> bool {
        self.by_place.is_empty()
    }

    /// The calls: line, stop, departures; by line, then by stop.
    pub(super) fn gathered(self) -> impl Iterator<Item = (u32, u32, Vec<Departures>)> {
        let headsigns = self.headsigns;
        let mut places: Vec<_> = self.by_place.into_iter().collect();
        places.sort_unstable_by_key(|(place, _)| *place);
        places.into_iter().map(move |((line, stop), spans)| {
            let days =
                DayKind::ALL.into_iter().flat_map(|day| shown(&spans, day).into_iter().map(move |span| (day, span)));
            let departures = days.map(|(day, span)| Departures {
                day,
                first_s: span.first,
                last_s: span.last,
                towards: headsigns.get(span.towards as usize).cloned(),
                until: written(span.until).filter(|_| !span.is_one_day),
                weekdays: weekdays(day, &span),
                on: written(span.until).filter(|_| span.is_one_day),
            });
            (line, stop, departures.collect())
        })
    }
}
