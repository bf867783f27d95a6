//! Loops of a wanted length from a place: triangles in every direction, whose corners are joined along the ways; the best are kept.

use crate::{
    contraction::Metric,
    geometry::{Projection, Xy},
    planner::Planner,
    search::{self, Step},
    snap::{self, Snap},
};
use routing::PlanError;
use std::{collections::HashMap, f64::consts::TAU};
use trace::Position;

/// Directions tried.
const DIRECTIONS: u32 = 16;
/// How often the size of a triangle is corrected.
const ROUNDS: u32 = 4;
/// A loop along winding ways is about this many times as long as its triangle.
const WINDING_FACTOR: f64 = 1.35;
/// How far from a corner its nearest way is searched, as a share of the radius of the triangle.
const LOOK_SHARE: f64 = 0.5;
/// A loop that is longer or shorter than wanted by more than this factor is not proposed.
const MAX_LENGTH_RATIO: f64 = 1.5;
/// Two loops that share more than this part of their length count as the same loop.
const MAX_SHARED: f64 = 0.6;

/// A loop found: its places in order and its paths.
pub(crate) struct Loop {
    pub snaps: Vec<Snap>,
    pub paths: Vec<Vec<Step>>,
    length_m: f64,
    /// Metres by link.
    links: HashMap<u32, f64>,
    /// Share of it that is travelled twice, 0 to 1.
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
    all.retain(|l| length_log_ratio(l.length_m, length_m) <= MAX_LENGTH_RATIO.ln());
    // A loop is good that is as long as wanted and travelled once.
    let fault = |l: &Loop| length_log_ratio(l.length_m, length_m) * 2.0 + l.twice;
    all.sort_by(|a, b| fault(a).total_cmp(&fault(b)));
    let mut kept: Vec<Loop> = Vec::new();
    for found in all {
        if kept.len() == count {
            break;
        }
        if kept.iter().all(|k| k.shared(&found) < MAX_SHARED) {
            kept.push(found);
        }
    }
    Ok(kept)
}

/// Absolute logarithm of the ratio of a length to the wanted one: 0 for equal lengths, the same for twice and for half.
fn length_log_ratio(length_m: f64, wanted_m: f64) -> f64 {
    (length_m.max(1.0) / wanted_m).ln().abs()
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
    let mut radius_m = length_m / (3.0 * 3_f64.sqrt() * WINDING_FACTOR);
    let mut best: Option<Loop> = None;
    for _ in 0..ROUNDS {
        let Some(found) = on_triangle(planner, metric, start, radius_m, heading)? else { break };
        let ratio = length_m / found.length_m.max(1.0);
        let is_near = length_log_ratio(found.length_m, length_m) <= MAX_LENGTH_RATIO.ln();
        if best
            .as_ref()
            .is_none_or(|b| length_log_ratio(b.length_m, length_m) > length_log_ratio(found.length_m, length_m))
        {
            best = Some(found);
        }
        if (ratio - 1.0).abs() < 0.05 {
            break;
        }
        // Near the wanted length half a step is better than a whole one, which jumps to other ways.
        radius_m *= if is_near { ratio.sqrt() } else { ratio.clamp(0.25, 2.0) };
    }
    Ok(best)
}

/// The loop along an equilateral triangle: the start is one corner, the centre is one radius away in the heading (radians clockwise from
/// north).
fn on_triangle(
    planner: &Planner,
    metric: Option<&Metric>,
    start: &Snap,
    radius_m: f64,
    heading: f64,
) -> Result<Option<Loop>, PlanError> {
    let projection = Projection::at(start.position);
    let middle = Xy { x: heading.sin() * radius_m, y: heading.cos() * radius_m };
    let mut snaps = vec![*start];
    for turn in [TAU / 3.0, -TAU / 3.0] {
        // Seen from the middle, the start lies behind; the other corners a third of a turn to either side of it.
        let side = heading + TAU / 2.0 + turn;
        let corner: Position =
            projection.position(Xy { x: middle.x + side.sin() * radius_m, y: middle.y + side.cos() * radius_m });
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

#[cfg(test)]
mod tests {
    use crate::testmap::{TestMap, at};
    use routing::{LoopRequest, PlanError, Preferences, Profile, RouteEngine};

    #[test]
    fn a_loop_of_another_length_than_wanted_is_none() {
        // Two streets side by side that meet 5 km to the east: every loop over both is some 20 km long.
        let map = TestMap::new()
            .node(1, -5_000.0, 0.0)
            .node(2, 0.0, 0.0)
            .node(3, 5_000.0, 0.0)
            .node(4, -5_000.0, 400.0)
            .node(5, 5_000.0, 400.0)
            .street(10, &[1, 2, 3])
            .street(11, &[4, 5])
            .street(12, &[3, 5]);
        let asked = LoopRequest {
            start: at(0.0, 0.0),
            profile: Profile::Touring,
            length_m: 2_000.0,
            count: 3,
            preferences: Preferences::default(),
        };
        assert_eq!(map.engine().loops(&asked), Err(PlanError::NoWay { from_index: 0, to_index: 0 }));
    }

    #[test]
    fn a_loop_among_streets_has_the_wanted_length() {
        // Streets 200 m apart, 4 km each way.
        let mut map = TestMap::new();
        let node = |row: i64, column: i64| row * 100 + column + 1;
        for row in 0..=20 {
            for column in 0..=20 {
                map = map.node(node(row, column), column as f64 * 200.0 - 2_000.0, row as f64 * 200.0 - 2_000.0);
            }
        }
        for one in 0..=20 {
            let east: Vec<i64> = (0..=20).map(|other| node(one, other)).collect();
            let north: Vec<i64> = (0..=20).map(|other| node(other, one)).collect();
            map = map.street(10_000 + one, &east).street(20_000 + one, &north);
        }
        let asked = LoopRequest {
            start: at(0.0, 0.0),
            profile: Profile::Hiking,
            length_m: 3_000.0,
            count: 3,
            preferences: Preferences::default(),
        };
        let found = map.engine().loops(&asked).expect("loops");
        assert!(!found.is_empty());
        for one in found {
            assert!((2_000.0..=4_500.0).contains(&one.distance_m), "{} m", one.distance_m);
        }
    }
}
