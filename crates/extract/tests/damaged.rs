//! Damaged extracts: the readers return an error or what they could read, and never panic.
//! It does the work of the fuzz target, which needs nightly Rust, for one second per format on any toolchain.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use extract::{Element, Header, Member, MemberKind, Node, Relation, Tags, Way};

fn elements() -> Vec<Element> {
    let tags = |pairs: &[(&str, &str)]| {
        Tags::from(pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<Vec<_>>())
    };
    let node = |id: i64| Node { id, lon: 1.5 + id as f64 * 1e-3, lat: 42.5, tags: tags(&[]) };
    let mut elements: Vec<Element> = (1..40).map(|id| Element::Node(node(id))).collect();
    elements.push(Element::Way(Way {
        id: 7,
        nodes: (1..40).collect(),
        tags: tags(&[("highway", "path"), ("name", "Été")]),
    }));
    let member = Member { kind: MemberKind::Way, id: 7, role: "outer".to_owned() };
    elements.push(Element::Relation(Relation { id: 9, members: vec![member], tags: tags(&[("type", "route")]) }));
    elements
}

fn xml() -> Vec<u8> {
    let nodes: String = (1..40).map(|id| format!(r#"<node id="{id}" lat="42.5" lon="1.5{id}"/>"#)).collect();
    let refs: String = (1..40).map(|id| format!(r#"<nd ref="{id}"/>"#)).collect();
    format!(
        r#"<?xml version="1.0"?><osm version="0.6"><bounds minlat="42" minlon="1" maxlat="43" maxlon="2"/>{nodes}<way id="7">{refs}<tag k="highway" v="path"/></way><relation id="9"><member type="way" ref="7" role="outer"/></relation></osm>"#
    )
    .into_bytes()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Pseudo-random numbers from a seed: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

fn damaged(intact: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = intact.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(1)),
            3 => drop(bytes.drain(at..(at + 1 + random.below(20)).min(bytes.len()))),
            _ => {
                let piece = bytes[at..(at + 30).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

fn check_damaged(name: &str, intact: &[u8], seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let read = |bytes: &[u8], path: &Path| {
        std::fs::write(path, bytes).unwrap();
        let mut count = 0;
        extract::read(path, |_| count += 1).map(|_| count)
    };
    assert_eq!(read(intact, &path).unwrap(), 41, "{name}: the intact file is read");
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut random, until, mut refused) = (Random(seed), Instant::now() + Duration::from_secs(seconds), 0);
    let mut files = 0;
    while Instant::now() < until {
        let started = Instant::now();
        refused += usize::from(read(&damaged(intact, &mut random), &path).is_err());
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "{name}: a file damaged from {} bytes takes over 10 s",
            intact.len()
        );
        files += 1;
    }
    assert!(files > 5 && refused > 0, "{name}: {files} read, {refused} refused");
}

#[test]
fn damaged_pbf_files_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("intact.osm.pbf");
    extract::write_pbf(&path, &Header { bbox: None, date_s: Some(1_794_614_400) }, &elements()).unwrap();
    check_damaged("damaged.osm.pbf", &std::fs::read(&path).unwrap(), 1);
}

#[test]
fn damaged_xml_files_never_panic() {
    check_damaged("damaged.osm", &xml(), 2);
}

#[test]
fn damaged_gzipped_files_never_panic() {
    check_damaged("damaged.osm.gz", &gzipped(&xml()), 3);
}
