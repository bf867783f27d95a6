//! Questions about ways that judging and explaining a match need. Our network answers them, or a server for a match made by it.

use crate::{coverage, geometry::cumulative_m, line::Line, planner::Planner, search, snap};
use routing::{Fix, FixKind};
use trace::Position;

/// How far away the nearest way is searched, in metres.
pub(crate) const LOOK_M: f64 = 500.0;
/// How far the ends of a stretch may be from the network to be joined along it.
pub(crate) const FIX_SNAP_M: f64 = 60.0;
/// A way round longer than this many times the stretch is not proposed.
const FIX_RATIO: f64 = 3.0;
const FIX_MORE_M: f64 = 500.0;
/// The most junctions visited for one proposal.
const FIX_SETTLED: usize = 50_000;

/// Ways, by the numbers that the matched line gives them.
pub(crate) trait Ways {
    /// Whether there is data around this place.
    fn covers(&self, p: Position) -> bool;
    /// Whether the profile may use this way in at least one direction.
    fn is_usable(&self, link: u32) -> bool;
    /// Whether the profile may use it only in the opposite direction.
    fn is_wrong_way(&self, link: u32, is_backward: bool) -> bool;
    /// Its number in OpenStreetMap.
    fn way_id(&self, link: u32) -> i64;
    /// The greatest distance from one of some places to its nearest way, [`LOOK_M`] for that and more.
    fn furthest_m(&self, places: &[Position]) -> f64;
    /// The way from one place to another that replaces a stretch of some length.
    fn follow(&self, from: Position, to: Position, stretch_m: f64) -> Option<Fix>;
}

impl Ways for Planner<'_> {
    fn covers(&self, p: Position) -> bool {
        coverage::covers(self.view.cells, p)
    }

    fn is_usable(&self, link: u32) -> bool {
        is_allowed(self, link, false) || is_allowed(self, link, true)
    }

    fn is_wrong_way(&self, link: u32, is_backward: bool) -> bool {
        !is_allowed(self, link, is_backward) && is_allowed(self, link, !is_backward)
    }

    fn way_id(&self, link: u32) -> i64 {
        self.view.link(link).way_id
    }

    fn furthest_m(&self, places: &[Position]) -> f64 {
        let within =
            |p: &Position, radius_m: f64| snap::near(&self.view, *p, radius_m, |_| true).first().map(|s| s.offset_m);
        let nearest_m = |p: &Position| [60.0, 200.0, LOOK_M].into_iter().find_map(|m| within(p, m)).unwrap_or(LOOK_M);
        places.iter().map(nearest_m).reduce(f64::max).unwrap_or_default()
    }

    fn follow(&self, from: Position, to: Position, stretch_m: f64) -> Option<Fix> {
        let join = |p: Position| snap::for_profile(&self.view, &self.weights, p, FIX_SNAP_M);
        let (from, to) = (join(from)?, join(to)?);
        let path = search::plain(&self.view, &self.weights, &from, &to, FIX_SETTLED).ok()??;
        let mut line = Line::default();
        path.steps.iter().for_each(|s| line.push_step(&self.view, s));
        following(line.points, stretch_m)
    }
}

/// Whether the rules of the profile allow a way in a direction, also where no way is planned (`weights::paces`).
fn is_allowed(planner: &Planner, link: u32, is_backward: bool) -> bool {
    planner.weights.is_open(link, is_backward)
        || planner.rules.pace(&planner.view.attributes_of(link), is_backward).is_some()
}

/// A way as a proposal for a stretch, unless it is a long way round.
pub(crate) fn following(line: Vec<Position>, stretch_m: f64) -> Option<Fix> {
    let fix = proposal(FixKind::FollowWay, line)?;
    (fix.distance_m >= 1.0 && fix.distance_m <= stretch_m * FIX_RATIO + FIX_MORE_M).then_some(fix)
}

/// A line as a proposal.
pub(crate) fn proposal(kind: FixKind, line: Vec<Position>) -> Option<Fix> {
    let distance_m = cumulative_m(&line).last().copied()?;
    (line.len() >= 2).then_some(Fix { kind, line, distance_m })
}
