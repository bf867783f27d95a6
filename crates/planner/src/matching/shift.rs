//! Finds out whether the recording, or a stretch of it, is shifted by one vector (another datum, a map set wrongly, reflected signals in a
//! valley).
//!
//! A Hough transform: a straight piece of way near a point gives a line of vectors by which the point could have been shifted from it.
//! The vector that most of these lines pass through is the candidate; a second match, with the recording moved back, confirms it.

use super::{
    chain,
    clean::Track,
    judge::{self, Noise, Step, Verdict},
    match_network::MatchNetwork,
    near::Corridor,
};
use crate::geometry::Xy;
use routing::PlanError;
use trace::Position;

/// The largest shift that is searched.
const MAX_SHIFT_M: f64 = 80.0;
/// Smaller shifts are within the tolerance.
const MIN_SHIFT_M: f64 = 12.0;
const CELL_M: f64 = 4.0;
const SIDE: usize = (2.0 * MAX_SHIFT_M / CELL_M) as usize + 1;
/// Points that vote.
const MAX_VOTERS: usize = 300;
/// A recording is suspect when its share on ways is below the first, and the shift is accepted above the second.
const POOR_SHARE: f64 = 0.8;
const GOOD_SHARE: f64 = 0.9;

/// A recording with less noise than this is not suspect where it fits.
const SUSPECT_SIGMA_M: f64 = 8.0;
/// Without the shift, the noise must be at most this share of the noise before.
const MAX_SIGMA_RATIO: f64 = 0.6;

/// A suspect stretch on no way: this long, with on-network steps of up to this length between.
const STRETCH_M: f64 = 300.0;
const BETWEEN_M: f64 = 40.0;
/// The largest number of stretches that are tested in one recording.
const MAX_STRETCHES: usize = 12;
/// Beside a straight way every vector along it fits as well: an accepted vector has this many times the votes of any other
/// vector that is further from it than `RIVAL_DISTANCE_M`, in metres.
const MIN_VOTE_RATIO: f64 = 1.25;
const RIVAL_DISTANCE_M: f64 = 24.0;

/// A shift: its vector, and the steps of the moved recording (same steps from the first one on, other places).
pub(crate) struct Shift {
    pub east_m: f64,
    pub north_m: f64,
    pub first: usize,
    pub steps: Vec<Step>,
}

impl Shift {
    /// Whether this step is among the moved ones.
    pub(crate) fn covers(&self, step: usize) -> bool {
        (self.first..self.first + self.steps.len()).contains(&step)
    }

    /// The moved steps from one step to another, as far as they go.
    pub(crate) fn between(&self, first: usize, last: usize) -> &[Step] {
        let end = (last + 1).saturating_sub(self.first).min(self.steps.len());
        let start = first.saturating_sub(self.first).min(end);
        &self.steps[start..end]
    }
}

fn on_share(steps: &[Step]) -> f64 {
    let sum = |wanted: &dyn Fn(&Step) -> bool| steps.iter().filter(|s| wanted(s)).map(Step::length_m).sum::<f64>();
    let judged = sum(&|s| s.verdict.is_judged());
    if judged > 0.0 { sum(&|s| matches!(s.verdict, Verdict::On | Verdict::Forbidden)) / judged } else { 1.0 }
}

/// Looks for a shift of the whole recording where it fits badly, or seems very noisy; also returns the noise without the shift.
pub(crate) fn find(
    network: &MatchNetwork,
    track: &Track,
    steps: &[Step],
    noise: Noise,
) -> Result<Option<(Shift, Noise)>, PlanError> {
    let share = on_share(steps);
    let is_suspect = share < POOR_SHARE || noise.sigma_m >= SUSPECT_SIGMA_M;
    if !is_suspect || steps.len() < 30 {
        return Ok(None);
    }
    let votes = Votes::of(network, steps);
    let Some(peak) = votes.peak() else { return Ok(None) };
    // A recording that fits without a shift must fit far better with one.
    if share >= POOR_SHARE && !votes.is_better_than_here() {
        return Ok(None);
    }
    let moved = track.moved(peak.x, peak.y);
    let chain = chain::find(network, &moved)?;
    let calm = judge::noise(&chain);
    let judged = judge::steps(network, &moved, &chain, calm);
    let fits = on_share(&judged) >= GOOD_SHARE && judged.len() == steps.len();
    // Either it did not fit before, or what looked like noise was the shift.
    let is_proof = fits && (share < POOR_SHARE || calm.sigma_m <= noise.sigma_m * MAX_SIGMA_RATIO);
    Ok(is_proof.then_some((Shift { east_m: peak.x, north_m: peak.y, first: 0, steps: judged }, calm)))
}

/// Searches a separate shift for each stretch that is on no way.
pub(crate) fn of_stretches(
    network: &MatchNetwork,
    track: &Track,
    steps: &[Step],
    noise: Noise,
) -> Result<Vec<Shift>, PlanError> {
    let mut found = Vec::new();
    for (first, last) in suspects(steps).into_iter().take(MAX_STRETCHES) {
        found.extend(of_stretch(network, track, &steps[first..=last], first, noise)?);
    }
    Ok(found)
}

/// Stretches on no way that are long enough to be compared.
fn suspects(steps: &[Step]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (i, step) in steps.iter().enumerate().filter(|(_, step)| step.verdict == Verdict::NoWay) {
        match runs.last_mut() {
            Some((_, last)) if step.from_m - steps[*last].to_m < BETWEEN_M => *last = i,
            _ => runs.push((i, i)),
        }
    }
    runs.retain(|(first, last)| steps[*last].to_m - steps[*first].from_m >= STRETCH_M);
    runs
}

fn of_stretch(
    network: &MatchNetwork,
    track: &Track,
    steps: &[Step],
    first: usize,
    noise: Noise,
) -> Result<Option<Shift>, PlanError> {
    let Some(peak) = Votes::of(network, steps).clear_peak() else { return Ok(None) };
    let (Some(start), Some(end)) = (steps.first(), steps.last()) else { return Ok(None) };
    let moved = track.piece(start.from_m, end.to_m).moved(peak.x, peak.y);
    let chain = chain::find(network, &moved)?;
    let judged = judge::steps(network, &moved, &chain, noise);
    if on_share(&judged) < GOOD_SHARE {
        return Ok(None);
    }
    // The piece is cut anew: each step takes the verdict of the moved step at the same place.
    let aligned = steps.iter().filter_map(|step| {
        let at = f64::midpoint(step.from_m, step.to_m) - start.from_m;
        let place = judged.partition_point(|other| other.to_m < at).min(judged.len().checked_sub(1)?);
        Some(Step { from_m: step.from_m, to_m: step.to_m, ..judged[place] })
    });
    Ok(Some(Shift { east_m: peak.x, north_m: peak.y, first, steps: aligned.collect() }))
}

/// How many steps could have been moved by each vector.
struct Votes(Vec<u32>);

impl Votes {
    /// Each voter counts once a cell.
    fn of(network: &MatchNetwork, steps: &[Step]) -> Self {
        let mut votes = vec![0_u32; SIDE * SIDE];
        let voters: Vec<&Step> = steps.iter().filter(|s| s.verdict.is_judged()).collect();
        let every = voters.len().div_ceil(MAX_VOTERS).max(1);
        let mut mark = vec![usize::MAX; SIDE * SIDE];
        let places: Vec<Position> = voters.iter().step_by(every).map(|step| step.middle).collect();
        let mut corridor = Corridor::new(network, &places, MAX_SHIFT_M);
        for voter in 0..places.len() {
            for (a, b) in corridor.seen_from(voter) {
                draw(a, b, |cell| {
                    if mark[cell] != voter {
                        mark[cell] = voter;
                        votes[cell] += 1;
                    }
                });
            }
        }
        Self(votes)
    }

    fn best(&self) -> Option<usize> {
        (0..self.0.len()).max_by_key(|cell| self.around(*cell))
    }

    /// The vector with most votes, if it is a shift at all.
    fn peak(&self) -> Option<Xy> {
        self.best().map(vector).filter(|peak| peak.distance_m(Xy::default()) >= MIN_SHIFT_M)
    }

    /// Do clearly more voters vote for the best vector than for no shift?
    fn is_better_than_here(&self) -> bool {
        let here = self.around(SIDE * SIDE / 2);
        self.best().is_some_and(|best| f64::from(self.around(best)) >= MIN_VOTE_RATIO * f64::from(here))
    }

    /// The same, if no vector far from it has nearly as many.
    fn clear_peak(&self) -> Option<Xy> {
        let best = self.best()?;
        let peak = self.peak()?;
        let others = (0..self.0.len()).filter(|cell| vector(*cell).distance_m(peak) >= RIVAL_DISTANCE_M);
        let second = others.map(|cell| self.around(cell)).max().unwrap_or(0);
        (f64::from(self.around(best)) >= MIN_VOTE_RATIO * f64::from(second)).then_some(peak)
    }

    /// Votes of a cell and its neighbours: noise spreads them.
    fn around(&self, cell: usize) -> u32 {
        let (x, y) = (cell % SIDE, cell / SIDE);
        let rows = y.saturating_sub(1)..(y + 2).min(SIDE);
        let row = |row: usize| (x.saturating_sub(1)..(x + 2).min(SIDE)).map(move |column| row * SIDE + column);
        rows.flat_map(row).map(|cell| self.0[cell]).sum()
    }
}

/// The vector of a cell.
fn vector(cell: usize) -> Xy {
    Xy { x: (cell % SIDE) as f64 * CELL_M - MAX_SHIFT_M, y: (cell / SIDE) as f64 * CELL_M - MAX_SHIFT_M }
}

/// The cells that a segment passes through, one a row or one a column: all vectors that would bring the point onto it.
fn draw(a: Xy, b: Xy, mut each: impl FnMut(usize)) {
    let scaled = |p: Xy| Xy { x: (p.x + MAX_SHIFT_M) / CELL_M + 0.5, y: (p.y + MAX_SHIFT_M) / CELL_M + 0.5 };
    let (a, b) = (scaled(a), scaled(b));
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let longest = dx.abs().max(dy.abs()).max(1e-9);
    // The part of the segment within the square, as shares of its length.
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for (start, step) in [(a.x, dx), (a.y, dy)] {
        if step.abs() > 1e-9 {
            let (near, far) = (-start / step, (SIDE as f64 - start) / step);
            low = low.max(near.min(far));
            high = high.min(near.max(far));
        }
    }
    let first = (low * longest).ceil();
    let count = (high * longest - first).max(-1.0) as i64;
    for i in -1..=count + 1 {
        let share = ((first + i as f64) / longest).clamp(low, high.max(low));
        let (x, y) = (a.x + dx * share, a.y + dy * share);
        let fits = |v: f64| v >= 0.0 && v < SIDE as f64;
        if fits(x) && fits(y) {
            each(y as usize * SIDE + x as usize);
        }
    }
}
