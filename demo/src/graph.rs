//! The region's network as a graph, and the cheapest way through it.
//!
//! Small and plain on purpose: the demo draws its recordings and its signed routes with it, so that they owe nothing
//! to the planner they are shown with.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
use std::sync::OnceLock;

use extract::{Element, Tags, Way};

use crate::ground::{self, Spot, distance, squared};

/// The kind of traveller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// A walker: paths rather than roads.
    Walk,
    /// A touring cyclist: greenways and small roads.
    Tour,
    /// A road cyclist.
    Road,
    /// A gravel rider or a mountain biker: tracks.
    Rough,
}

/// A way through the graph.
#[derive(Debug, Clone, Default)]
pub struct Journey {
    /// The nodes passed, in order.
    pub nodes: Vec<i64>,
    /// The ways taken, in order, each once in a row.
    pub ways: Vec<i64>,
}

/// The network.
#[derive(Debug)]
pub struct Graph {
    spots: HashMap<i64, Spot>,
    /// By node: neighbour, way index, metres, whether against a one-way.
    edges: BTreeMap<i64, Vec<(i64, usize, f64, bool)>>,
    ways: Vec<(i64, Tags)>,
    /// For each mood, the nodes of the largest part of the network that hangs together for it.
    within: [OnceLock<BTreeSet<i64>>; 4],
}

impl Graph {
    /// The graph of an extract's ways.
    pub fn new(elements: &[Element]) -> Self {
        let within = [const { OnceLock::new() }; 4];
        let mut graph = Self { spots: HashMap::new(), edges: BTreeMap::new(), ways: Vec::new(), within };
        for element in elements {
            match element {
                Element::Node(node) => drop(graph.spots.insert(node.id, ground::spot(node.lon, node.lat))),
                Element::Way(way) if way.tags.get("highway").is_some() || way.tags.get("route") == Some("ferry") => {
                    graph.add(way);
                }
                _ => {}
            }
        }
        graph
    }

    fn add(&mut self, way: &Way) {
        let index = self.ways.len();
        self.ways.push((way.id, way.tags.clone()));
        let one_way = way.tags.get("oneway") == Some("yes");
        for pair in way.nodes.windows(2) {
            let (Some(a), Some(b)) = (self.spots.get(&pair[0]), self.spots.get(&pair[1])) else { continue };
            let run_m = distance(*a, *b);
            self.edges.entry(pair[0]).or_default().push((pair[1], index, run_m, false));
            self.edges.entry(pair[1]).or_default().push((pair[0], index, run_m, one_way));
        }
    }

    /// The place of a node.
    pub fn spot(&self, node: i64) -> Spot {
        self.spots.get(&node).copied().unwrap_or_default()
    }

    /// The node nearest to a spot that one can come to and leave.
    pub fn nearest(&self, spot: Spot, mood: Mood) -> Option<i64> {
        let nodes = self.within[mood as usize].get_or_init(|| self.largest_part(mood));
        let away = |node: &i64| squared(self.spot(*node), spot);
        nodes.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    fn largest_part(&self, mood: Mood) -> BTreeSet<i64> {
        let mut seen: HashSet<i64> = HashSet::new();
        let mut largest: Vec<i64> = Vec::new();
        for start in self.edges.keys() {
            let (mut part, mut next) = (Vec::new(), vec![*start]);
            while let Some(node) = next.pop() {
                if seen.insert(node) {
                    part.push(node);
                    let open = self.edges[&node]
                        .iter()
                        .filter(|(_, way, ..)| factor(&self.ways[*way].1, mood, false).is_some());
                    next.extend(open.map(|(other, ..)| *other));
                }
            }
            if part.len() > largest.len() {
                largest = part;
            }
        }
        largest.into_iter().collect()
    }

    /// Every piece of every way, once.
    pub fn segments(&self) -> impl Iterator<Item = [Spot; 2]> {
        self.edges.iter().flat_map(move |(node, edges)| {
            let forward = edges.iter().filter(move |(other, ..)| node < other);
            forward.map(move |(other, ..)| [self.spot(*node), self.spot(*other)])
        })
    }

    /// The cheapest way from node to node; `trespass` lets it use closed ways as if they were the best.
    pub fn journey(&self, from: i64, to: i64, mood: Mood, trespass: bool) -> Option<Journey> {
        let mut best: HashMap<i64, (f64, i64, usize)> = HashMap::from([(from, (0.0, from, usize::MAX))]);
        let mut heap = BinaryHeap::from([(Reverse(0_u64), from)]);
        while let Some((Reverse(key), node)) = heap.pop() {
            if node == to {
                break;
            }
            let here = best[&node].0;
            if key > (here * 1e3) as u64 {
                continue;
            }
            for (other, way, run_m, against) in self.edges.get(&node)? {
                let Some(factor) = factor(&self.ways[*way].1, mood, trespass) else { continue };
                if *against && mood != Mood::Walk && self.ways[*way].1.get("oneway:bicycle") != Some("no") {
                    continue;
                }
                let cost = here + run_m * factor;
                if best.get(other).is_none_or(|(known, ..)| cost < *known) {
                    best.insert(*other, (cost, node, *way));
                    heap.push((Reverse((cost * 1e3) as u64), *other));
                }
            }
        }
        let mut journey = Journey { nodes: vec![to], ways: Vec::new() };
        let mut at = to;
        while at != from {
            let (_, before, way) = best.get(&at)?;
            journey.nodes.push(*before);
            if journey.ways.last() != Some(&self.ways[*way].0) {
                journey.ways.push(self.ways[*way].0);
            }
            at = *before;
        }
        journey.nodes.reverse();
        journey.ways.reverse();
        Some(journey)
    }

    /// The cheapest way through several nodes; `None` when a leg can't be made.
    pub fn through(&self, stops: &[i64], mood: Mood) -> Option<Journey> {
        let mut whole = Journey { nodes: vec![*stops.first()?], ways: Vec::new() };
        for leg in stops.windows(2) {
            let part = self.journey(leg[0], leg[1], mood, false)?;
            whole.nodes.extend(&part.nodes[1..]);
            whole.ways.extend(&part.ways);
            whole.ways.dedup();
        }
        Some(whole)
    }
}

/// What a metre of a way costs; `None` where one may not go.
fn factor(tags: &Tags, mood: Mood, trespass: bool) -> Option<f64> {
    let walks = mood == Mood::Walk;
    if tags.get("access") == Some("private") {
        return trespass.then_some(0.3);
    }
    if tags.get(if walks { "foot" } else { "bicycle" }) == Some("no") {
        return None;
    }
    if tags.get("route") == Some("ferry") {
        return walks.then_some(6.0);
    }
    let costs = match tags.get("highway")? {
        "trunk" => return None,
        "primary" => [6.0, 3.0, 1.1, 4.0],
        "secondary" => [4.0, 1.6, 1.0, 2.4],
        "tertiary" => [2.4, 1.1, 1.0, 1.5],
        "unclassified" => [1.5, 1.0, 1.05, 1.1],
        "residential" | "living_street" | "service" => [1.3, 1.15, 1.2, 1.3],
        "pedestrian" => [1.0, 2.0, 4.0, 2.0],
        "cycleway" => [1.3, 0.6, 1.4, 1.0],
        "track" => match tags.get("tracktype") {
            Some("grade1" | "grade2") => [1.1, 1.5, 9.0, 0.7],
            _ => [1.1, 4.0, 30.0, 0.8],
        },
        "path" => match tags.get("sac_scale") {
            Some("hiking") => [0.9, 6.0, 60.0, 1.6],
            _ => [0.95, 12.0, 90.0, 4.0],
        },
        "steps" => [1.2, 20.0, 90.0, 12.0],
        _ => [1.0, 3.0, 30.0, 2.0],
    };
    Some(
        costs[match mood {
            Mood::Walk => 0,
            Mood::Tour => 1,
            Mood::Road => 2,
            Mood::Rough => 3,
        }],
    )
}
