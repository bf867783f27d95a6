//! Asking the hierarchy: two climbs towards the top that meet, then shortcuts laid out again as arcs.

use super::metric::{DIRECT, Edge, Half, INFINITE, Metric};
use crate::file::{Shortcuts, View};
use std::cell::RefCell;

/// Where a search sets out: a rank and what it costs to be there.
pub(crate) type Seed = (u32, u32);

/// One climb's labels, by rank.
#[derive(Default)]
struct Climb {
    cost: Vec<u32>,
    /// The lower rank a label came from, itself at a seed.
    from: Vec<u32>,
    /// The shortcut it came by.
    by: Vec<u32>,
    /// Ranks passed, rising.
    passed: Vec<u32>,
}

impl Climb {
    fn reset(&mut self, ranks: usize) {
        if self.cost.len() == ranks {
            // Only passed ranks have labels: a climb relaxes towards its own ancestors.
            for place in self.passed.drain(..) {
                self.cost[place as usize] = INFINITE;
            }
        } else {
            self.passed.clear();
            (self.cost, self.from, self.by) = (vec![INFINITE; ranks], vec![0; ranks], vec![0; ranks]);
        }
    }

    fn relax(&mut self, place: u32, cost: u32, half: &Half) {
        let (start, edges) = half.of(place);
        for (index, edge) in (start..).zip(edges) {
            let there = cost + edge.cost;
            let head = edge.head as usize;
            if there < self.cost[head] {
                self.cost[head] = there;
                self.from[head] = place;
                self.by[head] = index;
            }
        }
    }
}

#[derive(Default)]
struct Scratch {
    forward: Climb,
    backward: Climb,
}

thread_local! {
    /// One set of labels for each thread: requests share nothing, so none waits for another.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The cheapest way between two sets of seeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub cost: u32,
    /// Ranks from the seed it starts at to the one it ends at.
    pub ranks: Vec<u32>,
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Found(Found),
    NoWay,
    /// More ranks than the bound would have to be looked at.
    TooMuchWork,
}

/// Search; `below` is a cost already known to be possible.
pub(crate) fn cheapest(view: &View, metric: &Metric, from: &[Seed], to: &[Seed], below: u32, bound: usize) -> Answer {
    with_climbs(view, metric, from, to, bound, |forward, backward| {
        let best = meetings(forward, backward).filter(|(cost, _)| *cost < below.min(INFINITE)).min_by_key(|m| m.0);
        best.map_or(Answer::NoWay, |(cost, place)| {
            Answer::Found(Found { cost, ranks: unfold(metric, forward, backward, place) })
        })
    })
    .unwrap_or(Answer::TooMuchWork)
}

/// Cheapest ways over each rank that both climbs pass, and the place of that rank on each, cheapest first; none above
/// `stretch` times the cheapest. `None` beyond the bound.
pub(crate) fn over_each(
    view: &View,
    metric: &Metric,
    from: &[Seed],
    to: &[Seed],
    stretch: f64,
    bound: usize,
) -> Option<Vec<(Found, u32)>> {
    with_climbs(view, metric, from, to, bound, |forward, backward| {
        let mut over: Vec<(u32, u32)> = meetings(forward, backward).filter(|(cost, _)| *cost < INFINITE).collect();
        over.sort_unstable();
        let most = over.first().map_or(0.0, |(best, _)| f64::from(*best) * stretch);
        over.into_iter()
            .take_while(|(cost, _)| f64::from(*cost) <= most)
            .map(|(cost, place)| (Found { cost, ranks: unfold(metric, forward, backward, place) }, place))
            .collect()
    })
}

/// Run both climbs and look at their labels; `None` beyond the bound.
fn with_climbs<T>(
    view: &View,
    metric: &Metric,
    from: &[Seed],
    to: &[Seed],
    bound: usize,
    look: impl FnOnce(&Climb, &Climb) -> T,
) -> Option<T> {
    let shortcuts = Shortcuts::of(view);
    SCRATCH.with_borrow_mut(|scratch| {
        let (forward, backward) = (&mut scratch.forward, &mut scratch.backward);
        let is_done =
            climb(&shortcuts, &metric.up, from, forward, bound) && climb(&shortcuts, &metric.down, to, backward, bound);
        is_done.then(|| look(forward, backward))
    })
}

/// Ranks that both climbs passed, with the cost of going over them. Both lists rise.
fn meetings(forward: &Climb, backward: &Climb) -> impl Iterator<Item = (u32, u32)> {
    let mut others = backward.passed.iter().peekable();
    forward.passed.iter().filter_map(move |place| {
        while others.next_if(|o| *o < place).is_some() {}
        let is_met = others.peek() == Some(&place);
        is_met.then(|| (forward.cost[*place as usize] + backward.cost[*place as usize], *place))
    })
}

/// Pass every ancestor of the seeds in rising order; false beyond the bound.
fn climb(shortcuts: &Shortcuts, half: &Half, seeds: &[Seed], climb: &mut Climb, bound: usize) -> bool {
    climb.reset(shortcuts.rank.len());
    let mut fronts: Vec<u32> = Vec::with_capacity(seeds.len());
    for (place, cost) in seeds {
        if *cost < climb.cost[*place as usize] {
            climb.cost[*place as usize] = *cost;
            climb.from[*place as usize] = *place;
        }
        fronts.push(*place);
    }
    fronts.sort_unstable_by(|a, b| b.cmp(a));
    fronts.dedup();
    while let Some(place) = fronts.pop() {
        climb.passed.push(place);
        if climb.passed.len() > bound {
            // Every label must be wiped before the next request, whether its rank was passed or not.
            climb.passed.extend_from_slice(&fronts);
            climb.cost.clear();
            return false;
        }
        let cost = climb.cost[place as usize];
        if cost < INFINITE {
            climb.relax(place, cost, half);
        }
        if let Some(parent) = shortcuts.parent(place) {
            // A few fronts that soon become one.
            let at = fronts.partition_point(|f| *f > parent);
            if fronts.get(at) != Some(&parent) {
                fronts.insert(at, parent);
            }
        }
    }
    true
}

fn unfold(metric: &Metric, forward: &Climb, backward: &Climb, meeting: u32) -> Vec<u32> {
    let mut chain = vec![meeting];
    let mut place = meeting;
    while forward.from[place as usize] != place {
        place = forward.from[place as usize];
        chain.push(place);
    }
    chain.reverse();
    let mut out = Unfolded { metric, stack: Vec::with_capacity(64), ranks: Vec::with_capacity(512) };
    out.ranks.push(chain[0]);
    for place in &chain[1..] {
        out.lay_out(true, forward.by[*place as usize]);
    }
    let mut place = meeting;
    while backward.from[place as usize] != place {
        out.lay_out(false, backward.by[place as usize]);
        place = backward.from[place as usize];
    }
    out.ranks
}

struct Unfolded<'a> {
    metric: &'a Metric,
    /// Shortcuts still to be unpacked: whether it leads up, and the shortcut.
    stack: Vec<(bool, Edge)>,
    ranks: Vec<u32>,
}

impl Unfolded<'_> {
    /// Replaces a shortcut by its steps; its first rank is already there.
    fn lay_out(&mut self, leads_up: bool, index: u32) {
        let (up, down) = (&self.metric.up, &self.metric.down);
        self.stack.push((leads_up, *if leads_up { up } else { down }.edge(index)));
        while let Some((leads_up, edge)) = self.stack.pop() {
            if edge.up == DIRECT {
                self.ranks.push(if leads_up { edge.head } else { edge.down });
            } else {
                // The two parts of a shortcut lie lower than itself, so this comes to an end. Both are read at once:
                // they lie far apart, and the second arrives while the first is worked on.
                let (second, first) = (*up.edge(edge.up), *down.edge(edge.down));
                self.stack.push((true, second));
                self.stack.push((false, first));
            }
        }
    }
}
