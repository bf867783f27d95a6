//! One profile's costs on the contraction: customised in milliseconds, so a change of costs needs no new file.
//!
//! Dibbelt, Strasser and Wagner, *Customizable Contraction Hierarchies* (ACM Journal of Experimental Algorithmics,
//! 2016): costs are computed from lower triangles (basic customisation), then every shortcut that another way undercuts is removed
//! (perfect customisation). The result is a small hierarchy of this profile alone.

use crate::{
    file::{Shortcuts, View},
    weights::{CLOSED, Weights},
};

/// No way leads there.
pub(crate) const INFINITE: u32 = 1 << 30;
/// This shortcut is a step of the network itself.
pub(crate) const DIRECT: u32 = u32::MAX;
/// The shortcut leads over no rank.
const OVER_NONE: u32 = u32::MAX;

/// A shortcut to a higher rank, or from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The higher rank.
    pub head: u32,
    pub cost: u32,
    /// The two shortcuts it replaces: down to a lower rank, then up again. Where `up` is [`DIRECT`] it replaces none,
    /// and `down` holds the lower rank.
    pub down: u32,
    pub up: u32,
}

/// Shortcuts that may lie on a cheapest way, by the lower of their ranks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Half {
    first: Vec<u32>,
    edges: Vec<Edge>,
}

impl Half {
    /// Number of the first shortcut of a rank, and all of them.
    pub(crate) fn of(&self, place: u32) -> (u32, &[Edge]) {
        let (start, end) = (self.first[place as usize], self.first[place as usize + 1]);
        (start, &self.edges[start as usize..end as usize])
    }

    pub(crate) fn edge(&self, index: u32) -> &Edge {
        &self.edges[index as usize]
    }

    fn to(&self, place: u32, head: u32) -> Option<u32> {
        let (start, edges) = self.of(place);
        edges.binary_search_by_key(&head, |e| e.head).ok().map(|i| start + i as u32)
    }
}

/// A profile's hierarchy.
#[derive(Debug, Clone, Default)]
pub(crate) struct Metric {
    /// From a rank up.
    pub up: Half,
    /// From above down to a rank.
    pub down: Half,
}

/// Costs of all shortcuts, in both directions, during the customisation.
struct Costs {
    up: Vec<u32>,
    down: Vec<u32>,
    up_over: Vec<u32>,
    down_over: Vec<u32>,
}

fn plus(a: u32, b: u32) -> u32 {
    // Both are at most INFINITE, so the sum fits.
    (a + b).min(INFINITE)
}

impl Metric {
    /// Customise the contraction of a network to a profile's weights.
    pub(crate) fn of(view: &View, weights: &Weights) -> Self {
        let shortcuts = Shortcuts::of(view);
        let mut costs = steps(view, weights, &shortcuts);
        raise(&shortcuts, &mut costs);
        let (up, down) = undercut(&shortcuts, &costs);
        let mut metric = Self {
            up: half(&shortcuts, &costs.up, &costs.up_over, &up),
            down: half(&shortcuts, &costs.down, &costs.down_over, &down),
        };
        let up = resolved(&metric, &metric.up, |place, head| (place, head));
        let down = resolved(&metric, &metric.down, |place, head| (head, place));
        (metric.up.edges, metric.down.edges) = (up, down);
        metric
    }
}

/// The network's own steps: from an arc to the next, at the next one's cost and the turn's.
fn steps(view: &View, weights: &Weights, shortcuts: &Shortcuts) -> Costs {
    let count = shortcuts.up_head.len();
    let mut costs = Costs {
        up: vec![INFINITE; count],
        down: vec![INFINITE; count],
        up_over: vec![OVER_NONE; count],
        down_over: vec![OVER_NONE; count],
    };
    for index in 0..view.arcs.len() as u32 {
        let arc = view.arc(index);
        if !weights.is_open(arc.link, arc.is_backward) {
            continue;
        }
        let from = shortcuts.rank[index as usize];
        for next in view.out_arcs(arc.head) {
            let cost = weights.arcs[next as usize];
            if cost == CLOSED {
                continue;
            }
            let cost = cost.saturating_add(weights.turn(view, &arc, next)).min(INFINITE - 1);
            let to = shortcuts.rank[next as usize];
            // A damaged file may lack the shortcut: the step is then left out, without a panic.
            let Some(slot) = shortcuts.between(from.min(to), from.max(to)) else { continue };
            let known = if from < to { &mut costs.up[slot] } else { &mut costs.down[slot] };
            *known = cost.min(*known);
        }
    }
    costs
}

/// Basic customisation: over each rank from the lowest, every pair of its higher neighbours.
fn raise(shortcuts: &Shortcuts, costs: &mut Costs) {
    for place in 0..shortcuts.rank.len() as u32 {
        let range = shortcuts.range(place);
        for i in range.clone() {
            let (to_i, from_i) = (costs.up[i], costs.down[i]);
            if to_i == INFINITE && from_i == INFINITE {
                continue;
            }
            pairs(shortcuts, i, range.end, |j, across| {
                let (out, back) = (plus(from_i, costs.up[j]), plus(costs.down[j], to_i));
                if out < costs.up[across] {
                    (costs.up[across], costs.up_over[across]) = (out, place);
                }
                if back < costs.down[across] {
                    (costs.down[across], costs.down_over[across]) = (back, place);
                }
            });
        }
    }
}

/// For each later neighbour `j` of the same list, the shortcut between the heads of `i` and `j`.
fn pairs(shortcuts: &Shortcuts, i: usize, end: usize, mut each: impl FnMut(usize, usize)) {
    let mut across = shortcuts.range(shortcuts.up_head[i]);
    for j in i + 1..end {
        let wanted = shortcuts.up_head[j];
        while across.start < across.end && shortcuts.up_head[across.start] < wanted {
            across.start += 1;
        }
        if across.start < across.end && shortcuts.up_head[across.start] == wanted {
            each(j, across.start);
        }
    }
}

/// Perfect customisation: which shortcuts, up and down, no other way undercuts.
fn undercut(shortcuts: &Shortcuts, costs: &Costs) -> (Vec<bool>, Vec<bool>) {
    let (mut up, mut down) = (costs.up.clone(), costs.down.clone());
    for place in (0..shortcuts.rank.len() as u32).rev() {
        let range = shortcuts.range(place);
        for i in range.clone() {
            pairs(shortcuts, i, range.end, |j, across| {
                up[j] = up[j].min(plus(up[i], up[across]));
                down[j] = down[j].min(plus(down[across], down[i]));
                up[i] = up[i].min(plus(up[j], down[across]));
                down[i] = down[i].min(plus(up[across], down[j]));
            });
        }
    }
    let stays = |exact: &[u32], own: &[u32]| -> Vec<bool> {
        exact.iter().zip(own).map(|(e, o)| *o < INFINITE && e == o).collect()
    };
    (stays(&up, &costs.up), stays(&down, &costs.down))
}

fn half(shortcuts: &Shortcuts, costs: &[u32], over: &[u32], stays: &[bool]) -> Half {
    let mut half = Half { first: vec![0], edges: Vec::with_capacity(stays.iter().filter(|s| **s).count()) };
    for place in 0..shortcuts.rank.len() as u32 {
        let kept = shortcuts.range(place).filter(|i| stays[*i]);
        half.edges.extend(kept.map(|i| Edge { head: shortcuts.up_head[i], cost: costs[i], down: over[i], up: DIRECT }));
        half.first.push(half.edges.len() as u32);
    }
    half
}

/// Writes into each shortcut the indexes of the two it replaces, so that unpacking a way needs no search.
fn resolved(metric: &Metric, half: &Half, ends: impl Fn(u32, u32) -> (u32, u32)) -> Vec<Edge> {
    let mut edges = half.edges.clone();
    for place in 0..half.first.len() as u32 - 1 {
        for index in half.first[place as usize]..half.first[place as usize + 1] {
            let edge = &mut edges[index as usize];
            let (over, (from, to)) = (edge.down, ends(place, edge.head));
            edge.down = place;
            if over != OVER_NONE {
                // Both are on a cheapest way as the whole is, so neither was removed.
                if let (Some(down), Some(up)) = (metric.down.to(over, from), metric.up.to(over, to)) {
                    (edge.down, edge.up) = (down, up);
                }
            }
        }
    }
    edges
}
