//! Ways that one request may not take: those that run through a part of the land it keeps out of.

use std::collections::BTreeSet;

use trace::{Part, Position};

use crate::{
    file::{View, tree},
    geometry::{coord, position},
    weights::{CLOSED, Weights},
};
use routing::RouteRequest;

/// The weights with the ways closed that a request keeps out of, or that its season closes; `None` where none is.
pub(crate) fn of_request(view: &View, weights: &Weights, request: &RouteRequest) -> Option<Weights> {
    let mut links: BTreeSet<u32> = request.avoid.iter().flat_map(|part| links_through(view, part)).collect();
    if let Some(month) = request.month {
        links.extend(closed_in(view, month));
    }
    (!links.is_empty()).then(|| closed(view, weights, &links))
}

/// Links whose tags close them in a month, 1 to 12.
fn closed_in(view: &View, month: u8) -> Vec<u32> {
    let bit = 1_u16.checked_shl(u32::from(month).saturating_sub(1)).unwrap_or_default();
    let sets: Vec<bool> =
        (0..view.attributes.len() as u32).map(|set| view.attributes_at(set).closed_months & bit != 0).collect();
    if !sets.contains(&true) {
        return Vec::new();
    }
    (0..view.links.len() as u32).filter(|link| sets[view.link(*link).attributes as usize]).collect()
}

fn closed(view: &View, weights: &Weights, links: &BTreeSet<u32>) -> Weights {
    let mut weights = weights.clone();
    for link in links {
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
