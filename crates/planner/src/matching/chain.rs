//! The most likely sequence of places on ways behind a recording.
//!
//! A hidden Markov model after Newson and Krumm (2009): a point is likely near its way, a step is likely where the
//! distance along ways equals the distance flown. One more state stands for "on no way": without it the best sequence
//! is bent onto wrong roads. Traffic direction plays no part.

use super::{
    clean::Track,
    near::Corridor,
    reach::{Reach, Seated},
    terrain::{CLOSED_EFFORT, LEAST_EFFORT, Terrain},
};
use crate::{error::PlanError, geometry::Frame, search::Step, snap::Snap};
use trace::Position;

/// Spacing of the points that are matched; those between are judged only.
const SPACING_M: f64 = 15.0;
/// No recording is matched at more points.
const MAX_OBSERVATIONS: f64 = 20_000.0;
/// Ways further away than so many times the noise are not considered, within these bounds.
const RADIUS_SIGMAS: f64 = 3.5;
const RADIUS_M: std::ops::RangeInclusive<f64> = 30.0..=50.0;
const MAX_CANDIDATES: usize = 14;
/// Errors of neighbouring points are alike: points closer than this together say less than one each.
const MEMORY_M: f64 = 100.0;
/// Being on no way is as likely as being this far from one.
const OFF_M: f64 = 40.0;
/// Leaving the network, and coming back to it.
const CHANGE_COST: f64 = 12.0;
/// Going on from a way to one that cannot be reached: off and on again at once.
const JUMP_COST: f64 = 32.0;
/// What a metre of effort beyond the metres flown costs.
const EFFORT_COST: f64 = 0.08;
/// From the median distance to the nearest way to the noise: 1.4826 for normal errors, more as the nearest way is not always the way.
const SEEMING: f64 = 2.0;
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

/// Match a whole track, section by section between its holes. `sigma_m` is what the recording's noise seems to be.
pub(crate) fn find(terrain: &Terrain, track: &Track) -> Result<Chain, PlanError> {
    let spacing_m = SPACING_M.max(track.length_m() / MAX_OBSERVATIONS);
    let sections = sections(track, spacing_m);
    let points: Vec<Position> = sections.iter().flatten().map(|i| track.points[*i]).collect();
    let nearby = Nearby::of(terrain, &points);
    let mut matcher = Matcher { terrain, track, reach: Reach::new(terrain), sigma_m: nearby.sigma_m };
    let mut chain = Chain::default();
    let mut first = 0;
    for picked in &sections {
        let columns = matcher.columns(picked, &nearby.snaps[first..first + picked.len()])?;
        first += picked.len();
        if !chain.points.is_empty() {
            chain.paths.push(None);
        }
        matcher.append(&columns, &mut chain);
    }
    Ok(chain)
}

/// The points matched, between each two holes.
fn sections(track: &Track, spacing_m: f64) -> Vec<Vec<usize>> {
    let mut sections = Vec::new();
    let mut start = 0;
    while start < track.points.len() {
        let end = (start + 1..track.points.len()).find(|i| track.hole_before[*i]).unwrap_or(track.points.len());
        sections.push(thinned(track, start, end, spacing_m));
        start = end;
    }
    sections
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
    candidates: Vec<Seated>,
    cost: Vec<f64>,
    /// Index of the best hypothesis of the column before, and metres of effort from there, none after a jump.
    back: Vec<(usize, Option<f64>)>,
}

struct Matcher<'a> {
    terrain: &'a Terrain<'a>,
    track: &'a Track,
    reach: Reach<'a>,
    sigma_m: f64,
}

/// Places on the ways near each point, and the noise that the nearest of them suggest.
struct Nearby {
    snaps: Vec<Vec<Snap>>,
    sigma_m: f64,
}

impl Nearby {
    fn of(terrain: &Terrain, points: &[Position]) -> Self {
        let mut corridor = Corridor::new(terrain, points, *RADIUS_M.end());
        let mut snaps: Vec<Vec<Snap>> = (0..points.len()).map(|i| corridor.near(i, MAX_CANDIDATES)).collect();
        let mut offsets: Vec<f64> = snaps.iter().filter_map(|near| near.first()).map(|s| s.offset_m).collect();
        let middle = offsets.len() / 2;
        let median = if offsets.is_empty() { 0.0 } else { *offsets.select_nth_unstable_by(middle, f64::total_cmp).1 };
        let sigma_m = (SEEMING * median).clamp(4.0, 20.0);
        let radius_m = (RADIUS_SIGMAS * sigma_m).max(*RADIUS_M.start());
        for near in &mut snaps {
            near.truncate(near.partition_point(|snap| snap.offset_m <= radius_m));
        }
        Self { snaps, sigma_m }
    }
}

impl<'a> Matcher<'a> {
    fn columns(&mut self, picked: &[usize], nearby: &[Vec<Snap>]) -> Result<Vec<Column>, PlanError> {
        let mut columns: Vec<Column> = Vec::with_capacity(picked.len());
        let frame = Frame::at(self.track.points[picked[0]]);
        for (i, point) in picked.iter().enumerate() {
            let candidates: Vec<Seated> =
                nearby[i].iter().map(|snap| Seated::new(self.terrain, &frame, *snap)).collect();
            let weight = self.weight(picked, i);
            let emission = |offset_m: f64| weight * 0.5 * (offset_m / self.sigma_m).powi(2);
            let mut column = Column {
                point: *point,
                cost: candidates.iter().map(|c| emission(c.snap.offset_m)).collect(),
                back: vec![(usize::MAX, None); candidates.len() + 1],
                candidates,
            };
            column.cost.push(emission(OFF_M));
            if let Some(before) = columns.last() {
                self.advance(before, &mut column);
            }
            if self.reach.work > MAX_WORK {
                return Err(PlanError::TooMuchWork { limit: MAX_WORK });
            }
            columns.push(column);
        }
        Ok(columns)
    }

    /// What a point's offset says, 0 to 1: half the distance to its neighbours against how far errors stay alike.
    fn weight(&self, picked: &[usize], i: usize) -> f64 {
        let along = |k: usize| self.track.along_m[picked[k.min(picked.len() - 1)]];
        ((along(i + 1) - along(i.saturating_sub(1))) / 2.0 / MEMORY_M).clamp(0.02, 1.0)
    }

    fn flown_m(&self, from: usize, to: usize) -> f64 {
        trace::distance_m(self.track.points[from], self.track.points[to])
    }

    fn advance(&mut self, before: &Column, column: &mut Column) {
        let off = before.candidates.len();
        let flown_m = self.flown_m(before.point, column.point);
        let bound_m = bound_m(flown_m);
        // Off the network a metre is no less effort than on the worst of ways.
        let away = EFFORT_COST * (CLOSED_EFFORT - 1.0) * flown_m;
        // The best first: those after it have to better it.
        let mut order: Vec<usize> = (0..off).collect();
        order.sort_unstable_by(|a, b| before.cost[*a].total_cmp(&before.cost[*b]));
        let (mut best_off, mut anew) = ((before.cost[off] + away, off), (before.cost[off] + away + CHANGE_COST, off));
        if let Some(first) = order.first() {
            let cost = before.cost[*first] + away;
            best_off = lesser(best_off, (cost + CHANGE_COST, *first));
            anew = lesser(anew, (cost + JUMP_COST, *first));
        }
        let mut best: Vec<(f64, usize, Option<f64>)> = vec![(anew.0, anew.1, None); column.candidates.len()];
        for index in order {
            let (from, cost) = (&before.candidates[index], before.cost[index]);
            for (slot, to) in best.iter_mut().zip(&column.candidates) {
                // What would cost more effort than this cannot better the slot.
                let worth_m = flown_m + (slot.0 - cost) / EFFORT_COST;
                if LEAST_EFFORT * from.apart_m(to) >= worth_m {
                    continue;
                }
                if let Some(effort_m) = self.reach.effort_m(from, to, bound_m.min(worth_m)) {
                    *slot = (cost + EFFORT_COST * (effort_m - flown_m), index, Some(effort_m));
                }
            }
        }
        best.push((best_off.0, best_off.1, None));
        for (state, (cost, back, effort_m)) in best.into_iter().enumerate() {
            column.cost[state] += cost;
            column.back[state] = (back, effort_m);
        }
    }

    /// Walk back the best sequence and lay the paths between its places.
    fn append(&mut self, columns: &[Column], chain: &mut Chain) {
        let Some(last) = columns.last() else { return };
        let mut state = (0..last.cost.len()).min_by(|a, b| last.cost[*a].total_cmp(&last.cost[*b])).unwrap_or_default();
        let mut states = vec![state];
        for column in columns.iter().skip(1).rev() {
            state = column.back[state].0;
            states.push(state);
        }
        states.reverse();
        for (i, pair) in columns.windows(2).enumerate() {
            let ends = (pair[0].candidates.get(states[i]), pair[1].candidates.get(states[i + 1]));
            chain.paths.push(match (ends, pair[1].back[states[i + 1]].1) {
                ((Some(from), Some(to)), Some(effort_m)) => self.reach.path(from, to, effort_m + 0.1),
                _ => None,
            });
        }
        chain.points.extend(columns.iter().map(|c| c.point));
        let place =
            |(c, s): (&Column, &usize)| c.candidates.get(*s).map_or(Place::Off, |seated| Place::On(seated.snap));
        chain.places.extend(columns.iter().zip(&states).map(place));
    }
}

fn lesser(a: (f64, usize), b: (f64, usize)) -> (f64, usize) {
    if b.0 < a.0 { b } else { a }
}

/// How much effort there may be between two points.
fn bound_m(flown_m: f64) -> f64 {
    // A detour of 4 between near points is a hairpin, between far ones another journey.
    (flown_m * 4.0).max(flown_m + 200.0).min(flown_m * 1.3 + 1500.0)
}
