//! The contraction of a network, as its file stores it.

use super::View;

/// The order of the arcs and their shortcuts: `contraction::Structure`, read in place.
#[derive(Clone, Copy)]
pub(crate) struct Shortcuts<'a> {
    /// Rank of each arc.
    pub rank: &'a [u32],
    /// The arc of each rank.
    pub at_rank: &'a [u32],
    /// Where the list of higher neighbours of each rank starts in `up_head`, and the length of `up_head`.
    pub up_first: &'a [u32],
    /// The higher neighbours (ranks) of all ranks, rising within each list. The index of an entry is the number of its shortcut.
    pub up_head: &'a [u32],
}

impl<'a> Shortcuts<'a> {
    pub(crate) fn of(view: &View<'a>) -> Self {
        Self { rank: view.rank, at_rank: view.at_rank, up_first: view.up_first, up_head: view.up_head }
    }

    /// The shortcuts from a rank to its higher neighbours, as indexes of `up_head`.
    pub(crate) fn range(&self, rank: u32) -> std::ops::Range<usize> {
        self.up_first[rank as usize] as usize..self.up_first[rank as usize + 1] as usize
    }

    /// The higher neighbours of a rank.
    pub(crate) fn up(&self, rank: u32) -> &'a [u32] {
        &self.up_head[self.range(rank)]
    }

    /// The next rank on the way to the top that a search from here may pass.
    pub(crate) fn parent(&self, rank: u32) -> Option<u32> {
        self.up(rank).first().copied()
    }

    /// The shortcut between two ranks, lower first.
    pub(crate) fn between(&self, low: u32, high: u32) -> Option<usize> {
        self.up(low).binary_search(&high).ok().map(|i| self.up_first[low as usize] as usize + i)
    }

    /// Whether each higher neighbour of a rank, except its parent, is also a higher neighbour of the parent. A search that goes from parent to
    /// parent then passes every rank that it gave a cost.
    fn is_chordal(&self, rank: u32) -> bool {
        let Some((parent, rest)) = self.up(rank).split_first() else { return true };
        let mut above = self.up_head.get(self.range(*parent)).unwrap_or_default().iter();
        rest.iter().all(|wanted| above.any(|a| a == wanted))
    }

    /// Is the order a permutation, and does every list rise above its owner? Then no search can leave the lists or turn for ever.
    pub(crate) fn is_whole(&self, arcs: usize) -> bool {
        let is_permutation = self.rank.len() == arcs
            && self.at_rank.len() == arcs
            && self.rank.iter().enumerate().all(|(arc, r)| self.at_rank.get(*r as usize) == Some(&(arc as u32)));
        let is_list = self.up_first.len() == arcs + 1
            && self.up_first.is_sorted()
            && self.up_first[0] == 0
            && self.up_first[arcs] as usize == self.up_head.len();
        is_permutation
            && is_list
            && (0..arcs as u32).all(|rank| {
                let list = self.up(rank);
                list.first().is_none_or(|f| *f > rank)
                    && list.last().is_none_or(|l| (*l as usize) < arcs)
                    && list.is_sorted_by(|a, b| a < b)
                    && self.is_chordal(rank)
            })
    }
}
