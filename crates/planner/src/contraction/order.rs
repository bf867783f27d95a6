//! The order in which the contraction removes links: nested dissection by small cuts.
//!
//! A cut of the map into two halves makes its links the last to go, then each half is cut in turn. Cuts are found by
//! inertial flow (Schild and Sommer, *On Balanced Separators in Road Networks*, SEA 2015): junctions are sorted along
//! a direction, the first quarter becomes the source, the last the sink, and the smallest cut between them is a
//! maximum flow. Cutting links rather than junctions suits searches over arcs with turn costs (Buchhold, Wagner,
//! Zeitz and Zündorf, *Customizable Contraction Hierarchies with Turn Costs*, ATMOS 2020).

use crate::geometry::Coord;
use std::collections::VecDeque;

/// Share of the junctions on either side that a cut may not reach into.
const QUARTER: usize = 4;
/// Directions tried: east, north and the two diagonals.
const DIRECTIONS: [(i64, i64); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Links from the first to be contracted to the last.
pub(crate) fn links_in_order(nodes: &[Coord], ends: &[[u32; 2]]) -> Vec<u32> {
    let mut last_first = Vec::with_capacity(ends.len());
    let mut local = vec![0_u32; nodes.len()];
    let whole = Cell { nodes: (0..nodes.len() as u32).collect(), links: (0..ends.len() as u32).collect() };
    let mut cells = vec![whole];
    while let Some(cell) = cells.pop() {
        if cell.links.is_empty() {
            continue;
        }
        let map = LocalMap::new(&cell, ends, &mut local);
        let side = map.components().unwrap_or_else(|| map.halves(nodes));
        let (mut parts, cut) = cell.split(ends, &local, &side);
        last_first.extend(cut);
        cells.append(&mut parts);
    }
    last_first.reverse();
    last_first
}

/// Junctions and the links between them that are still to be ordered.
struct Cell {
    nodes: Vec<u32>,
    links: Vec<u32>,
}

impl Cell {
    /// The cells of each side, and the links that lead from one side to another.
    fn split(self, ends: &[[u32; 2]], local: &[u32], side: &[u32]) -> (Vec<Self>, Vec<u32>) {
        let count = side.iter().max().map_or(0, |s| *s as usize + 1);
        let mut parts: Vec<Self> = (0..count).map(|_| Self { nodes: Vec::new(), links: Vec::new() }).collect();
        for (node, s) in self.nodes.iter().zip(side) {
            parts[*s as usize].nodes.push(*node);
        }
        let mut cut = Vec::new();
        for link in self.links {
            let [a, b] = ends[link as usize].map(|n| side[local[n as usize] as usize]);
            if a == b { parts[a as usize].links.push(link) } else { cut.push(link) }
        }
        (parts, cut)
    }
}

/// A cell with its junctions numbered from 0, as lists of neighbours.
struct LocalMap<'a> {
    nodes: &'a [u32],
    first: Vec<u32>,
    /// Neighbour and number of the link.
    around: Vec<(u32, u32)>,
    links: usize,
}

impl<'a> LocalMap<'a> {
    fn new(cell: &'a Cell, ends: &[[u32; 2]], local: &mut [u32]) -> Self {
        for (i, node) in cell.nodes.iter().enumerate() {
            local[*node as usize] = i as u32;
        }
        let pairs: Vec<[u32; 2]> =
            cell.links.iter().map(|l| ends[*l as usize].map(|node| local[node as usize])).collect();
        let mut first = vec![0_u32; cell.nodes.len() + 1];
        for node in pairs.iter().flatten() {
            first[*node as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut around = vec![(0, 0); pairs.len() * 2];
        for (link, [a, b]) in pairs.iter().enumerate() {
            for (from, to) in [(*a, *b), (*b, *a)] {
                around[next[from as usize] as usize] = (to, link as u32);
                next[from as usize] += 1;
            }
        }
        Self { nodes: &cell.nodes, first, around, links: pairs.len() }
    }

    fn around(&self, node: u32) -> &[(u32, u32)] {
        &self.around[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// The connected pieces, `None` where there is one.
    fn components(&self) -> Option<Vec<u32>> {
        let mut piece = vec![u32::MAX; self.nodes.len()];
        let mut count = 0;
        let mut stack = Vec::new();
        for start in 0..self.nodes.len() as u32 {
            if piece[start as usize] != u32::MAX {
                continue;
            }
            stack.push(start);
            piece[start as usize] = count;
            while let Some(node) = stack.pop() {
                for (next, _) in self.around(node) {
                    if piece[*next as usize] == u32::MAX {
                        piece[*next as usize] = count;
                        stack.push(*next);
                    }
                }
            }
            count += 1;
        }
        (count > 1).then_some(piece)
    }

    /// Two sides with few links between them: the best of four directions.
    fn halves(&self, coords: &[Coord]) -> Vec<u32> {
        let mut best: Option<(f64, Vec<u32>)> = None;
        for (x, y) in DIRECTIONS {
            let mut sorted: Vec<(i64, u32)> = self
                .nodes
                .iter()
                .enumerate()
                .map(|(i, node)| {
                    let c = coords[*node as usize];
                    (i64::from(c[0]) * x + i64::from(c[1]) * y, i as u32)
                })
                .collect();
            sorted.sort_unstable();
            let (cut, side) = self.cut(&sorted);
            let small = side.iter().filter(|s| **s == 0).count().min(side.iter().filter(|s| **s == 1).count());
            let score = cut as f64 / small.max(1) as f64;
            if best.as_ref().is_none_or(|(b, _)| score < *b) {
                best = Some((score, side));
            }
        }
        best.map(|(_, side)| side).unwrap_or_default()
    }

    /// The smallest cut between the first and the last quarter: its size and each junction's side.
    fn cut(&self, sorted: &[(i64, u32)]) -> (usize, Vec<u32>) {
        let count = sorted.len();
        let quarter = (count / QUARTER).clamp(1, count / 2);
        let mut role = vec![Role::Middle; count];
        sorted[..quarter].iter().for_each(|(_, n)| role[*n as usize] = Role::Source);
        sorted[count - quarter..].iter().for_each(|(_, n)| role[*n as usize] = Role::Sink);
        // What flows through each link: its direction is the junction it flows into, plus one.
        let mut flow = vec![0_u32; self.links];
        let mut size = 0;
        loop {
            let mut came_by = vec![(u32::MAX, u32::MAX); count];
            let mut is_reached: Vec<bool> = role.iter().map(|r| *r == Role::Source).collect();
            let mut queue: VecDeque<u32> = sorted[..quarter].iter().map(|(_, n)| *n).collect();
            let mut end = None;
            'search: while let Some(node) = queue.pop_front() {
                for (next, link) in self.around(node) {
                    if is_reached[*next as usize] || flow[*link as usize] == *next + 1 {
                        continue;
                    }
                    is_reached[*next as usize] = true;
                    came_by[*next as usize] = (node, *link);
                    if role[*next as usize] == Role::Sink {
                        end = Some(*next);
                        break 'search;
                    }
                    queue.push_back(*next);
                }
            }
            let Some(mut node) = end else {
                return (size, is_reached.iter().map(|r| u32::from(!r)).collect());
            };
            size += 1;
            while role[node as usize] != Role::Source {
                let (before, link) = came_by[node as usize];
                // Against what flowed there before, the two cancel out.
                flow[link as usize] = if flow[link as usize] == before + 1 { 0 } else { node + 1 };
                node = before;
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Source,
    Middle,
    Sink,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bridge_between_two_blocks_goes_last() {
        // Two squares joined by link 8.
        let nodes = [[0, 0], [1, 0], [1, 1], [0, 1], [9, 0], [10, 0], [10, 1], [9, 1]];
        let ends = [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [1, 4]];
        let order = links_in_order(&nodes, &ends);
        assert_eq!(order.last(), Some(&8));
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..9).collect::<Vec<u32>>());
    }

    #[test]
    fn parallel_links_and_islands_are_ordered_too() {
        let nodes = [[0, 0], [1, 0], [5, 5], [6, 5]];
        let ends = [[0, 1], [1, 0], [2, 3]];
        let mut order = links_in_order(&nodes, &ends);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }
}
