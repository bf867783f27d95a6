//! Contours and heights of a made-up slope under a made-up hamlet.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod support;

use basemap::{MAX_ZOOM, Tiles, build};
use std::fs;
use support::{HAMLET, decoded, tile_of, values};
use terrain::Dem;

/// Two SRTM tiles around 45° north, 5° east, that rise by 10 m a column, from 400 m.
fn slope() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tile: Vec<u8> = (0..1201 * 1201).flat_map(|i| (400 + (i % 1201) as i16 * 10).to_be_bytes()).collect();
    for name in ["N44E005.hgt", "N45E005.hgt"] {
        fs::write(folder.path().join(name), &tile).unwrap();
    }
    folder
}

#[test]
fn a_ground_model_gives_contours_and_heights_and_goes_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let (extract, out) = (folder.path().join("hamlet.osm"), folder.path().join("map.pmtiles"));
    fs::write(&extract, HAMLET).unwrap();
    let dem_folder = slope();
    let dem = Dem::open_dir(dem_folder.path()).unwrap();

    let report = build(&extract, Some(&dem), &out, &mut |_| {}).unwrap();
    let with = Tiles::open(&out).unwrap();
    assert!(report.relief.is_some_and(|(tiles, bytes)| tiles >= 7 && bytes > 0), "{:?}", report.relief);
    assert!(with.has_relief());
    let heights = |zoom: u8| -> Vec<i64> {
        let (x, y) = tile_of(zoom, 5.003, 45.001);
        let mut all: Vec<i64> =
            values(&decoded(&with, zoom, x, y), "contour", "ele").iter().map(|ele| ele.parse().unwrap()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let near = heights(MAX_ZOOM);
    assert!(near.len() > 3 && near.windows(2).all(|pair| pair[1] - pair[0] == 20), "{near:?}");
    assert!(heights(13).iter().all(|ele| ele % 40 == 0 || ele % 100 == 0) && !heights(13).is_empty());
    assert!(heights(11).iter().all(|ele| ele % 100 == 0));
    assert_eq!(heights(10), Vec::<i64>::new());
    for zoom in 6..=12 {
        let (x, y) = tile_of(zoom, 5.003, 45.001);
        assert!(with.relief(zoom, x, y).unwrap().starts_with(b"\x89PNG"), "zoom {zoom}");
    }
    assert_eq!(with.relief(12, 0, 0), None);
    assert_eq!(with.relief(13, 8419, 5893), None);

    build(&extract, None, &out, &mut |_| {}).unwrap();
    let without = Tiles::open(&out).unwrap();
    assert!(!without.has_relief() && with.etag() != without.etag());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the extract and the tiles");
}

#[test]
fn heights_of_another_build_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (extract, out) = (folder.path().join("hamlet.osm"), folder.path().join("map.pmtiles"));
    fs::write(&extract, HAMLET).unwrap();
    let dem_folder = slope();
    build(&extract, Some(&Dem::open_dir(dem_folder.path()).unwrap()), &out, &mut |_| {}).unwrap();
    let beside = folder.path().join("map-relief.pmtiles");
    let kept = fs::read(&beside).unwrap();
    build(&extract, None, &out, &mut |_| {}).unwrap();
    fs::write(&beside, kept).unwrap();
    assert!(!Tiles::open(&out).unwrap().has_relief());
    fs::write(&beside, b"damaged").unwrap();
    assert!(!Tiles::open(&out).unwrap().has_relief());
}
