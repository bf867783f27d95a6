//! Heights of a line, and the figures made of them: a recorder's, the planner's along its ways, else the ground model's.
//!
//! Where the ground model gives the heights, the climb is that of places every 20 m along the line, as `terrain.md` says, so that it
//! does not depend on how many points the line has. The line itself keeps its points.

use domain::parcours::{Leg, LegKind};
use routing::RouteEngine;
use store::parcours::StoredTrace;
use trace::{HeightSource, MIN_KNOWN_HEIGHT_SHARE, Measure, Position};

use super::{joined, tenth};

/// Distance between the places at which the ground model is read, in metres.
const STEP_M: f64 = 20.0;
/// The largest number of places read for one line: 2,000 km every 20 m. On a longer one they are further apart.
const MAX_PLACES: f64 = 100_000.0;

/// Whether enough points of a line know their height to give a climb.
fn has_enough(line: &[Position]) -> bool {
    let known = line.iter().filter(|position| position.ele.is_some()).count();
    known as f64 >= MIN_KNOWN_HEIGHT_SHARE * line.len() as f64
}

fn length_m(line: &[Position]) -> f64 {
    trace::cumulative_m(line).last().copied().unwrap_or_default()
}

/// The source of most of the working revision's heights: a file's stretches have those of its recorder, others take
/// the ground model's, and so do those of a file without heights.
pub(super) fn source_of(legs: &[Leg], model_heights: bool) -> HeightSource {
    let is_model = is_file_without_heights(legs, model_heights);
    let mut lengths_m = [0.0, 0.0];
    for leg in legs {
        let is_recorded = leg.kind == LegKind::Source && !is_model;
        lengths_m[usize::from(is_recorded)] += length_m(&leg.line);
    }
    if lengths_m[1] >= lengths_m[0] { HeightSource::Recorder } else { HeightSource::Model }
}

/// Whether the stretches from the file have, or are given, the ground model's heights: most of their length has none of a recorder. It is
/// decided for all of them together: once they are stored, each has heights. Without such a stretch it stays as it was stored
/// (`model_heights`), since the file can be taken again.
pub(super) fn is_file_without_heights(legs: &[Leg], model_heights: bool) -> bool {
    let mut lengths_m = [0.0, 0.0];
    for leg in legs.iter().filter(|leg| leg.kind == LegKind::Source) {
        lengths_m[usize::from(has_enough(&leg.line))] += length_m(&leg.line);
    }
    model_heights || lengths_m[0] > lengths_m[1]
}

/// Whether a trace's stretches from the file have the ground model's heights: they are stored with the legs as recorded ones are.
pub fn has_model_heights(kept: &StoredTrace) -> bool {
    if kept.extra.model_heights {
        return true;
    }
    // A trace from before this was stored: its figures were measured as those of a model, over its points.
    if source_of(&kept.legs, false) == HeightSource::Model {
        return false;
    }
    let line = kept.line();
    let is_measured_by = |source| {
        let measured = trace::measure_by(&line, source);
        (measured.ascent_m.map(f64::round), measured.descent_m.map(f64::round))
            == (kept.summary.ascent_m, kept.summary.descent_m)
    };
    is_measured_by(HeightSource::Model) && !is_measured_by(HeightSource::Recorder)
}

/// Whether all heights of a trace's line are of a model, the ground's or the planner's: no stretch of it has those of a recorder.
pub fn has_only_model_heights(kept: &StoredTrace) -> bool {
    let is_model = has_model_heights(kept);
    kept.legs.iter().all(|leg| is_model || leg.kind != LegKind::Source)
}

/// Which legs of a working revision run over the ground model: what is drawn freely, and what comes from a file without heights.
/// Planned legs have their heights from the planner, which knows bridges and tunnels.
pub(super) fn on_ground(legs: &[Leg], model_heights: bool) -> Vec<bool> {
    let is_model = is_file_without_heights(legs, model_heights);
    let is_on_ground = |leg: &Leg| match leg.kind {
        LegKind::Source => is_model,
        LegKind::Planned => false,
        LegKind::Free => true,
    };
    legs.iter().map(is_on_ground).collect()
}

/// The legs as they are matched: with the heights that their line was given, and without any where a leg runs over the ground. The planner
/// would take these for a recorder's, which go over the mountain above a tunnel where it knows better.
pub(super) fn for_planner(legs: &[Leg], on_ground: &[bool], line: &[Position]) -> Vec<Leg> {
    let mut legs = with_line_heights(legs, line);
    for (leg, _) in legs.iter_mut().zip(on_ground).filter(|(_, on)| **on) {
        leg.line.iter_mut().for_each(|point| point.ele = None);
    }
    legs
}

/// Heights from the ground model where a line has none.
pub(super) fn with_heights(engine: Option<&dyn RouteEngine>, mut line: Vec<Position>) -> Vec<Position> {
    let Some(engine) = engine.filter(|_| line.iter().any(|position| position.ele.is_none())) else { return line };
    let heights = engine.heights(&line);
    for (position, height) in line.iter_mut().zip(heights) {
        position.ele = position.ele.or(height).map(tenth);
    }
    line
}

/// The legs with the heights their line was given, whose points are theirs in a row.
pub(super) fn with_line_heights(legs: &[Leg], line: &[Position]) -> Vec<Leg> {
    let mut legs = legs.to_vec();
    let mut given = line.iter();
    let mut last: Option<&Position> = None;
    for point in legs.iter_mut().flat_map(|leg| &mut leg.line) {
        if last.is_none_or(|last| !last.same_place(*point)) {
            last = given.next();
        }
        point.ele = point.ele.or(last.and_then(|last| last.ele));
    }
    legs
}

/// The line whose heights give the climb: `line`, made of these legs, with the ground model's heights at even distances where a leg
/// runs over the ground (`on_ground`, one for each leg).
pub(super) fn sampled(
    engine: Option<&dyn RouteEngine>,
    legs: &[Leg],
    on_ground: &[bool],
    line: &[Position],
) -> Vec<Position> {
    let Some(engine) = engine.filter(|_| on_ground.contains(&true)) else { return line.to_vec() };
    let legs = with_line_heights(legs, line);
    let over_m: f64 = legs.iter().zip(on_ground).filter(|(_, on)| **on).map(|(leg, _)| length_m(&leg.line)).sum();
    let step_m = STEP_M.max(over_m / MAX_PLACES);
    let mut all: Vec<Position> = Vec::with_capacity(line.len());
    let mut rest = legs.as_slice();
    for run in on_ground.chunk_by(|a, b| a == b) {
        let (these, others) = rest.split_at(run.len().min(rest.len()));
        rest = others;
        let own = joined(these);
        all.extend(if run[0] { read_ground(engine, own, step_m) } else { own });
    }
    all
}

/// The places along a line with the ground model's heights; the line itself where no model knows any of them.
fn read_ground(engine: &dyn RouteEngine, line: Vec<Position>, step_m: f64) -> Vec<Position> {
    let mut places = trace::even_places(&line, step_m);
    let heights = engine.heights(&places);
    if heights.iter().all(Option::is_none) {
        return line;
    }
    for (place, height) in places.iter_mut().zip(heights) {
        place.ele = height;
    }
    places
}

/// The figures of a line, from the line whose heights give the climb. The climb is not given where too few heights are known.
pub(super) fn measured(line: &[Position], sampled: &[Position], heights: HeightSource) -> Measure {
    let is_known = has_enough(sampled);
    let all = trace::measure_by(sampled, heights);
    Measure {
        distance_m: length_m(line),
        ascent_m: all.ascent_m.filter(|_| is_known),
        descent_m: all.descent_m.filter(|_| is_known),
        ..all
    }
}
