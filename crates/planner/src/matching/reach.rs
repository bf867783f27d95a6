//! Distances along ways from one place, whatever the direction of traffic: a small bounded search on the ground.

use crate::{file::View, search::Step, snap::Snap};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    hash::{BuildHasherDefault, Hasher},
};

/// Junction: centimetres from the place, and the (link, junction) it was reached by.
type Known = HashMap<u32, (u64, Option<(u32, u32)>), BuildHasherDefault<JunctionHasher>>;

/// Junction numbers need spreading, not secrecy: the standard hasher would take most of the matcher's time.
#[derive(Default)]
struct JunctionHasher(u64);

impl Hasher for JunctionHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

/// Junctions within a bound of a place, with the way there.
pub(crate) struct Reach {
    from: Snap,
    known: Known,
}

impl Reach {
    /// Search from a place as far as `bound_m`; `work` counts junctions looked at.
    pub(crate) fn new(view: &View, from: Snap, bound_m: f64, work: &mut usize) -> Self {
        let link = view.link(from.link);
        let cm = |m: f64| (m.max(0.0) * 100.0) as u64;
        let bound = cm(bound_m);
        let mut reach = Self { from, known: Known::default() };
        let mut heap = BinaryHeap::new();
        let offer = |known: &mut Known, heap: &mut BinaryHeap<_>, node: u32, distance: u64, by| {
            if distance <= bound && known.get(&node).is_none_or(|(d, _)| distance < *d) {
                known.insert(node, (distance, by));
                heap.push(Reverse((distance, node)));
            }
        };
        offer(&mut reach.known, &mut heap, link.ends[0], cm(from.at_m), None);
        offer(&mut reach.known, &mut heap, link.ends[1], cm(link.length_m() - from.at_m), None);
        while let Some(Reverse((distance, node))) = heap.pop() {
            if reach.known.get(&node).is_none_or(|(d, _)| *d < distance) {
                continue;
            }
            *work += 1;
            for index in view.out_arcs(node) {
                let arc = view.arc(index);
                let row = view.link(arc.link);
                let next = row.ends[usize::from(!arc.is_backward)];
                offer(&mut reach.known, &mut heap, next, distance + u64::from(row.length_cm), Some((arc.link, node)));
            }
        }
        reach
    }

    /// Metres along ways to another place, `None` beyond the bound.
    pub(crate) fn distance_m(&self, view: &View, to: &Snap) -> Option<f64> {
        self.best(view, to).map(|(metres, _)| metres)
    }

    /// The shortest of: straight along the same link, or over either end of the goal's link.
    fn best(&self, view: &View, to: &Snap) -> Option<(f64, Option<usize>)> {
        let link = view.link(to.link);
        let straight = (to.link == self.from.link).then(|| ((to.at_m - self.from.at_m).abs(), None));
        let rest = [to.at_m, (link.length_m() - to.at_m).max(0.0)];
        let over = (0..2).filter_map(|end| {
            self.known.get(&link.ends[end]).map(|(cm, _)| (*cm as f64 / 100.0 + rest[end], Some(end)))
        });
        straight.into_iter().chain(over).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The stretches of links on the way to another place.
    pub(crate) fn path(&self, view: &View, to: &Snap) -> Option<Vec<Step>> {
        let (_, over) = self.best(view, to)?;
        let Some(end) = over else {
            return Some(vec![Step {
                link: to.link,
                is_backward: to.at_m < self.from.at_m,
                from_m: self.from.at_m,
                to_m: to.at_m,
            }]);
        };
        let goal = view.link(to.link);
        let mut steps = vec![whole(to.link, end == 1, goal.length_m(), to.at_m)];
        let mut node = goal.ends[end];
        while let Some((_, Some((link, before)))) = self.known.get(&node) {
            let row = view.link(*link);
            // A link joins two junctions: travelled forwards where it ends at this one.
            let is_backward = row.ends[1] != node || row.ends[0] != *before;
            let (from_m, to_m) = if is_backward { (row.length_m(), 0.0) } else { (0.0, row.length_m()) };
            steps.push(Step { link: *link, is_backward, from_m, to_m });
            node = *before;
        }
        let start = view.link(self.from.link);
        let is_backward = start.ends[0] == node && (start.ends[1] != node);
        steps.push(Step {
            link: self.from.link,
            is_backward,
            from_m: self.from.at_m,
            to_m: if is_backward { 0.0 } else { start.length_m() },
        });
        steps.reverse();
        steps.retain(|s| (s.to_m - s.from_m).abs() > 1e-6);
        Some(steps)
    }
}

fn whole(link: u32, is_backward: bool, length_m: f64, to_m: f64) -> Step {
    Step { link, is_backward, from_m: if is_backward { length_m } else { 0.0 }, to_m }
}
