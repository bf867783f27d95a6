//! Ways that one request may not take: those that run through a part of the land it keeps out of.

use std::collections::BTreeSet;

use trace::{Part, Position};

use crate::{
    file::{View, tree},
    geometry::{coord, position},
    weights::{CLOSED, Weights},
};

/// The same weights with the ways through these parts closed.
pub(crate) fn closed(view: &View, weights: &Weights, parts: &[Part]) -> Weights {
    let mut weights = weights.clone();
    let links: BTreeSet<u32> = parts.iter().flat_map(|part| links_through(view, part)).collect();
    for link in &links {
        weights.links[*link as usize] = [CLOSED; 2];
    }
    for (index, row) in view.arcs.iter().enumerate() {
        if links.contains(&crate::file::Arc::from_row(*row).link) {
            weights.arcs[index] = CLOSED;
        }
    }
    weights
}

fn links_through(view: &View, part: &Part) -> BTreeSet<u32> {
    let Some([west, south, east, north]) = part.bbox() else { return BTreeSet::new() };
    let ([left, low], [right, high]) = (coord(west, south), coord(east, north));
    let mut near = BTreeSet::new();
    tree::search(view.boxes, view.runs.len(), &[left, low, right, high], |leaf| {
        near.insert(view.runs[leaf][0]);
    });
    near.retain(|link| {
        let shape: Vec<Position> = view.shape(&view.link(*link)).iter().map(|at| position(*at)).collect();
        !part.stretches(&shape).is_empty()
    });
    near
}
