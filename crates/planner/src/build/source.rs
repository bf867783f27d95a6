//! The part of an extract that the build uses: usable ways, their nodes, restrictions, signed networks.

use super::water::Water;
use crate::{
    attributes::{Attributes, network},
    coverage,
    geometry::{Coord, coord},
    tags::{self, Barrier, Tags},
};
use std::collections::{HashMap, HashSet};

/// A way kept for the network.
#[derive(Debug, Clone)]
pub(crate) struct SourceWay {
    pub id: i64,
    pub nodes: Vec<i64>,
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

/// One member of a relation as the source needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MemberRef {
    Node(i64),
    Way(i64),
    Other,
}

/// Everything the network is assembled from.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub ways: Vec<SourceWay>,
    pub nodes: HashMap<i64, Coord>,
    pub barriers: HashMap<i64, Barrier>,
    pub restrictions: Vec<Restriction>,
    pub names: Vec<String>,
    pub coverage: coverage::Collector,
    pub water: Water,
    name_index: HashMap<String, u32>,
    networks: HashMap<i64, u8>,
    wanted: HashSet<i64>,
    water_lines: Vec<Vec<i64>>,
    water_nodes: HashMap<i64, Option<Coord>>,
    known_ways: HashSet<i64>,
}

impl Source {
    /// First reading: a way.
    pub(crate) fn way(&mut self, id: i64, nodes: &[i64], tags: Tags) {
        if matches!(tags("waterway"), Some("river" | "canal")) {
            self.water_nodes.extend(nodes.iter().map(|id| (*id, None)));
            self.water_lines.push(nodes.to_vec());
            return;
        }
        let Some(attributes) = tags::attributes(tags) else { return };
        // An extract glued from two may hold a way twice.
        if nodes.len() < 2 || !self.known_ways.insert(id) {
            return;
        }
        let name = self.name(tags);
        let mut nodes = nodes.to_vec();
        nodes.dedup();
        self.wanted.extend(&nodes);
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
        if let Some(known) = self.water_nodes.get_mut(&id) {
            *known = Some(c);
        }
        if self.wanted.contains(&id) {
            self.nodes.insert(id, c);
            self.coverage.way_node(c);
            if let Some(barrier) = tags::barrier(tags) {
                self.barriers.insert(id, barrier);
            }
        } else {
            self.coverage.node(c);
        }
    }

    /// After both readings: the signed networks reach their ways.
    pub(crate) fn settle(&mut self) {
        for way in &mut self.ways {
            way.attributes.networks |= self.networks.get(&way.id).copied().unwrap_or_default();
        }
        for line in std::mem::take(&mut self.water_lines) {
            // A piece ends where the extract lacks a node.
            let line: Vec<Option<Coord>> = line.iter().map(|id| self.water_nodes.get(id).copied().flatten()).collect();
            for piece in line.split(Option::is_none) {
                self.water.add(&piece.iter().flatten().copied().collect::<Vec<_>>());
            }
        }
        self.water_nodes = HashMap::new();
        self.wanted = HashSet::new();
        self.known_ways = HashSet::new();
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
