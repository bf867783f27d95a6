//! Queries of the contraction hierarchy: two upward searches that meet, then the shortcuts of the path unpacked into arcs.

use super::metric::{DIRECT, Half, INFINITE, Metric};
use crate::{
    file::{Shortcuts, View},
    numbers::Sparse,
};
use std::cell::RefCell;

/// Where a search sets out: a rank and what it costs to be there.
pub(crate) type Seed = (u32, u32);

/// What an upward search knows of a rank.
#[derive(Clone, Copy)]
struct Label {
    cost: u32,
    /// The lower rank it came from, itself at a seed.
    from: u32,
    /// The shortcut it came by, as its place among those that were kept.
    by: u32,
}

const UNSEEN: Label = Label { cost: INFINITE, from: 0, by: 0 };

/// The labels of one upward search, by rank.
struct UpwardSearch {
    labels: Sparse<Label>,
    /// Ranks passed, rising.
    passed: Vec<u32>,
}

impl Default for UpwardSearch {
    fn default() -> Self {
        Self { labels: Sparse::new(UNSEEN), passed: Vec::new() }
    }
}

impl UpwardSearch {
    fn reset(&mut self, ranks: usize) {
        // Only passed ranks have labels: an upward search relaxes only ancestors of its seeds.
        for place in self.passed.drain(..) {
            self.labels.clear(place);
        }
        self.labels.prepare(ranks);
    }

    fn relax(&mut self, place: u32, cost: u32, half: &Half, shortcuts: &Shortcuts) {
        half.each(shortcuts.range(place), |shortcut, by| {
            let there = cost.saturating_add(half.costs[by]);
            let label = self.labels.get_mut(shortcuts.up_head[shortcut]);
            if there < label.cost {
                *label = Label { cost: there, from: place, by: by as u32 };
            }
        });
    }
}

#[derive(Default)]
struct Scratch {
    forward: UpwardSearch,
    backward: UpwardSearch,
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

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Found(Found),
    NoWay,
    /// The search would pass more ranks than its bound.
    TooMuchWork,
}

/// The cheapest way whose cost is less than `below`.
pub(crate) fn cheapest(view: &View, metric: &Metric, from: &[Seed], to: &[Seed], below: u32, bound: usize) -> Answer {
    with_searches(view, metric, from, to, bound, |forward, backward| {
        let best = meetings(forward, backward).filter(|(cost, _)| *cost < below.min(INFINITE)).min_by_key(|m| m.0);
        best.map_or(Answer::NoWay, |(cost, place)| {
            let ranks = unfold(metric, view.arcs.len(), forward, backward, place);
            Answer::Found(Found { cost, ranks })
        })
    })
    .unwrap_or(Answer::TooMuchWork)
}

/// Cheapest ways over each rank that both searches pass, and the place of that rank on each, cheapest first; none above
/// `stretch` times the cheapest. `None` beyond the bound.
pub(crate) fn over_each(
    view: &View,
    metric: &Metric,
    from: &[Seed],
    to: &[Seed],
    stretch: f64,
    bound: usize,
) -> Option<Vec<(Found, u32)>> {
    with_searches(view, metric, from, to, bound, |forward, backward| {
        let mut over: Vec<(u32, u32)> = meetings(forward, backward).filter(|(cost, _)| *cost < INFINITE).collect();
        over.sort_unstable();
        let most = over.first().map_or(0.0, |(best, _)| f64::from(*best) * stretch);
        over.into_iter()
            .take_while(|(cost, _)| f64::from(*cost) <= most)
            .map(|(cost, place)| {
                (Found { cost, ranks: unfold(metric, view.arcs.len(), forward, backward, place) }, place)
            })
            .collect()
    })
}

/// Runs both searches and passes their labels to `look`; `None` beyond the bound.
fn with_searches<T>(
    view: &View,
    metric: &Metric,
    from: &[Seed],
    to: &[Seed],
    bound: usize,
    look: impl FnOnce(&UpwardSearch, &UpwardSearch) -> T,
) -> Option<T> {
    let shortcuts = Shortcuts::of(view);
    SCRATCH.with_borrow_mut(|scratch| {
        let (forward, backward) = (&mut scratch.forward, &mut scratch.backward);
        let is_done = search_up(&shortcuts, &metric.up, from, forward, bound)
            && search_up(&shortcuts, &metric.down, to, backward, bound);
        is_done.then(|| look(forward, backward))
    })
}

/// Ranks that both searches passed, each with the cost of going over it. Both lists are in rising order.
fn meetings(forward: &UpwardSearch, backward: &UpwardSearch) -> impl Iterator<Item = (u32, u32)> {
    let mut others = backward.passed.iter().peekable();
    forward.passed.iter().filter_map(move |place| {
        while others.next_if(|o| *o < place).is_some() {}
        let is_met = others.peek() == Some(&place);
        is_met.then(|| (forward.labels.get(*place).cost + backward.labels.get(*place).cost, *place))
    })
}

/// Pass every ancestor of the seeds in rising order; false beyond the bound.
fn search_up(shortcuts: &Shortcuts, half: &Half, seeds: &[Seed], search: &mut UpwardSearch, bound: usize) -> bool {
    search.reset(shortcuts.rank.len());
    let mut fronts: Vec<u32> = Vec::with_capacity(seeds.len());
    for (place, cost) in seeds {
        let label = search.labels.get_mut(*place);
        if *cost < label.cost {
            *label = Label { cost: *cost, from: *place, by: 0 };
        }
        fronts.push(*place);
    }
    fronts.sort_unstable_by(|a, b| b.cmp(a));
    fronts.dedup();
    while let Some(place) = fronts.pop() {
        search.passed.push(place);
        if search.passed.len() > bound {
            // Labels above the ranks passed are not known by name: all are dropped.
            search.labels.prepare(0);
            search.passed.clear();
            return false;
        }
        let cost = search.labels.get(place).cost;
        if cost < INFINITE {
            search.relax(place, cost, half, shortcuts);
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

fn unfold(metric: &Metric, ranks: usize, forward: &UpwardSearch, backward: &UpwardSearch, meeting: u32) -> Vec<u32> {
    let mut chain = vec![meeting];
    let mut place = meeting;
    while forward.labels.get(place).from != place {
        place = forward.labels.get(place).from;
        chain.push(place);
    }
    chain.reverse();
    let mut out = Unfolded { metric, most: ranks, stack: Vec::with_capacity(64), ranks: Vec::with_capacity(512) };
    out.ranks.push(chain[0]);
    for place in &chain[1..] {
        out.lay_out(true, forward.labels.get(*place).by);
    }
    let mut place = meeting;
    loop {
        let label = backward.labels.get(place);
        if label.from == place {
            return out.ranks;
        }
        out.lay_out(false, label.by);
        place = label.from;
    }
}

struct Unfolded<'a> {
    metric: &'a Metric<'a>,
    /// No way has more ranks than the network.
    most: usize,
    /// What shortcuts still to be unpacked replace.
    stack: Vec<[u32; 2]>,
    ranks: Vec<u32>,
}

impl Unfolded<'_> {
    /// Replaces a shortcut, by its place among those that were kept, by its steps; its first rank is already there.
    fn lay_out(&mut self, leads_up: bool, place: u32) {
        let (up, down) = (self.metric.up.parts, self.metric.down.parts);
        self.stack.push(if leads_up { up } else { down }[place as usize]);
        while let Some([first, second]) = self.stack.pop() {
            if first == DIRECT {
                // A damaged file may name a rank that there is not.
                self.ranks.push(second.min(self.most as u32 - 1));
            } else if let (Some(first), Some(second)) = (down.get(first as usize), up.get(second as usize)) {
                // Both lie far apart in memory, so both are read at once: the second arrives while the first is worked on.
                self.stack.push(*second);
                self.stack.push(*first);
            }
            if self.ranks.len() + self.stack.len() > self.most {
                // The parts of a shortcut lie lower than itself, so this comes to an end; in a damaged file it may not.
                self.stack.clear();
            }
        }
    }
}
