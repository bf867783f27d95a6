//! From lines to a network: where two ways meet there is one node, and a way runs from one meeting to the next.

use std::collections::{BTreeMap, HashMap};

use super::lines::Line;
use super::plan::Class;
use crate::ground::{Spot, between, crossing, distance, to_segment};
use crate::terrain::Course;

/// A way between two meetings, as indexes of nodes.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// The line it is cut from.
    pub line: usize,
    /// Its nodes.
    pub nodes: Vec<usize>,
    /// Whether it crosses a river.
    pub bridge: bool,
}

/// The network.
#[derive(Debug, Default)]
pub struct Network {
    /// Every node's place.
    pub spots: Vec<Spot>,
    /// The ways.
    pub stretches: Vec<Stretch>,
    /// Nodes where a path or a track crosses a stream.
    pub fords: Vec<usize>,
}

const SQUARE_M: f64 = 120.0;

/// Segments by the squares they touch: (line, position in the line).
struct Squares(HashMap<(i32, i32), Vec<(usize, usize)>>);

impl Squares {
    fn of(lines: &[Vec<usize>], spots: &[Spot]) -> Self {
        let mut squares: HashMap<(i32, i32), Vec<(usize, usize)>> = HashMap::new();
        for (line, nodes) in lines.iter().enumerate() {
            for (at, pair) in nodes.windows(2).enumerate() {
                for square in touched(spots[pair[0]], spots[pair[1]], 0.0) {
                    squares.entry(square).or_default().push((line, at));
                }
            }
        }
        Self(squares)
    }

    fn near(&self, a: Spot, b: Spot, margin_m: f64) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> =
            touched(a, b, margin_m).into_iter().filter_map(|square| self.0.get(&square)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn touched(a: Spot, b: Spot, margin_m: f64) -> Vec<(i32, i32)> {
    let range = |axis: usize| {
        let low = ((a[axis].min(b[axis]) - margin_m) / SQUARE_M).floor() as i32;
        low..=((a[axis].max(b[axis]) + margin_m) / SQUARE_M).floor() as i32
    };
    range(0).flat_map(|x| range(1).map(move |y| (x, y))).collect()
}

/// Makes the network of `lines`. What is not connected to the rest is left out.
pub fn network(lines: &[Line], courses: &[Course]) -> Network {
    let mut spots: Vec<Spot> = Vec::new();
    let mut shared: HashMap<usize, usize> = HashMap::new();
    let mut chains: Vec<Vec<usize>> = lines
        .iter()
        .map(|line| {
            let node = |(spot, vertex): &(Spot, Option<usize>)| {
                let fresh = |spots: &mut Vec<Spot>| {
                    spots.push(*spot);
                    spots.len() - 1
                };
                match vertex {
                    Some(vertex) => *shared.entry(*vertex).or_insert_with(|| fresh(&mut spots)),
                    None => fresh(&mut spots),
                }
            };
            line.points.iter().map(node).collect()
        })
        .collect();
    meet_at_ends(&mut chains, &mut spots);
    meet_at_crossings(&mut chains, &mut spots);
    let stretches = keep_connected(cut(&chains), &spots);
    let mut network = Network { spots, stretches: Vec::new(), fords: Vec::new() };
    for stretch in stretches {
        network.over_water(stretch, lines, courses);
    }
    network
}

/// A street that ends a few metres from another way ends on it.
fn meet_at_ends(chains: &mut [Vec<usize>], spots: &mut [Spot]) {
    let squares = Squares::of(chains, spots);
    let mut joined: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let mut degree = vec![0_u32; spots.len()];
    for chain in chains.iter() {
        for pair in chain.windows(2) {
            degree[pair[0]] += 1;
            degree[pair[1]] += 1;
        }
    }
    for chain in chains.iter() {
        for end in [chain.first(), chain.last()].into_iter().flatten() {
            if degree[*end] != 1 {
                continue;
            }
            let here = spots[*end];
            let near = squares.near(here, here, 26.0).into_iter().filter_map(|(line, at)| {
                let (a, b) = (chains[line][at], chains[line][at + 1]);
                let (away, _) = to_segment(here, spots[a], spots[b]);
                (a != *end && b != *end && away < 26.0 && !chains[line].contains(end)).then_some((away, line, at))
            });
            if let Some((_, line, at)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) {
                joined.entry((line, at)).or_default().push(*end);
            }
        }
    }
    for ((line, at), ends) in joined.into_iter().rev() {
        let (a, b) = (spots[chains[line][at]], spots[chains[line][at + 1]]);
        let mut placed: Vec<(f64, usize)> = ends.into_iter().map(|end| (to_segment(spots[end], a, b).1, end)).collect();
        placed.sort_by(|a, b| a.0.total_cmp(&b.0));
        placed.dedup_by_key(|(_, end)| *end);
        for (part, end) in &placed {
            spots[*end] = between(a, b, part.clamp(0.05, 0.95));
        }
        chains[line].splice(at + 1..=at, placed.into_iter().map(|(_, end)| end));
    }
}

/// Where two segments cross, both get one new node.
fn meet_at_crossings(chains: &mut [Vec<usize>], spots: &mut Vec<Spot>) {
    let squares = Squares::of(chains, spots);
    let mut cuts: BTreeMap<(usize, usize), Vec<(f64, usize)>> = BTreeMap::new();
    for (line, chain) in chains.iter().enumerate() {
        for (at, pair) in chain.windows(2).enumerate() {
            let (a, b) = (spots[pair[0]], spots[pair[1]]);
            for (other, place) in squares.near(a, b, 0.0) {
                if (other, place) <= (line, at) {
                    continue;
                }
                let (c, d) = (chains[other][place], chains[other][place + 1]);
                if pair.contains(&c) || pair.contains(&d) {
                    continue;
                }
                if let Some((t, u)) = crossing(a, b, spots[c], spots[d]) {
                    spots.push(between(a, b, t));
                    cuts.entry((line, at)).or_default().push((t, spots.len() - 1));
                    cuts.entry((other, place)).or_default().push((u, spots.len() - 1));
                }
            }
        }
    }
    for ((line, at), mut nodes) in cuts.into_iter().rev() {
        nodes.sort_by(|a, b| a.0.total_cmp(&b.0));
        chains[line].splice(at + 1..=at, nodes.into_iter().map(|(_, node)| node));
    }
}

/// Cuts every chain where ways meet.
fn cut(chains: &[Vec<usize>]) -> Vec<Stretch> {
    let mut degree: HashMap<usize, u32> = HashMap::new();
    for chain in chains {
        for pair in chain.windows(2) {
            *degree.entry(pair[0]).or_default() += 1;
            *degree.entry(pair[1]).or_default() += 1;
        }
    }
    let mut stretches = Vec::new();
    for (line, chain) in chains.iter().enumerate() {
        let mut nodes: Vec<usize> = Vec::new();
        for (at, node) in chain.iter().enumerate() {
            nodes.push(*node);
            let inner = at > 0 && at + 1 < chain.len();
            if inner && degree.get(node).is_some_and(|ends| *ends > 2) {
                stretches.push(Stretch { line, nodes: std::mem::replace(&mut nodes, vec![*node]), bridge: false });
            }
        }
        if nodes.len() > 1 {
            stretches.push(Stretch { line, nodes, bridge: false });
        }
    }
    stretches
}

/// Leaves out what hangs together with nothing large.
fn keep_connected(stretches: Vec<Stretch>, spots: &[Spot]) -> Vec<Stretch> {
    let mut parent: Vec<usize> = (0..spots.len()).collect();
    for stretch in &stretches {
        let first = root(&mut parent, stretch.nodes[0]);
        for node in &stretch.nodes[1..] {
            let other = root(&mut parent, *node);
            parent[other] = first;
        }
    }
    let mut lengths_m: BTreeMap<usize, f64> = BTreeMap::new();
    for stretch in &stretches {
        let length_m: f64 = stretch.nodes.windows(2).map(|p| distance(spots[p[0]], spots[p[1]])).sum();
        *lengths_m.entry(root(&mut parent, stretch.nodes[0])).or_default() += length_m;
    }
    let main = lengths_m.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(root, _)| root);
    stretches.into_iter().filter(|stretch| Some(root(&mut parent, stretch.nodes[0])) == main).collect()
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

impl Network {
    /// Adds a stretch: a bridge where it crosses a river, a ford where a path or a track crosses a stream.
    fn over_water(&mut self, stretch: Stretch, lines: &[Line], courses: &[Course]) {
        let mut spans = Vec::new();
        for (at, pair) in stretch.nodes.windows(2).enumerate() {
            let (a, b) = (self.spots[pair[0]], self.spots[pair[1]]);
            for course in courses {
                if !course.crosses(a, b) {
                    continue;
                }
                if course.is_river {
                    spans.push(at);
                } else if matches!(lines[stretch.line].class, Class::Path | Class::Track) && stretch.nodes.len() > 2 {
                    self.fords.push(stretch.nodes[at.clamp(1, stretch.nodes.len() - 2)]);
                }
            }
        }
        spans.dedup();
        let mut rest = stretch;
        for at in spans.into_iter().rev() {
            let after = rest.nodes.split_off(at + 1);
            let (from, to) = (rest.nodes[at], after[0]);
            if after.len() > 1 {
                self.stretches.push(Stretch { line: rest.line, nodes: after, bridge: false });
            }
            self.stretches.push(Stretch { line: rest.line, nodes: vec![from, to], bridge: true });
        }
        if rest.nodes.len() > 1 {
            self.stretches.push(rest);
        }
    }
}
