//! Feeds of public transport: the real samples, read in full, with the faults reported in them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use domain::transit::{DayKind, TransitLine};
use domain::transport_line::{LineBikes, LineMode};
use feeds::gtfs::{Files, Transit, read};
use proptest::prelude::*;
use zip::write::SimpleFileOptions;

const TODAY: u32 = 20_261_122;

fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gtfs");
    folder.is_dir().then_some(folder)
}

fn sample(name: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let folder = folder()?.join(name);
    let files = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|file| (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).unwrap()));
    Some(files.collect())
}

fn loose(files: &[(&str, &str)]) -> Transit {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    read(&mut Files::loose(files), TODAY).unwrap()
}

fn code_of(files: &[(&str, &str)]) -> &'static str {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    read(&mut Files::loose(files), TODAY).unwrap_err().code
}

/// Adds a row to a file of a feed.
fn add_row(files: &mut BTreeMap<String, Vec<u8>>, name: &str, row: &str) {
    let file = files.get_mut(name).unwrap();
    let end = file.trim_ascii_end().len();
    file.truncate(end);
    file.extend(format!("\n{row}\n").bytes());
}

fn zipped<'a>(files: impl IntoIterator<Item = (&'a str, Vec<u8>)>) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn remarks(transit: &Transit) -> Vec<(&str, u64)> {
    transit.remarks.iter().map(|remark| (remark.code, remark.count)).collect()
}

fn line<'a>(transit: &'a Transit, route: &str) -> &'a TransitLine {
    transit.lines.iter().find(|line| line.route == route).unwrap()
}

/// `stop: weekday first–last towards` of a line.
fn departures(transit: &Transit, route: &str, day: DayKind) -> Vec<String> {
    let of = transit.lines.iter().position(|line| line.route == route).unwrap();
    let calls = transit.calls.iter().filter(|call| call.line as usize == of);
    let shown = calls.filter_map(|call| {
        let found = call.departures.iter().find(|found| found.day == day)?;
        let clock = |s: u32| format!("{}:{:02}", s / 3_600, s % 3_600 / 60);
        let towards = found.towards.as_deref().unwrap_or("?");
        let until = found.until.as_deref().map(|day| format!(" until {day}")).unwrap_or_default();
        let (first, last) = (clock(found.first_s), clock(found.last_s));
        Some(format!("{}: {first}-{last} {towards}{until}", transit.stops[call.stop as usize].name))
    });
    shown.collect()
}

#[test]
fn the_feed_of_the_valley_is_read_as_its_operator_means_it() {
    let Some(files) = sample("maison-vallon") else { return };
    let transit = read(&mut Files::loose(files), TODAY).unwrap();
    assert_eq!(remarks(&transit), []);
    assert_eq!((transit.lines.len(), transit.stops.len(), transit.stop_times), (6, 8, 20));
    assert_eq!(transit.days, (Some("2027-01-01".into()), Some("2027-12-31".into())));
    let listed: Vec<_> = transit
        .lines
        .iter()
        .map(|line| (line.code.as_str(), line.mode, line.bikes.carriage(), line.bookable))
        .collect();
    assert_eq!(
        listed,
        [
            ("R1", LineMode::Rail, LineBikes::Yes, false),
            ("12", LineMode::Bus, LineBikes::Conditions, true),
            ("14", LineMode::Bus, LineBikes::No, false),
            ("TAD", LineMode::Bus, LineBikes::Unknown, true),
            ("BAC", LineMode::Ferry, LineBikes::Yes, false),
            ("F1", LineMode::Funicular, LineBikes::Unknown, false),
        ]
    );
    let on_demand = line(&transit, "TAD").booking.clone().unwrap();
    assert_eq!(on_demand.url.as_deref(), Some("https://cars-du-vallon.example/reserver"));
    assert_eq!(on_demand.phone.as_deref(), Some("0400000002"));
    assert_eq!(on_demand.note().fr(), "Réservation la veille avant 17 h 00. Réservez la veille avant 17 h");
    assert_eq!(line(&transit, "C12").booking.as_ref().unwrap().minutes_before, Some(120));
    assert_eq!(line(&transit, "C12").operator.as_deref(), Some("Cars du Vallon"));
    assert_eq!(line(&transit, "BAC").text_color.as_deref(), Some("#FFFFFF"));
    // The terminus is no departure; what runs after midnight is still of its evening.
    assert_eq!(
        departures(&transit, "C14", DayKind::Sunday),
        ["Hautecombe: 8:40-8:40 Lac Blanc", "Lac Blanc: 24:10-24:10 Hautecombe"]
    );
    // The summer's last bus runs until the end of September; the winter's does not run on Sundays.
    assert_eq!(
        departures(&transit, "C12", DayKind::Sunday),
        [
            "Valbourg Gare: 8:30-8:30 Col des Trois Croix until 2027-09-30",
            "Col des Trois Croix: 17:00-17:00 Valbourg Gare until 2027-09-30"
        ]
    );
    assert_eq!(departures(&transit, "C12", DayKind::Weekday)[0], "Valbourg Gare: 8:30-9:00 Col des Trois Croix");
    // On demand from nine to five, at the stop where one may get in.
    assert_eq!(departures(&transit, "TAD", DayKind::Saturday), ["Valbourg Gare: 9:00-17:00 ?"]);
}

#[test]
fn a_trip_that_ran_until_yesterday_leaves_no_more() {
    let Some(files) = sample("maison-vallon") else { return };
    let transit = read(&mut Files::loose(files), 20_271_001).unwrap();
    assert_eq!(departures(&transit, "C12", DayKind::Sunday), Vec::<String>::new());
    assert_eq!(departures(&transit, "C12", DayKind::Weekday), ["Valbourg Gare: 9:00-9:00 Col des Trois Croix"]);
}

#[test]
fn a_place_on_demand_is_all_its_stops() {
    let Some(files) = sample("tad-bois-le-roi-flex") else { return };
    let transit = read(&mut Files::loose(files), TODAY).unwrap();
    assert_eq!((transit.lines.len(), transit.stops.len(), transit.stop_times), (1, 9, 7));
    let only = &transit.lines[0];
    assert_eq!((only.code.as_str(), only.long_name.as_str(), only.bookable), ("760", "Rabattement 2025", true));
    // Its one agency has no identifier: the line takes it, as it is the only one.
    assert_eq!(only.operator.as_deref(), Some("TAD bois_le_roi"));
    let booking = only.booking.as_ref().unwrap();
    assert_eq!(
        (booking.phone.as_deref(), booking.url.as_deref(), booking.minutes_before),
        (Some("0123456789"), None, Some(5))
    );
    assert!(remarks(&transit).contains(&("transport/bad-address", 2)), "{:?}", remarks(&transit));
    let monday = departures(&transit, "760", DayKind::Weekday);
    assert!(monday.contains(&"COLINET: 8:40-10:37 ?".to_owned()), "{monday:?}");
    assert!(monday.contains(&"CARNOT SAMOIS: 8:35-8:35 ?".to_owned()), "{monday:?}");
    assert!(!monday.iter().any(|name| name.starts_with("GARE DE BOIS LE ROI")), "one only gets out there: {monday:?}");
}

#[test]
fn the_boats_of_marseille_are_read_with_their_mark_and_their_stations() {
    let Some(folder) = folder() else { return };
    let Ok(bytes) = fs::read(folder.join("frioul-if-express.zip")) else { return };
    let transit = read(&mut Files::open(&bytes).unwrap(), TODAY).unwrap();
    assert_eq!((transit.lines.len(), transit.lines[0].long_name.as_str()), (1, "Marseille If Frioul"));
    // Quays are their station's: three islands' worth of stops, not nine.
    let names: Vec<&str> = transit.stops.iter().map(|stop| stop.name.as_str()).collect();
    assert_eq!(names, ["Frioul", "Ile d'If", "Marseille Vieux Port"]);
    assert_eq!(transit.lines[0].operator.as_deref(), Some("Frioul If Express"));
    // The dates of the feed are past: its departures are still listed, with a note that they are past.
    assert!(transit.days.1.as_deref().is_some_and(|last| last < "2026"));
    assert!(departures(&transit, "L1", DayKind::Weekday).iter().any(|name| name.starts_with("Marseille Vieux Port")));
}

#[test]
fn what_breaks_the_rules_is_counted_and_the_rest_is_read() {
    let Some(mut files) = sample("bibus-couleurs") else { return };
    assert_eq!(read(&mut Files::loose(files.clone()), TODAY).unwrap_err().code, "transport/no-calls");
    add_row(&mut files, "trips.txt", "1,service1,trip2");
    add_row(&mut files, "stop_times.txt", "trip2,14:00:00,14:00:00,stop2,0");
    let transit = read(&mut Files::loose(files), TODAY).unwrap();
    assert_eq!((transit.lines.len(), transit.stops.len()), (5, 1));
    assert_eq!(
        remarks(&transit),
        [
            ("transport/unknown-agency", 5),
            ("transport/bad-type", 4),
            ("transport/unknown-line", 1),
            ("transport/unknown-trip", 2),
        ]
    );
    assert_eq!(transit.lines[0].text_color.as_deref(), Some("#000000"));
    // Its words could not be read on its colour.
    assert_eq!(
        (transit.lines[3].color.as_deref(), transit.lines[3].text_color.as_deref()),
        (Some("#111111"), Some("#AAAAAA"))
    );
    let Some(mut files) = sample("paris-velo-admis") else { return };
    add_row(&mut files, "stop_times.txt", "trip1,7:20:00,7:20:01,sa_avant,5");
    let transit = read(&mut Files::loose(files), TODAY).unwrap();
    assert_eq!(transit.lines.iter().map(|line| line.code.as_str()).collect::<Vec<_>>(), ["1", "1", "534"]);
    assert_eq!(line(&transit, "1").bikes.carriage(), LineBikes::Yes);
    let found = remarks(&transit);
    for expected in [("transport/double-line", 1), ("transport/double-stop", 2), ("transport/unknown-stop", 4)] {
        assert!(found.contains(&expected), "{found:?}");
    }
    let Some(files) = sample("bibus-plusieurs-agences") else { return };
    assert!(!read(&mut Files::loose(files), TODAY).unwrap().lines.is_empty());
    let Some(files) = sample("bibus-sur-appel") else { return };
    assert_eq!(read(&mut Files::loose(files), TODAY).unwrap_err().code, "transport/no-calls");
}

const ROUTES: (&str, &str) = ("routes.txt", "route_id,route_short_name,route_type\nFR:12:Line:C14,,3\n");
const STOPS: (&str, &str) =
    ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\nA,Gare,45.1,6.1\nB,Col,\"45,2\",\"6,2\"\nC,Nulle part,0,0\n");

#[test]
fn days_are_read_from_dates_where_there_is_no_week() {
    let transit = loose(&[
        ROUTES,
        STOPS,
        ("calendar_dates.txt", "service_id,date,exception_type\nW,20261128,1\nW,20261129,1\nW,20261130,2\n"),
        ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n"),
        // Rows of a trip in any order: the terminus is the one of the highest number.
        ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,10:00:00,B,9\nT,09:00:00,A,1\nT,,C,5\n"),
    ]);
    assert_eq!(transit.lines[0].code, "C14");
    assert_eq!(departures(&transit, "FR:12:Line:C14", DayKind::Saturday), ["Gare: 9:00-9:00 ?"]);
    assert_eq!(departures(&transit, "FR:12:Line:C14", DayKind::Weekday), Vec::<String>::new());
    assert_eq!(remarks(&transit), [("transport/bad-position", 1)]);
    assert_eq!(transit.days, (Some("2026-11-28".into()), Some("2026-11-29".into())));
}

#[test]
fn a_time_that_is_not_read_is_remarked_and_stops_need_a_position() {
    let trips = ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n");
    let calendar = ("calendar.txt", "service_id,monday,start_date,end_date\nW,1,20260101,20271231\n");
    let times = "trip_id,departure_time,arrival_time,stop_id,stop_sequence\nT,8h30,,A,1\nT,,,B,2\n";
    let transit = loose(&[ROUTES, STOPS, calendar, trips, ("stop_times.txt", times)]);
    let found: Vec<_> = transit.remarks.iter().map(|remark| (remark.code, remark.count, &*remark.example)).collect();
    assert!(found.contains(&("transport/bad-time", 1, "8h30")), "{found:?}");

    let nowhere = ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\nA,Gare,0,0\nB,Col,nord,est\n");
    assert_eq!(code_of(&[ROUTES, nowhere, calendar, trips, ("stop_times.txt", times)]), "transport/no-stops");
}

#[test]
fn a_service_whose_first_or_last_day_is_not_read_has_no_week() {
    let read = |days: &str, dates: &str| {
        let calendar = format!("service_id,monday,start_date,end_date\nW,1,{days}\n");
        let dates = format!("service_id,date,exception_type\n{dates}");
        let transit = loose(&[
            ROUTES,
            STOPS,
            ("calendar.txt", calendar.as_str()),
            ("calendar_dates.txt", dates.as_str()),
            ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n"),
            ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,09:00:00,A,1\nT,10:00:00,B,2\n"),
        ]);
        let bad = transit.remarks.iter().find(|remark| remark.code == "transport/bad-date");
        let bad = bad.map(|remark| (remark.count, remark.example.clone()));
        let weekdays = departures(&transit, "FR:12:Line:C14", DayKind::Weekday).len();
        (weekdays, departures(&transit, "FR:12:Line:C14", DayKind::Saturday).len(), bad)
    };
    let bad = |count: u64, example: &str| Some((count, example.to_owned()));
    let with = |days: &str| read(days, "");
    assert_eq!(with("20260101,20271231"), (1, 0, None));
    assert_eq!(with("2026-01-01,20271231"), (0, 0, bad(1, "2026-01-01")));
    assert_eq!(with("20260101,20271331"), (0, 0, bad(1, "20271331")));
    assert_eq!(with("demain,"), (0, 0, bad(2, "demain")));
    assert_eq!(with(",20271231"), (0, 0, bad(1, "W")));
    assert_eq!(read(",20271231", "W,20261128,1\n"), (0, 1, bad(1, "W")), "a single Saturday is known");
}

#[test]
fn a_feed_whose_lines_stop_nowhere_or_on_no_day_is_refused() {
    let trips = ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n");
    let calendar = ("calendar.txt", "service_id,monday,start_date,end_date\nW,1,20260101,20271231\n");
    let times = ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,09:00:00,A,1\nT,10:00:00,B,2\n");
    let no_times = ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\n");
    assert_eq!(code_of(&[ROUTES, STOPS, calendar, trips, no_times]), "transport/no-calls");
    assert_eq!(code_of(&[ROUTES, STOPS, trips, times]), "transport/no-days");
    let of_others = ("calendar.txt", "service_id,monday,start_date,end_date\nX,1,20260101,20271231\n");
    assert_eq!(code_of(&[ROUTES, STOPS, of_others, trips, times]), "transport/no-days");
    assert_eq!(loose(&[ROUTES, STOPS, calendar, trips, times]).stops.len(), 2);
}

#[test]
fn a_day_of_the_week_that_is_removed_on_all_coming_dates_shows_no_departure() {
    let weekdays = |dates: &str| {
        let dates = format!("service_id,date,exception_type\n{dates}");
        let transit = loose(&[
            ROUTES,
            STOPS,
            // Three Mondays, of which two are to come; two Tuesdays to come.
            ("calendar.txt", "service_id,monday,tuesday,start_date,end_date\nW,1,1,20261116,20261201\n"),
            ("calendar_dates.txt", dates.as_str()),
            ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n"),
            ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,08:00:00,A,1\nT,08:30:00,B,2\n"),
        ]);
        assert_eq!(transit.stops.len(), 2, "the stops stay");
        let departures = &transit.calls[0].departures;
        let dates: Vec<String> = departures.iter().filter_map(|of| of.on.clone()).collect();
        (departures.iter().flat_map(|of| of.weekdays.clone()).collect::<Vec<u8>>(), dates)
    };
    let usual = |weekdays: &[u8]| (weekdays.to_vec(), Vec::<String>::new());
    assert_eq!(weekdays(""), usual(&[1, 2]));
    let mondays = "W,20261123,2\nW,20261130,2\n";
    assert_eq!(weekdays(mondays), usual(&[2]));
    assert_eq!(weekdays("W,20261123,2\nW,20261123,2\nW,20261116,2\n"), usual(&[1, 2]), "one Monday is left");
    let more = weekdays(&format!("{mondays}W,20261207,1\n"));
    assert_eq!(more, (vec![2], vec!["2026-12-07".to_owned()]), "a Monday more runs");
    assert_eq!(weekdays(&format!("{mondays}W,20261124,2\nW,20261201,2\n")), usual(&[]));
}

#[test]
fn a_day_added_after_a_week_is_over_is_no_week() {
    let departures = |dates: &str| {
        let dates = format!("service_id,date,exception_type\n{dates}");
        let transit = loose(&[
            ROUTES,
            STOPS,
            (
                "calendar.txt",
                "service_id,monday,tuesday,wednesday,thursday,friday,start_date,end_date\nW,1,1,1,1,1,20260101,20260630\n",
            ),
            ("calendar_dates.txt", dates.as_str()),
            ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n"),
            ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,08:00:00,A,1\nT,08:30:00,B,2\n"),
        ]);
        assert_eq!(transit.days.0.as_deref(), Some("2026-01-01"));
        let departures = transit.calls[0].departures.iter();
        departures.map(|of| (of.day, of.weekdays.clone(), of.on.clone())).collect::<Vec<_>>()
    };
    let on = |date: &str| (DayKind::Weekday, Vec::<u8>::new(), Some(date.to_owned()));
    assert_eq!(departures("W,20261224,1\n"), [on("2026-12-24")]);
    // Of Fridays the last one, of days that are over none.
    let holidays = "W,20261225,1\nW,20270101,1\nW,20260714,1\n";
    assert_eq!(departures(holidays), [on("2027-01-01")]);
    // Every Thursday until Christmas is a week again.
    let thursdays = "W,20261203,1\nW,20261210,1\nW,20261217,1\nW,20261224,1\n";
    assert_eq!(departures(thursdays), [(DayKind::Weekday, vec![4], None)]);
}

#[test]
fn a_trip_that_is_repeated_leaves_at_the_beginning_of_its_rounds() {
    let stops_of = |windows: &str, times: &str| {
        let windows = format!("trip_id,start_time,end_time,headway_secs\n{windows}");
        let times = format!("trip_id,departure_time,stop_id,stop_sequence,pickup_type\n{times}");
        let transit = loose(&[
            ROUTES,
            STOPS,
            ("calendar.txt", "service_id,monday,start_date,end_date\nW,1,20260101,20271231\n"),
            ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n"),
            ("frequencies.txt", windows.as_str()),
            ("stop_times.txt", times.as_str()),
        ]);
        departures(&transit, "FR:12:Line:C14", DayKind::Weekday)
    };
    let day = "T,06:00:00,09:00:00,1800\nT,16:00:00,19:00:00,1800\n";
    let ride = "T,00:00:00,A,1,\nT,00:30:00,B,2,\n";
    assert_eq!(stops_of(day, ride), ["Gare: 6:00-18:30 ?"]);
    // Stop times of an hour of the day, in any order; the first stop, which has no position, is where the rounds begin.
    let ride = "T,08:40:00,A,9,\nT,08:10:00,B,5,\nT,08:00:00,C,1,1\n";
    assert_eq!(stops_of(day, ride), ["Col: 6:10-18:40 ?"]);
    assert_eq!(stops_of("T,22:00:00,26:00:00,1800\n", "T,08:00:00,A,1,\nT,08:30:00,B,2,\n"), ["Gare: 22:00-25:30 ?"]);
    // Without an interval, or in a window that ends before it begins, the first round alone is known.
    for window in ["T,07:00:00,19:00:00,\n", "T,07:00:00,19:00:00,0\n", "T,07:00:00,06:00:00,600\n"] {
        assert_eq!(stops_of(window, "T,00:00:00,A,1,\nT,00:30:00,B,2,\n"), ["Gare: 7:00-7:00 ?"], "{window}");
    }
}

#[test]
fn a_trip_that_is_repeated_leaves_last_before_the_end_of_its_rounds() {
    let transit = loose(&[
        ROUTES,
        STOPS,
        ("calendar.txt", "service_id,monday,sunday,start_date,end_date\nW,1,0,20260101,20271231\n"),
        ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n"),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nT,07:00:00,19:00:00,600\n"),
        ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,07:00:00,A,1\nT,07:30:00,B,2\n"),
    ]);
    assert_eq!(departures(&transit, "FR:12:Line:C14", DayKind::Weekday), ["Gare: 7:00-18:50 ?"]);
    let monday = transit.calls[0].departures.iter().find(|of| of.day == DayKind::Weekday).unwrap();
    assert_eq!((monday.weekdays.as_slice(), monday.on.as_deref()), ([1].as_slice(), None), "Mondays alone");
}

#[test]
fn a_late_monday_hides_no_other_weekday() {
    let transit = loose(&[
        ROUTES,
        STOPS,
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,start_date,end_date\nM,1,0,0,0,0,0,20260101,20271231\nW,1,1,1,1,1,1,20260101,20271231\n",
        ),
        ("calendar_dates.txt", "service_id,date,exception_type\nF,20270505,1\n"),
        ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,M,T\nFR:12:Line:C14,W,U\nFR:12:Line:C14,F,V\n"),
        (
            "stop_times.txt",
            "trip_id,departure_time,stop_id,stop_sequence\nT,20:00:00,A,1\nT,20:30:00,B,2\nU,18:00:00,A,1\nU,18:30:00,B,2\nV,23:00:00,A,1\nV,23:30:00,B,2\n",
        ),
    ]);
    let call = &transit.calls[0];
    let listed: Vec<_> = call
        .departures
        .iter()
        .map(|of| (of.day, of.first_s, of.last_s, of.weekdays.clone(), of.on.as_deref()))
        .collect();
    assert_eq!(
        listed,
        [
            (DayKind::Weekday, 64_800, 72_000, vec![1], None),
            (DayKind::Weekday, 64_800, 64_800, vec![2, 3, 4, 5], None),
            (DayKind::Weekday, 82_800, 82_800, vec![], Some("2027-05-05")),
            (DayKind::Saturday, 64_800, 64_800, vec![], None),
        ]
    );
}

#[test]
fn what_runs_on_one_day_is_reported_by_its_date() {
    let transit = loose(&[
        ROUTES,
        STOPS,
        ("calendar_dates.txt", "service_id,date,exception_type\nW,20270505,1\nX,20270506,1\nX,20270511,1\n"),
        ("trips.txt", "route_id,service_id,trip_id\nFR:12:Line:C14,W,T\n"),
        ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,07:00:00,A,1\nT,07:30:00,B,2\n"),
    ]);
    let found = &transit.calls[0].departures[0];
    assert_eq!((found.on.as_deref(), found.until.as_deref()), (Some("2027-05-05"), None));
    assert!(found.weekdays.is_empty());
}

#[test]
fn an_archive_is_taken_whatever_is_packed_beside() {
    let Some(files) = sample("maison-vallon") else { return };
    let inside: Vec<(String, Vec<u8>)> =
        files.into_iter().map(|(name, bytes)| (format!("export/2027/{}", name.to_uppercase()), bytes)).collect();
    let mut all: Vec<(&str, Vec<u8>)> = inside.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    all.push(("__MACOSX/export/2027/._routes.txt", b"\0\x05\x16\x07".to_vec()));
    all.push(("export/._stops.txt", b"\0\x05\x16\x07".to_vec()));
    all.push(("../../routes.txt", b"route_id\nEVIL\n".to_vec()));
    let bytes = zipped(all);
    let transit = read(&mut Files::open(&bytes).unwrap(), TODAY).unwrap();
    assert_eq!(transit.lines.len(), 6);
    assert_eq!(remarks(&transit), [("transport/bad-path", 1)]);
}

#[test]
fn what_is_no_feed_is_refused_with_a_reason() {
    let refused = |bytes: &[u8]| {
        let found = Files::open(bytes).and_then(|mut files| read(&mut files, TODAY));
        found.unwrap_err().code
    };
    assert_eq!(refused(b""), "trace/empty");
    assert_eq!(refused(b"  <!doctype html><p>Maintenance</p>"), "import/web-page");
    assert_eq!(refused(b"route_id,route_short_name"), "transport/not-an-archive");
    assert_eq!(refused(b"PK\x03\x04 cut off"), "transport/broken-archive");
    assert_eq!(refused(&zipped([("lisez-moi.txt", b"Bonjour".to_vec())])), "transport/missing-file");
    let bomb = zipped([("routes.txt", vec![b' '; 80_000_000])]);
    assert_eq!(refused(&bomb), "transport/endless-row");
    let rows: Vec<u8> = std::iter::repeat_n(b"A,\n", 8_000_000).flatten().copied().collect();
    let bomb = zipped([("routes.txt", [b"route_id,x\n".to_vec(), rows].concat())]);
    assert_eq!(refused(&bomb), "trace/zip-bomb");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        feeds::gtfs::exercise(&bytes);
    }

    #[test]
    fn any_table_is_read_or_refused(rows in prop::collection::vec("[A-Z0-9:\",;\n. -]{0,40}", 0..20)) {
        feeds::gtfs::exercise(rows.join("\n").as_bytes());
    }
}

/// A feed of five million stop times, read in a measured time and memory. Run by hand:
/// `cargo test --workspace --test it -- --ignored --nocapture five_million`.
#[test]
#[ignore = "a measure of some seconds, not a promise"]
#[expect(clippy::print_stdout, reason = "what it measures is read by a person")]
fn five_million_stop_times() {
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    let mut text = "route_id,route_short_name,route_long_name,route_type\n".to_owned();
    (0..1_000).for_each(|n| writeln!(text, "L{n},{n},Ligne {n},3").unwrap());
    files.push(("routes.txt", text.into_bytes()));
    let mut text = "stop_id,stop_name,stop_lat,stop_lon\n".to_owned();
    (0..50_000).for_each(|n| writeln!(text, "S{n},Arret {n},{}.{n:06},{}.{n:06}", 43 + n % 6, n % 7).unwrap());
    files.push(("stops.txt", text.into_bytes()));
    let week = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20260101,20271231\n";
    files.push(("calendar.txt", week.into()));
    let mut text = "route_id,service_id,trip_id,trip_headsign,bikes_allowed\n".to_owned();
    (0..250_000).for_each(|n| writeln!(text, "L{},W,trip:2027:{n},Vers {},{}", n % 1_000, n % 300, n % 3).unwrap());
    files.push(("trips.txt", text.into_bytes()));
    let mut text = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n".to_owned();
    for trip in 0..250_000 {
        for at in 0..20 {
            let (hour, minute) = (5 + trip % 18, at * 3);
            let stop = (trip % 1_000 * 50 + at + trip / 1_000 % 2 * 20) % 50_000;
            writeln!(text, "trip:2027:{trip},{hour:02}:{minute:02}:00,{hour:02}:{minute:02}:30,S{stop},{at},0,0")
                .unwrap();
        }
    }
    let plain = text.len();
    files.push(("stop_times.txt", text.into_bytes()));
    let bytes = zipped(files);
    let peak = || {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kept = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        kept.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() / 1_024
    };
    // The generator needed more than the reader will: what was the most so far is forgotten.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = peak();
    let start = Instant::now();
    let transit = read(&mut Files::open(&bytes).unwrap(), TODAY).unwrap();
    println!(
        "{} stop times, {} MB of text in a ZIP of {} MB: {:.1} s, {} MB at the peak ({} MB before), {} calls",
        transit.stop_times,
        plain / 1_000_000,
        bytes.len() / 1_000_000,
        start.elapsed().as_secs_f64(),
        peak(),
        before,
        transit.calls.len(),
    );
    assert_eq!(transit.stop_times, 5_000_000);
    assert!(remarks(&transit).is_empty());
}
