//! What contraction makes of the graph of arcs, whatever the costs: an order and the shortcuts that may be needed.

use super::order;
use crate::{
    file::{Arc, Link, View},
    geometry::Coord,
};

/// The contraction of a network, by rank: rank 0 goes first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Structure {
    /// Rank of each arc.
    pub rank: Vec<u32>,
    /// The arc of each rank.
    pub at_rank: Vec<u32>,
    /// Where each rank's list of higher neighbours starts, and one more.
    pub up_first: Vec<u32>,
    /// Higher neighbours, rising.
    pub up_head: Vec<u32>,
}

/// The graph of arcs before contraction: which arcs follow each arc.
pub(crate) struct Graph<'a> {
    pub nodes: &'a [Coord],
    pub links: &'a [Link],
    pub first_out: &'a [u32],
    pub arcs: &'a [Arc],
}

impl Structure {
    /// Contract the arcs of a network.
    pub(crate) fn of(graph: &Graph) -> Self {
        let ends: Vec<[u32; 2]> = graph.links.iter().map(|l| l.ends).collect();
        let mut of_link: Vec<Vec<u32>> = vec![Vec::new(); ends.len()];
        for (index, arc) in graph.arcs.iter().enumerate() {
            of_link[arc.link as usize].push(index as u32);
        }
        let in_order = order::links_in_order(graph.nodes, &ends);
        let at_rank: Vec<u32> = in_order.iter().flat_map(|link| &of_link[*link as usize]).copied().collect();
        let mut rank = vec![0; at_rank.len()];
        for (place, arc) in at_rank.iter().enumerate() {
            rank[*arc as usize] = place as u32;
        }
        let mut up: Vec<Vec<u32>> = vec![Vec::new(); rank.len()];
        for (index, arc) in graph.arcs.iter().enumerate() {
            let mine = rank[index];
            for next in graph.first_out[arc.head as usize]..graph.first_out[arc.head as usize + 1] {
                let other = rank[next as usize];
                up[mine.min(other) as usize].push(mine.max(other));
            }
        }
        let (mut up_first, mut up_head) = (vec![0], Vec::new());
        for place in 0..up.len() {
            let mut list = std::mem::take(&mut up[place]);
            list.sort_unstable();
            list.dedup();
            if let Some((parent, rest)) = list.split_first() {
                up[*parent as usize].extend_from_slice(rest);
            }
            up_head.extend_from_slice(&list);
            up_first.push(up_head.len() as u32);
        }
        Self { rank, at_rank, up_first, up_head }
    }
}

/// The same, read from the file.
#[derive(Clone, Copy)]
pub(crate) struct Shortcuts<'a> {
    pub rank: &'a [u32],
    pub at_rank: &'a [u32],
    pub up_first: &'a [u32],
    pub up_head: &'a [u32],
}

impl<'a> Shortcuts<'a> {
    pub(crate) fn of(view: &View<'a>) -> Self {
        Self { rank: view.rank, at_rank: view.at_rank, up_first: view.up_first, up_head: view.up_head }
    }

    pub(crate) fn range(&self, place: u32) -> std::ops::Range<usize> {
        self.up_first[place as usize] as usize..self.up_first[place as usize + 1] as usize
    }

    pub(crate) fn up(&self, place: u32) -> &'a [u32] {
        &self.up_head[self.range(place)]
    }

    /// The next rank on the way to the top that a search from here may pass.
    pub(crate) fn parent(&self, place: u32) -> Option<u32> {
        self.up(place).first().copied()
    }

    /// The shortcut between two ranks, lower first.
    pub(crate) fn between(&self, low: u32, high: u32) -> Option<usize> {
        self.up(low).binary_search(&high).ok().map(|i| self.up_first[low as usize] as usize + i)
    }

    /// Are all higher neighbours but the lowest also the lowest one's? Then a search passes all it labels.
    fn is_chordal(&self, place: u32) -> bool {
        let Some((parent, rest)) = self.up(place).split_first() else { return true };
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
            && (0..arcs as u32).all(|place| {
                let list = self.up(place);
                list.first().is_none_or(|f| *f > place)
                    && list.last().is_none_or(|l| (*l as usize) < arcs)
                    && list.is_sorted_by(|a, b| a < b)
                    && self.is_chordal(place)
            })
    }
}
