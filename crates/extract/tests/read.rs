//! Real extracts, counted as their README counts them, and files that are not extracts.

#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::fs;
use std::path::{Path, PathBuf};

use extract::{Element, ExtractError, Header, Member, MemberKind, Node, Relation, Tags, Way};

/// The shared folder of real extracts, or a line that says why the test was skipped.
fn shared(test: &str, name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("JALON_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join("data/osm").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {test}: ../shared/data is missing");
    None
}

/// Nodes, ways, ways with `highway`, relations.
fn counts(path: &Path) -> (Header, [usize; 4]) {
    let mut counts = [0; 4];
    let header = extract::read(path, |element| match element {
        Element::Node(_) => counts[0] += 1,
        Element::Way(way) => {
            counts[1] += 1;
            counts[2] += usize::from(way.tags.get("highway").is_some());
        }
        Element::Relation(_) => counts[3] += 1,
    })
    .unwrap();
    (header, counts)
}

fn day(date_s: i64) -> i64 {
    date_s / 86_400
}

#[test]
fn real_extracts_have_the_counts_of_their_readme() {
    for (name, expected, day_of_newest) in [
        ("andorra.osm.pbf", [471_006, 24_607, 7_763, 614], None),
        ("monaco-riviera.osm.pbf", [180_118, 27_377, 2_927, 212], None),
        ("pairs/dreieich.osm.pbf", [24_828, 4_627, 477, 62], None),
        ("pairs/issue-70.osm.gz", [264, 36, 29, 3], Some(17_118)),
        ("pairs/map-issue13.osm.gz", [144, 23, 21, 4], Some(17_059)),
    ] {
        let Some(path) = shared("real_extracts_have_the_counts_of_their_readme", name) else { return };
        let (header, found) = counts(&path);
        assert_eq!(found, expected, "{name}");
        if let Some(expected) = day_of_newest {
            assert_eq!(header.date_s.map(day), Some(expected), "{name}");
        }
        assert!(header.bbox.is_none_or(|[w, s, e, n]| w < e && s < n), "{name}: {header:?}");
    }
}

#[test]
fn a_real_extract_survives_being_written_again() {
    let test = "a_real_extract_survives_being_written_again";
    let Some(path) = shared(test, "pairs/dreieich.osm.pbf") else { return };
    let mut elements = Vec::new();
    let header = extract::read(&path, |element| elements.push(element)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.osm.pbf");
    extract::write_pbf(&copy, &header, &elements).unwrap();
    let mut again = Vec::new();
    let header_again = extract::read(&copy, |element| again.push(element)).unwrap();
    assert_eq!(again.len(), elements.len());
    for (before, after) in elements.iter().zip(&again) {
        match (before, after) {
            (Element::Node(a), Element::Node(b)) => {
                assert_eq!((a.id, &a.tags), (b.id, &b.tags));
                assert!((a.lon - b.lon).abs() < 1e-9 && (a.lat - b.lat).abs() < 1e-9, "{a:?} {b:?}");
            }
            _ => assert_eq!(before, after),
        }
    }
    assert_eq!(header_again.date_s, header.date_s);
}

fn tags(pairs: &[(&str, &str)]) -> Tags {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect::<Vec<_>>().into()
}

fn small() -> (Header, Vec<Element>) {
    let node = |id, lon, lat, tags| Element::Node(Node { id, lon, lat, tags });
    let elements = vec![
        node(1, 3.125, 44.95, tags(&[("natural", "peak"), ("name", "Pic de la Hêtraie"), ("ele", "1512")])),
        node(-7, -3.125, -44.95, tags(&[])),
        node(9_000_000_000, 3.126, 44.951, tags(&[("note", "")])),
        Element::Way(Way { id: 5, tags: tags(&[("highway", "path")]), nodes: vec![9_000_000_000, 1, -7] }),
        Element::Relation(Relation {
            id: 6,
            tags: tags(&[("type", "route")]),
            members: vec![
                Member { kind: MemberKind::Way, id: 5, role: String::new() },
                Member { kind: MemberKind::Node, id: 1, role: "guidepost".to_owned() },
                Member { kind: MemberKind::Relation, id: 60, role: "part".to_owned() },
            ],
        }),
    ];
    (Header { bbox: Some([3.0, 44.9, 3.35, 45.12]), date_s: Some(1_795_132_800) }, elements)
}

fn written(folder: &Path) -> PathBuf {
    let (header, elements) = small();
    let path = folder.join("small.osm.pbf");
    extract::write_pbf(&path, &header, &elements).unwrap();
    path
}

#[test]
fn an_extract_that_leaves_its_times_out_has_no_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("undated.osm.pbf");
    let (header, elements) = small();
    extract::write_pbf(&path, &Header { date_s: Some(0), ..header }, &elements).unwrap();
    assert_eq!(extract::read(&path, |_| ()).unwrap().date_s, None);
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    let header = extract::read(&written(folder.path()), |element| found.push(element)).unwrap();
    let (expected_header, expected) = small();
    assert_eq!(header.date_s, expected_header.date_s);
    for (found, expected) in header.bbox.unwrap().iter().zip(expected_header.bbox.unwrap()) {
        assert!((found - expected).abs() < 1e-9);
    }
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}

#[test]
fn many_elements_take_several_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.osm.pbf");
    let elements: Vec<Element> = (0..20_001)
        .map(|id| Element::Node(Node { id, lon: id as f64 * 1e-5, lat: 45.0, tags: Tags::default() }))
        .chain((0..9_000).map(|id| Element::Way(Way { id, tags: Tags::default(), nodes: (id..id + 60).collect() })))
        .collect();
    extract::write_pbf(&path, &Header::default(), &elements).unwrap();
    let (header, found) = counts(&path);
    assert_eq!(found, [20_001, 9_000, 0, 0]);
    assert_eq!(header, Header::default());
}

#[test]
fn a_pbf_cut_anywhere_is_refused_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(written(folder.path())).unwrap();
    let path = folder.path().join("cut.osm.pbf");
    let first_block = 4 + 13 + fs::read(written(folder.path())).unwrap()[16] as usize;
    let mut refused = 0;
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let result = extract::read(&path, |_| {});
        match (length, &result) {
            (0, Err(ExtractError::Empty { .. }))
            | (_, Err(ExtractError::Truncated { .. } | ExtractError::Foreign { .. })) => {
                refused += 1;
            }
            // A cut that falls between two blocks leaves a shorter extract that looks whole.
            (_, Ok(_)) => assert!(length >= first_block, "{length} bytes were taken for an extract"),
            other => panic!("{other:?}"),
        }
    }
    assert!(whole.len() - refused <= 3, "{refused} of {} cuts refused", whole.len());
}

#[test]
fn a_pbf_with_any_byte_changed_never_panics_the_reader() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(written(folder.path())).unwrap();
    let path = folder.path().join("changed.osm.pbf");
    let mut refused = 0;
    for index in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[index] ^= 0x55;
        fs::write(&path, &bytes).unwrap();
        refused += usize::from(extract::read(&path, |_| {}).is_err());
    }
    assert!(refused > whole.len() / 2, "{refused} of {}", whole.len());
}

fn reading(name: &str, bytes: &[u8]) -> Result<(Header, usize), ExtractError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let mut count = 0;
    extract::read(&path, |_| count += 1).map(|header| (header, count))
}

#[test]
fn what_is_no_extract_is_named() {
    assert!(matches!(reading("a.osm.pbf", b""), Err(ExtractError::Empty { .. })));
    assert!(matches!(reading("a.osm", b" \n "), Err(ExtractError::Empty { .. })));
    assert!(matches!(reading("a.osm.pbf", b"%PDF-1.7 whatever"), Err(ExtractError::Foreign { .. })));
    assert!(matches!(reading("a.osm", b"<gpx version=\"1.1\"><trk/></gpx>"), Err(ExtractError::Foreign { .. })));
    assert!(matches!(reading("a.osm.bz2", b"BZh91AY&SY"), Err(ExtractError::Unsupported { .. })));
    assert!(matches!(
        reading("a.osm.gz", &[0x1f, 0x8b, 8, 0, 1, 2]),
        Err(ExtractError::Truncated { .. } | ExtractError::Damaged { .. })
    ));
    let missing = extract::read(Path::new("/nowhere/at-all.osm.pbf"), |_| {}).unwrap_err();
    assert!(missing.to_string().starts_with("/nowhere/at-all.osm.pbf: "), "{missing}");
}

#[test]
fn xml_is_read_with_its_oddities() {
    let text = r#"<?xml version='1.0'?><osm version="0.6"><note>x</note>
      <bounds minlat="44.9" minlon="3.0" maxlat="45.0" maxlon="3.1"/><bounds minlat="44.8" minlon="3.05" maxlat="44.95" maxlon="3.2"/>
      <node id="-1" lat="44.95" lon="3.05" timestamp="2016-02-29T23:59:59Z"><tag k="name" v="Chez &quot;Zoé&quot; &amp; fils"/></node>
      <node id="2" visible="false"/><node id="3" action="delete" lat="44.95" lon="3.05"/>
      <way id="4" timestamp="2015-01-01T00:00:00Z"><nd ref="-1"/><nd ref="2"/></way></osm>"#;
    let (header, count) = reading("a.osm", text.as_bytes()).unwrap();
    assert_eq!(header, Header { bbox: Some([3.0, 44.8, 3.2, 45.0]), date_s: Some(1_456_790_399) });
    assert_eq!(count, 2);
}

#[test]
fn xml_that_is_cut_or_wrong_is_refused_with_its_place() {
    let cut = reading("a.osm", b"<osm><node id=\"1\" lat=\"45\" lon=\"3\"/><way id=\"2\">").unwrap_err();
    assert!(matches!(cut, ExtractError::Truncated { .. }), "{cut}");
    let within = reading("a.osm", b"<osm><node id=\"1\" lat=\"4").unwrap_err();
    assert!(matches!(within, ExtractError::Truncated { .. }), "{within}");
    for (text, what) in [
        (&b"<osm><node id=\"1\" lat=\"x\" lon=\"3\"/></osm>"[..], "lat=\"x\" is not a number"),
        (b"<osm><node id=\"1\" lat=\"95\" lon=\"3\"/></osm>", "node 1 is not on the Earth"),
        (b"<osm><node id=\"1\" lat=\"NaN\" lon=\"3\"/></osm>", "node 1 is not on the Earth"),
        (b"<osm><node lat=\"45\" lon=\"3\"/></osm>", "the attribute id is missing"),
        (b"<osm><relation id=\"1\"><member type=\"cat\" ref=\"2\"/></relation></osm>", "a member of type \"cat\""),
    ] {
        let error = reading("a.osm", text).unwrap_err();
        assert!(matches!(error, ExtractError::Damaged { at_byte: 5.., .. }), "{error:?}");
        assert!(error.to_string().ends_with(what), "{error}");
    }
}

#[test]
fn the_checksum_is_the_sha_256_of_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abc");
    fs::write(&path, "abc").unwrap();
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(extract::checksum(&path).unwrap(), expected);
}
