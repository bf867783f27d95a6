//! The cost of each arc for a profile, and the links that belong to a network large enough to start on.
//!
//! Costs are worked out where they are asked for, from what an attribute set allows: nothing is kept for each arc, so a profile,
//! preferences or closed ways need no memory that grows with the network.

use crate::{
    attributes::{Attributes, flag},
    file::{Arc, Link, View, format::checksum},
    geometry::stored_turn_deg,
    numbers::{ByNumber, Numbers},
    profile::{Mode, Pace, Rules},
};

/// The weight of an arc or a link that is closed to the profile.
pub(crate) const CLOSED: u32 = u32::MAX;
/// Cost units in a second.
const UNITS_PER_S: f64 = 10.0;
/// A component of at least this many metres is a separate network (an island), whatever the size of the largest one.
const LARGE_M: f64 = 20_000.0;
/// So is one with this share of the largest.
const LARGE_SHARE: f64 = 0.1;
/// How much dearer a way becomes each time that [`Changes::dearer`] counts, in per cent.
const PENALTY_PER_CENT: u64 = 140;

/// Arcs whose costs go into a fingerprint.
const SAMPLES: usize = 2_000;

/// The pace on each attribute set, along and against.
pub(crate) type Paces = Vec<[Option<Pace>; 2]>;

/// What a profile plans with on each attribute set of a network: what its rules allow, but for walkers the tunnels of busy roads. A
/// recording may have gone through one all the same: matching asks the rules alone.
pub(crate) fn paces(view: &View, rules: &Rules) -> Paces {
    let is_kept_out = |set: &Attributes| rules.mode == Mode::Foot && set.has(flag::ROAD_TUNNEL);
    view.attributes
        .iter()
        .map(|b| Attributes::from_bytes(*b))
        .map(|set| if is_kept_out(&set) { [None; 2] } else { [rules.pace(&set, false), rules.pace(&set, true)] })
        .collect()
}

/// The links of a large connected network, a bit for each profile or for one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Large<'a> {
    pub links: &'a [u8],
    pub bit: u8,
}

/// What one request changes in the costs of its profile.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    /// Links that it may not take.
    pub closed: Numbers,
    /// Links that become dearer, and how many times.
    pub dearer: ByNumber<u32>,
}

/// One profile's view of a network.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    pub view: View<'a>,
    pub rules: &'a Rules,
    pub paces: &'a [[Option<Pace>; 2]],
    pub large: Large<'a>,
    pub changes: Option<&'a Changes>,
}

impl<'a> Weights<'a> {
    /// The same with what one request changes.
    pub(crate) fn changed(self, changes: &'a Changes) -> Self {
        Self { changes: Some(changes), ..self }
    }

    /// Cost of an arc in tenths of a (weighted) second, or [`CLOSED`].
    pub(crate) fn arc(&self, index: u32) -> u32 {
        let arc = self.view.arc(index);
        let row = &self.view.links[arc.link as usize];
        let link = Link::from_row(row);
        let is_bike = self.rules.mode == Mode::Bike;
        if (arc.is_banned && is_bike) || self.is_taken_out(arc.link) {
            return CLOSED;
        }
        let [tail, head] = if arc.is_backward { [link.ends[1], link.ends[0]] } else { link.ends };
        let barrier = self.view.barrier(tail);
        if if is_bike { barrier.stops_bike } else { barrier.stops_foot } {
            return CLOSED;
        }
        let cost = self.cost(&link, arc.is_backward);
        if cost == CLOSED {
            return CLOSED;
        }
        let slows = is_bike && self.view.barrier(head).slows_bike;
        let extra = if slows { (self.rules.barrier_s() * UNITS_PER_S) as u32 } else { 0 };
        let cost = cost.saturating_add(extra).min(CLOSED - 1);
        self.times_dearer(arc.link).map_or(cost, |times| dearer(cost, times))
    }

    /// Cost of a whole link, against its shape or along it, or [`CLOSED`].
    pub(crate) fn link(&self, link: u32, is_backward: bool) -> u32 {
        if self.is_taken_out(link) { CLOSED } else { self.cost(&self.view.link(link), is_backward) }
    }

    fn cost(&self, link: &Link, is_backward: bool) -> u32 {
        let Some(pace) = &self.paces[link.attributes as usize][usize::from(is_backward)] else { return CLOSED };
        let metres = |dm: u16| f64::from(dm) / 10.0;
        let (up, down) = (metres(link.ascent_dm), metres(link.descent_dm));
        let (up, down) = if is_backward { (down, up) } else { (up, down) };
        let toll_s = up * self.rules.climb_toll_s;
        let weight = self.rules.climb_weight;
        let seconds = self.rules.seconds(pace, link.length_m(), up * weight, down * weight);
        let units = (seconds * pace.factor + toll_s) * UNITS_PER_S;
        // Never 0: a search could go round a circle of links without cost for ever.
        (units.round() as u32).clamp(1, CLOSED - 1)
    }

    /// The cost of the turn from an arc into another that leaves where it ends, without the cost of that arc.
    pub(crate) fn turn(&self, from: &Arc, next: u32) -> u32 {
        let view = &self.view;
        let turns = &self.rules.turn_s;
        let to = view.arc(next);
        let seconds = if to.link == from.link {
            turns.back
        } else if view.out_arcs(from.head).len() <= 2 {
            0.0
        } else {
            let angle = stored_turn_deg(
                view.link(from.link).arrival(from.is_backward),
                view.link(to.link).departure(to.is_backward),
            );
            let by_size = match angle.abs() {
                size if size >= 110.0 => turns.sharp,
                size if size >= 45.0 => turns.turn,
                _ => 0.0,
            };
            by_size + if angle <= -45.0 { turns.left } else { 0.0 }
        };
        (seconds * UNITS_PER_S) as u32
    }

    pub(crate) fn is_usable(&self, link: u32) -> bool {
        self.paces[self.view.set_of(link) as usize].iter().any(Option::is_some) && !self.is_taken_out(link)
    }

    pub(crate) fn is_open(&self, link: u32, is_backward: bool) -> bool {
        self.paces[self.view.set_of(link) as usize][usize::from(is_backward)].is_some() && !self.is_taken_out(link)
    }

    /// Does the link belong to a large connected network?
    pub(crate) fn is_large(&self, link: u32) -> bool {
        self.large.links[link as usize] & self.large.bit != 0
    }

    fn is_taken_out(&self, link: u32) -> bool {
        self.changes.is_some_and(|changes| changes.closed.contains(&link))
    }

    fn times_dearer(&self, link: u32) -> Option<u32> {
        self.changes?.dearer.get(&link).copied()
    }
}

fn dearer(cost: u32, times: u32) -> u32 {
    (0..times).fold(cost, |cost, _| (u64::from(cost) * PENALTY_PER_CENT / 100).min(u64::from(CLOSED - 1)) as u32)
}

/// The paces of a profile in a month (1 to 12) in which tags close some ways, `None` where it closes none.
pub(crate) fn paces_in(view: &View, paces: &[[Option<Pace>; 2]], month: u8) -> Option<Paces> {
    let bit = 1_u16.checked_shl(u32::from(month).saturating_sub(1)).unwrap_or_default();
    let is_closed = |set: usize| view.attributes_at(set as u32).closed_months & bit != 0;
    let is_changed = (0..paces.len()).any(is_closed);
    let in_month = |(set, both): (usize, &[Option<Pace>; 2])| if is_closed(set) { [None; 2] } else { *both };
    is_changed.then(|| paces.iter().enumerate().map(in_month).collect())
}

/// A byte for each link: 1 in a large part of the network, from which a way leads back.
pub(crate) fn large_links(view: &View, rules: &Rules, paces: &[[Option<Pace>; 2]]) -> Vec<u8> {
    let weights = Weights { view: *view, rules, paces, large: Large { links: &[], bit: 1 }, changes: None };
    let component = components(view, |arc| weights.arc(arc) == CLOSED);
    let count = component.iter().max().map_or(0, |c| *c as usize + 1);
    let mut length_m = vec![0.0; count];
    for (index, row) in view.links.iter().enumerate() {
        let link = Link::from_row(row);
        let [a, b] = link.ends.map(|n| component[n as usize] as usize);
        if a == b && weights.is_usable(index as u32) {
            length_m[a] += link.length_m();
        }
    }
    let largest = length_m.iter().copied().fold(0.0, f64::max);
    let is_large =
        |node: u32| length_m[component[node as usize] as usize] >= LARGE_M.min(largest * LARGE_SHARE).max(1.0);
    (0..view.links.len() as u32)
        .map(|link| {
            let [a, b] = view.link(link).ends.map(is_large);
            u8::from(match (weights.is_open(link, false), weights.is_open(link, true)) {
                (true, true) => a || b,
                (true, false) | (false, true) => a && b,
                (false, false) => false,
            })
        })
        .collect()
}

/// Says whether costs that were stored are still those of this program and of these rules: a number made of the rules, of what they
/// allow on every attribute set, and of the costs of some arcs all over the network.
pub(crate) fn fingerprint(weights: &Weights) -> u64 {
    let mut bytes = format!("{:?}", weights.rules).into_bytes();
    for pace in weights.paces.iter().flatten() {
        let numbers = pace.map_or([-1.0; 4], |p| [p.kmh, p.factor, p.once_s, f64::from(u8::from(p.minds_slope))]);
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let view = &weights.view;
    for index in (0..view.arcs.len()).step_by(view.arcs.len().div_ceil(SAMPLES).max(1)) {
        let arc = view.arc(index as u32);
        bytes.extend(weights.arc(index as u32).to_le_bytes());
        bytes.extend(view.out_arcs(arc.head).flat_map(|next| weights.turn(&arc, next).to_le_bytes()));
    }
    checksum(&bytes)
}

/// Strongly connected component of each state (Tarjan's algorithm without recursion).
fn components(view: &View, is_closed: impl Fn(u32) -> bool) -> Vec<u32> {
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
                if is_closed(at - 1) {
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
