//! Cycling and walking networks and borders, from the relations that their ways are members of.

use super::groups::Groups;
use crate::classify::line;
use crate::classify::network::{Network, Practice, network};
use crate::geometry::Point;
use crate::schema::Kind;
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Most numbers in one label.
const NUMBERS: usize = 3;

/// Adds the networks: a way of several ones of a practice is drawn once, as the widest-reaching, with all their numbers.
pub(crate) fn add(source: &Source, lines: &[Vec<Point>], groups: &mut Groups) {
    let mut of_way: BTreeMap<(usize, Practice), Vec<Network>> = BTreeMap::new();
    for relation in &source.relations {
        if let Some(found) = network(&relation.tags) {
            for way in source.member_ways(relation) {
                of_way.entry((way, found.practice)).or_default().push(found.clone());
            }
        }
    }
    for ((way, practice), networks) in of_way {
        let Some(level) = networks.iter().map(|n| n.level).min() else { continue };
        let numbers: BTreeSet<(u8, &str)> =
            networks.iter().filter_map(|n| n.number.as_deref().map(|number| (n.level, number))).collect();
        let mut shown: Vec<&str> = Vec::new();
        for (_, number) in numbers {
            // "GR11" and "GR 11" are one.
            let plain = |number: &str| number.replace(' ', "");
            if shown.len() < NUMBERS && !shown.iter().any(|known| plain(known) == plain(number)) {
                shown.push(number);
            }
        }
        let number = (!shown.is_empty()).then(|| shown.join(" · "));
        let whole = Network { practice, level, number };
        groups.add(whole.drawn(), false, lines[way].clone());
        if let Some(label) = whole.label() {
            groups.add(label, false, lines[way].clone());
        }
    }
}

/// Adds borders; a way of several is drawn as the highest.
pub(crate) fn add_borders(source: &Source, lines: &[Vec<Point>], groups: &mut Groups) {
    let mut of_way: BTreeMap<usize, (i64, Kind)> = BTreeMap::new();
    let mut note = |way: usize, found: (i64, Kind)| {
        let known = of_way.entry(way).or_insert_with(|| found.clone());
        if found.0 < known.0 {
            *known = found;
        }
    };
    for relation in &source.relations {
        if let Some(found) = line::boundary(&relation.tags) {
            for way in source.member_ways(relation) {
                let tags = &source.ways[way].tags;
                if tags.get("maritime") != Some("yes") && tags.get("natural") != Some("coastline") {
                    note(way, found.clone());
                }
            }
        }
    }
    for (index, way) in source.ways.iter().enumerate() {
        if let Some(found) = line::boundary(&way.tags) {
            note(index, found);
        }
    }
    for (way, (_, kind)) in of_way {
        groups.add(kind, false, lines[way].clone());
    }
}
