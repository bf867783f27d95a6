//! Dijkstra's algorithm from both ends at once, over arcs: needs no preparation, so it serves costs of one request only.

use super::{Path, direct, goals, starts, steps};
use crate::{
    contraction::Seed,
    file::View,
    numbers::Sparse,
    snap::Snap,
    weights::{CLOSED, Weights},
};
use routing::PlanError;
use std::{cell::RefCell, cmp::Reverse, collections::BinaryHeap};

const UNSEEN: u32 = u32::MAX;
const SEED: u32 = u32::MAX;

/// The best cost known for an arc, and the arc before it.
#[derive(Clone, Copy)]
struct Label {
    distance: u32,
    /// The arc before (or behind), [`SEED`] at the ends.
    parent: u32,
}

/// Labels of one side of the search; the next one wipes those that were written.
pub(super) struct Side {
    labels: Sparse<Label>,
    touched: Vec<u32>,
    pub heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Default for Side {
    fn default() -> Self {
        let labels = Sparse::new(Label { distance: UNSEEN, parent: SEED });
        Self { labels, touched: Vec::new(), heap: BinaryHeap::new() }
    }
}

impl Side {
    pub(super) fn reset(&mut self, arcs: usize) {
        for arc in self.touched.drain(..) {
            self.labels.clear(arc);
        }
        self.labels.prepare(arcs);
        self.heap.clear();
    }

    /// The cheapest cost known to the end of an arc, `u32::MAX` for none.
    pub(super) fn distance(&self, arc: u32) -> u32 {
        self.labels.get(arc).distance
    }

    pub(super) fn seed(&mut self, seeds: &[Seed]) {
        for (arc, cost) in seeds {
            self.offer(*arc, *cost, SEED);
        }
    }

    fn offer(&mut self, arc: u32, distance: u32, parent: u32) {
        let known = self.labels.get_mut(arc);
        if distance >= known.distance {
            return;
        }
        if known.distance == UNSEEN {
            self.touched.push(arc);
        }
        *known = Label { distance, parent };
        self.heap.push(Reverse((distance, arc)));
    }

    fn top(&self) -> Option<u32> {
        self.heap.peek().map(|Reverse((d, _))| *d)
    }

    /// Arcs from one to the end of the search it belongs to.
    fn chain(&self, from: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(from), |arc| Some(self.labels.get(*arc).parent).filter(|p| *p != SEED))
    }
}

thread_local! {
    /// Both sides, kept from one request to the next; one set for each thread, so that no request waits for another.
    static SCRATCH: RefCell<(Side, Side)> = RefCell::default();
}

/// The cheapest path, `None` where there is none; gives up after `max_settled` arcs.
pub(crate) fn cheapest(
    view: &View,
    weights: &Weights,
    from: &Snap,
    to: &Snap,
    max_settled: usize,
) -> Result<Option<Path>, PlanError> {
    SCRATCH.with_borrow_mut(|(forward, backward)| search(view, weights, (from, to), max_settled, forward, backward))
}

fn search(
    view: &View,
    weights: &Weights,
    (from, to): (&Snap, &Snap),
    max_settled: usize,
    forward: &mut Side,
    backward: &mut Side,
) -> Result<Option<Path>, PlanError> {
    forward.reset(view.arcs.len());
    backward.reset(view.arcs.len());
    forward.seed(&starts(view, weights, from));
    backward.seed(&goals(view, weights, to));
    let direct = direct(weights, view, from, to);
    let mut best = direct.as_ref().map_or(UNSEEN, |p| p.cost);
    let mut meeting = None;
    let mut settled = 0;
    while let (Some(f), Some(b)) = (forward.top(), backward.top()) {
        if f.saturating_add(b) >= best {
            break;
        }
        settled += 1;
        if settled > max_settled {
            return Err(PlanError::TooMuchWork { limit: max_settled });
        }
        let is_forward = f <= b;
        let (side, other) = if is_forward { (&mut *forward, &*backward) } else { (&mut *backward, &*forward) };
        let Some(Reverse((distance, arc))) = side.heap.pop() else { break };
        if distance > side.distance(arc) {
            continue;
        }
        let across = distance.saturating_add(other.distance(arc));
        if across < best {
            best = across;
            meeting = Some(arc);
        }
        if is_forward {
            relax_out(view, weights, arc, distance, side);
        } else {
            relax_in(view, weights, arc, distance, side);
        }
    }
    let Some(meeting) = meeting else { return Ok(direct) };
    let mut arcs: Vec<u32> = forward.chain(meeting).collect();
    arcs.reverse();
    arcs.extend(backward.chain(meeting).skip(1));
    Ok(Some(Path { steps: steps(view, arcs.into_iter(), from, to), cost: best }))
}

/// From an arc that was driven to its end into every arc that leaves there.
pub(super) fn relax_out(view: &View, weights: &Weights, arc: u32, distance: u32, side: &mut Side) {
    let from = view.arc(arc);
    for next in view.out_arcs(from.head) {
        let cost = weights.arc(next);
        if cost != CLOSED {
            let there = distance.saturating_add(cost).saturating_add(weights.turn(&from, next));
            side.offer(next, there.min(UNSEEN - 1), arc);
        }
    }
}

fn relax_in(view: &View, weights: &Weights, arc: u32, distance: u32, side: &mut Side) {
    let cost = weights.arc(arc);
    if cost == CLOSED {
        return;
    }
    for [_, before] in view.in_arcs_of(view.tail(arc)) {
        let from = view.arc(*before);
        if weights.is_open(from.link, from.is_backward) {
            let there = distance.saturating_add(cost).saturating_add(weights.turn(&from, arc));
            side.offer(*before, there.min(UNSEEN - 1), arc);
        }
    }
}
