//! The cheapest way between two places on links, over arcs: a step leads from an arc into the next, and may cost a turn.
//!
//! [`cheapest`] asks the contraction; [`plain`] searches the network itself, for costs that hold for one request only.

pub(crate) mod alternatives;
mod dijkstra;

use crate::{
    contraction::{self, Answer, Metric, Seed},
    file::View,
    snap::Snap,
    weights::{CLOSED, Weights},
};
pub(crate) use dijkstra::cheapest as plain;
use routing::PlanError;

/// No search looks at more arcs than this.
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

/// The cheapest path: by the contraction, or on the network itself where there are no costs on the contraction.
pub(crate) fn path(
    view: &View,
    weights: &Weights,
    metric: Option<&Metric>,
    from: &Snap,
    to: &Snap,
    bound: usize,
) -> Result<Option<Path>, PlanError> {
    match metric {
        Some(metric) => cheapest(view, weights, metric, from, to, bound),
        None => plain(view, weights, from, to, bound),
    }
}

/// The cheapest path by the contraction, `None` where there is none; gives up where more than `bound` arcs would be passed.
pub(crate) fn cheapest(
    view: &View,
    weights: &Weights,
    metric: &Metric,
    from: &Snap,
    to: &Snap,
    bound: usize,
) -> Result<Option<Path>, PlanError> {
    let (starts, goals) = (ranked(view, &starts(view, weights, from)), ranked(view, &goals(view, weights, to)));
    let direct = direct(weights, view, from, to);
    let below = direct.as_ref().map_or(u32::MAX, |p| p.cost);
    match contraction::cheapest(view, metric, &starts, &goals, below, bound) {
        Answer::Found(found) => {
            let arcs = found.ranks.iter().map(|r| view.at_rank[*r as usize]);
            Ok(Some(Path { steps: steps(view, arcs, from, to), cost: found.cost }))
        }
        Answer::NoWay => Ok(direct),
        Answer::TooMuchWork => Err(PlanError::TooMuchWork { limit: bound }),
    }
}

/// Seeds by rank.
fn ranked(view: &View, arcs: &[Seed]) -> Vec<Seed> {
    arcs.iter().map(|(arc, cost)| (view.rank[*arc as usize], *cost)).collect()
}

/// A share of a link's cost.
fn part(cost: u32, share: f64) -> u32 {
    (f64::from(cost) * share.clamp(0.0, 1.0)).round() as u32
}

/// The arcs that leave the start's link at either end, with what is left to pay on them.
pub(crate) fn starts(view: &View, weights: &Weights, from: &Snap) -> Vec<Seed> {
    let link = view.link(from.link);
    let share = from.at_m / link.length_m().max(0.01);
    [1.0 - share, share]
        .into_iter()
        .enumerate()
        .filter_map(|(direction, left)| {
            let cost = weights.link(from.link, direction == 1);
            (cost != CLOSED).then(|| (link.arcs[direction], part(cost, left)))
        })
        .collect()
}

/// The arcs from which one turns into the goal's link, with what the turn and the rest cost from there.
pub(crate) fn goals(view: &View, weights: &Weights, to: &Snap) -> Vec<Seed> {
    let link = view.link(to.link);
    let share = to.at_m / link.length_m().max(0.01);
    let mut seeds = Vec::with_capacity(8);
    for (direction, needed) in [share, 1.0 - share].into_iter().enumerate() {
        for state in view.states_of(link.ends[direction]) {
            let Some(last) = arc_into(view, weights, state, to.link) else { continue };
            let cost = part(weights.link(to.link, direction == 1), needed);
            for [_, index] in view.in_arcs_of(state) {
                let arc = view.arc(*index);
                if weights.is_open(arc.link, arc.is_backward) {
                    seeds.push((*index, cost.saturating_add(weights.turn(&arc, last))));
                }
            }
        }
    }
    seeds
}

/// The open arc of a state that runs along a link.
fn arc_into(view: &View, weights: &Weights, state: u32, link: u32) -> Option<u32> {
    view.out_arcs(state).find(|index| view.arc(*index).link == link && weights.arc(*index) != CLOSED)
}

/// Both on one link, the goal ahead in an open direction.
pub(crate) fn direct(weights: &Weights, view: &View, from: &Snap, to: &Snap) -> Option<Path> {
    if from.link != to.link {
        return None;
    }
    let length_m = view.link(from.link).length_m().max(0.01);
    [false, true].into_iter().filter(|back| if *back { to.at_m <= from.at_m } else { to.at_m >= from.at_m }).find_map(
        |is_backward| {
            let cost = weights.link(from.link, is_backward);
            let step = Step { link: from.link, is_backward, from_m: from.at_m, to_m: to.at_m };
            (cost != CLOSED)
                .then(|| Path { steps: vec![step], cost: part(cost, (to.at_m - from.at_m).abs() / length_m) })
        },
    )
}

/// Stretches of links from arcs: the first is the start's, the goal's link follows the last.
fn steps(view: &View, arcs: impl Iterator<Item = u32>, from: &Snap, to: &Snap) -> Vec<Step> {
    let mut steps = Vec::with_capacity(arcs.size_hint().0 + 1);
    let mut end = None;
    for index in arcs {
        let arc = view.arc(index);
        let length_m = view.link(arc.link).length_m();
        let (start_m, end_m) = if arc.is_backward { (length_m, 0.0) } else { (0.0, length_m) };
        let from_m = if end.is_none() { from.at_m } else { start_m };
        steps.push(Step { link: arc.link, is_backward: arc.is_backward, from_m, to_m: end_m });
        end = Some(view.state_node[arc.head as usize]);
    }
    let link = view.link(to.link);
    let is_backward = end == Some(link.ends[1]);
    let from_m = if is_backward { link.length_m() } else { 0.0 };
    steps.push(Step { link: to.link, is_backward, from_m, to_m: to.at_m });
    steps.retain(|s| (s.to_m - s.from_m).abs() > 1e-9);
    if steps.is_empty() {
        steps.push(Step { link: from.link, is_backward: false, from_m: from.at_m, to_m: from.at_m });
    }
    steps
}

#[cfg(test)]
mod exactness;
#[cfg(test)]
mod tags_respected;
#[cfg(test)]
mod tests;
