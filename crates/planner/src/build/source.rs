//! The part of an extract that the build uses: usable ways, their nodes, restrictions, signed networks.

use super::water::Water;
use crate::{
    attributes::{Attributes, network},
    coverage,
    geometry::{Coord, coord},
    numbers::Bits,
    tags::{self, Barrier, Tags},
};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// A way kept for the network.
#[derive(Debug, Clone)]
pub(crate) struct SourceWay {
    pub id: i64,
    /// The range of its nodes in [`Source::refs`].
    pub nodes: Range<u32>,
    pub attributes: Attributes,
    /// Index into [`Source::names`].
    pub name: Option<u32>,
    /// `duration` of a ferry.
    pub duration_s: Option<f64>,
}

/// Where a turn restriction acts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Via {
    Node(i64),
    Ways(Vec<i64>),
}

/// A turn restriction that binds bikes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Restriction {
    pub from: i64,
    pub via: Via,
    pub to: i64,
    /// `only_…`: this turn and no other.
    pub is_only: bool,
}

impl Restriction {
    /// The ways that it names.
    pub(crate) fn ways(&self) -> Vec<i64> {
        let via = if let Via::Ways(ways) = &self.via { &ways[..] } else { &[] };
        [&[self.from, self.to], via].concat()
    }
}

/// One member of a relation as the source needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MemberRef {
    Node(i64),
    Way(i64),
    Other,
}

/// Numbers looked at one after the other before a node's number is searched.
const STEPS: usize = 16;
/// The coordinate of a node that the extract lacks.
pub(crate) const MISSING: Coord = [i32::MAX; 2];

/// Everything the network is assembled from.
///
/// Nodes are numbered in the order of their ids once all ways are read: a country has a hundred million of them, and a number is half an
/// id.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub ways: Vec<SourceWay>,
    /// The nodes of all ways, one way after the other.
    pub refs: Vec<u32>,
    /// The coordinate of each node, [`MISSING`] where the extract lacks it.
    pub places: Vec<Coord>,
    pub barriers: HashMap<u32, Barrier>,
    pub restrictions: Vec<Restriction>,
    /// The numbers of the nodes that restrictions name.
    pub via_nodes: HashMap<i64, u32>,
    pub names: Vec<String>,
    pub coverage: coverage::Collector,
    pub water: Water,
    name_index: HashMap<String, u32>,
    networks: HashMap<i64, u8>,
    known_ways: HashSet<i64>,
    /// Ids of the nodes of ways, then those of rivers, until the nodes are numbered.
    way_ids: Vec<i64>,
    water_ids: Vec<i64>,
    water_lines: Vec<Range<u32>>,
    /// The id of each number.
    ids: Vec<i64>,
    water_refs: Vec<u32>,
    /// Numbers of the nodes of ways; the others are of rivers alone.
    of_ways: Bits,
    /// The number at which the next node is looked for first: extracts are sorted.
    next: usize,
}

impl Source {
    /// First reading: a way.
    pub(crate) fn way(&mut self, id: i64, nodes: &[i64], tags: Tags) {
        if matches!(tags("waterway"), Some("river" | "canal")) {
            let start = self.water_ids.len() as u32;
            self.water_ids.extend_from_slice(nodes);
            self.water_lines.push(start..self.water_ids.len() as u32);
            return;
        }
        let Some(attributes) = tags::attributes(tags) else { return };
        // An extract glued from two may hold a way twice.
        if nodes.len() < 2 || !self.known_ways.insert(id) {
            return;
        }
        let name = self.name(tags);
        let start = self.way_ids.len();
        for node in nodes {
            if self.way_ids[start..].last() != Some(node) {
                self.way_ids.push(*node);
            }
        }
        let nodes = start as u32..self.way_ids.len() as u32;
        self.ways.push(SourceWay { id, nodes, attributes, name, duration_s: tags("duration").and_then(duration_s) });
    }

    fn name(&mut self, tags: Tags) -> Option<u32> {
        let clean = |value: &str| value.replace(['\t', '\n', '\r'], " ").trim().to_owned();
        let name = tags("name").map(clean).unwrap_or_default();
        let reference = tags("ref").map(clean).unwrap_or_default();
        if name.is_empty() && reference.is_empty() {
            return None;
        }
        let entry = format!("{name}\t{reference}");
        if let Some(index) = self.name_index.get(&entry) {
            return Some(*index);
        }
        let index = self.names.len() as u32;
        self.name_index.insert(entry.clone(), index);
        self.names.push(entry);
        Some(index)
    }

    /// First reading: a relation.
    pub(crate) fn relation(&mut self, tags: Tags, members: &[(MemberRef, &str)]) {
        match tags("type") {
            Some("restriction") => self.restriction(tags, members),
            Some("route") => self.route(tags, members),
            _ => {}
        }
    }

    fn route(&mut self, tags: Tags, members: &[(MemberRef, &str)]) {
        let bit = match tags("route") {
            Some("bicycle") if matches!(tags("network"), Some("ncn" | "icn")) => network::CYCLE | network::LONG_CYCLE,
            Some("bicycle") => network::CYCLE,
            Some("mtb") => network::MTB,
            Some("hiking" | "foot" | "walking") if matches!(tags("network"), Some("nwn" | "iwn")) => {
                network::HIKING | network::LONG_HIKING
            }
            Some("hiking" | "foot" | "walking") => network::HIKING,
            _ => return,
        };
        for (member, _) in members {
            if let MemberRef::Way(id) = member {
                *self.networks.entry(*id).or_default() |= bit;
            }
        }
    }

    fn restriction(&mut self, tags: Tags, members: &[(MemberRef, &str)]) {
        let excepted = tags("except").is_some_and(|v| v.split(';').any(|who| who.trim() == "bicycle"));
        let Some(kind) = tags("restriction:bicycle").or_else(|| tags("restriction").filter(|_| !excepted)) else {
            return;
        };
        let is_only = kind.starts_with("only_");
        if !is_only && !kind.starts_with("no_") {
            return;
        }
        let ways = |wanted: &str| -> Vec<i64> {
            members
                .iter()
                .filter(|(_, role)| *role == wanted)
                .filter_map(|(m, _)| if let MemberRef::Way(id) = m { Some(*id) } else { None })
                .collect()
        };
        let via_node = members
            .iter()
            .find_map(|(m, role)| if let (MemberRef::Node(id), "via") = (m, *role) { Some(*id) } else { None });
        let via = match (via_node, ways("via")) {
            (Some(node), _) => Via::Node(node),
            (None, chain) if !chain.is_empty() => Via::Ways(chain),
            _ => return,
        };
        // `no_entry` has many "from", `no_exit` many "to": each pair is one restriction.
        for from in ways("from") {
            for to in ways("to") {
                self.restrictions.push(Restriction { from, via: via.clone(), to, is_only });
            }
        }
    }

    /// Second reading: a node.
    pub(crate) fn node(&mut self, id: i64, lon: f64, lat: f64, tags: Tags) {
        if !(lon.abs() <= 180.0 && lat.abs() <= 90.0) {
            return;
        }
        let c = coord(lon, lat);
        self.number_nodes();
        let number = self.number(id);
        if let Some(number) = number {
            self.places[number] = c;
        }
        let Some(number) = number.filter(|number| self.of_ways.contains(*number as u32)) else {
            self.coverage.node(c);
            return;
        };
        self.coverage.way_node(c);
        if let Some(barrier) = tags::barrier(tags) {
            self.barriers.insert(number as u32, barrier);
        }
    }

    /// Numbers the nodes of all ways, once.
    fn number_nodes(&mut self) {
        if !self.ids.is_empty() {
            return;
        }
        self.known_ways = HashSet::new();
        self.ids = [&self.way_ids[..], &self.water_ids].concat();
        self.ids.sort_unstable();
        self.ids.dedup();
        self.ids.shrink_to_fit();
        let ids = &self.ids;
        let numbered = |list: &mut Vec<i64>| -> Vec<u32> {
            let list = std::mem::take(list);
            list.into_iter().map(|id| ids.partition_point(|known| *known < id) as u32).collect()
        };
        self.refs = numbered(&mut self.way_ids);
        self.water_refs = numbered(&mut self.water_ids);
        self.of_ways = Bits::below(ids.len());
        for number in &self.refs {
            self.of_ways.insert(*number);
        }
        self.places = vec![MISSING; ids.len()];
    }

    /// The number of a node: few places after that of the node before, where the extract is sorted.
    fn number(&mut self, id: i64) -> Option<usize> {
        let ids = &self.ids;
        if self.next > 0 && ids[self.next - 1] >= id {
            self.next = ids.partition_point(|known| *known < id);
        }
        for _ in 0..STEPS {
            match ids.get(self.next) {
                Some(known) if *known < id => self.next += 1,
                found => return (found == Some(&id)).then_some(self.next),
            }
        }
        self.next += ids[self.next..].partition_point(|known| *known < id);
        (ids.get(self.next) == Some(&id)).then_some(self.next)
    }

    /// After both readings: the signed networks reach their ways.
    pub(crate) fn settle(&mut self) {
        for way in &mut self.ways {
            way.attributes.networks |= self.networks.get(&way.id).copied().unwrap_or_default();
        }
        self.number_nodes();
        for line in std::mem::take(&mut self.water_lines) {
            let refs = &self.water_refs[line.start as usize..line.end as usize];
            let line: Vec<Coord> = refs.iter().map(|number| self.places[*number as usize]).collect();
            // A piece ends where the extract lacks a node.
            line.split(|c| *c == MISSING).for_each(|piece| self.water.add(piece));
        }
        for restriction in &self.restrictions {
            if let Via::Node(id) = restriction.via
                && let Ok(number) = self.ids.binary_search(&id)
            {
                self.via_nodes.insert(id, number as u32);
            }
        }
        (self.ids, self.water_refs, self.of_ways) = (Vec::new(), Vec::new(), Bits::default());
        (self.networks, self.name_index) = (HashMap::new(), HashMap::new());
    }

    /// The nodes of a way, by number.
    pub(crate) fn refs_of(&self, way: &SourceWay) -> &[u32] {
        &self.refs[way.nodes.start as usize..way.nodes.end as usize]
    }

    pub(crate) fn is_missing(&self, node: u32) -> bool {
        self.places[node as usize] == MISSING
    }

    /// Frees the nodes: the links have their shapes.
    pub(crate) fn drop_nodes(&mut self) {
        (self.refs, self.places) = (Vec::new(), Vec::new());
    }
}

/// `hh:mm`, `hh:mm:ss`, minutes or ISO 8601 (`PT1H30M`).
fn duration_s(value: &str) -> Option<f64> {
    let value = value.trim();
    if let Some(iso) = value.strip_prefix("PT") {
        let (mut total, mut number) = (0.0, String::new());
        for c in iso.chars() {
            let unit = match c {
                'H' => 3600.0,
                'M' => 60.0,
                'S' => 1.0,
                _ => {
                    number.push(c);
                    continue;
                }
            };
            total += number.parse::<f64>().ok()? * unit;
            number.clear();
        }
        return (total > 0.0).then_some(total);
    }
    let parts: Vec<f64> = value.split(':').map(|p| p.parse().ok()).collect::<Option<_>>()?;
    let seconds = match parts[..] {
        [minutes] => minutes * 60.0,
        [hours, minutes] => hours * 3600.0 + minutes * 60.0,
        [hours, minutes, seconds] => hours * 3600.0 + minutes * 60.0 + seconds,
        _ => return None,
    };
    (seconds > 0.0).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ferry_durations_are_read() {
        assert_eq!(duration_s("01:30"), Some(5400.0));
        assert_eq!(duration_s("25"), Some(1500.0));
        assert_eq!(duration_s("PT1H5M"), Some(3900.0));
        assert_eq!(duration_s("soon"), None);
    }
}
