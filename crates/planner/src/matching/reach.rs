//! Ways on the ground from one place to another, whatever the direction of traffic.
//!
//! What lies around a junction is searched once and kept for the whole match: the candidates of a point, and those of
//! the next points, start from the same few junctions.

use super::{
    near::Found,
    terrain::{ByNumber, Terrain},
};
use crate::{
    geometry::{Frame, Xy},
    search::Step,
    snap::Snap,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Smallest radius searched around a junction, in metres of effort; larger ones are this times a power of two.
const RADIUS_M: f32 = 120.0;
/// No junction is searched around further than this.
const MOST_RADIUS_M: f32 = 64_000.0;

/// A junction within reach of another.
#[derive(Clone, Copy)]
struct Reached {
    node: u32,
    effort_m: f32,
    /// The link it was reached by, and the junction before; the start has itself.
    link: u32,
    before: u32,
}

/// What lies around a junction, by number of junction.
struct Around {
    radius_m: f32,
    reached: Vec<Reached>,
}

impl Around {
    fn get(&self, node: u32) -> Option<&Reached> {
        self.reached.binary_search_by_key(&node, |r| r.node).ok().map(|i| &self.reached[i])
    }
}

/// The way between two places: over which ends, and how dear.
#[derive(Clone, Copy)]
struct Course {
    effort_m: f64,
    /// Ends of the start's and the goal's link, `None` along one link.
    over: Option<(usize, usize)>,
}

/// All searches of one match.
pub(crate) struct Reach<'a> {
    terrain: &'a Terrain<'a>,
    around: ByNumber<Around>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    labels: ByNumber<(u32, u32, u32)>,
    /// Junctions looked at.
    pub work: usize,
}

/// A place on a link with what it costs to leave or reach it over either end.
pub(crate) struct Seated {
    pub snap: Snap,
    ends: [u32; 2],
    /// Over end 0, over end 1.
    leave_m: [f64; 2],
    arrive_m: [f64; 2],
    effort: [f32; 2],
    /// Metres east and north of nowhere in particular: to compare distances with.
    place: Xy,
    /// From the place to the point, and across the way.
    pub residual: Xy,
    pub normal: Xy,
}

impl Seated {
    /// About how far two places are apart as the crow flies.
    pub(crate) fn apart_m(&self, other: &Self) -> f64 {
        ((self.place.x - other.place.x).powi(2) + (self.place.y - other.place.y).powi(2)).sqrt()
    }

    pub(crate) fn new(terrain: &Terrain, frame: &Frame, found: &Found) -> Self {
        let snap = found.snap;
        let link = terrain.view().link(snap.link);
        let effort = terrain.effort(snap.link);
        let [along, against] = effort.map(f64::from);
        let rest_m = (link.length_m() - snap.at_m).max(0.0);
        Self {
            snap,
            ends: link.ends,
            leave_m: [snap.at_m * against, rest_m * along],
            arrive_m: [snap.at_m * along, rest_m * against],
            effort,
            place: frame.xy(snap.position),
            residual: found.residual,
            normal: found.normal,
        }
    }
}

impl<'a> Reach<'a> {
    pub(crate) fn new(terrain: &'a Terrain<'a>) -> Self {
        Self { terrain, around: ByNumber::default(), heap: BinaryHeap::new(), labels: ByNumber::default(), work: 0 }
    }

    /// Metres of effort from one place to another, `None` beyond the bound.
    pub(crate) fn effort_m(&mut self, from: &Seated, to: &Seated, bound_m: f64) -> Option<f64> {
        self.course(from, to, bound_m).map(|course| course.effort_m)
    }

    fn course(&mut self, from: &Seated, to: &Seated, bound_m: f64) -> Option<Course> {
        let mut best = Course { effort_m: f64::INFINITY, over: None };
        let mut offer = |effort_m: f64, over| {
            if effort_m < best.effort_m {
                best = Course { effort_m, over };
            }
        };
        if from.snap.link == to.snap.link {
            let ahead_m = to.snap.at_m - from.snap.at_m;
            offer(ahead_m.abs() * f64::from(from.effort[usize::from(ahead_m < 0.0)]), None);
        } else {
            let mut is_beside = false;
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if from.ends[a] == to.ends[b] {
                    is_beside = true;
                    offer(from.leave_m[a] + to.arrive_m[b], Some((a, b)));
                }
            }
            if !is_beside {
                for a in 0..2 {
                    let left_m = bound_m - from.leave_m[a] - to.arrive_m[0].min(to.arrive_m[1]);
                    if left_m <= 0.0 {
                        continue;
                    }
                    let around = self.around(from.ends[a], left_m as f32);
                    for b in 0..2 {
                        if let Some(reached) = around.get(to.ends[b]) {
                            offer(from.leave_m[a] + f64::from(reached.effort_m) + to.arrive_m[b], Some((a, b)));
                        }
                    }
                }
            }
        }
        (best.effort_m <= bound_m).then_some(best)
    }

    /// The stretches of links on the way to another place.
    pub(crate) fn path(&mut self, from: &Seated, to: &Seated, bound_m: f64) -> Option<Vec<Step>> {
        let course = self.course(from, to, bound_m)?;
        let Some((a, b)) = course.over else {
            let (from_m, to_m) = (from.snap.at_m, to.snap.at_m);
            return Some(vec![Step { link: to.snap.link, is_backward: to_m < from_m, from_m, to_m }]);
        };
        let view = *self.terrain.view();
        let length_m = |link: u32| view.link(link).length_m();
        let to_m = if a == 0 { 0.0 } else { length_m(from.snap.link) };
        let from_m = if b == 0 { 0.0 } else { length_m(to.snap.link) };
        let mut steps = vec![Step { link: to.snap.link, is_backward: b == 1, from_m, to_m: to.snap.at_m }];
        let mut node = to.ends[b];
        if node != from.ends[a] {
            let around = self.around.get(&from.ends[a])?;
            while node != from.ends[a] {
                let reached = around.get(node)?;
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

    /// What lies around a junction, as far as asked at least.
    fn around(&mut self, node: u32, radius_m: f32) -> &Around {
        let is_known = self.around.get(&node).is_some_and(|known| known.radius_m >= radius_m.min(MOST_RADIUS_M));
        if !is_known {
            let mut radius = RADIUS_M;
            while radius < radius_m && radius < MOST_RADIUS_M {
                radius *= 2.0;
            }
            let reached = self.search(node, radius);
            self.around.insert(node, Around { radius_m: radius, reached });
        }
        &self.around[&node]
    }

    fn search(&mut self, start: u32, radius_m: f32) -> Vec<Reached> {
        let view = *self.terrain.view();
        let most = (radius_m * 10.0) as u32;
        let (labels, heap) = (&mut self.labels, &mut self.heap);
        labels.clear();
        heap.clear();
        labels.insert(start, (0, u32::MAX, start));
        heap.push(Reverse((0, start)));
        let mut reached = Vec::new();
        while let Some(Reverse((effort, node))) = heap.pop() {
            let (known, link, before) = labels[&node];
            if known < effort {
                continue;
            }
            self.work += 1;
            reached.push(Reached { node, effort_m: effort as f32 / 10.0, link, before });
            for index in view.out_arcs(node) {
                let arc = view.arc(index);
                let row = &view.links[arc.link as usize];
                let next = row[usize::from(!arc.is_backward)];
                let cost = self.terrain.effort(arc.link)[usize::from(arc.is_backward)] * row[4] as f32 * 0.1;
                // Rounded up: no link is free.
                let total = effort.saturating_add(cost.ceil() as u32);
                if total > most {
                    continue;
                }
                let label = labels.entry(next).or_insert((u32::MAX, 0, 0));
                if total < label.0 {
                    *label = (total, arc.link, node);
                    heap.push(Reverse((total, next)));
                }
            }
        }
        reached.sort_unstable_by_key(|r| r.node);
        reached
    }
}
