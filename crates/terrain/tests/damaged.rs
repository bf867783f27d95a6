//! Damaged elevation tiles: a missing height is allowed, a panic is not. The same as the fuzz targets, for a second each.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod support;

use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use support::{Place, hgt, strips, tiles, zipped};
use terrain::Dem;
use tiff::encoder::Compression;

/// Damage files under these names again and again; what two places answered.
fn damaged(files: &[(&str, Vec<u8>)], places: [[f64; 2]; 2], near: usize) -> HashSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let ask = |change: &dyn Fn(&[u8]) -> Vec<u8>| {
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), change(bytes)).unwrap();
        }
        match Dem::open_dir(folder.path()) {
            Ok(dem) => {
                let _ = dem.check();
                format!("{:?}", places.map(|[lon, lat]| dem.elevation_m(lon, lat).is_some()))
            }
            Err(_) => "refused".to_owned(),
        }
    };
    assert_eq!(ask(&<[u8]>::to_vec), "[true, true]", "the seeds are sound");
    // Half of the changes near the end, where these files keep what describes the rest.
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), any::<u8>()), 1..6);
    let damage = (changes, prop::option::of(any::<prop::sample::Index>()));
    let mut runner = TestRunner::deterministic();
    let (until, mut answers) = (Instant::now() + Duration::from_secs(1), HashSet::new());
    while Instant::now() < until {
        let (changes, cut) = damage.new_tree(&mut runner).unwrap().current();
        answers.insert(ask(&|sound: &[u8]| {
            let mut bytes = sound.to_vec();
            for (at, is_near, value) in &changes {
                let span = if *is_near { near.min(bytes.len()) } else { bytes.len() };
                let at = bytes.len() - 1 - at.index(span);
                bytes[at] = *value;
            }
            bytes.truncate(cut.map_or(bytes.len(), |cut| cut.index(bytes.len())));
            bytes
        }));
    }
    answers
}

#[test]
fn damaged_srtm_tiles_are_answered() {
    let files = [("N43E001.hgt", hgt()), ("N42E001.hgt.zip", zipped(&hgt()))];
    assert!(damaged(&files, [[1.5, 42.3], [1.5, 43.7]], 200).contains("refused"));
}

#[test]
fn damaged_geotiffs_are_answered() {
    let place = Place::degrees([1.0, 42.4], 0.01);
    let packed = strips(place, [50, 40], Compression::Lzw, |c, r| (c * r) as f32);
    let plain = tiles(Place::degrees([1.0, 43.4], 0.01), [40, 40], |x, y| Some((x + y) as i16));
    let files = [("packed.tif", packed), ("plain.tif", plain)];
    let answers = damaged(&files, [[1.2, 42.2], [1.2, 43.2]], 400);
    assert!(answers.len() > 1, "damage shows: {answers:?}");
}
