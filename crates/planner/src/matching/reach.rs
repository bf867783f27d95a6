//! Ways on the ground from one place to another, whatever the direction of traffic.
//!
//! The surroundings of a junction are searched once and kept for the whole match: the candidates of a point, and those of
//! the next points, start from the same few junctions.

use super::{
    match_network::{MIN_EFFORT, MatchNetwork},
    near::Found,
};
use crate::{
    geometry::{Projection, Xy, position},
    numbers::ByNumber,
    search::Step,
    snap::Snap,
};
use std::{cmp::Reverse, collections::BinaryHeap, hash::BuildHasherDefault};

/// What the search knows about a junction within reach of another.
#[derive(Clone, Copy)]
struct Label {
    /// Decimetres of effort from there.
    effort_dm: u32,
    is_settled: bool,
    /// The link by which it was reached, and the junction before.
    link: u32,
    before: u32,
}

/// Initial capacity of a search, in junctions.
const INITIAL_CAPACITY: usize = 28;

/// A search around a junction: it stops at the requested junction, and a later request continues it.
struct JunctionSearch {
    labels: ByNumber<Label>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl JunctionSearch {
    fn of(start: u32) -> Self {
        // Capacity for the usual size of a search around a junction.
        let mut labels = ByNumber::with_capacity_and_hasher(INITIAL_CAPACITY, BuildHasherDefault::default());
        labels.insert(start, Label { effort_dm: 0, is_settled: false, link: u32::MAX, before: start });
        let mut heap = BinaryHeap::with_capacity(INITIAL_CAPACITY);
        heap.push(Reverse((0, start)));
        Self { labels, heap }
    }

    /// Decimetres of effort to another junction, `None` beyond the bound.
    fn effort_dm(&mut self, network: &MatchNetwork, to: u32, max_dm: u32, work: &mut usize) -> Option<u32> {
        if let Some(known) = self.labels.get(&to).filter(|label| label.is_settled) {
            return (known.effort_dm <= max_dm).then_some(known.effort_dm);
        }
        while let Some(Reverse((effort_dm, node))) = self.heap.peek().copied() {
            if effort_dm > max_dm {
                return None;
            }
            self.heap.pop();
            match self.labels.get_mut(&node) {
                Some(label) if !label.is_settled && label.effort_dm == effort_dm => label.is_settled = true,
                _ => continue,
            }
            *work += 1;
            self.relax(network, node, effort_dm);
            if node == to {
                return Some(effort_dm);
            }
        }
        None
    }

    fn relax(&mut self, network: &MatchNetwork, node: u32, effort_dm: u32) {
        let view = network.view();
        for index in view.out_arcs(node) {
            let arc = view.arc(index);
            let row = &view.links[arc.link as usize];
            let next = row[usize::from(!arc.is_backward)];
            let cost = network.effort(arc.link)[usize::from(arc.is_backward)] * row[4] as f32 * 0.1;
            // Rounded up: no link is free.
            let total = effort_dm.saturating_add(cost as u32 + 1);
            let fresh = Label { effort_dm: u32::MAX, is_settled: false, link: 0, before: 0 };
            let label = self.labels.entry(next).or_insert(fresh);
            if total < label.effort_dm {
                *label = Label { effort_dm: total, is_settled: false, link: arc.link, before: node };
                self.heap.push(Reverse((total, next)));
            }
        }
    }
}

/// The way between two places: its effort, and the ends of their links that it passes.
#[derive(Clone, Copy)]
struct Connection {
    effort_m: f64,
    /// Ends of the start's and the goal's link, `None` along one link.
    over: Option<(usize, usize)>,
}

/// All searches of one match.
pub(crate) struct Reach<'a> {
    network: &'a MatchNetwork<'a>,
    around: ByNumber<JunctionSearch>,
    /// Junctions looked at.
    pub work: usize,
}

/// A candidate of a point: a place on a link, with the effort of leaving or reaching it over either end.
pub(crate) struct Candidate {
    pub snap: Snap,
    ends: [u32; 2],
    ends_at: [Xy; 2],
    /// Over end 0, over end 1.
    leave_m: [f64; 2],
    arrive_m: [f64; 2],
    effort: [f32; 2],
    /// Projected; only distances between places of one match have a meaning.
    place: Xy,
    /// From the place to the point, and across the way.
    pub residual: Xy,
    pub normal: Xy,
}

impl Candidate {
    /// Straight distance between two places, in metres, without the Earth's curve.
    pub(crate) fn apart_m(&self, other: &Self) -> f64 {
        ((self.place.x - other.place.x).powi(2) + (self.place.y - other.place.y).powi(2)).sqrt()
    }

    pub(crate) fn new(network: &MatchNetwork, projection: &Projection, found: &Found) -> Self {
        let snap = found.snap;
        let link = network.view().link(snap.link);
        let effort = network.effort(snap.link);
        let [along, against] = effort.map(f64::from);
        let rest_m = (link.length_m() - snap.at_m).max(0.0);
        Self {
            snap,
            ends: link.ends,
            ends_at: link.ends.map(|end| projection.xy(position(network.view().nodes[end as usize]))),
            leave_m: [snap.at_m * against, rest_m * along],
            arrive_m: [snap.at_m * along, rest_m * against],
            effort,
            place: projection.xy(snap.position),
            residual: found.residual,
            normal: found.normal,
        }
    }
}

impl<'a> Reach<'a> {
    pub(crate) fn new(network: &'a MatchNetwork<'a>) -> Self {
        Self { network, around: ByNumber::default(), work: 0 }
    }

    /// Metres of effort from one place to another, `None` beyond the bound.
    pub(crate) fn effort_m(&mut self, from: &Candidate, to: &Candidate, bound_m: f64) -> Option<f64> {
        self.connection(from, to, bound_m).map(|connection| connection.effort_m)
    }

    fn connection(&mut self, from: &Candidate, to: &Candidate, bound_m: f64) -> Option<Connection> {
        let mut best = Connection { effort_m: f64::INFINITY, over: None };
        let offer = |best: &mut Connection, effort_m: f64, over| {
            if effort_m < best.effort_m {
                *best = Connection { effort_m, over };
            }
        };
        if from.snap.link == to.snap.link {
            let ahead_m = to.snap.at_m - from.snap.at_m;
            offer(&mut best, ahead_m.abs() * f64::from(from.effort[usize::from(ahead_m < 0.0)]), None);
        } else {
            let mut is_beside = false;
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if from.ends[a] == to.ends[b] {
                    is_beside = true;
                    offer(&mut best, from.leave_m[a] + to.arrive_m[b], Some((a, b)));
                }
            }
            if !is_beside {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let ends_m = from.leave_m[a] + to.arrive_m[b];
                    let left_m = bound_m.min(best.effort_m) - ends_m;
                    if left_m > MIN_EFFORT * from.ends_at[a].distance_m(to.ends_at[b])
                        && let Some(between_m) = self.between_m(from.ends[a], to.ends[b], left_m)
                        && ends_m + between_m < best.effort_m
                    {
                        best = Connection { effort_m: ends_m + between_m, over: Some((a, b)) };
                    }
                }
            }
        }
        (best.effort_m <= bound_m).then_some(best)
    }

    /// The stretches of links on the way to another place.
    pub(crate) fn path(&mut self, from: &Candidate, to: &Candidate, bound_m: f64) -> Option<Vec<Step>> {
        let connection = self.connection(from, to, bound_m)?;
        let Some((a, b)) = connection.over else {
            let (from_m, to_m) = (from.snap.at_m, to.snap.at_m);
            return Some(vec![Step { link: to.snap.link, is_backward: to_m < from_m, from_m, to_m }]);
        };
        let view = *self.network.view();
        let length_m = |link: u32| view.link(link).length_m();
        let to_m = if a == 0 { 0.0 } else { length_m(from.snap.link) };
        let from_m = if b == 0 { 0.0 } else { length_m(to.snap.link) };
        let mut steps = vec![Step { link: to.snap.link, is_backward: b == 1, from_m, to_m: to.snap.at_m }];
        let mut node = to.ends[b];
        if node != from.ends[a] {
            let around = self.around.get(&from.ends[a])?;
            while node != from.ends[a] {
                let reached = around.labels.get(&node)?;
                let is_backward = view.link(reached.link).ends[1] != node;
                let whole_m = length_m(reached.link);
                let (from_m, to_m) = if is_backward { (whole_m, 0.0) } else { (0.0, whole_m) };
                steps.push(Step { link: reached.link, is_backward, from_m, to_m });
                node = reached.before;
            }
        }
        steps.push(Step { link: from.snap.link, is_backward: a == 0, from_m: from.snap.at_m, to_m });
        steps.reverse();
        steps.retain(|s| (s.to_m - s.from_m).abs() > 1e-6);
        Some(steps)
    }

    /// Metres of effort from one junction to another, `None` beyond the bound.
    fn between_m(&mut self, from: u32, to: u32, max_m: f64) -> Option<f64> {
        let around = self.around.entry(from).or_insert_with(|| JunctionSearch::of(from));
        let effort_dm = around.effort_dm(self.network, to, (max_m * 10.0) as u32, &mut self.work)?;
        Some(f64::from(effort_dm) / 10.0)
    }
}
