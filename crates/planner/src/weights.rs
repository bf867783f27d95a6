//! The cost of each arc for a profile, and the links that belong to a network large enough to start on.
//!
//! Computed from the attribute sets at the first request for a profile: the file itself depends on no profile.

use crate::{
    file::{Arc, Link, View},
    geometry::stored_turn_deg,
    profile::{Mode, Pace, Rules, TurnCosts},
};

/// The weight of an arc or a link that is closed to the profile.
pub(crate) const CLOSED: u32 = u32::MAX;
/// Cost units in a second.
const UNITS_PER_S: f64 = 10.0;
/// A component of at least this many metres is a separate network (an island), whatever the size of the largest one.
const LARGE_M: f64 = 20_000.0;
/// So is one with this share of the largest.
const LARGE_SHARE: f64 = 0.1;

/// One profile's view of a network.
#[derive(Debug, Clone)]
pub(crate) struct Weights {
    /// Cost of each arc in tenths of a (weighted) second, or [`CLOSED`].
    pub arcs: Vec<u32>,
    /// Cost of each whole link, along and against, or [`CLOSED`].
    pub links: Vec<[u32; 2]>,
    /// Does the link belong to a large connected network?
    pub is_large: Vec<bool>,
    /// Pace of each attribute set, along and against.
    pub paces: Vec<[Option<Pace>; 2]>,
    turns: TurnCosts,
}

impl Weights {
    pub(crate) fn of(view: &View, rules: &Rules) -> Self {
        let paces: Vec<[Option<Pace>; 2]> = view
            .attributes
            .iter()
            .map(|b| crate::attributes::Attributes::from_bytes(*b))
            .map(|set| [rules.pace(&set, false), rules.pace(&set, true)])
            .collect();
        let links: Vec<[u32; 2]> =
            view.links.iter().map(|row| link_cost(rules, &Link::from_row(row), &paces)).collect();
        let mut arcs = vec![CLOSED; view.arcs.len()];
        for (state, node) in view.state_node.iter().enumerate() {
            let barrier = view.barrier(*node);
            let stops = if rules.mode == Mode::Foot { barrier.stops_foot } else { barrier.stops_bike };
            if stops {
                continue;
            }
            for index in view.out_arcs(state as u32) {
                let arc = view.arc(index);
                let cost = links[arc.link as usize][usize::from(arc.is_backward)];
                if cost == CLOSED || (arc.is_banned && rules.mode == Mode::Bike) {
                    continue;
                }
                let slows = rules.mode == Mode::Bike && view.barrier(view.state_node[arc.head as usize]).slows_bike;
                let extra = if slows { (rules.barrier_s() * UNITS_PER_S) as u32 } else { 0 };
                arcs[index as usize] = cost.saturating_add(extra).min(CLOSED - 1);
            }
        }
        let is_large = large_links(view, &arcs, &links);
        Self { arcs, links, is_large, paces, turns: rules.turn_s }
    }

    /// The cost of the turn from an arc into another that leaves where it ends, without the cost of that arc.
    pub(crate) fn turn(&self, view: &View, from: &Arc, next: u32) -> u32 {
        let to = view.arc(next);
        let seconds = if to.link == from.link {
            self.turns.back
        } else if view.out_arcs(from.head).len() <= 2 {
            0.0
        } else {
            let angle = stored_turn_deg(
                view.link(from.link).arrival(from.is_backward),
                view.link(to.link).departure(to.is_backward),
            );
            let by_size = match angle.abs() {
                size if size >= 110.0 => self.turns.sharp,
                size if size >= 45.0 => self.turns.turn,
                _ => 0.0,
            };
            by_size + if angle <= -45.0 { self.turns.left } else { 0.0 }
        };
        (seconds * UNITS_PER_S) as u32
    }

    pub(crate) fn is_usable(&self, link: u32) -> bool {
        self.links[link as usize] != [CLOSED; 2]
    }

    pub(crate) fn is_open(&self, link: u32, is_backward: bool) -> bool {
        self.links[link as usize][usize::from(is_backward)] != CLOSED
    }
}

fn link_cost(rules: &Rules, link: &Link, paces: &[[Option<Pace>; 2]]) -> [u32; 2] {
    let counted = |dm: u16| f64::from(dm) / 10.0 * rules.climb_weight;
    let (ascent_m, descent_m) = (counted(link.ascent_dm), counted(link.descent_dm));
    let climbed_m = [link.ascent_dm, link.descent_dm].map(|dm| f64::from(dm) / 10.0);
    std::array::from_fn(|direction| {
        let Some(pace) = paces[link.attributes as usize][direction] else { return CLOSED };
        let (up, down) = if direction == 0 { (ascent_m, descent_m) } else { (descent_m, ascent_m) };
        let toll_s = climbed_m[direction] * rules.climb_toll_s;
        let units = (rules.seconds(&pace, link.length_m(), up, down) * pace.factor + toll_s) * UNITS_PER_S;
        // Never 0: a search could go round a circle of links without cost for ever.
        (units.round() as u32).clamp(1, CLOSED - 1)
    })
}

/// Links of a large part of the network, from which a way leads back.
fn large_links(view: &View, arcs: &[u32], links: &[[u32; 2]]) -> Vec<bool> {
    let component = components(view, arcs);
    let count = component.iter().max().map_or(0, |c| *c as usize + 1);
    let mut length_m = vec![0.0; count];
    for (row, costs) in view.links.iter().zip(links) {
        let link = Link::from_row(row);
        let [a, b] = link.ends.map(|n| component[n as usize] as usize);
        if a == b && *costs != [CLOSED; 2] {
            length_m[a] += link.length_m();
        }
    }
    let largest = length_m.iter().copied().fold(0.0, f64::max);
    let is_large =
        |node: u32| length_m[component[node as usize] as usize] >= LARGE_M.min(largest * LARGE_SHARE).max(1.0);
    view.links
        .iter()
        .zip(links)
        .map(|(row, costs)| {
            let [a, b] = Link::from_row(row).ends.map(is_large);
            match (costs[0] != CLOSED, costs[1] != CLOSED) {
                (true, true) => a || b,
                (true, false) | (false, true) => a && b,
                (false, false) => false,
            }
        })
        .collect()
}

/// Strongly connected component of each state (Tarjan's algorithm without recursion).
fn components(view: &View, arcs: &[u32]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let count = view.state_node.len();
    let (mut order, mut low, mut component) = (vec![NEW; count], vec![0; count], vec![NEW; count]);
    let (mut stack, mut calls) = (Vec::new(), Vec::new());
    let (mut next_order, mut next_component) = (0, 0);
    for root in 0..count as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        calls.push((root, view.first_out[root as usize]));
        while let Some((state, arc)) = calls.pop() {
            let s = state as usize;
            if order[s] == NEW {
                (order[s], low[s]) = (next_order, next_order);
                next_order += 1;
                stack.push(state);
            }
            let end = view.first_out[s + 1];
            let mut at = arc;
            let mut descended = false;
            while at < end {
                let head = view.arc(at).head as usize;
                at += 1;
                if arcs[at as usize - 1] == CLOSED {
                    continue;
                }
                if order[head] == NEW {
                    calls.push((state, at - 1));
                    calls.push((head as u32, view.first_out[head]));
                    descended = true;
                    break;
                }
                if component[head] == NEW {
                    low[s] = low[s].min(low[head]);
                }
            }
            if !descended && low[s] == order[s] {
                while let Some(member) = stack.pop() {
                    component[member as usize] = next_component;
                    if member == state {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}
