//! The cheapest way between two places on links: Dijkstra's algorithm from both ends at once.

use crate::{
    error::PlanError,
    file::View,
    snap::Snap,
    weights::{CLOSED, Weights},
};
use std::{cell::RefCell, cmp::Reverse, collections::BinaryHeap};

/// No search looks at more junctions than this.
pub(crate) const MAX_SETTLED: usize = 3_000_000;

/// A stretch of a link, travelled in one direction; metres are along the shape, so backward ones fall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    pub link: u32,
    pub is_backward: bool,
    pub from_m: f64,
    pub to_m: f64,
}

/// A found path and its cost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path {
    pub steps: Vec<Step>,
    pub cost: u32,
}

const UNSEEN: u32 = u32::MAX;
const SEED: u32 = u32::MAX;

/// Labels of one side of the search, wiped by forgetting which were written.
#[derive(Default)]
struct Side {
    distance: Vec<u32>,
    /// Arc by which the state was reached (or leads on), [`SEED`] at the ends.
    parent: Vec<u32>,
    touched: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Side {
    fn reset(&mut self, states: usize) {
        for state in self.touched.drain(..) {
            if let Some(d) = self.distance.get_mut(state as usize) {
                *d = UNSEEN;
            }
        }
        self.distance.resize(states, UNSEEN);
        self.parent.resize(states, SEED);
        self.heap.clear();
    }

    fn offer(&mut self, state: u32, distance: u32, parent: u32) -> bool {
        let known = &mut self.distance[state as usize];
        if distance >= *known {
            return false;
        }
        if *known == UNSEEN {
            self.touched.push(state);
        }
        *known = distance;
        self.parent[state as usize] = parent;
        self.heap.push(Reverse((distance, state)));
        true
    }

    fn top(&self) -> Option<u32> {
        self.heap.peek().map(|Reverse((d, _))| *d)
    }
}

/// Both sides, kept from one request to the next.
#[derive(Default)]
struct Scratch {
    forward: Side,
    backward: Side,
}

thread_local! {
    /// One set of labels a thread: requests share nothing and wait for nobody.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A share of a link's cost.
fn part(cost: u32, share: f64) -> u32 {
    (f64::from(cost) * share.clamp(0.0, 1.0)).round() as u32
}

/// The cheapest path, `None` where there is none; gives up after `max_settled` junctions.
pub(crate) fn cheapest(
    view: &View,
    weights: &Weights,
    from: &Snap,
    to: &Snap,
    max_settled: usize,
) -> Result<Option<Path>, PlanError> {
    SCRATCH.with_borrow_mut(|scratch| search(view, weights, from, to, max_settled, scratch))
}

fn search(
    view: &View,
    weights: &Weights,
    from: &Snap,
    to: &Snap,
    max_settled: usize,
    scratch: &mut Scratch,
) -> Result<Option<Path>, PlanError> {
    let (forward, backward) = (&mut scratch.forward, &mut scratch.backward);
    forward.reset(view.state_node.len());
    backward.reset(view.state_node.len());
    seed_start(view, weights, from, forward);
    seed_goal(view, weights, to, backward);
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
        let Some(Reverse((distance, state))) = side.heap.pop() else { break };
        if distance > side.distance[state as usize] {
            continue;
        }
        let across = distance.saturating_add(other.distance[state as usize]);
        if across < best {
            best = across;
            meeting = Some(state);
        }
        if is_forward {
            relax_out(view, weights, state, distance, side);
        } else {
            relax_in(view, weights, state, distance, side);
        }
    }
    Ok(match meeting {
        Some(state) => Some(Path { steps: unwind(view, forward, backward, state, from, to), cost: best }),
        None => direct,
    })
}

fn relax_out(view: &View, weights: &Weights, state: u32, distance: u32, side: &mut Side) {
    for index in view.out_arcs(state) {
        let cost = weights.arcs[index as usize];
        if cost != CLOSED {
            side.offer(view.arcs[index as usize][0], distance.saturating_add(cost).min(UNSEEN - 1), index);
        }
    }
}

fn relax_in(view: &View, weights: &Weights, state: u32, distance: u32, side: &mut Side) {
    for [tail, index] in view.in_arcs_of(state) {
        let cost = weights.arcs[*index as usize];
        if cost != CLOSED {
            side.offer(*tail, distance.saturating_add(cost).min(UNSEEN - 1), *index);
        }
    }
}

/// Leave the start's link at either end, as far as its directions allow.
fn seed_start(view: &View, weights: &Weights, from: &Snap, side: &mut Side) {
    let link = view.link(from.link);
    let share = from.at_m / link.length_m().max(0.01);
    for (direction, left) in [(0, 1.0 - share), (1, share)] {
        let cost = weights.links[from.link as usize][direction];
        if cost != CLOSED {
            side.offer(view.arcs[link.arcs[direction] as usize][0], part(cost, left), SEED);
        }
    }
}

/// Reach the goal's link from either end, from every state of that junction that may turn into it.
fn seed_goal(view: &View, weights: &Weights, to: &Snap, side: &mut Side) {
    let link = view.link(to.link);
    let share = to.at_m / link.length_m().max(0.01);
    for (direction, needed) in [(0, share), (1, 1.0 - share)] {
        let cost = weights.links[to.link as usize][direction];
        for state in view.states_of(link.ends[direction]) {
            let turns_in = view.out_arcs(state).any(|index| {
                let arc = view.arc(index);
                arc.link == to.link && arc.is_backward == (direction == 1) && weights.arcs[index as usize] != CLOSED
            });
            if turns_in {
                side.offer(state, part(cost, needed), SEED);
            }
        }
    }
}

/// Both on one link, the goal ahead in an open direction.
fn direct(weights: &Weights, view: &View, from: &Snap, to: &Snap) -> Option<Path> {
    if from.link != to.link {
        return None;
    }
    let length_m = view.link(from.link).length_m().max(0.01);
    [false, true].into_iter().filter(|back| if *back { to.at_m <= from.at_m } else { to.at_m >= from.at_m }).find_map(
        |is_backward| {
            let cost = weights.links[from.link as usize][usize::from(is_backward)];
            let step = Step { link: from.link, is_backward, from_m: from.at_m, to_m: to.at_m };
            (cost != CLOSED)
                .then(|| Path { steps: vec![step], cost: part(cost, (to.at_m - from.at_m).abs() / length_m) })
        },
    )
}

fn whole(view: &View, index: u32) -> Step {
    let arc = view.arc(index);
    let length_m = view.link(arc.link).length_m();
    let (from_m, to_m) = if arc.is_backward { (length_m, 0.0) } else { (0.0, length_m) };
    Step { link: arc.link, is_backward: arc.is_backward, from_m, to_m }
}

fn unwind(view: &View, forward: &Side, backward: &Side, meeting: u32, from: &Snap, to: &Snap) -> Vec<Step> {
    let mut arcs = Vec::new();
    let mut state = meeting;
    while forward.parent[state as usize] != SEED {
        let index = forward.parent[state as usize];
        arcs.push(index);
        state = tail_of(view, index);
    }
    let first = state;
    arcs.reverse();
    let mut state = meeting;
    while backward.parent[state as usize] != SEED {
        let index = backward.parent[state as usize];
        arcs.push(index);
        state = view.arcs[index as usize][0];
    }
    let last = state;
    let mut steps = vec![leaving(view, from, first)];
    steps.extend(arcs.into_iter().map(|index| whole(view, index)));
    steps.push(arriving(view, to, last));
    steps.retain(|s| (s.to_m - s.from_m).abs() > 1e-9);
    if steps.is_empty() {
        steps.push(Step { link: from.link, is_backward: false, from_m: from.at_m, to_m: from.at_m });
    }
    steps
}

/// The state an arc leaves: the one of its junction's states whose list holds it.
fn tail_of(view: &View, index: u32) -> u32 {
    // Arcs are grouped by tail: the last state whose list starts at or before the arc and is not empty.
    (view.first_out.partition_point(|first| *first <= index) - 1) as u32
}

fn leaving(view: &View, from: &Snap, state: u32) -> Step {
    let link = view.link(from.link);
    let is_head = |direction: usize| view.arcs[link.arcs[direction] as usize][0] == state;
    // Both directions reach the same state only on a loop, which links never are.
    let is_backward = !is_head(0) && is_head(1);
    Step { link: from.link, is_backward, from_m: from.at_m, to_m: if is_backward { 0.0 } else { link.length_m() } }
}

fn arriving(view: &View, to: &Snap, state: u32) -> Step {
    let link = view.link(to.link);
    let is_backward = view.state_node[state as usize] == link.ends[1];
    Step { link: to.link, is_backward, from_m: if is_backward { link.length_m() } else { 0.0 }, to_m: to.at_m }
}

#[cfg(test)]
mod tags_respected;
#[cfg(test)]
mod tests;
