//! Is the whole recording moved by one vector (another datum, a mis-set map)?
//!
//! Every way near a point says by which vectors the point could have been moved from it: a line in the plane of vectors.
//! The vector that most of these lines pass through is the shift, and a second match with the recording moved back proves it.

use super::{
    chain,
    clean::Track,
    judge::{self, Noise, Step, Verdict},
};
use crate::{
    embedded::Planner,
    error::PlanError,
    geometry::{Frame, Xy, position, project},
    snap,
};

/// Largest shift looked for.
const REACH_M: f64 = 80.0;
/// Smaller shifts are within what is tolerated anyway.
const LEAST_M: f64 = 12.0;
const CELL_M: f64 = 4.0;
const SIDE: usize = (2.0 * REACH_M / CELL_M) as usize + 1;
/// Points that vote.
const MAX_VOTERS: usize = 600;
/// The recording as it is fits worse than this, moved it fits better than that.
const POOR_SHARE: f64 = 0.8;
const GOOD_SHARE: f64 = 0.9;

/// A recording whose own noise is less than this is not suspected where it fits.
const SUSPECT_SIGMA_M: f64 = 8.0;
/// Moved back, the noise must fall to this share of what it seemed.
const CALMER: f64 = 0.6;

/// A shift found: where to, what noise is left, and the steps of the moved recording (same steps, other seats).
pub(crate) struct Shift {
    pub east_m: f64,
    pub north_m: f64,
    pub noise: Noise,
    pub steps: Vec<Step>,
}

fn on_share(steps: &[Step]) -> f64 {
    let sum = |wanted: &dyn Fn(&Step) -> bool| steps.iter().filter(|s| wanted(s)).map(Step::length_m).sum::<f64>();
    let judged = sum(&|s| s.verdict.is_judged());
    if judged > 0.0 { sum(&|s| matches!(s.verdict, Verdict::On | Verdict::Forbidden)) / judged } else { 1.0 }
}

/// Look for a shift where the recording fits badly, or seems very noisy.
pub(crate) fn find(planner: &Planner, track: &Track, steps: &[Step], noise: Noise) -> Result<Option<Shift>, PlanError> {
    let share = on_share(steps);
    let is_suspect = share < POOR_SHARE || noise.sigma_m >= SUSPECT_SIGMA_M;
    if !is_suspect || steps.len() < 30 {
        return Ok(None);
    }
    let Some(peak) = vote(planner, steps) else { return Ok(None) };
    let moved = track.moved(peak.x, peak.y);
    let chain = chain::find(planner, &moved)?;
    let calm = judge::noise(&chain);
    let judged = judge::steps(planner, &moved, &chain, calm);
    let fits = on_share(&judged) >= GOOD_SHARE && judged.len() == steps.len();
    // Either it did not fit before, or what looked like noise was the shift.
    let is_proof = fits && (share < POOR_SHARE || calm.sigma_m <= noise.sigma_m * CALMER);
    Ok(is_proof.then_some(Shift { east_m: peak.x, north_m: peak.y, noise: calm, steps: judged }))
}

/// The vector with most votes; each voter counts once a cell.
fn vote(planner: &Planner, steps: &[Step]) -> Option<Xy> {
    let mut votes = vec![0_u32; SIDE * SIDE];
    let voters: Vec<&Step> = steps.iter().filter(|s| s.verdict.is_judged()).collect();
    let every = voters.len().div_ceil(MAX_VOTERS).max(1);
    let mut mark = vec![usize::MAX; SIDE * SIDE];
    for (voter, step) in voters.iter().step_by(every).enumerate() {
        let frame = Frame::at(step.middle);
        for found in snap::near(&planner.view, step.middle, REACH_M, |_| true) {
            let row = planner.view.link(found.link);
            for pair in planner.view.shape(&row).windows(2) {
                let (a, b) = (frame.xy(position(pair[0])), frame.xy(position(pair[1])));
                if project(Xy::default(), a, b).1 <= REACH_M {
                    draw(a, b, |cell| {
                        if mark[cell] != voter {
                            mark[cell] = voter;
                            votes[cell] += 1;
                        }
                    });
                }
            }
        }
    }
    let best = (0..votes.len()).max_by_key(|cell| around(&votes, *cell))?;
    let vector = Xy { x: (best % SIDE) as f64 * CELL_M - REACH_M, y: (best / SIDE) as f64 * CELL_M - REACH_M };
    (vector.distance_m(Xy::default()) >= LEAST_M).then_some(vector)
}

/// Votes of a cell and its neighbours: noise spreads them.
fn around(votes: &[u32], cell: usize) -> u32 {
    let (x, y) = (cell % SIDE, cell / SIDE);
    let rows = y.saturating_sub(1)..(y + 2).min(SIDE);
    rows.map(|row| (x.saturating_sub(1)..(x + 2).min(SIDE)).map(|column| votes[row * SIDE + column]).sum::<u32>()).sum()
}

/// The cells that a segment passes through: all vectors that would bring the point onto it.
fn draw(a: Xy, b: Xy, mut each: impl FnMut(usize)) {
    let count = (a.distance_m(b) / (CELL_M / 2.0)).ceil().clamp(1.0, 10_000.0) as usize;
    for i in 0..=count {
        let p = a.along(b, i as f64 / count as f64);
        let place = |v: f64| ((v + REACH_M) / CELL_M).round();
        let (x, y) = (place(p.x), place(p.y));
        let fits = |v: f64| v >= 0.0 && v < SIDE as f64;
        if fits(x) && fits(y) {
            each(y as usize * SIDE + x as usize);
        }
    }
}
