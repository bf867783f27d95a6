//! Laying a recording on the network: clean, match, judge, score, explain, and lay the planned trace.

mod chain;
mod clean;
mod gaps;
mod judge;
mod planned;
mod reach;
mod score;
mod shift;
mod straight;
mod types;

use crate::{
    embedded::{ENGINE, Planner},
    error::PlanError,
    instructions,
    line::Measured,
    recorded::Recorded,
};
use judge::Verdict;
use trace::Position;
pub use types::{
    Fix, FixKind, Gap, GapCause, Match, MatchRequest, NotCalculable, NotCalculableReason, Reliability, Remark,
    RemarkKind,
};

/// Match a line whose points were checked.
pub(crate) fn match_line(planner: &Planner, source: &[Position], kept: &[[f64; 2]]) -> Result<Match, PlanError> {
    let mut track = clean::clean(source);
    if track.points.len() < 2 {
        // All points are one place: a line without length is its own planned trace.
        track = clean::Track {
            points: vec![source[0]; 2],
            along_m: vec![0.0; 2],
            source_m: vec![0.0; 2],
            hole_before: vec![false; 2],
        };
    }
    straight::mend(planner, &mut track);
    let chain = chain::find(planner, &track)?;
    let mut noise = judge::noise(&chain);
    let mut steps = judge::steps(planner, &track, &chain, noise);
    judge::keep(&mut steps, &track, kept);
    let shifts = if let Some((shift, calm)) = shift::find(planner, &track, &steps, noise)? {
        // A shift is no noise: what is tolerated follows from the noise that is left without it.
        noise = calm;
        steps = judge::steps(planner, &track, &chain, noise);
        judge::keep(&mut steps, &track, kept);
        vec![shift]
    } else {
        shift::of_stretches(planner, &track, &steps, noise)?
    };
    for shift in &shifts {
        mark_shifted(&mut steps, shift);
    }
    let reliability = score::score(planner, &track, &steps, noise, &shifts);
    let line = planned::line(&planner.view, &track, &chain, &steps);
    let recorded = Recorded::of(&track.points);
    let measured = Measured::new(line, planner.view, planner.profile.rules(), recorded.as_ref(), planner.dem);
    let last = measured.line.points.len() - 1;
    let climb = measured.climb(0, last);
    Ok(Match {
        geometry: measured.line.points.clone(),
        distance_m: measured.length_m(),
        duration_s: measured.duration_s(0, last),
        ascent_m: climb.map(|c| c.0.round()),
        descent_m: climb.map(|c| c.1.round()),
        elevation_source: measured.elevation_source,
        instructions: instructions::of(planner, &measured, &[0, last]),
        reliability,
        engine: ENGINE.to_owned(),
        data_date: planner.data_date(),
    })
}

/// Steps on no way that the moved recording puts on one.
fn mark_shifted(steps: &mut [judge::Step], shift: &shift::Shift) {
    for (step, moved) in steps[shift.first..].iter_mut().zip(&shift.steps) {
        if step.verdict == Verdict::NoWay && moved.verdict == Verdict::On {
            step.verdict = Verdict::Shifted;
        }
    }
}

#[cfg(test)]
mod tests;
