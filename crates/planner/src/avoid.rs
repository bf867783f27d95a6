//! Ways that one request may not take: those that run through a part of the land it keeps out of.

use trace::{Part, Position};

use crate::{
    file::{View, tree},
    geometry::{coord, position},
    numbers::Numbers,
};

/// The links that run through any of these parts.
pub(crate) fn links(view: &View, parts: &[Part]) -> Numbers {
    parts.iter().flat_map(|part| links_through(view, part)).collect()
}

fn links_through(view: &View, part: &Part) -> Vec<u32> {
    let Some([west, south, east, north]) = part.bbox() else { return Vec::new() };
    let ([left, low], [right, high]) = (coord(west, south), coord(east, north));
    let mut near = Vec::new();
    tree::search(view.boxes, view.runs.len(), &[left, low, right, high], |leaf| near.push(view.runs[leaf][0]));
    near.sort_unstable();
    near.dedup();
    near.retain(|link| {
        let shape: Vec<Position> = view.shape(&view.link(*link)).iter().map(|at| position(*at)).collect();
        !part.stretches(&shape).is_empty()
    });
    near
}
