//! Long stretches without a point that are no holes: a straight way needs no point between its ends.
//!
//! Lines drawn with a planner, and ferries, have hundreds of metres between two points. Where a way runs straight from one to
//! the other, nothing is missing.

use super::{clean::Track, reach::Reach};
use crate::{
    embedded::Planner,
    geometry::{Frame, project},
    line::step_points,
    snap::{self, Snap},
};

/// How far the points may be from the way, and the way from the straight line.
const BESIDE_M: f64 = 15.0;
/// Ways tried at each end.
const CANDIDATES: usize = 4;

/// Take the mark off holes that a straight way fills.
pub(crate) fn mend(planner: &Planner, track: &mut Track) {
    let mut work = 0;
    for i in 1..track.points.len() {
        if track.hole_before[i] && is_straight_way(planner, track, i, &mut work) {
            track.hole_before[i] = false;
        }
    }
}

fn is_straight_way(planner: &Planner, track: &Track, i: usize, work: &mut usize) -> bool {
    let length_m = track.along_m[i] - track.along_m[i - 1];
    let at = |k: usize| -> Vec<Snap> {
        let mut near = snap::near(&planner.view, track.points[k], BESIDE_M, |_| true);
        near.truncate(CANDIDATES);
        near
    };
    let (starts, goals) = (at(i - 1), at(i));
    if goals.is_empty() {
        return false;
    }
    let frame = Frame::at(track.points[i - 1]);
    let (a, b) = (frame.xy(track.points[i - 1]), frame.xy(track.points[i]));
    starts.into_iter().any(|start| {
        let reach = Reach::new(&planner.view, start, length_m * 1.01 + 2.0 * BESIDE_M, work);
        goals.iter().filter_map(|goal| reach.path(&planner.view, goal)).any(|path| {
            let mut points = path.iter().flat_map(|step| step_points(&planner.view, step));
            points.all(|p| project(frame.xy(p), a, b).1 <= BESIDE_M)
        })
    })
}
