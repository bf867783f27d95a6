//! A way through points: snap, search leg by leg, lay the line, measure it, put it into words.

use crate::{
    api::{Route, RouteLeg, SurfaceLength, WayKindLength},
    embedded::{ENGINE, Planner},
    error::PlanError,
    instructions::{self, Instruction},
    line::{Line, Measured},
    search::{self, Step},
    snap::Snap,
};
use trace::Position;

/// Plan through points that were checked.
pub(crate) fn plan(planner: &Planner, points: &[Position]) -> Result<Route, PlanError> {
    let snaps = planner.snap_all(points)?;
    let mut line = Line::default();
    let mut borders = vec![0];
    for (from_index, pair) in snaps.windows(2).enumerate() {
        for step in leg_steps(planner, from_index, &pair[0], &pair[1])? {
            line.push_step(&planner.view, &step);
        }
        borders.push(line.points.len() - 1);
    }
    let measured = Measured::new(line, planner.view, planner.profile.rules(), None, planner.dem);
    let legs = legs(&measured, &snaps, &borders);
    let instructions = instructions::of(planner, &measured, &borders);
    Ok(answer(planner, &measured, legs, instructions))
}

fn leg_steps(planner: &Planner, from_index: usize, from: &Snap, to: &Snap) -> Result<Vec<Step>, PlanError> {
    let found = search::cheapest(&planner.view, planner.weights, from, to, planner.max_settled)?;
    found.map(|path| path.steps).ok_or(PlanError::NoWay { from_index, to_index: from_index + 1 })
}

fn legs(measured: &Measured, snaps: &[Snap], borders: &[usize]) -> Vec<RouteLeg> {
    let total_s = measured.duration_s(0, measured.line.points.len() - 1);
    let own: Vec<f64> = borders.windows(2).map(|b| measured.duration_s(b[0], b[1])).collect();
    // DIN 33466 is not additive: legs share the whole's time so that they sum to it.
    let share = if own.iter().sum::<f64>() > 0.0 { total_s / own.iter().sum::<f64>() } else { 1.0 };
    let leg = |(i, b): (usize, &[usize])| {
        let climb = measured.climb(b[0], b[1]);
        RouteLeg {
            from_index: b[0],
            to_index: b[1],
            distance_m: measured.along_m[b[1]] - measured.along_m[b[0]],
            duration_s: own[i] * share,
            ascent_m: climb.map(|c| c.0.round()),
            descent_m: climb.map(|c| c.1.round()),
            snapped_from: snaps[i].position,
            snapped_to: snaps[i + 1].position,
            snap_from_m: snaps[i].offset_m,
            snap_to_m: snaps[i + 1].offset_m,
        }
    };
    borders.windows(2).enumerate().map(leg).collect()
}

fn answer(planner: &Planner, measured: &Measured, legs: Vec<RouteLeg>, instructions: Vec<Instruction>) -> Route {
    let last = measured.line.points.len() - 1;
    let climb = measured.climb(0, last);
    Route {
        geometry: measured.line.points.clone(),
        legs,
        distance_m: measured.length_m(),
        duration_s: measured.duration_s(0, last),
        ascent_m: climb.map(|c| c.0.round()),
        descent_m: climb.map(|c| c.1.round()),
        elevation_source: measured.elevation_source,
        surfaces: measured
            .surfaces()
            .into_iter()
            .map(|(surface, length_m)| SurfaceLength { surface, length_m })
            .collect(),
        way_kinds: measured.way_kinds().into_iter().map(|(kind, length_m)| WayKindLength { kind, length_m }).collect(),
        instructions,
        engine: ENGINE.to_owned(),
        data_date: planner.data_date(),
    }
}
