//! Long stretches without points that are not recording holes: a straight way needs no point between its ends.
//!
//! Lines drawn with a planner, and ferries, have hundreds of metres between two points. Where a way runs straight from one to
//! the other, nothing is missing.

use super::{
    clean::Track,
    match_network::{CLOSED_EFFORT, MatchNetwork},
    near::Corridor,
    reach::{Candidate, Reach},
};
use crate::{
    geometry::{Projection, nearest_on_segment},
    line::step_points,
};

/// How far the points may be from the way, and the way from the straight line.
const BESIDE_M: f64 = 15.0;
/// Ways tried at each end.
const CANDIDATES: usize = 4;

/// Removes the mark from holes that a straight way fills.
pub(crate) fn mend(network: &MatchNetwork, track: &mut Track) {
    let mut reach = Reach::new(network);
    for i in 1..track.points.len() {
        if track.hole_before[i] && is_straight_way(network, track, i, &mut reach) {
            track.hole_before[i] = false;
        }
    }
}

fn is_straight_way(network: &MatchNetwork, track: &Track, i: usize, reach: &mut Reach) -> bool {
    let length_m = track.along_m[i] - track.along_m[i - 1];
    let projection = Projection::at(track.points[i - 1]);
    let at = |k: usize| -> Vec<Candidate> {
        let near = Corridor::new(network, &track.points[k..=k], BESIDE_M).near(0, CANDIDATES);
        near.iter().map(|found| Candidate::new(network, &projection, found)).collect()
    };
    let (starts, goals) = (at(i - 1), at(i));
    let (a, b) = (projection.xy(track.points[i - 1]), projection.xy(track.points[i]));
    // A straight way counts also if the profile may not use it.
    let bound_m = (length_m * 1.01 + 2.0 * BESIDE_M) * CLOSED_EFFORT;
    starts.iter().any(|start| {
        goals.iter().filter_map(|goal| reach.path(start, goal, bound_m)).any(|path| {
            let mut points = path.iter().flat_map(|step| step_points(network.view(), step));
            points.all(|p| nearest_on_segment(projection.xy(p), a, b).1 <= BESIDE_M)
        })
    })
}
