//! Cycling and walking networks and borders, from the relations that their ways are members of.

use super::groups::Groups;
use crate::classify::line;
use crate::classify::network::{Network, Practice, network};
use crate::error::BasemapError;
use crate::schema::Kind;
use crate::source::{Source, SourceWay};
use std::collections::{BTreeMap, BTreeSet};

/// Most numbers in one label.
const NUMBERS: usize = 3;

/// Adds the networks: a way of several ones of a practice is drawn once, as the widest-reaching, with all their numbers.
pub(crate) fn add(source: &Source, groups: &mut Groups) -> Result<(), BasemapError> {
    let mut networks: Vec<Network> = Vec::new();
    // The place of a way, a practice, the index of a network.
    let mut memberships: Vec<(u64, Practice, u32)> = Vec::new();
    for relation in source.relations() {
        let (tags, ways) = relation?;
        if let Some(found) = network(&tags) {
            memberships.extend(ways.into_iter().map(|way| (way, found.practice, networks.len() as u32)));
            networks.push(found);
        }
    }
    memberships.sort_unstable();
    for of_way in memberships.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (way, practice, _) = of_way[0];
        let of_way = of_way.iter().map(|(.., index)| &networks[*index as usize]);
        let Some(level) = of_way.clone().map(|n| n.level).min() else { continue };
        let numbers: BTreeSet<(u8, &str)> =
            of_way.filter_map(|n| n.number.as_deref().map(|number| (n.level, number))).collect();
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
        let line = source.way(way)?.line;
        groups.add(&whole.drawn(), false, &line)?;
        if let Some(label) = whole.label() {
            groups.add(&label, false, &line)?;
        }
    }
    Ok(())
}

/// Borders: a way of several is drawn as the highest.
#[derive(Debug, Default)]
pub(crate) struct Borders {
    /// By the places of the ways.
    of_way: BTreeMap<u64, (i64, Kind)>,
}

impl Borders {
    /// Notes the borders that relations give.
    pub(crate) fn note_relations(&mut self, source: &Source) -> Result<(), BasemapError> {
        for relation in source.relations() {
            let (tags, ways) = relation?;
            let Some(found) = line::boundary(&tags) else { continue };
            for way in ways {
                let tags = source.way(way)?.tags;
                if tags.get("maritime") != Some("yes") && tags.get("natural") != Some("coastline") {
                    self.note(way, found.clone());
                }
            }
        }
        Ok(())
    }

    /// Notes the border that a way itself gives.
    pub(crate) fn note_way(&mut self, place: u64, way: &SourceWay) {
        if let Some(found) = line::boundary(&way.tags) {
            self.note(place, found);
        }
    }

    fn note(&mut self, way: u64, found: (i64, Kind)) {
        let known = self.of_way.entry(way).or_insert_with(|| found.clone());
        if found.0 < known.0 {
            *known = found;
        }
    }

    pub(crate) fn add(self, source: &Source, groups: &mut Groups) -> Result<(), BasemapError> {
        self.of_way.into_iter().try_for_each(|(way, (_, kind))| groups.add(&kind, false, &source.way(way)?.line))
    }
}
