//! What holds for any input: no reader panics, what is written is read again, edits keep the length.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use proptest::prelude::*;

use trace::write::{self, Document};
use trace::{HeightSource, Heights, Position, TracePoint, Waypoint, edit, locate_from, measure, position_at, simplify};

fn position() -> impl Strategy<Value = Position> {
    (-10.0..10.0_f64, 40.0..50.0_f64, proptest::option::of(1.0..4_000.0_f64)).prop_map(|(lon, lat, ele)| Position {
        lon,
        lat,
        ele,
    })
}

/// A walk with steps of up to 150 m, all with an elevation: what no repair has to touch.
fn walk(most: usize) -> impl Strategy<Value = Vec<Position>> {
    (position(), proptest::collection::vec((0.1e-3..1.0e-3_f64, -1.0e-3..1.0e-3_f64, -8.0..8.0_f64), 2..most)).prop_map(
        |(start, steps)| {
            let mut at = Position { ele: Some(1_500.0), ..start };
            let mut line = vec![at];
            for (lon, lat, ele) in steps {
                at = Position { lon: at.lon + lon, lat: at.lat + lat, ele: at.ele.map(|now| now + ele) };
                line.push(at);
            }
            line
        },
    )
}

fn document() -> impl Strategy<Value = Document> {
    (walk(40), "\\PC{0,30}", any::<bool>()).prop_map(|(line, name, timed)| Document {
        name: Some(name.trim().to_owned()).filter(|name| !name.is_empty()),
        description: Some("Été & <b>hiver</b>\u{1}".to_owned()),
        author: Some("Jalon".to_owned()),
        copyright: Some("© les contributeurs".to_owned()),
        has_model_heights: false,
        duration_s: Some(line.len() as f64 * 60.0).filter(|_| !timed),
        waypoints: vec![Waypoint {
            position: line[1],
            name: Some("Col".to_owned()),
            description: None,
            symbol: None,
            at_m: None,
        }],
        line: line
            .iter()
            .enumerate()
            .map(|(i, p)| TracePoint { position: *p, time_ms: timed.then_some(1_700_000_000_000 + i as i64 * 60_000) })
            .collect(),
    })
}

/// Bytes that begin like each of the formats, so that every reader gets its share.
fn formatted_garbage() -> impl Strategy<Value = Vec<u8>> {
    let heads: Vec<Vec<u8>> = vec![
        b"<gpx><trk><trkseg><trkpt lat='1' lon='2'>".to_vec(),
        b"<kml><Placemark><LineString><coordinates>1,2,3 ".to_vec(),
        b"<kml><gx:Track><when>2020-01-01</when><gx:coord>1 2 3".to_vec(),
        b"<TrainingCenterDatabase><Track><Trackpoint><Position>".to_vec(),
        b"{\"type\":\"LineString\",\"coordinates\":[[1,2],".to_vec(),
        b"\x0e\x10\x00\x00\xff\xff\x00\x00.FIT\x00\x00\x40\x00\x00\x14\x00\x02\x00\x04\x85\x01\x04\x85".to_vec(),
        b"PK\x03\x04\x14\x00\x00\x00\x08\x00".to_vec(),
        Vec::new(),
    ];
    let pieces = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        "[<>/&;!\\[\\]{}\",:a-z0-9 ='.\n-]{0,200}".prop_map(String::into_bytes),
        "(<trkpt lat='[0-9]{1,2}' lon='[0-9]{1,2}'/>|<ele>|</ele>|</trkseg>|<!--|]]>|&amp;|[0-9],[0-9] |\\[[0-9],[0-9]\\],){0,20}".prop_map(String::into_bytes),
    ];
    (proptest::sample::select(heads), pieces).prop_map(|(mut head, tail)| {
        head.extend(tail);
        head
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in formatted_garbage()) {
        trace::exercise(&bytes);
    }

    #[test]
    fn no_damage_to_a_sound_file_makes_a_reader_panic(document in document(), format in 0..4_usize, damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = written(&document, format).into_bytes();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        trace::exercise(&bytes);
    }

    #[test]
    fn what_is_written_is_read_again(document in document(), format in 0..4_usize) {
        let reading = trace::read(written(&document, format).as_bytes(), "x").unwrap();
        prop_assert_eq!(reading.point_count(), document.line.len());
        for (read, written) in reading.segments[0].points.iter().zip(&document.line) {
            prop_assert!((read.position.lon - written.position.lon).abs() < 1e-7);
            prop_assert!((read.position.lat - written.position.lat).abs() < 1e-7);
            prop_assert!((read.position.ele.unwrap() - written.position.ele.unwrap()).abs() < 0.01);
            // KML of this kind has no times; TCX makes some up where the trace has no time.
            if format != 1 && written.time_ms.is_some() {
                prop_assert_eq!(read.time_ms, written.time_ms);
            }
        }
        prop_assert_eq!(reading.waypoints.len(), 1);
        if let Some(name) = document.name.as_ref().filter(|_| format != 3) {
            prop_assert_eq!(reading.name.as_ref(), Some(name));
        }
    }

    #[test]
    fn a_cut_keeps_the_length(line in walk(60), share in 0.0..1.0_f64) {
        let total_m = length(&line);
        let (a, b) = edit::cut(&line, total_m * share);
        prop_assert!((length(&a) - total_m * share).abs() < 0.05, "{} {}", length(&a), total_m * share);
        prop_assert!((length(&a) + length(&b) - total_m).abs() < 0.05);
        prop_assert!((length(&edit::join(&a, &b)) - total_m).abs() < 0.05);
    }

    #[test]
    fn a_trim_is_as_long_as_asked(line in walk(60), from in 0.0..1.0_f64, to in 0.0..1.0_f64) {
        let total_m = length(&line);
        let trimmed = edit::trim(&line, total_m * from, total_m * to);
        prop_assert!((length(&trimmed) - total_m * (from - to).abs()).abs() < 0.1);
    }

    #[test]
    fn reversing_twice_and_replacing_by_itself_change_nothing(line in walk(60), from in 0.0..1.0_f64, to in 0.0..1.0_f64) {
        prop_assert_eq!(edit::reverse(&edit::reverse(&line)), line.clone());
        let total_m = length(&line);
        prop_assert!((length(&edit::reverse(&line)) - total_m).abs() < 0.001);
        let same = edit::trim(&line, total_m * from, total_m * to);
        let replaced = edit::replace_between(&line, total_m * from, total_m * to, &same);
        prop_assert!((length(&replaced) - total_m).abs() < 0.1);
    }

    #[test]
    fn climb_and_descent_swap_on_the_way_back(line in walk(200)) {
        let (there, back) = (measure(&line), measure(&edit::reverse(&line)));
        prop_assert!((there.ascent_m.unwrap() - back.descent_m.unwrap()).abs() < 0.001, "{there:?} {back:?}");
        prop_assert!((there.descent_m.unwrap() - back.ascent_m.unwrap()).abs() < 0.001, "{there:?} {back:?}");
        prop_assert_eq!((there.min_ele_m, there.max_ele_m), (back.min_ele_m, back.max_ele_m));
    }

    #[test]
    fn edits_in_any_order_keep_heights_and_length(line in walk(60), edits in proptest::collection::vec((0..4_u8, 0.05..0.95_f64), 0..12)) {
        let (mut now, mut is_back, mut kept_m) = (line.clone(), false, length(&line));
        let (mut from_m, mut to_m) = (0.0, length(&line));
        for (edit, share) in edits {
            let at_m = length(&now) * share;
            match edit {
                0 => {
                    now = edit::reverse(&now);
                    is_back = !is_back;
                }
                // Split and joined again: nothing changes.
                1 => {
                    let (a, b) = edit::cut(&now, at_m);
                    now = edit::join(&a, &b);
                }
                2 => {
                    now = edit::cut(&now, at_m).0;
                    if is_back { from_m = to_m - at_m } else { to_m = from_m + at_m }
                    kept_m = at_m;
                }
                _ => {
                    now = edit::trim(&now, at_m, length(&now));
                    if is_back { to_m -= at_m } else { from_m += at_m }
                    kept_m -= at_m;
                }
            }
            prop_assert!((length(&now) - kept_m).abs() < 0.1, "{} {kept_m}", length(&now));
        }
        for share in [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0] {
            let at_m = if is_back { to_m - share * kept_m } else { from_m + share * kept_m };
            let (found, known) = (position_at(&now, share * length(&now)).unwrap(), position_at(&line, at_m).unwrap());
            prop_assert!(trace::distance_m(found, known) < 0.5, "{found:?} {known:?}");
            prop_assert!((found.ele.unwrap() - known.ele.unwrap()).abs() < 0.2, "{found:?} {known:?}");
        }
    }

    #[test]
    fn the_climbs_of_the_parts_make_the_whole(line in walk(200), cuts in proptest::collection::vec(0.0..1.0_f64, 0..6)) {
        let heights = Heights::of(&line).unwrap();
        for source in [HeightSource::Recorder, HeightSource::Model] {
            let (climbed, whole) = (heights.climbed(source), heights.climb(source));
            prop_assert!((climbed.total().0 - whole.0).abs() < 0.001 && (climbed.total().1 - whole.1).abs() < 0.001);
            let mut at: Vec<f64> = cuts.iter().copied().chain([0.0, 1.0]).collect();
            at.sort_by(f64::total_cmp);
            let parts: Vec<_> = at.windows(2).map(|pair| climbed.between(pair[0], pair[1])).collect();
            prop_assert!(parts.iter().all(|(up, down)| *up >= 0.0 && *down >= 0.0), "{parts:?}");
            prop_assert!((parts.iter().map(|(up, _)| up).sum::<f64>() - whole.0).abs() < 0.001, "{parts:?} {whole:?}");
            prop_assert!((parts.iter().map(|(_, down)| down).sum::<f64>() - whole.1).abs() < 0.001, "{parts:?} {whole:?}");
        }
    }

    #[test]
    fn a_place_on_the_line_is_found_where_it_is(line in walk(60), share in 0.0..1.0_f64) {
        let at_m = length(&line) * share;
        let place = position_at(&line, at_m).unwrap();
        let found = locate_from(&line, place, at_m - 0.01).unwrap();
        prop_assert!(found.offset_m < 0.5, "{found:?}");
        prop_assert!((found.at_m - at_m).abs() < 0.5, "{} {}", found.at_m, at_m);
    }

    #[test]
    fn simplifying_keeps_ends_and_stays_near(line in walk(200), tolerance_m in 1.0..100.0_f64) {
        let short = simplify(&line, tolerance_m);
        prop_assert_eq!(short.first(), line.first());
        prop_assert_eq!(short.last(), line.last());
        for p in &line {
            let off_m = trace::locate(&short, *p).unwrap().offset_m;
            prop_assert!(off_m <= tolerance_m * 1.02 + 0.1, "{off_m} > {tolerance_m}");
        }
    }
}

fn length(line: &[Position]) -> f64 {
    measure(line).distance_m
}

fn written(document: &Document, format: usize) -> String {
    [write::gpx, write::kml, write::geojson, write::tcx][format](document)
}
