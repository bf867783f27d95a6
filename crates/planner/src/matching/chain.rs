//! The most likely sequence of places on ways behind a recording.
//!
//! A hidden Markov model after Newson and Krumm (2009): a point is likely near its way, a step is likely where the
//! distance along ways equals the distance flown. One more state stands for "on no way": without it the best sequence
//! is bent onto wrong roads. Traffic direction plays no part.

use super::{clean::Track, reach::Reach};
use crate::{
    embedded::Planner,
    error::PlanError,
    search::Step,
    snap::{self, Snap},
};

/// Spacing of the points that are matched; those between are judged only.
const SPACING_M: f64 = 15.0;
/// No recording is matched at more points.
const MAX_OBSERVATIONS: f64 = 20_000.0;
/// Ways further away are not considered.
const RADIUS_M: f64 = 50.0;
const MAX_CANDIDATES: usize = 8;
/// Scatter of points around their way assumed by the model.
const SIGMA_M: f64 = 10.0;
/// Being on no way is as likely as being this far from one.
const OFF_M: f64 = 40.0;
/// Leaving the network, and coming back to it.
const CHANGE_COST: f64 = 12.0;
/// Going on from a way to one that cannot be reached: off and on again at once.
const JUMP_COST: f64 = 32.0;
/// Ways the profile may not use are second choice beside one that it may.
const CLOSED_COST: f64 = 2.0;
/// Junctions looked at for one recording.
const MAX_WORK: usize = 8_000_000;

/// Where a point of the recording is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Place {
    On(Snap),
    Off,
}

/// The matched recording.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chain {
    /// Indexes of the track's points that were matched.
    pub points: Vec<usize>,
    pub places: Vec<Place>,
    /// Between each matched point and the next: the way there, where both are on the network and joined.
    pub paths: Vec<Option<Vec<Step>>>,
}

/// Match a whole track, section by section between its holes.
pub(crate) fn find(planner: &Planner, track: &Track) -> Result<Chain, PlanError> {
    let spacing_m = SPACING_M.max(track.length_m() / MAX_OBSERVATIONS);
    let mut chain = Chain::default();
    let mut work = 0;
    let mut start = 0;
    while start < track.points.len() {
        let end = (start + 1..track.points.len()).find(|i| track.hole_before[*i]).unwrap_or(track.points.len());
        let picked = thinned(track, start, end, spacing_m);
        let section = Section::new(planner, track, &picked, &mut work)?;
        if !chain.points.is_empty() {
            chain.paths.push(None);
        }
        section.append(planner, track, &mut chain, &mut work);
        start = end;
    }
    Ok(chain)
}

/// Points at least a spacing apart; the section's first and last always.
fn thinned(track: &Track, start: usize, end: usize, spacing_m: f64) -> Vec<usize> {
    let mut picked = vec![start];
    let mut last_m = track.along_m[start];
    for i in start + 1..end {
        if track.along_m[i] - last_m >= spacing_m || i + 1 == end {
            picked.push(i);
            last_m = track.along_m[i];
        }
    }
    picked
}

/// One point's hypotheses: the last one is "off".
struct Column {
    point: usize,
    candidates: Vec<Snap>,
    cost: Vec<f64>,
    /// Index of the best hypothesis of the column before.
    back: Vec<usize>,
}

struct Section {
    columns: Vec<Column>,
}

impl Section {
    fn new(planner: &Planner, track: &Track, picked: &[usize], work: &mut usize) -> Result<Self, PlanError> {
        let mut columns: Vec<Column> = Vec::with_capacity(picked.len());
        for point in picked {
            let mut candidates = snap::near(&planner.view, track.points[*point], RADIUS_M, |_| true);
            candidates.truncate(MAX_CANDIDATES);
            let mut column = Column {
                point: *point,
                cost: candidates.iter().map(|s| emission(planner, s)).collect(),
                back: vec![usize::MAX; candidates.len() + 1],
                candidates,
            };
            column.cost.push(0.5 * (OFF_M / SIGMA_M).powi(2));
            if let Some(before) = columns.last() {
                advance(planner, track, before, &mut column, work);
            }
            if *work > MAX_WORK {
                return Err(PlanError::TooMuchWork { limit: MAX_WORK });
            }
            columns.push(column);
        }
        Ok(Self { columns })
    }

    /// Walk back the best sequence and lay the paths between its places.
    fn append(&self, planner: &Planner, track: &Track, chain: &mut Chain, work: &mut usize) {
        let Some(last) = self.columns.last() else { return };
        let mut state = (0..last.cost.len()).min_by(|a, b| last.cost[*a].total_cmp(&last.cost[*b])).unwrap_or_default();
        let mut states = vec![state];
        for column in self.columns.iter().skip(1).rev() {
            state = column.back[state];
            states.push(state);
        }
        states.reverse();
        let places: Vec<Place> = self
            .columns
            .iter()
            .zip(&states)
            .map(|(c, s)| c.candidates.get(*s).map_or(Place::Off, |snap| Place::On(*snap)))
            .collect();
        for (i, pair) in places.windows(2).enumerate() {
            let flown_m =
                trace::distance_m(track.points[self.columns[i].point], track.points[self.columns[i + 1].point]);
            chain.paths.push(match pair {
                [Place::On(a), Place::On(b)] => {
                    Reach::new(&planner.view, *a, bound_m(flown_m), work).path(&planner.view, b)
                }
                _ => None,
            });
        }
        chain.points.extend(self.columns.iter().map(|c| c.point));
        chain.places.extend(places);
    }
}

fn bound_m(flown_m: f64) -> f64 {
    // A detour of 4 between near points is a hairpin, between far ones another journey.
    (flown_m * 4.0).max(flown_m + 200.0).min(flown_m * 1.3 + 1500.0)
}

fn emission(planner: &Planner, snap: &Snap) -> f64 {
    let closed = if planner.weights.is_usable(snap.link) { 0.0 } else { CLOSED_COST };
    0.5 * (snap.offset_m / SIGMA_M).powi(2) + closed
}

fn advance(planner: &Planner, track: &Track, before: &Column, column: &mut Column, work: &mut usize) {
    let off = before.candidates.len();
    let flown_m = trace::distance_m(track.points[before.point], track.points[column.point]);
    let mut best: Vec<(f64, usize)> = vec![(before.cost[off] + CHANGE_COST, off); column.candidates.len()];
    let mut best_off = (before.cost[off], off);
    // Nothing that starts dearer than this can win: the cheapest hypothesis may always jump.
    let cheapest = before.cost.iter().copied().fold(f64::INFINITY, f64::min);
    for (index, from) in before.candidates.iter().enumerate() {
        let cost = before.cost[index];
        if cost + CHANGE_COST < best_off.0 {
            best_off = (cost + CHANGE_COST, index);
        }
        if cost > cheapest + JUMP_COST || column.candidates.is_empty() {
            continue;
        }
        let reach = Reach::new(&planner.view, *from, bound_m(flown_m), work);
        for (slot, to) in best.iter_mut().zip(&column.candidates) {
            let step = reach.distance_m(&planner.view, to).map_or(JUMP_COST, |m| transition(m, flown_m).min(JUMP_COST));
            if cost + step < slot.0 {
                *slot = (cost + step, index);
            }
        }
    }
    for (state, (cost, back)) in best.into_iter().chain([best_off]).enumerate() {
        column.cost[state] += cost;
        column.back[state] = back;
    }
}

/// The longer the step, the more a bend may add.
fn transition(way_m: f64, flown_m: f64) -> f64 {
    (way_m - flown_m).abs() / (10.0 + 0.15 * flown_m)
}
