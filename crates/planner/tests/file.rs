//! The prepared file: what is not one, or no longer one, is refused with a sentence; a build appears whole or not at all.

mod support;

use planner::{Embedded, Network, NetworkError};
use routing::{MatchRequest, Profile, RouteEngine, RouteRequest};
use std::path::{Path, PathBuf};
use support::{andorra, engine, gpx, scratch, shared};
use trace::Position;

/// A small real extract, built into a separate file.
fn small(data: &Path, name: &str) -> (PathBuf, Vec<u8>) {
    let out = scratch().join(name);
    Network::build(&data.join("osm/pairs/dreieich.osm.pbf"), None, &out, &mut |_| {}).expect("a network");
    let bytes = std::fs::read(&out).expect("the file");
    (out, bytes)
}

fn refusal(bytes: &[u8]) -> NetworkError {
    Network::from_bytes(bytes).expect_err("not a sound file")
}

#[test]
fn a_cut_or_foreign_file_is_refused_in_words() {
    let Some(data) = shared("a_cut_or_foreign_file_is_refused_in_words") else { return };
    let (path, bytes) = small(&data, "cut.network");
    assert!(matches!(refusal(&bytes[..bytes.len() - 1]), NetworkError::Truncated { .. }));
    assert!(matches!(refusal(&bytes[..300]), NetworkError::Truncated { .. }));
    assert!(matches!(refusal(b""), NetworkError::NotANetwork));
    assert!(matches!(refusal(b"<?xml version=\"1.0\"?><gpx></gpx>"), NetworkError::NotANetwork));
    let mut newer = bytes.clone();
    newer[8] = 200;
    let sentence = refusal(&newer).to_string();
    assert!(sentence.contains("200") && sentence.contains("build it again"), "{sentence}");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("a cut file");
    assert_eq!(Network::open(&path).expect_err("cut").code(), "network/truncated");
    assert_eq!(Network::open(Path::new("/nowhere/at.all")).expect_err("missing").code(), "network/io");
    std::fs::remove_file(&path).expect("the file just made");
}

#[test]
fn a_changed_byte_anywhere_is_noticed() {
    let Some(data) = shared("a_changed_byte_anywhere_is_noticed") else { return };
    let (path, bytes) = small(&data, "changed.network");
    std::fs::remove_file(&path).expect("the file just made");
    for at in (8..bytes.len()).step_by(bytes.len() / 200) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x41;
        assert!(Network::from_bytes(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn a_build_that_fails_leaves_the_old_file() {
    let Some(data) = shared("a_build_that_fails_leaves_the_old_file") else { return };
    let (path, bytes) = small(&data, "kept.network");
    let failed = Network::build(&data.join("osm/README.md"), None, &path, &mut |_| {});
    assert_eq!(failed.expect_err("no extract").code(), "network/extract");
    assert_eq!(std::fs::read(&path).expect("still there"), bytes);
    let missing = Network::build(Path::new("/nowhere.osm.pbf"), None, &path, &mut |_| {});
    assert!(missing.is_err());
    let leftovers = std::fs::read_dir(scratch())
        .expect("the folder")
        .filter(|e| e.as_ref().is_ok_and(|e| e.file_name().to_string_lossy().starts_with("kept.network.")))
        .count();
    assert_eq!(leftovers, 0);
    std::fs::remove_file(&path).expect("the file just made");
}

#[test]
fn the_same_extract_makes_the_same_file() {
    let Some(data) = shared("the_same_extract_makes_the_same_file") else { return };
    let (a, first) = small(&data, "first.network");
    let (b, second) = small(&data, "second.network");
    assert!(first == second, "two builds differ");
    let network = Network::open(&a).expect("a sound file");
    assert_eq!(
        network.extract_checksum(),
        extract::checksum(&data.join("osm/pairs/dreieich.osm.pbf")).expect("a checksum")
    );
    assert!(network.data_date_s().is_some());
    for path in [a, b] {
        std::fs::remove_file(path).expect("the file just made");
    }
}

#[test]
fn every_sample_extract_is_built_and_its_own_track_lies_on_it() {
    let Some(data) = shared("every_sample_extract_is_built_and_its_own_track_lies_on_it") else { return };
    for (extract, track, least) in [
        ("pairs/dreieich.osm.pbf", "tracks/real/testtrack0.gpx", 95.0),
        ("pairs/issue-70.osm.gz", "osm/pairs/issue-70.gpx", 90.0),
        ("pairs/map-issue13.osm.gz", "osm/pairs/map-issue13.gpx", 90.0),
    ] {
        let found = engine(&data, extract)
            .match_trace(&MatchRequest::new(gpx(&data.join(track)), Profile::Touring))
            .expect("a match");
        eprintln!(
            "{track}: {:?}, {} gaps, sigma {:.1}",
            found.reliability.percent,
            found.reliability.gaps.len(),
            found.reliability.sigma_m
        );
        assert!(found.reliability.percent.is_some_and(|p| p >= least), "{track}: {:?}", found.reliability.percent);
    }
    let line = gpx(&data.join("tracks/real/andorra_for_map_matching.gpx"));
    let found = andorra(&data).match_trace(&MatchRequest::new(line, Profile::Hiking)).expect("a match");
    assert!(found.reliability.percent.is_some_and(|p| p >= 95.0), "{:?}", found.reliability);
}

#[test]
fn an_update_of_the_land_is_another_network() {
    let Some(data) = shared("an_update_of_the_land_is_another_network") else { return };
    let older = engine(&data, "andorra-2021.osm.pbf");
    let points = vec![Position::new(1.5148, 42.5450), Position::new(1.5801, 42.5363)];
    let ask = |e: &Embedded| e.route(&RouteRequest::new(points.clone(), Profile::Touring)).expect("a way");
    let (before, now) = (ask(&older), ask(andorra(&data)));
    assert!(before.data_date < now.data_date, "{:?} {:?}", before.data_date, now.data_date);
    assert_ne!(older.network().extract_checksum(), andorra(&data).network().extract_checksum());
    // Fragments of relations in the far west are no land that the planner knows.
    assert!(!older.network().covers(Position::new(0.98, 42.5)));
}

#[test]
fn the_real_land_is_covered_and_its_surroundings_are_not() {
    let Some(data) = shared("the_real_land_is_covered_and_its_surroundings_are_not") else { return };
    let network = andorra(&data).network();
    for inside in [[1.5218, 42.5063], [1.6362, 42.4680], [1.56, 42.62], [1.44, 42.60], [1.72, 42.56]] {
        assert!(network.covers(Position::new(inside[0], inside[1])), "{inside:?}");
    }
    for outside in [[1.30, 42.35], [1.80, 42.40], [1.35, 42.70], [2.5, 42.5], [f64::NAN, 42.5]] {
        assert!(!network.covers(Position::new(outside[0], outside[1])), "{outside:?}");
    }
    let outline = network.outline();
    assert!(!outline.is_empty() && outline.iter().all(|ring| ring.len() >= 5 && ring[0] == ring[ring.len() - 1]));
}
