//! Other good ways between the same places: those that lead over one more rank of the contraction.
//!
//! A way counts as an alternative after Abraham, Delling, Goldberg and Werneck, *Alternative Routes in Road Networks* (ACM
//! Journal of Experimental Algorithmics, 2013): little of it is shared with the ways already taken, it is not much dearer, and
//! around the place it was led over it is itself a cheapest way (so it holds no detour that a traveller would see through).
//!
//! A small hierarchy has few such ranks. What is still wanted comes from the network itself, with the ways already taken made
//! dearer (Bader, Dees, Geisberger and Sanders, *Alternative Route Graphs in Road Networks*, TAPAS 2011).

use super::{Path, Seed, Step, goals, part, path, plain, ranked, starts, steps};
use crate::{
    contraction::{self, Answer, Metric},
    file::View,
    snap::Snap,
    weights::{Changes, Weights},
};
use routing::PlanError;
use std::collections::HashSet;

/// No more than this share of the cheapest way's cost may be shared with a way already taken.
const MAX_SHARED: f64 = 0.8;
/// No dearer than this many times the cheapest.
const MAX_STRETCH: f64 = 1.4;
/// Around the place it leads over, this share of the cheapest cost must be a cheapest way.
const LOCAL_SHARE: f64 = 0.2;

/// An alternative leaves the ways already taken this often at most: more is a string of little detours.
const MAX_DEPARTURES: usize = 3;

/// A path, and the links it takes.
type Taken = (HashSet<u32>, Path);

/// A candidate route: its arcs, and the cost at the end of each of them.
struct Candidate {
    cost: u32,
    arcs: Vec<u32>,
    paid: Vec<u32>,
}

/// The cheapest path and up to `count - 1` others, best first.
pub(crate) fn find(
    view: &View,
    weights: &Weights,
    metric: Option<&Metric>,
    (from, to): (&Snap, &Snap),
    count: usize,
    bound: usize,
) -> Result<Vec<Path>, PlanError> {
    let Some(best) = path(view, weights, metric, from, to, bound)? else { return Ok(Vec::new()) };
    let max_shared = f64::from(best.cost) * MAX_SHARED;
    let mut taken = match metric {
        Some(metric) => over_ranks(view, weights, metric, (from, to), &best, count, bound)?,
        None => vec![(best.steps.iter().map(|s| s.link).collect(), best.clone())],
    };
    if taken.is_empty() {
        // Both places on one link: nothing leads over a junction.
        return Ok(vec![best]);
    }
    let mut changes = weights.changes.cloned().unwrap_or_default();
    for _ in 0..2 * count {
        if taken.len() >= count {
            break;
        }
        let all: HashSet<u32> = taken.iter().flat_map(|(links, _)| links.iter().copied()).collect();
        penalise(&mut changes, &all);
        // A search that would be too long leaves the ways already found.
        let Ok(Some(path)) = plain(view, &weights.changed(&changes), from, to, bound) else { break };
        let cost = path.steps.iter().map(|s| step_cost(view, weights, s)).sum();
        let is_known = |s: &Step| all.contains(&s.link);
        let shared: u32 = path.steps.iter().filter(|s| is_known(s)).map(|s| step_cost(view, weights, s)).sum();
        let leaves = path.steps.windows(2).filter(|w| is_known(&w[0]) && !is_known(&w[1])).count();
        let links: HashSet<u32> = path.steps.iter().map(|s| s.link).collect();
        let is_good = f64::from(shared) <= max_shared
            && f64::from(cost) <= f64::from(best.cost) * MAX_STRETCH
            && leaves <= MAX_DEPARTURES
            && links.len() == path.steps.len();
        if is_good {
            taken.push((links, Path { cost, ..path }));
        } else {
            // Refused ways become dearer too, so that the next search finds another.
            penalise(&mut changes, &links);
        }
    }
    Ok(taken.into_iter().map(|(_, path)| path).collect())
}

/// The cheapest path, and those over another rank that may stand beside it.
fn over_ranks(
    view: &View,
    weights: &Weights,
    metric: &Metric,
    (from, to): (&Snap, &Snap),
    best: &Path,
    count: usize,
    bound: usize,
) -> Result<Vec<Taken>, PlanError> {
    let (starts, goals) = (starts(view, weights, from), goals(view, weights, to));
    let over = contraction::over_each(view, metric, &ranked(view, &starts), &ranked(view, &goals), MAX_STRETCH, bound)
        .ok_or(PlanError::TooMuchWork { limit: bound })?;
    let max_shared = f64::from(best.cost) * MAX_SHARED;
    let local = (f64::from(best.cost) * LOCAL_SHARE) as u32;
    let mut taken: Vec<Taken> = Vec::new();
    for (found, place) in over {
        if taken.len() == count {
            break;
        }
        let arcs: Vec<u32> = found.ranks.iter().map(|r| view.at_rank[*r as usize]).collect();
        let candidate = Candidate { cost: found.cost, paid: paid(view, weights, &arcs, &starts), arcs };
        let links: HashSet<u32> = candidate.arcs.iter().map(|a| view.arc(*a).link).collect();
        let is_first = taken.is_empty();
        let is_new = taken.iter().all(|(known, _)| candidate.shared(view, known) <= max_shared);
        // A way that takes a link twice turns back somewhere.
        let is_plain = links.len() == candidate.arcs.len();
        let middle = candidate.arcs.iter().position(|a| view.rank[*a as usize] == place).unwrap_or_default();
        if is_first || (is_new && is_plain && candidate.is_local(view, metric, middle, local, bound)) {
            let path = if is_first {
                best.clone()
            } else {
                Path { steps: steps(view, candidate.arcs.iter().copied(), from, to), cost: candidate.cost }
            };
            taken.push((links, path));
        }
    }
    Ok(taken)
}

fn penalise(changes: &mut Changes, links: &HashSet<u32>) {
    for link in links {
        *changes.dearer.entry(*link).or_default() += 1;
    }
}

/// Cost of a stretch without its turns.
fn step_cost(view: &View, weights: &Weights, step: &Step) -> u32 {
    let whole = weights.link(step.link, step.is_backward);
    part(whole, (step.to_m - step.from_m).abs() / view.link(step.link).length_m().max(0.01))
}

/// What had been paid at the end of each arc.
fn paid(view: &View, weights: &Weights, arcs: &[u32], starts: &[Seed]) -> Vec<u32> {
    let first = starts.iter().find(|(a, _)| arcs.first() == Some(a)).map_or(0, |(_, cost)| *cost);
    let mut paid = vec![first];
    for pair in arcs.windows(2) {
        let step = weights.arc(pair[1]).saturating_add(weights.turn(&view.arc(pair[0]), pair[1]));
        paid.push(paid[paid.len() - 1].saturating_add(step));
    }
    paid
}

impl Candidate {
    /// Cost of the steps on links that are already taken.
    fn shared(&self, view: &View, known: &HashSet<u32>) -> f64 {
        (1..self.arcs.len())
            .filter(|i| known.contains(&view.arc(self.arcs[*i]).link))
            .map(|i| f64::from(self.paid[i] - self.paid[i - 1]))
            .sum()
    }

    /// Is the stretch around its middle a cheapest way?
    fn is_local(&self, view: &View, metric: &Metric, middle: usize, local: u32, bound: usize) -> bool {
        let here = self.paid[middle];
        let first = self.paid.partition_point(|p| *p < here.saturating_sub(local));
        let last = self.paid.partition_point(|p| *p <= here.saturating_add(local)).saturating_sub(1);
        if last <= first {
            return true;
        }
        let ends = [(view.rank[self.arcs[first] as usize], 0)];
        let goal = [(view.rank[self.arcs[last] as usize], 0)];
        let own = self.paid[last] - self.paid[first];
        match contraction::cheapest(view, metric, &ends, &goal, u32::MAX, bound) {
            Answer::Found(found) => found.cost >= own,
            Answer::NoWay | Answer::TooMuchWork => false,
        }
    }
}
