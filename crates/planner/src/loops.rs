//! Loops of a wanted length from a place: triangles thrown in every direction, laid on the ways, the best kept.

use crate::{
    contraction::Metric,
    geometry::{Frame, Xy},
    planner::Planner,
    search::{self, Step},
    snap::{self, Snap},
};
use routing::PlanError;
use std::{collections::HashMap, f64::consts::TAU};
use trace::Position;

/// Directions tried.
const DIRECTIONS: u32 = 16;
/// How often a loop's size is put right.
const ROUNDS: u32 = 4;
/// Ways wind: a loop is about this many times as long as its triangle.
const WINDING: f64 = 1.35;
/// A corner looks for its way this far, as a share of the loop's radius.
const LOOK_SHARE: f64 = 0.5;
/// Two loops that share more than this of their length are one.
const SAME: f64 = 0.6;

/// A loop found: its places in order and its paths.
pub(crate) struct Loop {
    pub snaps: Vec<Snap>,
    pub paths: Vec<Vec<Step>>,
    length_m: f64,
    /// Metres by link.
    links: HashMap<u32, f64>,
    /// Share of it that is travelled twice.
    twice: f64,
}

/// Up to `count` loops of about `length_m` metres, the best first.
pub(crate) fn find(
    planner: &Planner,
    metric: Option<&Metric>,
    start: &Snap,
    length_m: f64,
    count: usize,
) -> Result<Vec<Loop>, PlanError> {
    let mut all = Vec::new();
    for i in 0..DIRECTIONS {
        let heading = f64::from(i) * TAU / f64::from(DIRECTIONS);
        all.extend(sized(planner, metric, start, length_m, heading)?);
    }
    // A loop is good that is as long as wanted and travelled once.
    let fault = |l: &Loop| (l.length_m / length_m).ln().abs() * 2.0 + l.twice;
    all.sort_by(|a, b| fault(a).total_cmp(&fault(b)));
    let mut kept: Vec<Loop> = Vec::new();
    for found in all {
        if kept.len() == count {
            break;
        }
        if kept.iter().all(|k| k.shared(&found) < SAME) {
            kept.push(found);
        }
    }
    Ok(kept)
}

impl Loop {
    fn shared(&self, other: &Self) -> f64 {
        let common: f64 = other.links.iter().filter(|(l, _)| self.links.contains_key(l)).map(|(_, m)| m).sum();
        common / other.links.values().sum::<f64>().max(1.0)
    }
}

/// The loop in one direction whose length comes nearest to the wanted one.
fn sized(
    planner: &Planner,
    metric: Option<&Metric>,
    start: &Snap,
    length_m: f64,
    heading: f64,
) -> Result<Option<Loop>, PlanError> {
    let mut radius_m = length_m / (3.0 * 3_f64.sqrt() * WINDING);
    let mut best: Option<Loop> = None;
    for _ in 0..ROUNDS {
        let Some(found) = thrown(planner, metric, start, radius_m, heading)? else { break };
        let ratio = length_m / found.length_m.max(1.0);
        if best.as_ref().is_none_or(|b| (length_m / b.length_m.max(1.0)).ln().abs() > ratio.ln().abs()) {
            best = Some(found);
        }
        if (ratio - 1.0).abs() < 0.05 {
            break;
        }
        radius_m *= ratio.clamp(0.5, 2.0).sqrt();
    }
    Ok(best)
}

/// A triangle on the ground: the start is one corner, its middle lies one radius away in the heading.
fn thrown(
    planner: &Planner,
    metric: Option<&Metric>,
    start: &Snap,
    radius_m: f64,
    heading: f64,
) -> Result<Option<Loop>, PlanError> {
    let frame = Frame::at(start.position);
    let middle = Xy { x: heading.sin() * radius_m, y: heading.cos() * radius_m };
    let mut snaps = vec![*start];
    for turn in [TAU / 3.0, -TAU / 3.0] {
        // Seen from the middle, the start lies behind; the other corners a third of a turn to either side of it.
        let side = heading + TAU / 2.0 + turn;
        let corner: Position =
            frame.position(Xy { x: middle.x + side.sin() * radius_m, y: middle.y + side.cos() * radius_m });
        let Some(place) = snap::for_profile(&planner.view, &planner.weights, corner, radius_m * LOOK_SHARE) else {
            return Ok(None);
        };
        snaps.push(place);
    }
    snaps.push(*start);
    let mut paths = Vec::new();
    for pair in snaps.windows(2) {
        let found = search::path(&planner.view, &planner.weights, metric, &pair[0], &pair[1], planner.max_settled)?;
        let Some(path) = found else { return Ok(None) };
        paths.push(path.steps);
    }
    let mut links: HashMap<u32, f64> = HashMap::new();
    let (mut whole_m, mut twice_m) = (0.0, 0.0);
    for step in paths.iter().flatten() {
        let metres = (step.to_m - step.from_m).abs();
        let known = links.entry(step.link).or_default();
        if *known > 0.0 {
            twice_m += metres;
        }
        *known += metres;
        whole_m += metres;
    }
    Ok(Some(Loop { snaps, paths, length_m: whole_m, links, twice: twice_m / f64::max(whole_m, 1.0) }))
}
