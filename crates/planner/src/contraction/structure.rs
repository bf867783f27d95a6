//! What contraction makes of the graph of arcs, whatever the costs: an order and the shortcuts that may be needed.

use super::order;
use crate::{file::Arc, geometry::Coord, numbers::grouped};

/// No rank.
const NONE: u32 = u32::MAX;

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
    /// The junctions at both ends of each link.
    pub ends: &'a [[u32; 2]],
    pub first_out: &'a [u32],
    pub arcs: &'a [Arc],
}

impl Structure {
    /// Contract the arcs of a network.
    pub(crate) fn of(graph: &Graph) -> Self {
        let (rank, at_rank) = order(graph);
        let count = rank.len();
        let followers = |index: usize| {
            let (mine, head) = (rank[index], graph.arcs[index].head as usize);
            (graph.first_out[head]..graph.first_out[head + 1]).map(move |next| (mine, next))
        };
        let pairs = || (0..count).flat_map(followers).map(|(mine, next)| (mine, rank[next as usize]));
        let (own_first, own) = grouped(count, || pairs().map(|(a, b)| (a.min(b), a.max(b))));
        let (mut up_first, mut up_head) = (Vec::with_capacity(count + 1), Vec::<u32>::new());
        up_first.push(0);
        // The ranks whose lowest higher neighbour is this one, as chains: their other neighbours become its own.
        let (mut child, mut sibling) = (vec![NONE; count], vec![NONE; count]);
        let mut seen_by = vec![NONE; count];
        for place in 0..count as u32 {
            let start = up_head.len();
            let mut add = |up_head: &mut Vec<u32>, neighbour: u32| {
                if neighbour != place && seen_by[neighbour as usize] != place {
                    seen_by[neighbour as usize] = place;
                    up_head.push(neighbour);
                }
            };
            for at in own_first[place as usize]..own_first[place as usize + 1] {
                add(&mut up_head, own[at as usize]);
            }
            let mut below = child[place as usize];
            while below != NONE {
                for at in up_first[below as usize]..up_first[below as usize + 1] {
                    let neighbour = up_head[at as usize];
                    add(&mut up_head, neighbour);
                }
                below = sibling[below as usize];
            }
            up_head[start..].sort_unstable();
            if let Some(parent) = up_head.get(start) {
                sibling[place as usize] = std::mem::replace(&mut child[*parent as usize], place);
            }
            up_first.push(up_head.len() as u32);
        }
        Self { rank, at_rank, up_first, up_head }
    }
}

/// The rank of each arc and the arc of each rank: those of a link one after the other.
fn order(graph: &Graph) -> (Vec<u32>, Vec<u32>) {
    let in_order = order::links_in_order(graph.nodes, graph.ends);
    let (first, of_link) =
        grouped(graph.ends.len(), || graph.arcs.iter().zip(0..).map(|(arc, index)| (arc.link, index)));
    let arcs_of = |link: &u32| &of_link[first[*link as usize] as usize..first[*link as usize + 1] as usize];
    let at_rank: Vec<u32> = in_order.iter().flat_map(arcs_of).copied().collect();
    let mut rank = vec![0; at_rank.len()];
    for (place, arc) in at_rank.iter().enumerate() {
        rank[*arc as usize] = place as u32;
    }
    (rank, at_rank)
}
