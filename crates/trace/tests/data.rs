//! Every file of the shared tracks: what a person would say of it is what the reader says.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod common;

use common::shared;

type Repairs = &'static [(&'static str, usize, Option<usize>)];

/// File, points, pieces after joining, kilometres, and repairs (kind, how many, line).
#[rustfmt::skip]
const READABLE: &[(&str, usize, usize, f64, Repairs)] = &[
    ("real/VTTrack_1.gpx", 479, 1, 21.8, &[]),
    ("real/amberieu.gpx", 6296, 1, 100.4, &[("doubled_points", 6, Some(490))]),
    ("real/andorra_for_map_matching.gpx", 21, 1, 0.7, &[]),
    ("real/apidae_test_trek.gpx", 13, 1, 0.1, &[]),
    ("real/cabaliros.gpx", 523, 1, 10.3, &[]),
    ("real/demo.geojson", 175, 1, 52.3, &[("doubled_points", 3, None)]),
    ("real/garmin-edge-800.fit", 1286, 1, 25.1, &[]),
    ("real/garmin_etrex32_hike_2.gpx", 757, 1, 9.4, &[]),
    ("real/garmin_etrex32_hike_error_1.gpx", 1548, 1, 14.9, &[("spikes", 2, Some(6235))]),
    ("real/google-direction.gpx", 2320, 2, 149.4, &[("joined_segments", 24, Some(24))]),
    ("real/ignrando-sample.gpx", 10, 1, 1.4, &[("holes", 1, Some(29))]),
    ("real/marathon_rennes.gpx", 410, 1, 42.4, &[]),
    ("real/outdooractive-export.gpx", 9, 1, 46.0, &[]),
    ("real/paris_versailles.gpx", 55, 1, 16.1, &[]),
    ("real/river_run.kml", 203, 1, 13.3, &[("zero_elevations", 203, Some(38))]),
    ("real/river_run.kmz", 203, 1, 13.3, &[("zero_elevations", 203, Some(38))]),
    ("real/segmented_tracks.kml", 46, 10, 2.9, &[]),
    ("real/soulor_aubisque_spandelles.gpx", 3677, 1, 77.5, &[("doubled_points", 7, Some(9487))]),
    ("real/strava_ride_1.gpx", 3367, 1, 33.8, &[("doubled_points", 135, Some(1706))]),
    ("real/strava_route_example.gpx", 113, 1, 4.5, &[]),
    ("real/testFile1.gpx", 4433, 1, 30.9, &[]),
    ("real/testFile3Route.gpx", 4433, 1, 30.9, &[]),
    ("real/testKml.kml", 233, 1, 285.1, &[("zero_elevations", 233, Some(17))]),
    ("real/testTcx.tcx", 71, 1, 0.5, &[]),
    ("real/testtrack0.gpx", 51, 1, 0.7, &[]),
    ("real/trace.kml", 61, 1, 4.3, &[("zero_elevations", 61, Some(27))]),
    ("real/trace_with_multiple_continuous_features.gpx", 16, 1, 0.1, &[("joined_segments", 4, Some(16))]),
    ("real/trace_with_route_points.gpx", 13, 1, 0.1, &[]),
    ("real/vanoise.gpx", 4859, 1, 62.4, &[]),
    ("real/ventoux.gpx", 7730, 1, 115.1, &[("doubled_points", 27, Some(50))]),
    ("real/vitovtt-sample.gpx", 1866, 1, 4.0, &[]),
    ("real/wahoo_example.gpx", 3, 1, 0.0, &[("no_movement", 1, Some(13))]),
    ("real/with_surface.gpx", 80, 1, 2.2, &[]),
    ("real/with_tracks_and_segments.gpx", 79, 2, 2.2, &[("joined_segments", 2, Some(84))]),
    ("broken/geotrekce_trace_with_not_continuous_segments.gpx", 26, 3, 0.7, &[("spikes", 1, Some(34))]),
    ("broken/julien-nc_testFile4MissingData.gpx", 7, 1, 0.0, &[("missing_elevations", 1, Some(1)), ("invalid_points", 1, Some(1))]),
    ("broken/placemark_bad.tcx", 2, 1, 1112.0, &[("invalid_points", 2, Some(47))]),
    ("synthetic/andorra_00_clean.gpx", 1136, 1, 16.9, &[]),
    ("synthetic/andorra_01_noise5.gpx", 1203, 1, 12.3, &[]),
    ("synthetic/andorra_02_noise10.gpx", 821, 1, 12.7, &[]),
    ("synthetic/andorra_03_noise15.gpx", 1363, 1, 17.0, &[]),
    ("synthetic/andorra_04_sparse.gpx", 54, 1, 7.1, &[]),
    ("synthetic/andorra_05_offroad.gpx", 1261, 1, 19.1, &[]),
    ("synthetic/andorra_06_offroad.gpx", 1259, 1, 19.1, &[]),
    ("synthetic/andorra_07_offroad_small.gpx", 695, 1, 7.2, &[]),
    ("synthetic/andorra_08_near95_above.gpx", 243, 1, 5.0, &[]),
    ("synthetic/andorra_09_near95_below.gpx", 1404, 1, 21.2, &[]),
    ("synthetic/andorra_10_gap.gpx", 1224, 1, 19.3, &[("holes", 1, Some(404))]),
    ("synthetic/andorra_11_shift40.gpx", 716, 1, 7.1, &[]),
    ("synthetic/andorra_12_stops.gpx", 444, 1, 7.0, &[]),
    ("synthetic/andorra_13_jitter_dup.gpx", 1606, 1, 16.6, &[("doubled_points", 228, Some(10))]),
    ("synthetic/andorra_14_reversed.gpx", 679, 1, 13.2, &[]),
    ("synthetic/andorra_15_no_time_no_ele.gpx", 2053, 1, 20.6, &[]),
    ("synthetic/andorra_16_clean.gpx", 231, 1, 4.5, &[]),
    ("synthetic/andorra_17_noise5.gpx", 1560, 1, 15.9, &[]),
    ("synthetic/andorra_18_noise10.gpx", 1128, 1, 24.0, &[]),
    ("synthetic/andorra_19_noise15.gpx", 833, 1, 10.5, &[]),
    ("synthetic/andorra_20_sparse.gpx", 169, 1, 24.0, &[]),
    ("synthetic/andorra_21_offroad.gpx", 1777, 1, 26.6, &[]),
    ("synthetic/andorra_22_offroad.gpx", 533, 1, 7.8, &[]),
    ("synthetic/andorra_23_offroad_small.gpx", 1133, 1, 22.8, &[]),
    ("synthetic/andorra_24_near95_above.gpx", 2830, 1, 29.0, &[]),
    ("synthetic/andorra_25_near95_below.gpx", 4416, 1, 23.3, &[]),
    ("synthetic/andorra_26_gap.gpx", 2481, 1, 25.9, &[("holes", 1, Some(845))]),
    ("synthetic/andorra_27_shift40.gpx", 2713, 1, 14.1, &[]),
    ("synthetic/andorra_28_stops.gpx", 4177, 1, 23.2, &[]),
    ("synthetic/andorra_29_jitter_dup.gpx", 359, 1, 7.3, &[("doubled_points", 52, Some(7))]),
    ("synthetic/andorra_30_reversed.gpx", 3989, 1, 20.6, &[]),
    ("synthetic/andorra_31_no_time_no_ele.gpx", 944, 1, 18.7, &[]),
];

/// File, code, line.
const REFUSED: &[(&str, &str, Option<usize>)] = &[
    // Latin-1 in a file declared UTF-8 is recovered, but all it holds is a description.
    ("broken/geotrekce_file_bad_encoding.kml", "trace/no-line", Some(2)),
    ("broken/geotrekce_trace_with_no_feature.gpx", "trace/no-line", Some(2)),
    ("broken/geotrekce_trace_with_only_two_duplicate_track_points.gpx", "trace/one-point", Some(8)),
    ("broken/graphhopper_no_trk.gpx", "trace/no-line", Some(1)),
    ("broken/julien-nc_testFile6Error.gpx", "trace/malformed", Some(1)),
    ("broken/julien-nc_testFile7Empty.gpx", "trace/no-line", Some(1)),
    ("broken/openstreetmap_g.gpx", "trace/not-a-trace", None),
    ("broken/openstreetmap_jpg.gpx", "trace/not-a-trace", None),
    ("broken/placemark_bad.gpx", "trace/no-valid-point", Some(5)),
    // The mark is understood; the file holds one waypoint and no line.
    ("broken/tkrajina_unicode_with_bom.gpx", "trace/no-line", Some(2)),
];

#[test]
fn every_shared_track_is_read_or_refused_as_a_person_would() {
    let Some(tracks) = shared("tracks", "every_shared_track_is_read_or_refused_as_a_person_would") else { return };
    let mut expected: Vec<&str> = READABLE.iter().map(|row| row.0).chain(REFUSED.iter().map(|row| row.0)).collect();
    let mut found: Vec<String> = ["real", "broken", "synthetic"]
        .into_iter()
        .flat_map(|folder| {
            let files = std::fs::read_dir(tracks.join(folder)).unwrap();
            files.map(move |file| format!("{folder}/{}", file.unwrap().file_name().to_string_lossy()))
        })
        .filter(|name| !name.starts_with("synthetic/truth_"))
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "each file has its row");
    let mut wrong = Vec::new();
    for (name, points, pieces, km, repairs) in READABLE {
        match trace::read(&std::fs::read(tracks.join(name)).unwrap(), name) {
            Ok(reading) => {
                let listed: Vec<_> = reading.repairs.iter().map(|r| (r.kind.as_str(), r.count, r.line)).collect();
                let got_km = (reading.measure().distance_m / 100.0).round() / 10.0;
                let got = (reading.point_count(), reading.joined().len());
                if got != (*points, *pieces) || (got_km - km).abs() > 1e-9 || listed != *repairs {
                    wrong.push(format!("{name}: {got:?} {got_km} km {listed:?}"));
                }
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    for (name, code, line) in REFUSED {
        let answer =
            trace::read(&std::fs::read(tracks.join(name)).unwrap(), name).map_err(|error| (error.code(), error.line));
        if answer.as_ref().err() != Some(&(*code, *line)) {
            wrong.push(format!("{name}: {:?}", answer.err()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_fit_recording_is_what_another_reader_makes_of_it() {
    let Some(file) = shared("tracks/real/garmin-edge-800.fit", "a_fit_recording_is_what_another_reader_makes_of_it")
    else {
        return;
    };
    let bytes = std::fs::read(file).unwrap();
    let records = fitparser::from_bytes(&bytes).unwrap();
    let number = |record: &fitparser::FitDataRecord, name: &str| -> Option<f64> {
        let field = record.fields().iter().find(|field| field.name() == name)?;
        match field.value() {
            fitparser::Value::SInt32(value) => Some(f64::from(*value)),
            fitparser::Value::Float64(value) => Some(*value),
            fitparser::Value::Timestamp(time) => Some(time.timestamp() as f64),
            _ => None,
        }
    };
    let theirs: Vec<_> = records
        .iter()
        .filter_map(|record| {
            let lat = number(record, "position_lat")? * 180.0 / 2_147_483_648.0;
            let lon = number(record, "position_long")? * 180.0 / 2_147_483_648.0;
            let ele = number(record, "enhanced_altitude").or_else(|| number(record, "altitude"));
            (record.kind().to_string() == "record").then_some((lon, lat, ele, number(record, "timestamp")))
        })
        .collect();
    let reading = trace::read(&bytes, "edge.fit").unwrap();
    let ours: Vec<_> = reading.segments[0]
        .points
        .iter()
        .map(|point| {
            (point.position.lon, point.position.lat, point.position.ele, point.time_ms.map(|ms| ms as f64 / 1000.0))
        })
        .collect();
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(&theirs) {
        assert!((our.0 - their.0).abs() < 1e-9 && (our.1 - their.1).abs() < 1e-9, "{our:?} {their:?}");
        assert!((our.2.unwrap() - their.2.unwrap()).abs() < 0.11 && our.3 == their.3, "{our:?} {their:?}");
    }
}

#[test]
fn real_climbs_are_credible() {
    let Some(tracks) = shared("tracks/real", "real_climbs_are_credible") else { return };
    // Bounds set by the ground: the highest minus the lowest point, and what an unsmoothed sum gives.
    for (name, low_m, high_m) in [
        ("cabaliros.gpx", 1_400.0, 1_500.0),
        ("marathon_rennes.gpx", 140.0, 200.0),
        ("soulor_aubisque_spandelles.gpx", 2_800.0, 3_150.0),
        ("vanoise.gpx", 3_800.0, 4_150.0),
        ("garmin_etrex32_hike_2.gpx", 450.0, 500.0),
    ] {
        let reading = trace::read(&std::fs::read(tracks.join(name)).unwrap(), name).unwrap();
        let measure = reading.measure();
        let ascent_m = measure.ascent_m.unwrap();
        assert!((low_m..=high_m).contains(&ascent_m), "{name}: {ascent_m}");
        let line = reading.line();
        let net_m = line.last().unwrap().ele.unwrap() - line[0].ele.unwrap();
        assert!((ascent_m - measure.descent_m.unwrap() - net_m).abs() < 12.0, "{name}: {measure:?} net {net_m}");
    }
}

#[test]
fn no_shared_track_can_be_damaged_so_that_reading_panics() {
    let Some(tracks) = shared("tracks", "no_shared_track_can_be_damaged_so_that_reading_panics") else { return };
    // A fixed sequence (Numerical Recipes' generator): a failure comes back.
    let mut state = 101_u32;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for name in READABLE.iter().map(|row| row.0).chain(REFUSED.iter().map(|row| row.0)) {
        let whole = std::fs::read(tracks.join(name)).unwrap();
        if whole.len() > 60_000 {
            continue;
        }
        for _ in 0..30 {
            let mut bytes = whole.clone();
            for _ in 0..=next(8) {
                let at = next(bytes.len().max(1));
                if bytes.len() <= at {
                    break;
                }
                match next(3) {
                    0 => bytes[at] = next(256) as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => drop(bytes.drain(at..(at + next(40)).min(bytes.len()).max(at))),
                }
            }
            trace::exercise(&bytes);
        }
    }
}
