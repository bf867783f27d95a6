//! Totals beside those of the devices that recorded them: `cargo test -p planner totals_are -- --nocapture`.
#![allow(clippy::print_stdout, reason = "a table to look at")]

use crate::{climb::Profile, geometry::cumulative_m, recorded::RecordedHeights};
use std::path::Path;
use terrain::Dem;
use trace::{Position, turns};

/// Recordings with a barometer, and the ascent that their device states: Edge 800 in the FIT session's `total_ascent`,
/// eTrex 32x in the GPX's `TrackStatsExtension` (1107.6, of which 294.6 lie between the last point of the walk and two
/// stray ones 8 and 21 km away, which an import leaves out). Strava keeps the device's heights and leaves its total out.
const BAROMETRIC: [(&str, Option<f64>); 6] = [
    ("garmin-edge-800.fit", Some(132.0)),
    ("garmin_etrex32_hike_error_1.gpx", Some(813.0)),
    ("garmin_etrex32_hike_2.gpx", None),
    ("soulor_aubisque_spandelles.gpx", None),
    ("strava_ride_1.gpx", None),
    ("amberieu.gpx", None),
];
/// Without a barometer, or planned with a program: shown for comparison.
const OTHERS: [&str; 6] =
    ["testFile1.gpx", "ventoux.gpx", "vanoise.gpx", "cabaliros.gpx", "marathon_rennes.gpx", "VTTrack_1.gpx"];

#[expect(clippy::struct_field_names, reason = "units belong in names")]
struct Row {
    length_m: f64,
    /// Every rise of 2 m between the unchanged points: used where no total is stated.
    reference_m: f64,
    /// What an import shows.
    imported_m: f64,
    /// What a match with the recording's heights shows.
    matched_m: f64,
    ground_m: Option<f64>,
}

fn row(path: &Path, dem: Option<&Dem>) -> Row {
    let bytes = std::fs::read(path).expect("a track");
    let line: Vec<Position> = trace::read(&bytes, &path.to_string_lossy()).expect("readable").line();
    let along_m = cumulative_m(&line);
    let length_m = along_m[along_m.len() - 1];
    let recorded = RecordedHeights::of(&line).expect("heights");
    let matched = Profile::of_recording(&line, &along_m, &recorded).expect("a profile").climb(0.0, length_m).0;
    let mut unknown = 0;
    let on_ground = dem.and_then(|dem| {
        let mut height = |p: Position| {
            let found = dem.elevation_m(p.lon, p.lat);
            unknown += usize::from(found.is_none());
            found
        };
        Profile::of_ground(&line, &along_m, &mut height, |_| false)
    });
    Row {
        length_m,
        reference_m: turns(line.iter().filter_map(|p| p.ele), 2.0).0,
        imported_m: trace::measure(&line).ascent_m.expect("heights"),
        matched_m: matched,
        ground_m: on_ground.filter(|_| unknown == 0).map(|profile| profile.climb(0.0, length_m).0),
    }
}

#[test]
fn totals_are_within_a_twentieth_of_barometers() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let tracks = data.join("tracks/real");
    if !tracks.is_dir() {
        println!("skipped: {} is missing", tracks.display());
        return;
    }
    let dem = Dem::open_dir(&data.join("dem")).ok();
    let whole = |m: Option<f64>| m.map_or_else(String::new, |m| format!("{m:.0}"));
    println!("| recording | km | device | uncleaned | import | error | match | by the ground model |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut off = Vec::new();
    let rows = BAROMETRIC.into_iter().chain(OTHERS.map(|name| (name, None))).enumerate();
    for (i, (name, device_m)) in rows {
        let row = row(&tracks.join(name), dem.as_ref());
        let truth_m = device_m.unwrap_or(row.reference_m);
        let error = row.imported_m / truth_m - 1.0;
        println!(
            "| {name} | {:.1} | {} | {:.0} | {:.0} | {:+.1} % | {:.0} | {} |",
            row.length_m / 1000.0,
            whole(device_m),
            row.reference_m,
            row.imported_m,
            error * 100.0,
            row.matched_m,
            whole(row.ground_m)
        );
        let worst = error.abs().max((row.matched_m / truth_m - 1.0).abs());
        if i < BAROMETRIC.len() && worst > 0.05 {
            off.push((name, worst));
        }
    }
    assert!(off.is_empty(), "more than a twentieth off: {off:?}");
}
