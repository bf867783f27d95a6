//! Tiles made from real and from broken extracts.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod support;

use basemap::{BasemapError, Layer, MAX_ZOOM, MIN_ZOOM, Stage, Tiles, build};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use support::{decoded, names, tile_of};

fn made(name: &str) -> Option<(tempfile::TempDir, Tiles)> {
    let extract = support::shared_extract(name)?;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("region.pmtiles");
    build(&extract, None, &out, &mut |_| {}).unwrap();
    let tiles = Tiles::open(&out).unwrap();
    Some((folder, tiles))
}

#[test]
fn andorra_la_vella_has_its_streets_peaks_and_networks() {
    let Some((_folder, tiles)) = made("andorra.osm.pbf") else { return };
    let (x, y) = tile_of(14, 1.5218, 42.5063);
    let town = decoded(&tiles, 14, x, y);
    for layer in [
        Layer::Coverage,
        Layer::Landcover,
        Layer::Water,
        Layer::Waterway,
        Layer::Building,
        Layer::Route,
        Layer::Road,
        Layer::RoadLabel,
        Layer::Poi,
    ] {
        assert!(town.iter().any(|(name, _)| name == layer.name()), "no {} in the town's tile", layer.name());
    }
    assert!(
        names(&town, "road_label").iter().any(|name| name.contains("Avinguda")),
        "{:?}",
        names(&town, "road_label")
    );
    let (x, y) = tile_of(11, 1.4441, 42.5917);
    assert!(
        names(&decoded(&tiles, 11, x, y), "poi").iter().any(|name| name.contains("Comapedrosa")),
        "the highest peak is named at zoom 11"
    );
    let (x, y) = tile_of(8, 1.5218, 42.5063);
    assert!(
        names(&decoded(&tiles, 8, x, y), "place").iter().any(|name| name.contains("Andorra")),
        "the capital is named at zoom 8"
    );
}

#[test]
fn every_zoom_covers_the_country_and_far_zooms_leave_footpaths_out() {
    let Some((_folder, tiles)) = made("andorra.osm.pbf") else { return };
    assert_eq!((tiles.min_zoom(), tiles.max_zoom()), (MIN_ZOOM, MAX_ZOOM));
    for zoom in MIN_ZOOM..=MAX_ZOOM {
        let (x, y) = tile_of(zoom, 1.5218, 42.5063);
        let layers = decoded(&tiles, zoom, x, y);
        assert!(layers.iter().any(|(name, _)| name == "coverage"), "zoom {zoom}");
        let classes: Vec<String> = support::values(&layers, "road", "class");
        assert_eq!(classes.iter().any(|class| class == "path"), zoom >= 12, "zoom {zoom}: {classes:?}");
    }
    let [west, south, east, north] = tiles.bbox();
    assert!(west < 1.45 && east > 1.75 && south < 42.45 && north > 42.63, "{:?}", tiles.bbox());
}

#[test]
fn only_layers_and_fields_of_the_schema_are_written() {
    let Some((_folder, tiles)) = made("monaco-riviera.osm.pbf") else { return };
    let mut seen = 0;
    for zoom in MIN_ZOOM..=MAX_ZOOM {
        for (x, y) in support::tiles_in(zoom, tiles.bbox()) {
            for (name, features) in decoded(&tiles, zoom, x, y) {
                let layer = Layer::ALL.into_iter().find(|layer| layer.name() == name).unwrap();
                for key in features.iter().flatten().map(|(key, _)| key) {
                    assert!(layer.fields().contains(&key.as_str()), "{name} has {key}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 10_000, "{seen} fields were seen");
}

#[test]
fn the_sea_off_monaco_is_water() {
    let Some((_folder, tiles)) = made("monaco-riviera.osm.pbf") else { return };
    let (x, y) = tile_of(14, 7.46, 43.72);
    assert!(support::values(&decoded(&tiles, 14, x, y), "water", "class").contains(&"sea".to_owned()));
}

#[test]
fn the_same_extract_gives_the_same_etag_and_another_one_another() {
    let (Some((_a, andorra)), Some((_b, again)), Some((_c, monaco))) =
        (made("andorra-2021.osm.pbf"), made("andorra-2021.osm.pbf"), made("monaco-riviera.osm.pbf"))
    else {
        return;
    };
    assert_eq!(andorra.etag(), again.etag());
    assert_ne!(andorra.etag(), monaco.etag());
    let (x, y) = tile_of(13, 1.5218, 42.5063);
    assert_eq!(andorra.tile(13, x, y), again.tile(13, x, y), "building twice gives the same bytes");
}

#[test]
fn a_small_extract_is_read_and_the_progress_goes_forward() {
    let folder = tempfile::tempdir().unwrap();
    let (extract, out) = (folder.path().join("hamlet.osm"), folder.path().join("hamlet.pmtiles"));
    fs::write(&extract, support::HAMLET).unwrap();
    let mut found = Vec::new();
    let report = build(&extract, None, &out, &mut |progress| found.push(progress)).unwrap();
    assert!(report.tiles >= u64::from(MAX_ZOOM - MIN_ZOOM) && report.bytes > 1000, "{report:?}");
    let tiling: Vec<f64> = found.iter().filter(|p| p.stage == Stage::Tiling).map(|p| p.fraction).collect();
    assert!(tiling.is_sorted() && tiling.last().is_some_and(|last| *last > 0.999), "{tiling:?}");
    let tiles = Tiles::open(&out).unwrap();
    let (x, y) = tile_of(14, 5.0035, 45.0);
    assert_eq!(names(&decoded(&tiles, 14, x, y), "road_label"), vec!["Rue du Lavoir"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside the two files");
}

#[test]
fn a_broken_extract_is_refused_and_the_old_tiles_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (extract, out) = (folder.path().join("broken.osm.pbf"), folder.path().join("old.pmtiles"));
    fs::write(&out, b"old").unwrap();
    for content in [
        &b""[..],
        b"this is no extract",
        b"\0\0\0\x0d\x0a\x09OSMHeader\x18\x7f",
        b"<osm version='0.6'></osm>",
        b"<osm><node id='1'",
    ] {
        fs::write(&extract, content).unwrap();
        let error = build(&extract, None, &out, &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains("broken.osm.pbf"), "{error}");
        assert_eq!(fs::read(&out).unwrap(), b"old");
    }
    assert!(matches!(build(Path::new("/nowhere.pbf"), None, &out, &mut |_| {}), Err(BasemapError::Extract(_))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no half-written file is left");
}

#[test]
fn a_damaged_tiles_file_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let (extract, whole, cut) =
        (folder.path().join("h.osm"), folder.path().join("h.pmtiles"), folder.path().join("cut.pmtiles"));
    fs::write(&extract, support::HAMLET).unwrap();
    build(&extract, None, &whole, &mut |_| {}).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let mut garbled = bytes.clone();
    garbled[130..160].fill(0x55);
    for (content, why) in [
        (&bytes[..50], "too short"),
        (b"x".repeat(500).as_slice(), "does not begin"),
        (&bytes[..bytes.len() - 1], "cut short"),
        (&garbled, "damaged"),
    ] {
        fs::write(&cut, content).unwrap();
        let error = Tiles::open(&cut).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("cut.pmtiles"), "{error}");
    }
    fs::write(&cut, []).unwrap();
    assert!(Tiles::open(&cut).is_err(), "an empty file is refused too");
    assert!(matches!(Tiles::open(&folder.path().join("none.pmtiles")), Err(BasemapError::Io { .. })));
}

#[test]
fn whatever_tile_is_asked_for_there_is_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (extract, out) = (folder.path().join("h.osm"), folder.path().join("h.pmtiles"));
    fs::write(&extract, support::HAMLET).unwrap();
    build(&extract, None, &out, &mut |_| {}).unwrap();
    let tiles = Tiles::open(&out).unwrap();
    proptest!(|(z: u8, x: u32, y: u32)| {
        let _ = tiles.tile(z, x, y);
        let _ = tiles.tile(z % 16, x % 65_536, y % 65_536);
    });
    assert!(tiles.tile(0, 0, 0).is_none() && tiles.tile(255, u32::MAX, u32::MAX).is_none());
}

/// A way: its nodes' places, whether it is closed, its tags.
type AnyWay = (Vec<(f64, f64)>, bool, Vec<&'static str>);

fn way() -> impl Strategy<Value = AnyWay> {
    let tag = prop::sample::select(vec![
        "highway=primary",
        "highway=path",
        "oneway=-1",
        "name=Rue \u{e9}",
        "natural=coastline",
        "natural=wood",
        "building=yes",
        "waterway=river",
        "boundary=administrative",
        "admin_level=2",
        "ref=D 1;D 2",
        "tourism=alpine_hut",
        "ele=12e400",
        "leisure=park",
    ]);
    let near = prop::collection::vec((4.9..5.1_f64, 44.9..45.1_f64), 0..12);
    let anywhere = prop::collection::vec((-180.0..=180.0_f64, -90.0..=90.0_f64), 0..6);
    (prop_oneof![4 => near, 1 => anywhere], any::<bool>(), prop::collection::vec(tag, 0..4))
}

fn osm(ways: &[AnyWay]) -> String {
    let (mut nodes, mut lines, mut members, mut id) = (String::new(), String::new(), String::new(), 0);
    for (index, (places, closed, tags)) in ways.iter().enumerate() {
        let first = id + 1;
        let mut refs = String::new();
        for (lon, lat) in places {
            id += 1;
            let _ = write!(nodes, "<node id='{id}' lon='{lon:.7}' lat='{lat:.7}'/>");
            let _ = write!(refs, "<nd ref='{id}'/>");
        }
        if *closed {
            let _ = write!(refs, "<nd ref='{first}'/>");
        }
        let tags: String = tags
            .iter()
            .filter_map(|tag| tag.split_once('='))
            .fold(String::new(), |all, (k, v)| all + &format!("<tag k='{k}' v='{v}'/>"));
        let _ = write!(lines, "<way id='{index}'>{refs}{tags}</way>");
        let _ = write!(members, "<member type='way' ref='{index}' role=''/>");
    }
    let relation =
        format!("<relation id='1'>{members}<tag k='type' v='multipolygon'/><tag k='natural' v='water'/></relation>");
    format!("<osm version='0.6'>{nodes}{lines}{relation}</osm>")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_extract_gives_tiles_that_decode_or_a_sentence(ways in prop::collection::vec(way(), 0..12)) {
        let folder = tempfile::tempdir().unwrap();
        let (extract, out) = (folder.path().join("any.osm"), folder.path().join("any.pmtiles"));
        fs::write(&extract, osm(&ways)).unwrap();
        match build(&extract, None, &out, &mut |_| {}) {
            Ok(report) => {
                let tiles = Tiles::open(&out).unwrap();
                prop_assert!(report.bytes > 0);
                for zoom in [5, 9, 14] {
                    for (lon, lat) in [(5.0, 45.0), (4.95, 44.95), (5.05, 45.05)] {
                        let (x, y) = tile_of(zoom, lon, lat);
                        decoded(&tiles, zoom, x, y);
                    }
                }
            }
            Err(error) => prop_assert!(matches!(error, BasemapError::NothingToDraw { .. } | BasemapError::Extract(_)), "{error}"),
        }
    }
}
