//! A way through points: snap, search leg by leg, lay the line, measure it, put it into words.

use crate::{
    contraction::Metric,
    instructions,
    line::Measured,
    line_builder::LineBuilder,
    planner::{ENGINE, Planner},
    search::{self, Step},
    snap::Snap,
};
use routing::{Instruction, Matrix, MatrixCell, PlanError, Route, RouteLeg, SurfaceLength, WayKindLength};
use trace::Position;

/// Plan through points that were checked.
pub(crate) fn plan(planner: &Planner, metric: Option<&Metric>, points: &[Position]) -> Result<Route, PlanError> {
    let snaps = planner.snap_all(points)?;
    let legs = snaps
        .windows(2)
        .enumerate()
        .map(|(from_index, pair)| leg_steps(planner, metric, from_index, &pair[0], &pair[1]))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(assemble(planner, &snaps, &legs))
}

/// Up to `count` ways between two points, the best first.
pub(crate) fn alternatives(
    planner: &Planner,
    metric: Option<&Metric>,
    points: &[Position],
    count: usize,
) -> Result<Vec<Route>, PlanError> {
    let snaps = planner.snap_all(points)?;
    let ends = (&snaps[0], &snaps[1]);
    let paths = search::alternatives::find(&planner.view, &planner.weights, metric, ends, count, planner.max_settled)?;
    if paths.is_empty() {
        return Err(PlanError::NoWay { from_index: 0, to_index: 1 });
    }
    Ok(paths.into_iter().map(|path| assemble(planner, &snaps, &[path.steps])).collect())
}

/// The answer for paths between places: the line, its measures, its words.
pub(crate) fn assemble(planner: &Planner, snaps: &[Snap], paths: &[Vec<Step>]) -> Route {
    let (measured, borders) = measured(planner, paths);
    let totals = Totals::of(&measured, &borders);
    let legs = legs(&measured, &totals, snaps, &borders);
    let instructions = instructions::of(planner, &measured, &borders);
    answer(planner, measured, &totals, legs, instructions)
}

/// Distances and times between all places.
pub(crate) fn matrix(planner: &Planner, metric: Option<&Metric>, snaps: &[Snap]) -> Result<Matrix, PlanError> {
    let cell = |from: &Snap, to: &Snap| {
        let found = search::path(&planner.view, &planner.weights, metric, from, to, planner.max_settled)?;
        Ok(found.map(|path| {
            let (measured, borders) = measured(planner, &[path.steps]);
            MatrixCell { distance_m: measured.length_m(), duration_s: measured.duration_s(0, borders[1]) }
        }))
    };
    let row = |from: &Snap| snaps.iter().map(|to| cell(from, to)).collect();
    let rows = snaps.iter().map(row).collect::<Result<_, _>>()?;
    Ok(Matrix { rows, engine: ENGINE.to_owned(), data_date: planner.data_date() })
}

/// The line of paths one after the other, and the indexes of the points at which they join.
pub(crate) fn measured<'a>(planner: &Planner<'a>, paths: &[Vec<Step>]) -> (Measured<'a>, Vec<usize>) {
    let mut builder = LineBuilder::new();
    let mut borders = vec![0];
    for steps in paths {
        LineBuilder::read_ahead(&planner.view, steps);
        for step in steps {
            builder.push(&planner.view, step);
        }
        borders.push(builder.line.points.len() - 1);
    }
    (builder.measured(planner.view, planner.rules, &planner.weights, planner.dem), borders)
}

/// Times and climbs of the whole and of each leg.
struct Totals {
    duration_s: f64,
    climb: Option<(f64, f64)>,
    legs: Vec<(f64, Option<(f64, f64)>)>,
}

impl Totals {
    fn of(measured: &Measured, borders: &[usize]) -> Self {
        let own = |b: &[usize]| (measured.duration_s(b[0], b[1]), measured.climb(b[0], b[1]));
        let mut legs: Vec<_> = borders.windows(2).map(own).collect();
        let (duration_s, climb) = if let [(duration_s, climb)] = legs[..] {
            (duration_s, climb)
        } else {
            own(&[0, borders[borders.len() - 1]])
        };
        // DIN 33466 is not additive: legs share the whole's time so that they sum to it.
        let sum: f64 = legs.iter().map(|(s, _)| s).sum();
        if sum > 0.0 {
            for (seconds, _) in &mut legs {
                *seconds *= duration_s / sum;
            }
        }
        Self { duration_s, climb, legs }
    }
}

fn leg_steps(
    planner: &Planner,
    metric: Option<&Metric>,
    from_index: usize,
    from: &Snap,
    to: &Snap,
) -> Result<Vec<Step>, PlanError> {
    let found = search::path(&planner.view, &planner.weights, metric, from, to, planner.max_settled)?;
    found.map(|path| path.steps).ok_or(PlanError::NoWay { from_index, to_index: from_index + 1 })
}

fn legs(measured: &Measured, totals: &Totals, snaps: &[Snap], borders: &[usize]) -> Vec<RouteLeg> {
    let leg = |(i, b): (usize, &[usize])| {
        let (duration_s, climb) = totals.legs[i];
        RouteLeg {
            from_index: b[0],
            to_index: b[1],
            distance_m: measured.along_m[b[1]] - measured.along_m[b[0]],
            duration_s,
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

fn answer(
    planner: &Planner,
    measured: Measured,
    totals: &Totals,
    legs: Vec<RouteLeg>,
    instructions: Vec<Instruction>,
) -> Route {
    Route {
        legs,
        distance_m: measured.length_m(),
        duration_s: totals.duration_s,
        ascent_m: totals.climb.map(|c| c.0.round()),
        descent_m: totals.climb.map(|c| c.1.round()),
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
        geometry: measured.line.points,
    }
}
