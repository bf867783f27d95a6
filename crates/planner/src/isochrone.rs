//! The area that is reached in a time: a search by seconds from one place, then an outline around the reached ways.

use crate::{
    coverage,
    geometry::{coord, position},
    planner::{ENGINE, Planner},
    snap::Snap,
};
use routing::{Isochrone, PlanError};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap},
};
use trace::Position;

/// Side of a cell of the outline in stored units: 0.0006 degree, some 50 m.
const CELL: i32 = 6_000;

/// A stretch of a link reached from one of its ends, with the time at either end of the stretch.
struct Reached {
    link: u32,
    from_m: f64,
    to_m: f64,
    from_s: f64,
    to_s: f64,
}

/// The outlines for some times, the shortest first.
pub(crate) fn around(planner: &Planner, from: &Snap, times_s: &[u32]) -> Result<Vec<Isochrone>, PlanError> {
    let most_s = f64::from(times_s.iter().copied().max().unwrap_or_default());
    let reached = reach(planner, from, most_s)?;
    let mut times = times_s.to_vec();
    times.sort_unstable();
    times.dedup();
    Ok(times.into_iter().map(|within_s| outlined(planner, &reached, within_s)).collect())
}

/// Every stretch of way reached in time, by Dijkstra's algorithm over arcs with seconds for costs.
fn reach(planner: &Planner, from: &Snap, most_s: f64) -> Result<Vec<Reached>, PlanError> {
    let view = &planner.view;
    // Tenths of a second, so that the heap compares whole numbers.
    let tenths = |s: f64| (s * 10.0) as u32;
    let (mut at, mut heap, mut reached) = (HashMap::new(), BinaryHeap::new(), Vec::new());
    let start = view.link(from.link);
    for direction in 0..2 {
        let Some(whole_s) = planner.seconds(from.link, direction == 1) else { continue };
        let length_m = start.length_m().max(0.01);
        let (left_m, end_m) = if direction == 1 { (from.at_m, 0.0) } else { (length_m - from.at_m, length_m) };
        let left_s = whole_s * left_m / length_m;
        reached.push(Reached { link: from.link, from_m: from.at_m, to_m: end_m, from_s: 0.0, to_s: left_s });
        if left_s <= most_s {
            at.insert(start.arcs[direction], left_s);
            heap.push(Reverse((tenths(left_s), start.arcs[direction])));
        }
    }
    let mut settled = 0;
    while let Some(Reverse((_, index))) = heap.pop() {
        let now_s = at[&index];
        // A second entry of an improved arc finds that its list was already walked: harmless, and rare.
        settled += 1;
        if settled > planner.max_settled {
            return Err(PlanError::TooMuchWork { limit: planner.max_settled });
        }
        for next in view.out_arcs(view.arc(index).head) {
            if planner.weights.arc(next) == crate::weights::CLOSED {
                continue;
            }
            let arc = view.arc(next);
            let Some(whole_s) = planner.seconds(arc.link, arc.is_backward) else { continue };
            let there_s = now_s + whole_s;
            if at.get(&next).is_some_and(|known| *known <= there_s) {
                continue;
            }
            let length_m = view.link(arc.link).length_m();
            let (from_m, to_m) = if arc.is_backward { (length_m, 0.0) } else { (0.0, length_m) };
            reached.push(Reached { link: arc.link, from_m, to_m, from_s: now_s, to_s: there_s });
            at.insert(next, there_s);
            if there_s <= most_s {
                heap.push(Reverse((tenths(there_s), next)));
            }
        }
    }
    Ok(reached)
}

fn outlined(planner: &Planner, reached: &[Reached], within_s: u32) -> Isochrone {
    let limit_s = f64::from(within_s);
    let mut cells = BTreeSet::new();
    // The furthest place reached on each link, from either end: a link reached from both counts once.
    let mut by_link: HashMap<u32, [f64; 2]> = HashMap::new();
    for r in reached.iter().filter(|r| r.from_s < limit_s) {
        let share = if r.to_s > r.from_s { ((limit_s - r.from_s) / (r.to_s - r.from_s)).min(1.0) } else { 1.0 };
        let end_m = r.from_m + (r.to_m - r.from_m) * share;
        let known = by_link.entry(r.link).or_insert([0.0, 0.0]);
        let side = usize::from(r.to_m < r.from_m);
        known[side] = known[side].max((end_m - r.from_m).abs());
        mark(planner, r.link, r.from_m.min(end_m), r.from_m.max(end_m), &mut cells);
    }
    let ways_m = by_link.iter().map(|(link, both)| (both[0] + both[1]).min(planner.view.link(*link).length_m())).sum();
    let grown: BTreeSet<(i32, i32)> =
        cells.iter().flat_map(|(x, y)| (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (x + dx, y + dy)))).collect();
    let rings = coverage::rings(&grown, CELL);
    Isochrone { within_s, ways_m, rings, engine: ENGINE.to_owned(), data_date: planner.data_date() }
}

/// Mark the cells that a stretch of a link runs through.
fn mark(planner: &Planner, link: u32, low_m: f64, high_m: f64, cells: &mut BTreeSet<(i32, i32)>) {
    let row = planner.view.link(link);
    let line: Vec<Position> = planner.view.shape(&row).iter().map(|c| position(*c)).collect();
    let along = crate::geometry::cumulative_m(&line);
    let count = ((high_m - low_m) / 25.0).ceil().clamp(1.0, 20_000.0);
    for i in 0..=count as u32 {
        let p = crate::geometry::at_m(&line, &along, low_m + (high_m - low_m) * f64::from(i) / count);
        let c = coord(p.lon, p.lat);
        cells.insert((c[0].div_euclid(CELL), c[1].div_euclid(CELL)));
    }
}
