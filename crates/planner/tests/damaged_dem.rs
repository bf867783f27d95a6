//! Damaged elevation tiles: no height is an answer, a panic is none. What the fuzz target `dem` does, for a second.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::io::{Cursor, Write as _};
use std::time::{Duration, Instant};

use planner::Dem;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use trace::Position;

const SIDE: usize = 1201;

fn tile() -> Vec<u8> {
    (0..SIDE * SIDE).flat_map(|i| ((i % SIDE) as i16).to_be_bytes()).collect()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("N42E001.hgt", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn damaged_tiles_are_answered() {
    let folder = std::env::temp_dir().join(format!("jalon-dem-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let height = |plain: &[u8], packed: &[u8]| {
        std::fs::write(folder.join("N43E001.hgt"), plain).unwrap();
        std::fs::write(folder.join("N42E001.hgt.zip"), packed).unwrap();
        let dem = Dem::open_dir(&folder).unwrap();
        [42.3, 43.7].map(|lat| dem.elevation_m(Position::new(1.5, lat)))
    };
    let (plain, packed) = (tile(), zipped(&tile()));
    assert_eq!(height(&plain, &packed), [Some(600.0), Some(600.0)], "the seeds are sound");
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    let damage = (changes, prop::option::of(any::<prop::sample::Index>()));
    let mut runner = TestRunner::deterministic();
    let (until, mut refused) = (Instant::now() + Duration::from_secs(1), 0);
    while Instant::now() < until {
        let (changes, cut) = damage.new_tree(&mut runner).unwrap().current();
        let damaged = |sound: &[u8]| {
            let mut bytes = sound.to_vec();
            for (at, value) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            bytes.truncate(cut.map_or(bytes.len(), |cut| cut.index(bytes.len())));
            bytes
        };
        let found = height(&damaged(&plain), &damaged(&packed));
        refused += found.iter().filter(|height| height.is_none()).count();
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(refused > 0, "a cut tile has no heights");
}
