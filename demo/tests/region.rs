//! The region is what the demo promises: large enough, named, connected, and the same each time.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use demo::Region;
use extract::{Element, MemberKind, Way};

fn region() -> &'static Region {
    static REGION: OnceLock<Region> = OnceLock::new();
    REGION.get_or_init(demo::region)
}

fn ways() -> impl Iterator<Item = &'static Way> {
    region().elements.iter().filter_map(|element| if let Element::Way(way) = element { Some(way) } else { None })
}

fn highways() -> impl Iterator<Item = &'static Way> {
    ways().filter(|way| way.tags.get("highway").is_some())
}

fn positions() -> HashMap<i64, (f64, f64)> {
    region()
        .elements
        .iter()
        .filter_map(
            |element| if let Element::Node(node) = element { Some((node.id, (node.lon, node.lat))) } else { None },
        )
        .collect()
}

fn length_km(way: &Way, at: &HashMap<i64, (f64, f64)>) -> f64 {
    let metres = |a: (f64, f64), b: (f64, f64)| ((a.0 - b.0) * 78_932.0).hypot((a.1 - b.1) * 111_132.0);
    way.nodes.windows(2).map(|pair| metres(at[&pair[0]], at[&pair[1]])).sum::<f64>() / 1000.0
}

#[test]
fn it_has_at_least_300_km_of_ways_of_every_class() {
    let at = positions();
    let mut by_class: BTreeMap<&str, f64> = BTreeMap::new();
    for way in highways() {
        *by_class.entry(way.tags.get("highway").unwrap()).or_default() += length_km(way, &at);
    }
    assert!(by_class.values().sum::<f64>() >= 300.0, "{by_class:?}");
    for class in [
        "trunk",
        "primary",
        "secondary",
        "tertiary",
        "unclassified",
        "residential",
        "cycleway",
        "track",
        "path",
        "steps",
    ] {
        assert!(by_class.contains_key(class), "no {class}: {by_class:?}");
    }
}

#[test]
fn it_has_at_least_200_named_ways() {
    let names: BTreeSet<&str> = highways().filter_map(|way| way.tags.get("name")).collect();
    assert!(names.len() >= 200, "{}", names.len());
    let signs: BTreeSet<&str> = highways().filter_map(|way| way.tags.get("ref")).collect();
    assert!(signs.len() >= 10, "{signs:?}");
}

/// The node that represents all nodes connected to `node`.
fn root(parent: &mut HashMap<i64, i64>, node: i64) -> i64 {
    let mut at = node;
    while parent.get(&at).is_some_and(|up| *up != at) {
        let next = parent[&at];
        let after = parent.get(&next).copied().unwrap_or(next);
        parent.insert(at, after);
        at = next;
    }
    at
}

#[test]
fn every_way_hangs_together_with_the_rest() {
    let mut parent: HashMap<i64, i64> = HashMap::new();
    for way in highways() {
        for pair in way.nodes.windows(2) {
            let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
            parent.insert(a, b);
            parent.entry(b).or_insert(b);
        }
    }
    let nodes: Vec<i64> = highways().flat_map(|way| way.nodes.clone()).collect();
    let roots: BTreeSet<i64> = nodes.iter().map(|node| root(&mut parent, *node)).collect();
    assert_eq!(roots.len(), 1, "{} networks", roots.len());
}

#[test]
fn ways_that_cross_share_a_node() {
    let mut meetings: HashMap<i64, u32> = HashMap::new();
    for way in highways() {
        for end in [way.nodes[0], way.nodes[way.nodes.len() - 1]] {
            *meetings.entry(end).or_default() += 1;
        }
    }
    assert!(meetings.values().filter(|ways| **ways >= 3).count() > 500);
    assert!(meetings.values().filter(|ways| **ways == 1).count() > 30, "no dead ends");
}

#[test]
fn it_has_what_a_planner_must_mind() {
    let has = |key: &str, value: &str| highways().any(|way| way.tags.get(key) == Some(value));
    for (key, value) in [
        ("access", "private"),
        ("foot", "no"),
        ("bicycle", "no"),
        ("oneway", "yes"),
        ("oneway:bicycle", "no"),
        ("bridge", "yes"),
        ("surface", "gravel"),
        ("surface", "ground"),
        ("sac_scale", "hiking"),
        ("sac_scale", "mountain_hiking"),
        ("tracktype", "grade1"),
        ("tracktype", "grade4"),
    ] {
        assert!(has(key, value), "no {key}={value}");
    }
    assert!(ways().any(|way| way.tags.get("route") == Some("ferry")));
}

#[test]
fn the_map_has_something_to_show() {
    let count = |key: &str, value: &str| {
        region()
            .elements
            .iter()
            .filter(|element| {
                let tags = match element {
                    Element::Node(node) => &node.tags,
                    Element::Way(way) => &way.tags,
                    Element::Relation(relation) => &relation.tags,
                };
                tags.get(key) == Some(value)
            })
            .count()
    };
    assert!(
        count("landuse", "forest") >= 10 && count("landuse", "meadow") >= 10 && count("landuse", "residential") >= 20
    );
    assert!(count("natural", "peak") >= 12 && count("mountain_pass", "yes") >= 4 && count("tourism", "viewpoint") >= 4);
    assert!(count("waterway", "river") >= 3 && count("waterway", "stream") >= 10 && count("natural", "water") >= 4);
    assert!(count("building", "house") >= 1_000);
    assert_eq!((count("place", "town"), count("place", "village"), count("place", "hamlet")), (1, 11, 12));
    assert!(count("route", "hiking") >= 6 && count("route", "bicycle") >= 3 && count("route", "mtb") >= 2);
}

#[test]
fn the_rivers_run_downhill_in_three_valleys() {
    let at = positions();
    let mut rivers: BTreeSet<&str> = BTreeSet::new();
    for way in ways().filter(|way| way.tags.get("waterway") == Some("river")) {
        rivers.insert(way.tags.get("name").unwrap());
        let heights: Vec<f64> = way.nodes.iter().map(|node| demo::ele(at[node].0, at[node].1)).collect();
        assert!(heights[0] >= heights[heights.len() - 1], "{:?}", way.tags.get("name"));
        let climbs: f64 = heights.windows(2).map(|pair| (pair[1] - pair[0]).max(0.0)).sum();
        assert!(climbs < 25.0, "{:?} climbs {climbs} m on its way", way.tags.get("name"));
    }
    assert_eq!(rivers.into_iter().collect::<Vec<_>>(), ["La Lorne", "La Sauvelle", "L’Orsel"]);
}

#[test]
fn main_roads_are_not_steeper_than_a_road() {
    let at = positions();
    for class in ["primary", "secondary", "tertiary"] {
        let (mut run_m, mut climb_m) = (0.0, 0.0);
        for way in highways().filter(|way| way.tags.get("highway") == Some(class)) {
            run_m += length_km(way, &at) * 1000.0;
            let heights: Vec<f64> = way.nodes.iter().map(|node| demo::ele(at[node].0, at[node].1)).collect();
            climb_m += heights.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>();
        }
        assert!(climb_m / run_m < 0.09, "{class}: {:.1} %", climb_m / run_m * 100.0);
    }
}

#[test]
fn every_reference_is_there_and_everything_lies_in_the_box() {
    let at = positions();
    let ids: BTreeSet<i64> = ways().map(|way| way.id).collect();
    for way in ways() {
        assert!(way.nodes.len() >= 2, "way {} has {} node", way.id, way.nodes.len());
        assert!(way.nodes.iter().all(|node| at.contains_key(node)));
        assert!(way.nodes.windows(2).all(|pair| pair[0] != pair[1]), "way {} repeats a node", way.id);
    }
    for element in &region().elements {
        if let Element::Relation(relation) = element {
            assert!(!relation.members.is_empty(), "{:?}", relation.tags);
            assert!(relation.members.iter().all(|member| member.kind == MemberKind::Way && ids.contains(&member.id)));
        }
    }
    let [west, south, east, north] = region().bbox;
    for (lon, lat) in at.values() {
        assert!(
            (west - 0.003..=east + 0.003).contains(lon) && (south - 0.003..=north + 0.003).contains(lat),
            "{lon} {lat}"
        );
    }
}

#[test]
fn it_is_the_same_each_time_and_reads_back() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (a, b) = (demo::write_region(first.path()).unwrap(), demo::write_region(second.path()).unwrap());
    assert_eq!(extract::checksum(&a.extract).unwrap(), extract::checksum(&b.extract).unwrap());
    let tiles = [&a, &b].map(|files| std::fs::read(files.dem.join("N44E003.hgt")).unwrap());
    assert_eq!(tiles[0].len(), 1201 * 1201 * 2);
    assert!(tiles[0] == tiles[1], "two tiles differ");
    let mut count = 0;
    let header = extract::read(&a.extract, |_| count += 1).unwrap();
    assert_eq!(count, region().elements.len());
    assert_eq!(header, region().header());
}

#[test]
fn the_tile_says_what_the_land_is() {
    let folder = tempfile::tempdir().unwrap();
    let tile = std::fs::read(demo::write_region(folder.path()).unwrap().dem.join("N44E003.hgt")).unwrap();
    for (row, column) in [(60, 40), (180, 100), (250, 400), (300, 300)] {
        let at = (row * 1201 + column) * 2;
        let stored = f64::from(i16::from_be_bytes([tile[at], tile[at + 1]]));
        let read_m = demo::ele(3.0 + f64::from(column as u32) / 1200.0, 45.0 - f64::from(row as u32) / 1200.0);
        assert!((stored - read_m).abs() <= 0.5, "row {row}, column {column}: {stored} is not {read_m}");
    }
}
