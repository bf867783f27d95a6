//! Files as programs write them, each made for the one thing it shows.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::fmt::Write as _;
use std::io::Write as _;

use trace::write::{self, Document};
use trace::{Format, NotATrace, Position, ReadErrorKind, Reading, RepairKind, TracePoint, read};

fn gpx(inside: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">{inside}</gpx>")
}

fn points(len: usize) -> String {
    let mut points = String::new();
    for i in 0..len {
        let (lat, ele) = (45.0 + i as f64 * 1e-4, 400 + i % 50);
        write!(points, "\n<trkpt lat=\"{lat}\" lon=\"6.5\"><ele>{ele}</ele></trkpt>").unwrap();
    }
    points
}

fn track(len: usize) -> String {
    gpx(&format!("<trk><trkseg>{}</trkseg></trk>", points(len)))
}

fn ok(bytes: impl AsRef<[u8]>) -> Reading {
    read(bytes.as_ref(), "test").unwrap_or_else(|error| panic!("{error}"))
}

fn code(bytes: impl AsRef<[u8]>) -> (&'static str, Option<usize>) {
    let error = read(bytes.as_ref(), "test").expect_err("refused");
    (error.code(), error.line)
}

fn repair(reading: &Reading, kind: RepairKind) -> Option<(usize, Option<usize>)> {
    reading.repairs.iter().find(|repair| repair.kind == kind).map(|repair| (repair.count, repair.line))
}

fn names(reading: &Reading) -> Vec<&str> {
    reading.waypoints.iter().filter_map(|waypoint| waypoint.name.as_deref()).collect()
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn our_own_fixtures_are_read_whatever_their_name_says() {
    let fixture = |name: &str| std::fs::read(format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let latin = ok(fixture("latin1.gpx"));
    assert_eq!(latin.name.as_deref(), Some("Crête des Bœufs & vallée"));
    assert_eq!(repair(&latin, RepairKind::RawAmpersand), Some((1, Some(4))));
    assert_eq!(latin.waypoints[0].description.as_deref(), Some("Été comme hiver"));
    let recorded = ok(fixture("track.kml"));
    assert_eq!((recorded.format, recorded.point_count(), recorded.segments.len()), (Format::Kml, 5, 2));
    assert_eq!(recorded.segments[0].points[1].time_ms, Some(1_780_300_830_000));
    assert_eq!(recorded.waypoints[0].name.as_deref(), Some("Le col"));
    let route = ok(fixture("basecamp-route.txt"));
    assert_eq!((route.format, route.point_count()), (Format::Gpx, 5), "the shape points of the route count");
    assert_eq!(names(&route), ["Départ", "Arrivée"]);
    let line = ok(fixture("nan.geojson"));
    assert_eq!((line.format, line.point_count(), line.waypoints.len()), (Format::GeoJson, 4, 1));
    assert_eq!(repair(&line, RepairKind::MissingElevations), Some((2, None)));
    let activity = ok(fixture("activity.tcx"));
    assert_eq!((activity.format, activity.point_count()), (Format::Tcx, 3));
    assert_eq!(repair(&activity, RepairKind::JoinedSegments).map(|repair| repair.0), Some(1));
}

#[test]
fn a_file_of_several_courses_has_the_name_of_the_first_that_has_one() {
    let course = |name: &str, lat: u32| {
        let point = |lon: u32| {
            format!(
                "<Trackpoint><Position><LatitudeDegrees>{lat}</LatitudeDegrees><LongitudeDegrees>{lon}</LongitudeDegrees></Position></Trackpoint>"
            )
        };
        format!("<Course><Name>{name}</Name><Track>{}{}</Track></Course>", point(6), point(7))
    };
    let courses = [course(" ", 45), course("Matin", 46), course("Soir", 47)].concat();
    let read = ok(format!("<TrainingCenterDatabase><Courses>{courses}</Courses></TrainingCenterDatabase>"));
    let names: Vec<Option<&str>> = read.segments.iter().map(|segment| segment.name.as_deref()).collect();
    assert_eq!((read.name.as_deref(), names), (Some("Matin"), vec![None, Some("Matin"), Some("Soir")]));
}

#[test]
fn heights_are_read_with_their_unit_and_those_that_are_no_numbers_are_reported() {
    let with = |heights: [&str; 3]| {
        let point = |(i, ele): (usize, &str)| format!("<trkpt lat=\"45.{i}\" lon=\"6.5\"><ele>{ele}</ele></trkpt>");
        let points: String = heights.into_iter().enumerate().map(point).collect();
        ok(gpx(&format!("<trk><trkseg>{points}</trkseg></trk>")))
    };
    let heights = |reading: &Reading| reading.line().iter().map(|point| point.ele).collect::<Vec<_>>();
    let written = with(["1000 m", "1,005.5", "1010,5m"]);
    assert_eq!(heights(&written), [Some(1_000.0), Some(1_005.5), Some(1_010.5)]);
    assert!(written.repairs.is_empty(), "{:?}", written.repairs);
    for words in [["?", "n/a", "10,05.5"], ["1.005,5", "12.5,3", "1,005.5,3"]] {
        let words = with(words);
        assert_eq!(heights(&words), [None; 3]);
        assert_eq!(repair(&words, RepairKind::MissingElevations).map(|repair| repair.0), Some(3));
    }
    assert!(with([""; 3]).repairs.is_empty(), "no height is written");
}

#[test]
fn named_points_of_a_route_are_waypoints() {
    let route = |names: &[String]| {
        let point = |(i, name): (usize, &String)| {
            format!(
                "<rtept lat=\"45.{i:03}\" lon=\"6.5\"><ele>99999</ele><name>{name}</name><cmt>Vue</cmt><extensions><name>x</name></extensions></rtept>"
            )
        };
        let points: String = names.iter().enumerate().map(point).collect();
        format!("<rte><name>Tour</name>{points}</rte>")
    };
    let named = route(&["Source", "", "Col"].map(str::to_owned));
    let of_route = ok(gpx(&named));
    assert_eq!((names(&of_route), of_route.point_count()), (vec!["Source", "Col"], 3));
    let col = &of_route.waypoints[1];
    assert_eq!((col.description.as_deref(), col.position.ele), (Some("Vue"), None));
    let twice = ok(gpx(&format!("<wpt lat=\"45.002\" lon=\"6.5\"><name>Col</name></wpt>{named}")));
    assert_eq!(names(&twice), ["Col", "Source"], "once in the file's waypoints, once in its route");
    let left_out = ok(gpx(&format!("{named}<trk><trkseg>{}</trkseg></trk>", points(3))));
    assert!(names(&left_out).is_empty(), "its route is not read");
    let numbered = |len: usize| route(&(1..=len).map(|i| format!("RPT{i:03}")).collect::<Vec<_>>());
    assert_eq!(names(&ok(gpx(&numbered(5)))).len(), 5);
    assert!(names(&ok(gpx(&numbered(400)))).is_empty(), "a program numbered every point");
}

#[test]
fn every_encoding_gives_the_same_name() {
    let text = |declared: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{declared}\"?><gpx><metadata><name>Forêt</name></metadata><trk><trkseg>{}</trkseg></trk></gpx>",
            points(3)
        )
    };
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(text("UTF-16").encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let mut with_mark = b"\xef\xbb\xbf".to_vec();
    with_mark.extend(text("utf-8").bytes());
    for (bytes, recovered) in [
        (text("UTF-8").into_bytes(), false),
        (with_mark, false),
        (latin(&text("ISO-8859-1")), false),
        (latin(&text("windows-1252")), false),
        (utf16, false),
        (latin(&text("UTF-8")), true),
        (text("ISO-8859-1").into_bytes(), true),
    ] {
        let reading = ok(&bytes);
        assert_eq!(reading.name.as_deref(), Some("Forêt"));
        assert_eq!(repair(&reading, RepairKind::RecoveredEncoding).is_some(), recovered);
    }
}

#[test]
fn prefixes_and_unknown_elements_do_not_matter() {
    let reading = ok(
        "<g:gpx xmlns:g='x'><g:trk><odd><g:trkseg><g:trkpt lat='45' lon='6'><time></time><ele/></g:trkpt><g:trkpt lat='45.1' lon='6'><speed>3</speed></g:trkpt></g:trkseg></odd></g:trk></g:gpx>",
    );
    assert_eq!(reading.point_count(), 2);
}

#[test]
fn points_inside_extensions_are_no_points_of_the_line() {
    let inside = "<extensions><x:trkpt lat=\"1\" lon=\"1\"/><x:trkpt lat=\"2\" lon=\"2\"><ele>9</ele></x:trkpt><x:speed>3</x:speed></extensions>";
    let point = |i: u32| format!("<trkpt lat=\"45.{i}\" lon=\"6.5\">{inside}<ele>{i}</ele></trkpt>");
    let segment = format!("{}{}{inside}", point(1), point(2));
    let reading = ok(gpx(&format!("<trk>{inside}<trkseg>{segment}</trkseg></trk>")));
    let heights: Vec<Option<f64>> = reading.line().iter().map(|position| position.ele).collect();
    assert_eq!(heights, [Some(1.0), Some(2.0)]);
    let route = |i: u32| {
        let inside = "<extensions><x:rtept lat=\"1\" lon=\"1\"><name>x</name></x:rtept></extensions>";
        format!("<rtept lat=\"45.{i}\" lon=\"6.5\"><name>P{i}</name>{inside}</rtept>")
    };
    let reading = ok(gpx(&format!("<rte>{}{}</rte>", route(1), route(2))));
    assert_eq!((names(&reading), reading.point_count()), (vec!["P1", "P2"], 2));
}

#[test]
fn a_recording_wins_over_the_route_in_the_same_file() {
    let both = gpx(&format!(
        "<rte><rtept lat='45' lon='6'/><rtept lat='46' lon='6'/></rte><trk><trkseg>{}</trkseg></trk>",
        points(10)
    ));
    let reading = ok(&both);
    assert_eq!((reading.point_count(), repair(&reading, RepairKind::RoutesLeftOut)), (10, Some((1, Some(2)))));
}

#[test]
fn segments_are_joined_below_30_m_and_asked_above() {
    let segment =
        |from: f64| format!("<trkseg><trkpt lat='{from}' lon='6'/><trkpt lat='{}' lon='6'/></trkseg>", from + 0.001);
    let reading = ok(gpx(&format!("<trk>{}{}{}</trk>", segment(45.0), segment(45.001_2), segment(45.002_6))));
    assert_eq!(reading.joined().len(), 2);
    let gaps = reading.gaps();
    assert_eq!(gaps.len(), 1);
    assert!((gaps[0].length_m - 44.5).abs() < 0.1 && gaps[0].after_segment == 1, "{gaps:?}");
    assert_eq!(repair(&reading, RepairKind::JoinedSegments), Some((1, Some(2))));
}

#[test]
fn bad_points_are_left_out_and_reported_with_their_line() {
    let body = points(40).replacen("lat=\"45.0003\"", "lat=\"x\"", 1).replacen("lon=\"6.5\"", "lon=\"NaN\"", 1);
    let reading = ok(gpx(&format!("<trk><trkseg>{body}\n<trkpt lat=\"95\" lon=\"6\"/></trkseg></trk>")));
    assert_eq!(repair(&reading, RepairKind::InvalidPoints), Some((3, Some(3))));
    assert_eq!(reading.point_count(), 38);
    let null_island = ok(gpx(&format!("<trk><trkseg>\n<trkpt lat='0' lon='0'/>{}</trkseg></trk>", points(5))));
    assert_eq!((null_island.point_count(), repair(&null_island, RepairKind::InvalidPoints)), (5, Some((1, Some(3)))));
}

#[test]
fn bad_points_of_a_geojson_are_reported_and_the_others_keep_their_times() {
    let points = "null, [], [6, 45], [6.01, 45.01, 900], [6.02], {}, [NaN, 45.03], 6.03, [6.04, 45.04], [], null";
    let minutes: Vec<String> = (0..11).map(|i| format!("\"2026-11-20T08:{i:02}:00Z\"")).collect();
    let of = |geometry: &str| {
        let times = minutes.join(",");
        let properties = format!("{{\"name\":\"Tour\",\"description\":\"Vue\",\"times\":[{times}]}}");
        format!("{{\"type\":\"Feature\",\"properties\":{properties},\"geometry\":{geometry}}}")
    };
    let reading = ok(of(&format!("{{\"type\":\"LineString\",\"coordinates\":[{points}]}}")));
    assert_eq!((reading.point_count(), repair(&reading, RepairKind::InvalidPoints)), (3, Some((8, None))));
    let start = 1_795_161_600_000;
    let minute_of: Vec<Option<i64>> =
        reading.segments[0].points.iter().map(|point| point.time_ms.map(|ms| (ms - start) / 60_000)).collect();
    assert_eq!(minute_of, [Some(2), Some(3), Some(8)]);
    let good =
        ok(of("{\"type\":\"MultiLineString\",\"coordinates\":[[[6,45],[6.01,45]],[],[[6.2,45],[6.21,45,1,2]]]}"));
    assert_eq!((good.segments.len(), repair(&good, RepairKind::InvalidPoints)), (2, None));
    let places = "{\"type\":\"MultiPoint\",\"coordinates\":[null,[6,45],[6.1,45]]}";
    let line = "{\"type\":\"LineString\",\"coordinates\":[[6,45],[6.01,45]]}";
    let both = ok(of(&format!("{{\"type\":\"GeometryCollection\",\"geometries\":[{places},{line}]}}")));
    let words: Vec<Option<&str>> = both.waypoints.iter().map(|waypoint| waypoint.description.as_deref()).collect();
    assert_eq!(words, [Some("Vue"), None], "the first place has the description");
}

#[test]
fn coordinates_of_another_system_are_refused() {
    let lambert =
        gpx("<trk><trkseg>\n<trkpt lat='6543210' lon='912345'/>\n<trkpt lat='6543220' lon='912355'/></trkseg></trk>");
    assert_eq!(code(lambert), ("trace/out-of-world", Some(3)));
    let one_of_three = gpx(
        "<trk><trkseg><trkpt lat='45' lon='6'/>\n<trkpt lat='91' lon='6'/>\n<trkpt lat='45.1' lon='6'/></trkseg></trk>",
    );
    assert_eq!(code(one_of_three), ("trace/out-of-world", Some(3)));
}

#[test]
fn a_file_cut_in_the_middle_is_read_to_there() {
    let whole = track(20);
    let reading = ok(&whole[..whole.len() * 2 / 3]);
    assert!((10..20).contains(&reading.point_count()));
    assert!(repair(&reading, RepairKind::Truncated).is_some());
    assert_eq!(code(&whole[..150]).0, "trace/malformed");
}

#[test]
fn damaged_and_empty_files_are_refused_with_the_line() {
    assert_eq!(code(""), ("trace/empty", None));
    assert_eq!(code(" \n\0"), ("trace/empty", None));
    assert_eq!(code(gpx("\n<trk>\n<trkseg></trk>")), ("trace/malformed", Some(4)));
    assert_eq!(code("{\"type\": \"LineString\",\n\"coordinates\": [[6, 45],}"), ("trace/malformed", Some(2)));
    assert_eq!(code(gpx("<trk><trkseg>\n<trkpt lat='45' lon='6'/></trkseg></trk>")), ("trace/one-point", Some(3)));
    let nowhere = "<trkpt lat='0' lon='0'/>".repeat(20);
    assert_eq!(code(gpx(&format!("<trk><trkseg>\n{nowhere}</trkseg></trk>"))), ("trace/no-valid-point", Some(3)));
    assert_eq!(code(gpx("<wpt lat='45' lon='6'/>")), ("trace/no-line", Some(2)));
    assert_eq!(code("<a>".repeat(100_000)), ("trace/not-a-trace", None));
    assert_eq!(code(format!("<gpx>{}", "<a>".repeat(100_000))), ("trace/malformed", Some(1)));
    assert_eq!(code("[".repeat(100_000)).0, "trace/malformed");
}

#[test]
fn what_is_no_trace_is_named() {
    let found = |bytes: &[u8]| match read(bytes, "parcours.gpx").map_err(|error| error.kind) {
        Err(ReadErrorKind::NotATrace(found)) => found,
        other => panic!("{other:?}"),
    };
    assert_eq!(found(b"\xff\xd8\xff\xe0\0\x10JFIF"), NotATrace::Image);
    assert_eq!(found(b"%PDF-1.7"), NotATrace::Pdf);
    assert_eq!(found(b"<!DOCTYPE html><html></html>"), NotATrace::WebPage);
    assert_eq!(found(b"\x1f\x8b\x08"), NotATrace::Archive);
    assert_eq!(found(b"Bonjour"), NotATrace::Text);
    assert_eq!(found(b"{\"a\":1}"), NotATrace::OtherJson);
    assert_eq!(found(b"<svg></svg>"), NotATrace::OtherXml);
    assert_eq!(found(&zipped(&[("a.txt", b"a")])), NotATrace::Archive);
    assert_eq!(found(&zipped(&[("[Content_Types].xml", b"a")])), NotATrace::Office);
}

#[test]
fn entities_are_refused_and_a_plain_doctype_is_not() {
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n<gpx><name>&b;</name></gpx>";
    assert_eq!(code(bomb), ("trace/entities", Some(2)));
    let external = "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><gpx><name>&x;</name></gpx>";
    assert_eq!(code(external).0, "trace/entities");
    let plain =
        format!("<!DOCTYPE gpx SYSTEM \"gpx.dtd\">{}", track(3).trim_start_matches("<?xml version=\"1.0\"?>\n"));
    assert_eq!(ok(plain).point_count(), 3);
}

#[test]
fn a_kmz_is_read_and_a_bomb_is_not() {
    let kml = "<kml><Placemark><LineString><coordinates>6,45 6.1,45.1</coordinates></LineString></Placemark></kml>";
    let reading = ok(zipped(&[("images/a.png", b"png"), ("files/Trace.KML", kml.as_bytes())]));
    assert_eq!((reading.format, reading.point_count()), (Format::Kmz, 2));
    let blanks = vec![b' '; 19 * 1024 * 1024];
    assert_eq!(code(zipped(&[("doc.kml", &blanks)])).0, "trace/zip-bomb");
    let huge = vec![b' '; 300 * 1024 * 1024];
    assert_eq!(code(zipped(&[("doc.kml", &huge)])).0, "trace/zip-bomb");
    let cut = zipped(&[("doc.kml", kml.as_bytes())]);
    assert_eq!(code(&cut[..cut.len() / 2]).0, "trace/malformed");
}

#[test]
fn one_place_is_no_line_however_often_it_is_written() {
    let segment = "<trkseg>\n<trkpt lat='45' lon='6'/></trkseg>".repeat(3);
    assert_eq!(code(gpx(&format!("<trk>{segment}</trk>"))), ("trace/one-point", Some(3)));
}

#[test]
fn a_long_name_does_not_multiply() {
    let segment = "<trkseg><trkpt lat='45' lon='6'/><trkpt lat='45.1' lon='6'/></trkseg>";
    let reading = ok(gpx(&format!("<trk><name>{}</name>{}</trk>", "n".repeat(1_000_000), segment.repeat(1_000))));
    assert!(reading.segments.iter().all(|segment| segment.name.as_ref().is_some_and(|name| name.len() == 250)));
}

#[test]
fn limits_have_their_own_errors() {
    assert_eq!(code(vec![b' '; trace::MAX_BYTES + 1]), ("trace/too-large", None));
    assert_eq!(ok(track(200_000)).point_count(), 200_000);
    let (too_many, line) = code(track(200_001));
    assert_eq!((too_many, line), ("trace/too-many-points", Some(200_003)));
    let coordinates = vec!["[6,45]"; 200_001].join(",");
    assert_eq!(code(format!("{{\"type\":\"LineString\",\"coordinates\":[{coordinates}]}}")).0, "trace/too-many-points");
}

#[test]
fn a_fit_of_our_own_is_read_to_where_it_makes_sense() {
    let fit = fit_recording(50);
    let reading = ok(&fit);
    assert_eq!((reading.format, reading.point_count()), (Format::Fit, 50));
    let point = reading.segments[0].points[1];
    assert!((point.position.lat - 45.0001).abs() < 1e-6 && point.position.ele == Some(401.0), "{point:?}");
    assert_eq!(point.time_ms, Some((631_065_600 + 1_000_000_001) * 1000));
    let cut = ok(&fit[..fit.len() / 2]);
    assert!((20..30).contains(&cut.point_count()) && repair(&cut, RepairKind::Truncated).is_some());
    assert_eq!(code(&fit[..20]).0, "trace/malformed");
}

#[test]
fn files_of_a_chained_fit_are_lines_of_their_own() {
    let fit = fit_recording(50);
    let chained = ok([fit.clone(), fit_recording(0), fit.clone()].concat());
    let points: Vec<usize> = chained.segments.iter().map(|segment| segment.points.len()).collect();
    assert_eq!(points, [50, 50], "one without points makes no line");
    let cut = ok([fit.as_slice(), &fit[..fit.len() / 2]].concat());
    assert_eq!(cut.segments.len(), 2);
    assert!(repair(&cut, RepairKind::Truncated).is_some());
}

/// A recording as a head unit writes it: header, one definition, records, checksum.
fn fit_recording(len: u32) -> Vec<u8> {
    let mut data = vec![0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84];
    for i in 0..len {
        let semicircles = |degrees: f64| ((degrees * 2_147_483_648.0 / 180.0) as i32).to_le_bytes();
        data.push(0);
        data.extend((1_000_000_000 + i).to_le_bytes());
        data.extend(semicircles(45.0 + f64::from(i) * 1e-4));
        data.extend(semicircles(6.5));
        data.extend((((400 + i % 50) + 500) as u16 * 5).to_le_bytes());
    }
    let mut file = vec![12, 16, 100, 0];
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(b".FIT");
    file.extend(data);
    file.extend([0, 0]);
    file
}

#[test]
fn every_code_and_kind_is_listed_once() {
    let codes: std::collections::BTreeSet<_> = ReadErrorKind::CODES.into_iter().collect();
    assert_eq!(codes.len(), ReadErrorKind::CODES.len());
    for kind in RepairKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
    }
    for format in Format::ALL {
        assert_eq!(serde_json::to_value(format).unwrap(), format.as_str());
        assert_eq!(format.as_str().parse(), Ok(format));
    }
    let error = read(b"\xff\xd8\xff", "a.gpx").unwrap_err();
    assert_eq!(error.to_string(), "this is not a trace but a picture");
    assert_eq!(error.params(), [("found", "image".to_owned())]);
}

/// `cargo test -p trace --test formats -- --ignored --nocapture` prints what the document on traces quotes.
#[test]
#[ignore = "measures, asserts nothing but a wide bound"]
fn large_files_are_quick() {
    for len in [2_000, 200_000] {
        let bytes = track(len).into_bytes();
        let start = std::time::Instant::now();
        let reading = ok(&bytes);
        let read_in = start.elapsed();
        let measure = reading.measure();
        let measured_in = start.elapsed();
        let line = reading.line();
        let simplified = trace::simplify(&line, 5.0).len();
        let simplified_in = start.elapsed();
        eprintln!(
            "{len} points, {} bytes: read {read_in:?}, measured {measured_in:?} ({:.0} m), simplified {simplified_in:?} ({simplified} points)",
            bytes.len(),
            measure.distance_m
        );
        assert!(simplified_in.as_secs() < 5);
    }
    // Round shapes are the simplifier's hardest: every point is a corner.
    let turn = |i: usize| (i as f64 / 200_000.0 * std::f64::consts::TAU).sin_cos();
    let circle: Vec<trace::Position> =
        (0..200_000).map(|i| trace::Position::new(6.0 + turn(i).0, 45.0 + turn(i).1)).collect();
    for tolerance_m in [0.001, 1.0, 20.0] {
        let start = std::time::Instant::now();
        let left = trace::simplify(&circle, tolerance_m).len();
        eprintln!("circle of 200000 points, {tolerance_m} m: {left} points in {:?}", start.elapsed());
    }
    let start = std::time::Instant::now();
    let path = trace::glyph(&circle, 40.0);
    eprintln!("glyph of 200000 points: {} bytes in {:?}", path.len(), start.elapsed());
}

#[test]
fn a_repair_that_is_not_wanted_is_left_undone() {
    let point = |lon: f64, ele: &str| format!(r#"<trkpt lat="45" lon="{lon}">{ele}</trkpt>"#);
    let walk: String = (0..20).map(|i| point(6.0 + f64::from(i) * 1e-4, "<ele>500</ele>")).collect();
    let after: String = (20..30).map(|i| point(6.0 + f64::from(i) * 1e-4, "<ele>500</ele>")).collect();
    let spike = point(7.9, "<ele>500</ele>");
    let (doubled, bare) = (point(6.0029, "<ele>500</ele>"), point(6.003, ""));
    let gpx = format!(
        r#"<gpx><trk><trkseg>{walk}{spike}{after}{doubled}{bare}</trkseg><trkseg>{}{}</trkseg></trk><rte><rtept lat="45" lon="6"/><rtept lat="45.1" lon="6"/></rte></gpx>"#,
        point(6.0031, "<ele>500</ele>"),
        point(6.0032, "<ele>500</ele>")
    );
    let whole = trace::read(gpx.as_bytes(), "x").unwrap();
    let kinds: Vec<_> = whole.repairs.iter().map(|repair| repair.kind).collect();
    let undoable = [
        RepairKind::JoinedSegments,
        RepairKind::DoubledPoints,
        RepairKind::Spikes,
        RepairKind::MissingElevations,
        RepairKind::RoutesLeftOut,
    ];
    assert_eq!(kinds, undoable);
    for kind in undoable {
        let without = trace::read_without(gpx.as_bytes(), "x", &[kind]).unwrap();
        let left: Vec<_> = without.repairs.iter().map(|repair| repair.kind).collect();
        assert!(!left.contains(&kind), "{kind} is reported: {left:?}");
        let changed = match kind {
            RepairKind::DoubledPoints | RepairKind::Spikes => without.point_count() == whole.point_count() + 1,
            RepairKind::RoutesLeftOut => without.point_count() == whole.point_count() + 2,
            RepairKind::MissingElevations => without.line().iter().any(|position| position.ele.is_none()),
            _ => without.pieces().len() == 2 && without.joined().len() == 1,
        };
        assert!(changed, "{kind}");
    }
}

#[test]
fn a_second_mark_of_utf_8_is_left_out() {
    let gpx = "\u{feff}\u{feff}<gpx><metadata><name>Le chêne é</name></metadata><trk><trkseg><trkpt lat=\"45\" lon=\"6\"/><trkpt lat=\"45.1\" lon=\"6\"/></trkseg></trk></gpx>";
    let reading = trace::read(gpx.as_bytes(), "x").unwrap();
    assert_eq!((reading.name.as_deref(), reading.point_count()), (Some("Le chêne é"), 2));
}

#[test]
fn a_geojson_may_have_both_names_of_its_description_and_of_its_times() {
    let read = |properties: &str| {
        let line = r#"{"type":"LineString","coordinates":[[6,45],[6.01,45]]}"#;
        let text = format!(r#"{{"type":"Feature","properties":{{"name":"Tour",{properties}}},"geometry":{line}}}"#);
        trace::read(text.as_bytes(), "x").unwrap()
    };
    assert_eq!(read(r#""desc":null,"description":"Un lac""#).description.as_deref(), Some("Un lac"));
    assert_eq!(read(r#""description":"","desc":"Un bois""#).description.as_deref(), Some("Un bois"));
    let times = r#"["2026-11-20T08:00:00Z","2026-11-20T08:10:00Z"]"#;
    let reading = read(&format!(r#""coordTimes":null,"times":{times}"#));
    assert_eq!(reading.segments[0].points[0].time_ms, Some(1_795_161_600_000));
}

#[test]
fn lines_that_another_reader_took_are_repaired_and_refused_by_the_same_rules() {
    let line: Vec<[Option<f64>; 3]> =
        (0..20).map(|i| [Some(6.0), Some(45.0 + f64::from(i) * 1e-4), Some(0.0)]).collect();
    let reading = trace::read_lines(std::slice::from_ref(&line)).unwrap();
    assert_eq!(repair(&reading, RepairKind::ZeroElevations), Some((20, None)));
    assert!(reading.line().iter().all(|position| position.ele.is_none()));
    let refused = |lines: &[Vec<[Option<f64>; 3]>]| trace::read_lines(lines).unwrap_err().code();
    assert_eq!(refused(&[line, vec![[Some(999.0), Some(45.0), None]; 20]]), "trace/out-of-world");
    assert_eq!(refused(&[vec![[None; 3]; 3]]), "trace/no-valid-point");
    assert_eq!(refused(&[vec![[Some(6.0), Some(45.0), None]; 200_001]]), "trace/too-many-points");
    assert_eq!(refused(&[]), "trace/no-line");
}

#[test]
fn heights_of_a_model_are_left_out_where_our_own_file_says_so() {
    let line_at = |lon: f64| -> Vec<TracePoint> {
        let place = |i: u32| Position { ele: Some(500.0), ..Position::new(lon, 45.0 + f64::from(i) * 1e-4) };
        (0..20).map(|i| place(i).into()).collect()
    };
    let model = Document { line: line_at(6.5), has_model_heights: true, ..Document::default() };
    let recorded = Document { has_model_heights: false, ..model.clone() };
    let known = |reading: &Reading| {
        let heights = reading.line().iter().filter(|position| position.ele.is_some()).count();
        (heights, repair(reading, RepairKind::ModelElevations).map(|(count, _)| count))
    };
    for written in [write::gpx, write::geojson] {
        let text = written(&model);
        assert_eq!(known(&ok(&text)), (0, Some(20)), "{text}");
        let kept = trace::read_without(text.as_bytes(), "test", &[RepairKind::ModelElevations]).unwrap();
        assert_eq!(known(&kept), (20, None));
        assert_eq!(known(&ok(written(&recorded))), (20, None));
    }
    // Another program wrote it again, maybe with other heights.
    let other = write::gpx(&model).replace("creator=\"Jalon\"", "creator=\"Autre\"");
    assert_eq!(known(&ok(other)), (20, None));
    // One file of two lines: each keeps what is its own.
    let feature = |document: &Document| {
        let collection: serde_json::Value = serde_json::from_str(&write::geojson(document)).unwrap();
        collection["features"][0].to_string()
    };
    let far = Document { line: line_at(7.5), ..recorded };
    let both = format!(r#"{{"type":"FeatureCollection","features":[{},{}]}}"#, feature(&model), feature(&far));
    assert_eq!(known(&ok(both)), (20, Some(20)));
}
