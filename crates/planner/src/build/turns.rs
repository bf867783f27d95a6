//! Turn restrictions become extra states of the graph.
//!
//! A state is a junction plus the restrictions that are under way on arrival there ("came from A Street, so
//! B Street is closed to me"). Most junctions have one state. A search over states needs no special case, and one
//! graph serves every profile: arcs that a restriction forbids stay, marked, and walkers use them.

use super::source::{Restriction, Via};
use crate::{file::Arc, numbers::grouped};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Longest chain of links followed through `via` ways.
const MAX_VIA_LINKS: usize = 40;

/// A directed use of a link: (link, against its shape).
pub(crate) type Move = (u32, bool);

/// The undirected graph before restrictions: links by their ends, and by their way.
pub(crate) struct Streets<'a> {
    /// Junctions at both ends of each link.
    pub ends: &'a [[u32; 2]],
    /// Links of each way, in the way's order.
    pub of_way: &'a HashMap<i64, Vec<u32>>,
    /// Junction of an OSM node.
    pub junction: &'a dyn Fn(i64) -> Option<u32>,
    /// Where each junction's moves start in `moves`, and one more.
    first: Vec<u32>,
    /// Moves by the junction that they leave.
    moves: Vec<Move>,
}

impl<'a> Streets<'a> {
    pub(crate) fn new(
        ends: &'a [[u32; 2]],
        junctions: usize,
        of_way: &'a HashMap<i64, Vec<u32>>,
        junction: &'a dyn Fn(i64) -> Option<u32>,
    ) -> Self {
        let leaving = |link: usize| ends[link].into_iter().zip([(link as u32, false), (link as u32, true)]);
        let (first, moves) = grouped(junctions, || (0..ends.len()).flat_map(leaving));
        Self { ends, of_way, junction, first, moves }
    }

    fn junctions(&self) -> usize {
        self.first.len() - 1
    }

    /// Moves that leave a junction.
    fn leaving(&self, node: u32) -> &[Move] {
        &self.moves[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    fn head(&self, (link, is_backward): Move) -> u32 {
        self.ends[link as usize][usize::from(!is_backward)]
    }

    fn way_moves(&self, way: i64) -> impl Iterator<Item = Move> {
        self.of_way.get(&way).into_iter().flatten().flat_map(|link| [(*link, false), (*link, true)])
    }

    fn arriving(&self, way: i64, node: u32) -> Vec<Move> {
        self.way_moves(way).filter(|m| self.head(*m) == node).collect()
    }

    fn departing(&self, way: i64, node: u32) -> Vec<Move> {
        self.way_moves(way).filter(|(link, back)| self.head((*link, !back)) == node).collect()
    }

    /// Sequences of moves that are forbidden to vehicles, worked out from the relations.
    pub(crate) fn forbidden(&self, restrictions: &[Restriction]) -> Vec<Vec<Move>> {
        let mut all = Vec::new();
        for restriction in restrictions {
            for chain in self.chains(restriction) {
                self.forbid(restriction, &chain, &mut all);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The moves from the "from" way through the "via" up to where the "to" way leaves.
    fn chains(&self, restriction: &Restriction) -> Vec<Vec<Move>> {
        match &restriction.via {
            Via::Node(node) => {
                let Some(node) = (self.junction)(*node) else { return Vec::new() };
                self.arriving(restriction.from, node).into_iter().map(|m| vec![m]).collect()
            }
            Via::Ways(ways) => {
                let via: Vec<Move> = ways.iter().flat_map(|w| self.way_moves(*w)).collect();
                let starts =
                    self.way_moves(restriction.from).filter(|m| via.iter().any(|v| self.tail(*v) == self.head(*m)));
                starts.filter_map(|start| self.through(start, &via, restriction.to)).collect()
            }
        }
    }

    fn tail(&self, (link, is_backward): Move) -> u32 {
        self.head((link, !is_backward))
    }

    /// The shortest chain from `start` along `via` moves to a junction where `to` leaves.
    fn through(&self, start: Move, via: &[Move], to: i64) -> Option<Vec<Move>> {
        let mut queue = VecDeque::from([vec![start]]);
        while let Some(chain) = queue.pop_front() {
            let at = self.head(*chain.last()?);
            if chain.len() > 1 && !self.departing(to, at).is_empty() {
                return Some(chain);
            }
            if chain.len() > MAX_VIA_LINKS {
                return None;
            }
            for next in via.iter().filter(|m| self.tail(**m) == at && chain.iter().all(|(link, _)| *link != m.0)) {
                let mut longer = chain.clone();
                longer.push(*next);
                queue.push_back(longer);
            }
        }
        None
    }

    fn forbid(&self, restriction: &Restriction, chain: &[Move], all: &mut Vec<Vec<Move>>) {
        let Some(last) = chain.last() else { return };
        let node = self.head(*last);
        let goals = self.departing(restriction.to, node);
        if goals.is_empty() {
            return;
        }
        let mut add = |next: Move| {
            let mut path = chain.to_vec();
            path.push(next);
            all.push(path);
        };
        if restriction.is_only {
            self.leaving(node).iter().filter(|m| !goals.contains(m)).for_each(|m| add(*m));
        } else {
            // Going straight back is meant only where the way restricts itself (no_u_turn).
            let same_way = restriction.from == restriction.to;
            goals.into_iter().filter(|goal| goal.0 != last.0 || same_way).for_each(add);
        }
    }
}

/// The graph of states: arcs grouped by the state they leave.
pub(crate) struct States {
    pub node: Vec<u32>,
    pub first_out: Vec<u32>,
    pub arcs: Vec<Arc>,
}

impl States {
    /// The arcs that leave a state.
    pub(crate) fn out(&self, state: u32) -> std::ops::Range<u32> {
        self.first_out[state as usize]..self.first_out[state as usize + 1]
    }
}

/// Progress in forbidden sequences: (sequence, moves already made).
type Memory = Vec<(u32, u32)>;

/// Unfold the junctions into states that remember restrictions under way.
pub(crate) fn unfold(streets: &Streets, forbidden: &[Vec<Move>]) -> States {
    let junctions = streets.junctions() as u32;
    let mut starting: HashMap<Move, Vec<u32>> = HashMap::new();
    for (index, path) in forbidden.iter().enumerate() {
        starting.entry(path[0]).or_default().push(index as u32);
    }
    let mut known: BTreeMap<(u32, Memory), u32> = BTreeMap::new();
    // The first states are the junctions without a memory.
    let mut more: Vec<(u32, Memory)> = Vec::new();
    let mut out = States { node: Vec::new(), first_out: vec![0], arcs: Vec::with_capacity(streets.moves.len()) };
    let mut at = 0;
    while at < junctions + more.len() as u32 {
        let (node, memory) =
            at.checked_sub(junctions).map_or_else(|| (at, Memory::new()), |place| more[place as usize].clone());
        for step in streets.leaving(node) {
            let mut next = Memory::new();
            let mut is_banned = false;
            for (sequence, done) in &memory {
                let path = &forbidden[*sequence as usize];
                if path[*done as usize] == *step {
                    if *done as usize + 1 == path.len() {
                        is_banned = true;
                    } else {
                        next.push((*sequence, done + 1));
                    }
                }
            }
            next.extend(starting.get(step).into_iter().flatten().map(|s| (*s, 1)));
            let target = streets.head(*step);
            let head = if next.is_empty() {
                target
            } else {
                next.sort_unstable();
                *known.entry((target, next)).or_insert_with_key(|key| {
                    more.push(key.clone());
                    junctions + more.len() as u32 - 1
                })
            };
            out.arcs.push(Arc { head, link: step.0, is_backward: step.1, is_banned });
        }
        out.node.push(node);
        out.first_out.push(out.arcs.len() as u32);
        at += 1;
    }
    out
}
