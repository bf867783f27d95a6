//! Folders of tiles as they come: formats mixed, overlapping, with holes, in other coordinates, broken.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod support;

use std::path::Path;
use support::{Place, hgt, strips, tiles, zipped};
use terrain::Dem;
use tiff::encoder::{Compression, DeflateLevel};

fn folder(files: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn open(folder: &tempfile::TempDir) -> Dem {
    Dem::open_dir(folder.path()).unwrap()
}

fn close(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 1e-3)
}

/// A hundredth of a degree a sample over 42.0 to 42.4 north, 1.0 to 1.5 east: the height is 100 × column + row.
fn slope(compression: Compression) -> Vec<u8> {
    strips(Place::degrees([1.0, 42.4], 0.01), [50, 40], compression, |c, r| (c * 100 + r) as f32)
}

#[test]
fn heights_are_read_between_the_middles_of_samples() {
    for compression in [Compression::Uncompressed, Compression::Lzw, Compression::Deflate(DeflateLevel::Balanced)] {
        let folder = folder(&[("slope.tif", slope(compression))]);
        let dem = open(&folder);
        assert!(close(dem.elevation_m(1.105, 42.295), 1010.0));
        assert!(close(dem.elevation_m(1.11, 42.295), 1060.0));
        assert!(close(dem.elevation_m(1.105, 42.29), 1010.5));
        // Held at the border, unknown beyond it.
        assert!(close(dem.elevation_m(1.0, 42.4), 0.0));
        assert_eq!(dem.elevation_m(0.99, 42.2), None);
        dem.check().unwrap();
    }
}

#[test]
fn tiles_left_out_are_holes() {
    let place = Place::degrees([1.0, 42.4], 0.01);
    let file = tiles(place, [40, 40], |x, y| (x != 1 || y != 1).then_some((x * 100 + y) as i16));
    let folder = folder(&[("tiles.tiff", file)]);
    let dem = open(&folder);
    assert!(close(dem.elevation_m(1.05, 42.35), 0.0));
    assert!(close(dem.elevation_m(1.39, 42.01), 202.0));
    assert_eq!(dem.elevation_m(1.2, 42.2), None);
    // A known neighbour is enough beside a hole.
    assert!(close(dem.elevation_m(1.158, 42.2), 1.0));
}

#[test]
fn the_finest_tile_that_knows_the_place_answers() {
    let fine = |c: u32, _: u32| if c < 25 { 9.0 } else { -9999.0 };
    let files = [
        ("N42E001.hgt.zip", zipped(&hgt())),
        ("a.tif", strips(Place::degrees([1.0, 42.4], 0.01), [50, 40], Compression::Lzw, |_, _| 5.0)),
        ("b.tif", strips(Place::degrees([1.0, 42.01], 0.0002), [50, 50], Compression::Lzw, fine)),
        ("notes.txt", b"ours".to_vec()),
    ];
    let folder = folder(&files);
    let dem = open(&folder);
    assert_eq!(dem.tile_count(), 3);
    assert!(close(dem.elevation_m(1.002, 42.005), 9.0), "the finest");
    assert!(close(dem.elevation_m(1.009, 42.005), 10.8), "its hole shows the next, three seconds a sample");
    assert!(close(dem.elevation_m(1.25, 42.2), 300.0), "a hundredth of a degree is coarser");
}

#[test]
fn lambert_93_is_read_where_it_lies() {
    let place = Place { epsg: 2154, is_projected: true, corner: [999_000.0, 6_534_000.0], step: [5.0; 2] };
    let folder = folder(&[("alti.tif", strips(place, [400, 300], Compression::Lzw, |c, _| c as f32))]);
    // PROJ puts the place at 999 929.385 east: 929.385 / 5 - 0.5 columns.
    assert!(open(&folder).elevation_m(6.8652, 45.8326).is_some_and(|h| (h - 185.377).abs() < 1e-2));
}

#[test]
fn what_cannot_be_used_is_named_with_the_remedy() {
    let foreign = Place { epsg: 27572, is_projected: true, corner: [0.0, 0.0], step: [5.0; 2] };
    let says = |bytes: Vec<u8>, words: &[&str]| {
        let folder = folder(&[("N42E001.hgt", hgt()), ("wrong.tif", bytes)]);
        let dem = open(&folder);
        let said = dem.check().unwrap_err().to_string();
        assert!(words.iter().chain(&["wrong.tif"]).all(|word| said.contains(word)), "{said}");
        assert_eq!(dem.refused().len(), 1);
        assert!(close(dem.elevation_m(1.5, 42.5), 600.0), "the others are still used");
    };
    says(strips(foreign, [4, 4], Compression::Lzw, |_, _| 1.0), &["EPSG:27572", "gdalwarp -t_srs EPSG:4326"]);
    says(b"no picture".to_vec(), &["not a readable TIFF"]);
    says(slope(Compression::Lzw)[..50].to_vec(), &["not a readable TIFF"]);
    let empty = tempfile::tempdir().unwrap();
    assert!(Dem::open_dir(empty.path()).unwrap_err().to_string().contains("holds none"));
    assert!(Dem::open_dir(Path::new("/nowhere/at/all")).is_err());
}

#[test]
fn a_tile_of_another_size_is_refused() {
    let folder = folder(&[("N42E001.hgt", vec![0; 100])]);
    let said = Dem::open_dir(folder.path()).unwrap_err().to_string();
    assert!(said.contains("1201 or 3601") && said.contains("N42E001.hgt"), "{said}");
}
