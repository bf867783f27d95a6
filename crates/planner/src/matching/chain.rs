//! The most likely sequence of places on ways behind a recording.
//!
//! A hidden Markov model solved by the Viterbi algorithm, after Newson and Krumm (*Hidden Markov Map Matching Through Noise and
//! Sparseness*, ACM SIGSPATIAL 2009): a point is likely near its way, and a step is likely where the distance along ways equals the straight
//! distance. One more state means "on no way": without it the best sequence follows wrong roads. The direction of traffic is ignored.

use super::{
    clean::Track,
    match_network::{CLOSED_EFFORT, MIN_EFFORT, MatchNetwork},
    near::{Corridor, Found},
    noise::{ErrorEstimate, ErrorModel},
    reach::{Candidate, Reach},
};
use crate::{
    geometry::{Projection, Ruler},
    search::Step,
    snap::Snap,
};
use routing::PlanError;
use trace::Position;

/// Spacing of the points that are matched, for a calm recording and for any other; the points between are only judged.
const CALM_SPACING_M: f64 = 40.0;
const SPACING_M: f64 = 25.0;
/// A recording with less noise than this is calm.
const CALM_SIGMA_M: f64 = 5.0;
/// The line turned back between two points when their distance is less than this share of the metres between them.
const TURNED_SHARE: f64 = 0.6;
const STRAIGHT_SHARE: f64 = 0.85;
/// The largest number of points at which a recording is matched.
const MAX_OBSERVATIONS: f64 = 20_000.0;
/// Search radius for ways: this many standard deviations of the noise, kept within these bounds in metres.
const RADIUS_SIGMAS: f64 = 4.5;
const RADIUS_M: std::ops::RangeInclusive<f64> = 30.0..=50.0;
const MAX_CANDIDATES: usize = 24;
/// Cost of leaving the network, and of coming back to it.
const CHANGE_COST: f64 = 12.0;
/// Cost of continuing on a way that cannot be reached: off the network and on again at once.
const JUMP_COST: f64 = 32.0;
/// Cost of a metre of effort beyond the metres flown.
const EFFORT_COST: f64 = 0.12;
/// Junctions searched for one recording, at most.
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

/// Matches a whole track, section by section between its holes.
pub(crate) fn find(network: &MatchNetwork, track: &Track) -> Result<Chain, PlanError> {
    let least_m = track.length_m() / MAX_OBSERVATIONS;
    let look = |spacing_m: f64| {
        let sections = sections(track, spacing_m.max(least_m));
        let points: Vec<Position> = sections.iter().flatten().map(|i| track.points[*i]).collect();
        let nearby = Nearby::of(network, &points);
        (sections, nearby)
    };
    let (mut sections, mut nearby) = look(CALM_SPACING_M);
    if nearby.errors.sigma_m > CALM_SIGMA_M {
        (sections, nearby) = look(SPACING_M);
    }
    let ruler = Ruler::at(track.points[0].lat);
    let mut matcher = Matcher { network, track, reach: Reach::new(network), ruler, errors: nearby.errors };
    let mut chain = Chain::default();
    let mut first = 0;
    for picked in &sections {
        let columns = matcher.columns(picked, &nearby.found[first..first + picked.len()])?;
        first += picked.len();
        if !chain.points.is_empty() {
            chain.paths.push(None);
        }
        matcher.append(&columns, &mut chain);
    }
    Ok(chain)
}

/// The matched points, section by section between the holes.
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

/// Points at least a spacing apart; the section's first and last always, and where it turns back.
fn thinned(track: &Track, start: usize, end: usize, spacing_m: f64) -> Vec<usize> {
    let ruler = Ruler::at(track.points[start].lat);
    let mut picked = vec![start];
    let mut last = start;
    for i in start + 1..end {
        let gone_m = track.along_m[i] - track.along_m[last];
        if gone_m < spacing_m && i + 1 < end {
            continue;
        }
        let apart_m = |a: usize, b: usize| ruler.distance_m(track.points[a], track.points[b]);
        if apart_m(last, i) < TURNED_SHARE * gone_m {
            let is_straight =
                |a: usize, b: usize| apart_m(a, b) > STRAIGHT_SHARE * (track.along_m[b] - track.along_m[a]);
            let furthest = (last + 1..i).max_by(|a, b| apart_m(last, *a).total_cmp(&apart_m(last, *b)));
            // Straight there and straight back: noise around one place is no turn.
            picked.extend(furthest.filter(|turn| is_straight(last, *turn) && is_straight(*turn, i)));
        }
        picked.push(i);
        last = i;
    }
    picked
}

/// The states of one point: its candidates, then "on no way". `cost` and `back` have one entry a state.
struct Column {
    point: usize,
    candidates: Vec<Candidate>,
    cost: Vec<f64>,
    /// The estimate of the receiver's error, for each candidate.
    estimates: Vec<ErrorEstimate>,
    /// Index of the best state of the column before, and metres of effort from there; `None` after a jump.
    back: Vec<(usize, Option<f64>)>,
}

struct Matcher<'a> {
    network: &'a MatchNetwork<'a>,
    track: &'a Track,
    reach: Reach<'a>,
    ruler: Ruler,
    errors: ErrorModel,
}

/// Places on the ways near each point, and the model of the recording's errors.
struct Nearby {
    found: Vec<Vec<Found>>,
    errors: ErrorModel,
}

impl Nearby {
    fn of(network: &MatchNetwork, points: &[Position]) -> Self {
        let mut corridor = Corridor::new(network, points, *RADIUS_M.end());
        let mut found: Vec<Vec<Found>> = (0..points.len()).map(|i| corridor.near(i, MAX_CANDIDATES)).collect();
        let nearest: Vec<Option<Found>> = found.iter().map(|near| near.first().copied()).collect();
        let ruler = Ruler::at(points.first().map_or(0.0, |p| p.lat));
        let gaps_m: Vec<f64> =
            (0..points.len()).map(|i| ruler.distance_m(points[i.saturating_sub(1)], points[i])).collect();
        let errors = ErrorModel::of(&nearest, &gaps_m);
        let radius_m = (RADIUS_SIGMAS * errors.sigma_m).max(*RADIUS_M.start());
        for near in &mut found {
            near.truncate(near.partition_point(|found| found.snap.offset_m <= radius_m));
        }
        Self { found, errors }
    }
}

impl Matcher<'_> {
    fn columns(&mut self, picked: &[usize], nearby: &[Vec<Found>]) -> Result<Vec<Column>, PlanError> {
        let mut columns: Vec<Column> = Vec::with_capacity(picked.len());
        let projection = Projection::at(self.track.points[picked[0]]);
        for (point, near) in picked.iter().zip(nearby) {
            let candidates: Vec<Candidate> =
                near.iter().map(|found| Candidate::new(self.network, &projection, found)).collect();
            let column = match columns.last() {
                Some(before) => self.after(before, *point, candidates),
                None => self.first(*point, candidates),
            };
            if self.reach.work > MAX_WORK {
                return Err(PlanError::TooMuchWork { limit: MAX_WORK });
            }
            columns.push(column);
        }
        Ok(columns)
    }

    fn first(&self, point: usize, candidates: Vec<Candidate>) -> Column {
        let on = candidates.iter().map(|c| self.errors.cost_without_estimate(c.residual));
        let cost: Vec<f64> = on.chain([self.errors.off_network_cost(0.0)]).collect();
        let prior = self.errors.prior();
        let estimates = candidates.iter().map(|c| prior.updated(c.residual, c.normal)).collect();
        Column { point, back: vec![(usize::MAX, None); cost.len()], cost, candidates, estimates }
    }

    fn flown_m(&self, from: usize, to: usize) -> f64 {
        self.ruler.distance_m(self.track.points[from], self.track.points[to])
    }

    fn after(&mut self, before: &Column, point: usize, candidates: Vec<Candidate>) -> Column {
        let off = before.candidates.len();
        let flown_m = self.flown_m(before.point, point);
        let (bound_m, correlation) = (bound_m(flown_m), self.errors.correlation(flown_m));
        let reference = self.errors.reference_variance(correlation);
        let prior = self.errors.prior();
        let mut estimates: Vec<ErrorEstimate> =
            candidates.iter().map(|c| prior.updated(c.residual, c.normal)).collect();
        // Off the network a metre costs as much effort as on the worst of ways.
        let away = EFFORT_COST * (CLOSED_EFFORT - 1.0) * flown_m;
        // The best first, so that the later ones are rejected early.
        let mut order: Vec<usize> = (0..off).collect();
        order.sort_unstable_by(|a, b| before.cost[*a].total_cmp(&before.cost[*b]));
        let (mut best_off, mut restart) =
            ((before.cost[off] + away, off), (before.cost[off] + away + CHANGE_COST, off));
        if let Some(first) = order.first() {
            let cost = before.cost[*first] + away;
            best_off = lesser(best_off, (cost + CHANGE_COST, *first));
            restart = lesser(restart, (cost + JUMP_COST, *first));
        }
        let mut best: Vec<(f64, usize, Option<f64>)> = candidates
            .iter()
            .map(|c| (restart.0 + self.errors.cost_without_estimate(c.residual), restart.1, None))
            .collect();
        for index in order {
            let (from, cost) = (&before.candidates[index], before.cost[index]);
            let predicted = before.estimates[index].predicted(&self.errors, correlation);
            for ((slot, estimate), to) in best.iter_mut().zip(&mut estimates).zip(&candidates) {
                // A path with more effort than this cannot improve the slot.
                let spare = (slot.0 - cost) / EFFORT_COST + flown_m;
                let least_m = MIN_EFFORT * from.apart_m(to);
                if least_m >= spare {
                    continue;
                }
                let cost = cost + predicted.cost(to.residual, to.normal, reference);
                let worth_m = (slot.0 - cost) / EFFORT_COST + flown_m;
                if least_m >= worth_m {
                    continue;
                }
                if let Some(effort_m) = self.reach.effort_m(from, to, bound_m.min(worth_m)) {
                    *slot = (cost + EFFORT_COST * (effort_m - flown_m), index, Some(effort_m));
                    *estimate = predicted.updated(to.residual, to.normal);
                }
            }
        }
        best.push((best_off.0 + self.errors.off_network_cost(correlation), best_off.1, None));
        Column {
            point,
            candidates,
            estimates,
            cost: best.iter().map(|(cost, ..)| *cost).collect(),
            back: best.into_iter().map(|(_, back, effort_m)| (back, effort_m)).collect(),
        }
    }

    /// Walks back the best sequence and adds the paths between its places.
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
            |(c, s): (&Column, &usize)| c.candidates.get(*s).map_or(Place::Off, |candidate| Place::On(candidate.snap));
        chain.places.extend(columns.iter().zip(&states).map(place));
    }
}

fn lesser(a: (f64, usize), b: (f64, usize)) -> (f64, usize) {
    if b.0 < a.0 { b } else { a }
}

/// The largest effort between two points.
fn bound_m(flown_m: f64) -> f64 {
    // Four times the distance is a hairpin between near points, but another journey between far ones.
    (flown_m * 4.0).max(flown_m + 200.0).min(flown_m * 1.3 + 1500.0)
}
