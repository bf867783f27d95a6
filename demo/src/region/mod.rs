//! The region: laid out, cut into a network, covered, signed, and handed out as OpenStreetMap elements.

mod grid;
mod land;
mod lines;
mod network;
mod plan;
mod signs;
mod streets;
mod tags;

use extract::{Element, Header, Member, MemberKind, Node, Relation, Way};

use crate::contour::Area;
use crate::ground::{self, BBOX, Spot};
use crate::random::Random;
use crate::terrain;
use lines::Layout;
use network::Network;
pub use plan::Size;
use tags::TagList;

/// A place with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// What it is: `town`, `village`, `hamlet`, `peak`, `pass`, `viewpoint`, `landing`, or the value of its main tag.
    pub kind: String,
    /// Longitude, degrees.
    pub lon: f64,
    /// Latitude, degrees.
    pub lat: f64,
    /// The settlement it is a service of, or nothing.
    pub settlement: String,
}

/// The whole region.
#[derive(Debug)]
pub struct Region {
    /// Its elements: nodes, ways, relations, each by rising number.
    pub elements: Vec<Element>,
    /// West, south, east, north, degrees.
    pub bbox: [f64; 4],
    /// The named places a parcours may go through.
    pub places: Vec<Place>,
}

impl Region {
    /// The place of a name.
    pub fn place(&self, name: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.name == name)
    }

    /// What the extract says of itself; its network dates from 14 November 2026.
    pub fn header(&self) -> Header {
        Header { bbox: Some(self.bbox), date_s: Some(1_794_614_400) }
    }
}

/// Nodes and ways under construction.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    ways: Vec<Way>,
    relations: Vec<Relation>,
    places: Vec<Place>,
}

impl Builder {
    fn node(&mut self, spot: Spot, tags: TagList) -> i64 {
        let (lon, lat) = ground::degrees(spot);
        // Seven decimals, as the file keeps them.
        let cut = |degrees: f64| (degrees * 1e7).round() / 1e7;
        let id = self.nodes.len() as i64 + 1;
        self.nodes.push(Node { id, lon: cut(lon), lat: cut(lat), tags: tags.done() });
        id
    }

    fn way(&mut self, nodes: Vec<i64>, tags: extract::Tags) -> i64 {
        let id = self.ways.len() as i64 + 1;
        self.ways.push(Way { id, tags, nodes });
        id
    }

    fn relation(&mut self, members: Vec<Member>, tags: TagList) {
        let id = self.relations.len() as i64 + 1;
        self.relations.push(Relation { id, tags: tags.done(), members });
    }

    /// A line with new nodes.
    fn line(&mut self, line: &[Spot], tags: TagList) -> i64 {
        let nodes = line.iter().map(|spot| self.node(*spot, TagList::default())).collect();
        self.way(nodes, tags.done())
    }

    fn ring(&mut self, ring: &[Spot], tags: TagList) -> i64 {
        let mut nodes: Vec<i64> = ring.iter().map(|spot| self.node(*spot, TagList::default())).collect();
        nodes.extend(nodes.first().copied());
        self.way(nodes, tags.done())
    }

    /// An area: a closed way, or a multipolygon when it has holes.
    fn area(&mut self, area: &Area, tags: TagList) {
        if area.holes.is_empty() {
            self.ring(&area.outer, tags);
            return;
        }
        let member = |id: i64, role: &str| Member { kind: MemberKind::Way, id, role: role.to_owned() };
        let mut members = vec![member(self.ring(&area.outer, TagList::default()), "outer")];
        for hole in &area.holes {
            members.push(member(self.ring(hole, TagList::default()), "inner"));
        }
        self.relation(members, tags.with("type", "multipolygon"));
    }

    /// A named place: a node, remembered.
    fn place(&mut self, name: &str, kind: &str, spot: Spot, tags: TagList) -> i64 {
        let (lon, lat) = ground::degrees(spot);
        let settlement = String::new();
        self.places.push(Place { name: name.to_owned(), kind: kind.to_owned(), lon, lat, settlement });
        self.node(spot, tags.with("name", name))
    }
}

/// Makes the region. Always the same one.
pub fn region() -> Region {
    let mut random = Random::new(2_026);
    let courses = terrain::courses();
    let mut layout = lines::layout(2_026);
    for built in layout.settlements.clone() {
        let streets = streets::streets(&built, &layout.lines, &mut random);
        layout.lines.extend(streets);
    }
    let network = network::network(&layout.lines, courses);
    let mut builder = Builder::default();
    let ids = ways(&mut builder, &layout, &network);
    signs::places(&mut builder, &layout);
    signs::ferry(&mut builder, &layout, &network, &ids);
    land::water(&mut builder, courses);
    land::cover(&mut builder, &layout.settlements);
    let drawn: Vec<(plan::Class, Vec<Spot>)> = network
        .stretches
        .iter()
        .map(|s| (layout.lines[s.line].class, s.nodes.iter().map(|node| network.spots[*node]).collect()))
        .collect();
    for built in &layout.settlements {
        let houses = streets::houses(built, &drawn, &mut random);
        signs::houses(&mut builder, built, &houses, &mut random);
    }
    signs::along_paths(&mut builder, &layout, &network, &mut random);
    signs::washhouse(&mut builder, &layout);
    let Builder { nodes, ways, mut relations, places } = builder;
    let mut elements: Vec<Element> =
        nodes.into_iter().map(Element::Node).chain(ways.into_iter().map(Element::Way)).collect();
    signs::routes(&elements, &places, &mut relations);
    elements.extend(relations.into_iter().map(Element::Relation));
    Region { elements, bbox: BBOX, places }
}

/// Adds the network's nodes and ways; answers each network node's number.
fn ways(builder: &mut Builder, layout: &Layout, network: &Network) -> Vec<i64> {
    let mut ids = vec![0; network.spots.len()];
    let fords: std::collections::HashSet<usize> = network.fords.iter().copied().collect();
    for stretch in &network.stretches {
        for node in &stretch.nodes {
            if ids[*node] == 0 {
                let tags = if fords.contains(node) { TagList::of(&[("ford", "yes")]) } else { TagList::default() };
                ids[*node] = builder.node(network.spots[*node], tags);
            }
        }
    }
    let mut stepped = std::collections::HashSet::new();
    for stretch in &network.stretches {
        let line = &layout.lines[stretch.line];
        let whole: Vec<Spot> = line.points.iter().map(|(spot, _)| *spot).collect();
        let mut nodes: Vec<i64> = stretch.nodes.iter().map(|node| ids[*node]).collect();
        // The first metres of some paths are stairs.
        if signs::has_stairs(&line.name) && nodes.len() > 4 && !stretch.bridge && stepped.insert(line.name.clone()) {
            let rest = nodes.split_off(2);
            nodes.push(rest[0]);
            let stairs =
                TagList::of(&[("highway", "steps"), ("surface", "stone"), ("step_count", "96"), ("name", &line.name)]);
            builder.way(nodes, stairs.done());
            nodes = rest;
        }
        builder.way(nodes, tags::way_tags(line, &whole, stretch.bridge));
    }
    ids
}
