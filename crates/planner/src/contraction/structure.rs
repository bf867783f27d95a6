//! What contraction makes of the graph of arcs, whatever the costs: an order and the shortcuts that may be needed.

use super::order;
use crate::{
    file::{Arc, Link},
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
