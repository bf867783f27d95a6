//! One profile's costs on the contraction: a change of costs needs no new order and no new shortcuts.
//!
//! Dibbelt, Strasser and Wagner, *Customizable Contraction Hierarchies* (ACM Journal of Experimental Algorithmics,
//! 2016): costs are computed from lower triangles (basic customisation), then every shortcut that another way undercuts is removed
//! (perfect customisation). What is left is stored as a bit for each shortcut, and for each one that was kept its cost and the
//! two that it replaces: about a hundred bytes an arc. To store the rank that it leads over instead would take two thirds of that, but then a
//! way is unpacked by searching lists, and a whole answer took 1.3 times as long.

use crate::{
    file::{Shortcuts, View},
    weights::{CLOSED, Weights},
};
use std::ops::Range;

/// No way leads there.
pub(crate) const INFINITE: u32 = 1 << 30;
/// This shortcut is a step of the network itself.
pub(crate) const DIRECT: u32 = u32::MAX;
/// What a shortcut replaces is still to be found.
const UNKNOWN: u32 = u32::MAX - 1;
/// Shortcuts in a block: [`Half::counts`] has one count for each block.
const BLOCK: usize = 256;
/// Bits in a word of [`Half::kept`].
const WORD: usize = 64;

/// Words of bits for this many shortcuts: whole blocks, so that a count and its words are always there.
pub(crate) fn words_of(shortcuts: usize) -> usize {
    shortcuts.div_ceil(BLOCK) * (BLOCK / WORD)
}

/// Counts for this many shortcuts: one before each block, and the last.
pub(crate) fn counts_of(shortcuts: usize) -> usize {
    shortcuts.div_ceil(BLOCK) + 1
}

/// How many bits are set before each block of words, and in all.
fn counted(kept: &[u64]) -> impl Iterator<Item = u32> {
    let mut count = 0;
    let blocks = kept.chunks(BLOCK / WORD).map(|block| block.iter().map(|word| word.count_ones()).sum());
    blocks.chain([0]).map(move |kept: u32| {
        count += kept;
        count - kept
    })
}

/// Calls `each` with the places of the bits that are set in a range.
fn ones(kept: &[u64], range: Range<usize>, mut each: impl FnMut(usize)) {
    if range.is_empty() {
        return;
    }
    let words = range.start / WORD..range.end.div_ceil(WORD);
    for (word, bits) in words.clone().zip(&kept[words]) {
        let (first, mut bits) = (word * WORD, *bits);
        if first < range.start {
            bits &= u64::MAX << (range.start - first);
        }
        if first + WORD > range.end {
            bits &= u64::MAX >> (first + WORD - range.end);
        }
        while bits != 0 {
            each(first + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Shortcuts that may lie on a cheapest way, of the ranks' lists of higher neighbours: all up, or all down.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Half<'a> {
    /// A bit for each shortcut: was it kept?
    pub kept: &'a [u64],
    /// How many were kept before each block of [`BLOCK`] shortcuts, and in all.
    pub counts: &'a [u32],
    /// Cost of each one that was kept.
    pub costs: &'a [u32],
    /// The two that it replaces, as places among the kept ones: down to a lower rank, then up again. A step of the network is
    /// [`DIRECT`] and the rank that it leads to.
    pub parts: &'a [[u32; 2]],
}

impl Half<'_> {
    /// Do bits, counts and lists belong together? Then no request reads outside them.
    pub(crate) fn is_whole(&self) -> bool {
        counted(self.kept).eq(self.counts.iter().copied())
            && self.counts.last().is_some_and(|all| *all as usize == self.costs.len())
    }

    /// How many shortcuts before this one were kept.
    fn before(&self, shortcut: usize) -> usize {
        let (block, word) = (shortcut / BLOCK, shortcut / WORD);
        let whole: u32 = self.kept[block * (BLOCK / WORD)..word].iter().map(|word| word.count_ones()).sum();
        let part = self.kept.get(word).map_or(0, |word| word & ((1 << (shortcut % WORD)) - 1)).count_ones();
        (self.counts[block] + whole + part) as usize
    }

    /// Calls `each` with the shortcuts of a list that were kept, and the place of each among all that were.
    pub(crate) fn each(&self, list: Range<usize>, mut each: impl FnMut(usize, usize)) {
        let mut place = self.before(list.start);
        ones(self.kept, list, |shortcut| {
            each(shortcut, place);
            place += 1;
        });
    }

    fn is_kept(&self, shortcut: usize) -> bool {
        self.kept[shortcut / WORD] >> (shortcut % WORD) & 1 != 0
    }

    /// The place of a shortcut among those that were kept.
    fn place(&self, shortcut: usize) -> Option<u32> {
        self.is_kept(shortcut).then(|| self.before(shortcut) as u32)
    }
}

/// A profile's hierarchy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Metric<'a> {
    /// From a rank up.
    pub up: Half<'a>,
    /// From above down to a rank.
    pub down: Half<'a>,
}

/// The same half in memory of its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnHalf {
    pub kept: Vec<u64>,
    pub counts: Vec<u32>,
    pub costs: Vec<u32>,
    pub parts: Vec<[u32; 2]>,
}

impl OwnHalf {
    fn view(&self) -> Half<'_> {
        Half { kept: &self.kept, counts: &self.counts, costs: &self.costs, parts: &self.parts }
    }

    /// Bits and counts of the shortcuts that were not undercut. `costs` has one for every shortcut until [`Self::shorten`].
    fn of(costs: Vec<u32>, kept: Vec<u64>) -> Self {
        let counts: Vec<u32> = counted(&kept).collect();
        let parts = vec![[UNKNOWN; 2]; counts[counts.len() - 1] as usize];
        Self { kept, counts, costs, parts }
    }

    /// Removes the costs of the shortcuts that were not kept, in place.
    fn shorten(&mut self) {
        let (costs, mut place) = (&mut self.costs, 0);
        ones(&self.kept, 0..costs.len(), |shortcut| {
            costs[place] = costs[shortcut];
            place += 1;
        });
        costs.truncate(place);
        costs.shrink_to_fit();
    }
}

/// A profile's hierarchy in memory of its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnMetric {
    pub up: OwnHalf,
    pub down: OwnHalf,
}

fn plus(a: u32, b: u32) -> u32 {
    // Both are at most INFINITE, so the sum fits.
    (a + b).min(INFINITE)
}

impl OwnMetric {
    /// Customise the contraction of a network to a profile's weights.
    pub(crate) fn of(view: &View, weights: &Weights) -> Self {
        let shortcuts = Shortcuts::of(view);
        let count = shortcuts.up_head.len();
        let mut costs = Costs { up: vec![INFINITE; count], down: vec![INFINITE; count] };
        steps(view, weights, &shortcuts, |from, to, shortcut, cost| {
            let is_up = from < to;
            let known = if is_up { &mut costs.up[shortcut] } else { &mut costs.down[shortcut] };
            *known = cost.min(*known);
        });
        customise_basic(&shortcuts, &mut costs);
        let (up, down) = customise_perfectly(&shortcuts, &mut costs);
        let mut metric = Self { up: OwnHalf::of(costs.up, up), down: OwnHalf::of(costs.down, down) };
        metric.find_parts(view, weights, &shortcuts);
        metric.up.shorten();
        metric.down.shorten();
        metric
    }

    pub(crate) fn view(&self) -> Metric<'_> {
        Metric { up: self.up.view(), down: self.down.view() }
    }

    /// Finds what each kept shortcut replaces: a step of the network, else the two shortcuts over the lowest rank whose costs add up to its own.
    ///
    /// These two were kept as well: they are on a cheapest way, as the shortcut is.
    fn find_parts(&mut self, view: &View, weights: &Weights, shortcuts: &Shortcuts) {
        let (up, down) = (&mut self.up, &mut self.down);
        steps(view, weights, shortcuts, |from, to, shortcut, cost| {
            let half = if from < to { &mut *up } else { &mut *down };
            if half.costs[shortcut] == cost {
                half.replaces(shortcut, [DIRECT, to]);
            }
        });
        for rank in 0..shortcuts.rank.len() as u32 {
            let list = shortcuts.range(rank);
            for i in list.clone() {
                let (is_to, is_from) = (up.view().is_kept(i), down.view().is_kept(i));
                if !is_to && !is_from {
                    continue;
                }
                let (to_i, from_i) = (up.costs[i], down.costs[i]);
                pairs(shortcuts, i, list.end, |j, across| {
                    if is_from && from_i + up.costs[j] == up.costs[across] && up.view().is_kept(j) {
                        let parts = [down.view().place(i), up.view().place(j)];
                        up.replaces(across, parts.map(Option::unwrap_or_default));
                    }
                    if is_to && down.costs[j] + to_i == down.costs[across] && down.view().is_kept(j) {
                        let parts = [down.view().place(j), up.view().place(i)];
                        down.replaces(across, parts.map(Option::unwrap_or_default));
                    }
                });
            }
        }
    }
}

impl OwnHalf {
    /// Writes what a shortcut replaces, where it was kept and that is not known.
    fn replaces(&mut self, shortcut: usize, parts: [u32; 2]) {
        let Some(place) = self.view().place(shortcut) else { return };
        let known = &mut self.parts[place as usize];
        if known[0] == UNKNOWN {
            *known = parts;
        }
    }
}

/// Costs of all shortcuts, in both directions, during the customisation.
struct Costs {
    up: Vec<u32>,
    down: Vec<u32>,
}

/// The network's own steps: from an arc to the next, at the next one's cost and the turn's. Calls `each` with the ranks
/// of both, the step's shortcut and its cost.
fn steps(view: &View, weights: &Weights, shortcuts: &Shortcuts, mut each: impl FnMut(u32, u32, usize, u32)) {
    for state in 0..view.state_node.len() as u32 {
        for next in view.out_arcs(state) {
            let own = weights.arc(next);
            if own == CLOSED {
                continue;
            }
            let to = shortcuts.rank[next as usize];
            for [_, index] in view.in_arcs_of(state) {
                let arc = view.arc(*index);
                if !weights.is_open(arc.link, arc.is_backward) {
                    continue;
                }
                let from = shortcuts.rank[*index as usize];
                let cost = own.saturating_add(weights.turn(&arc, next)).min(INFINITE - 1);
                // A damaged file may lack the shortcut: the step is then left out, without a panic.
                let Some(shortcut) = shortcuts.between(from.min(to), from.max(to)) else { continue };
                each(from, to, shortcut, cost);
            }
        }
    }
}

/// Basic customisation: lowers the cost of each shortcut to that of the cheapest way over lower ranks. Goes through the ranks from the lowest up, and
/// through every pair of the higher neighbours of each.
fn customise_basic(shortcuts: &Shortcuts, costs: &mut Costs) {
    for rank in 0..shortcuts.rank.len() as u32 {
        let range = shortcuts.range(rank);
        for i in range.clone() {
            let (to_i, from_i) = (costs.up[i], costs.down[i]);
            if to_i == INFINITE && from_i == INFINITE {
                continue;
            }
            pairs(shortcuts, i, range.end, |j, across| {
                costs.up[across] = costs.up[across].min(plus(from_i, costs.up[j]));
                costs.down[across] = costs.down[across].min(plus(costs.down[j], to_i));
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

/// Perfect customisation: lowers each cost to that of the cheapest way of all. Returns a bit for each shortcut, up and down: set where the shortcut
/// has a cost and no other way is cheaper.
fn customise_perfectly(shortcuts: &Shortcuts, costs: &mut Costs) -> (Vec<u64>, Vec<u64>) {
    let (up, down) = (&mut costs.up, &mut costs.down);
    let bits = |costs: &[u32]| -> Vec<u64> {
        let word =
            |costs: &[u32]| (0..).zip(costs).fold(0, |word, (bit, cost)| word | u64::from(*cost < INFINITE) << bit);
        let mut words: Vec<u64> = costs.chunks(WORD).map(word).collect();
        words.resize(words_of(costs.len()), 0);
        words
    };
    let (mut up_kept, mut down_kept) = (bits(up), bits(down));
    let lower = |costs: &mut [u32], kept: &mut [u64], at: usize, cost: u32| {
        if cost < costs[at] {
            costs[at] = cost;
            kept[at / WORD] &= !(1 << (at % WORD));
        }
    };
    for rank in (0..shortcuts.rank.len() as u32).rev() {
        let range = shortcuts.range(rank);
        for i in range.clone() {
            pairs(shortcuts, i, range.end, |j, across| {
                let (over_up, over_down) = (plus(up[i], up[across]), plus(down[across], down[i]));
                lower(up, &mut up_kept, j, over_up);
                lower(down, &mut down_kept, j, over_down);
                let (over_up, over_down) = (plus(up[j], down[across]), plus(up[across], down[j]));
                lower(up, &mut up_kept, i, over_up);
                lower(down, &mut down_kept, i, over_down);
            });
        }
    }
    (up_kept, down_kept)
}
