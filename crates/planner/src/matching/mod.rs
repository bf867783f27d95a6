//! Map matching: cleans a recording, matches it to the network, judges each step, scores it, explains what does not fit, and makes the planned
//! trace.

mod chain;
mod clean;
mod gaps;
mod judge;
mod match_network;
mod near;
mod noise;
mod planned;
mod reach;
mod score;
mod shift;
mod straight;
mod ways;

pub(crate) use crate::recorded::RecordedHeights;
use crate::{
    instructions,
    line::{Ground, Measured, Span},
    planner::{ENGINE, Planner},
    profile::Rules,
    search::Step,
};
pub(crate) use chain::{Chain, Place};
pub(crate) use clean::Track;
use judge::Verdict;
pub(crate) use judge::{MatchedLine, Piece, Step as JudgedStep};
use match_network::MatchNetwork;
pub(crate) use planned::fits;
use routing::{Match, MatchEdge, PlanError, Profile, Reliability};
use trace::Position;
pub(crate) use ways::{FIX_SNAP_M, LOOK_M, Ways, following};

/// A stretch of a link, and where the source starts and ends to run on it, in metres along the source.
pub(crate) type MatchedPiece = (Step, f64, f64);

/// A recording matched and judged.
struct Judged {
    track: clean::Track,
    chain: chain::Chain,
    steps: Vec<judge::Step>,
    reliability: Reliability,
}

/// Match a line whose points were checked.
pub(crate) fn match_line(planner: &Planner, source: &[Position], kept: &[[f64; 2]]) -> Result<Match, PlanError> {
    Ok(answer(planner, judged(planner, source, kept)?))
}

/// A match with the pieces of links that it follows.
pub(crate) fn matched_pieces(planner: &Planner, source: &[Position]) -> Result<(Vec<MatchedPiece>, Match), PlanError> {
    let judged = judged(planner, source, &[])?;
    let at = |segment: usize| judged.track.source_m[judged.chain.points[segment]];
    let piece = |(segment, path): (usize, &Option<Vec<Step>>)| {
        let (from, to) = (at(segment), at(segment + 1));
        path.iter().flatten().map(move |step| (*step, from, to)).collect::<Vec<_>>()
    };
    let pieces = judged.chain.paths.iter().enumerate().flat_map(piece).collect();
    Ok((pieces, answer(planner, judged)))
}

/// A recording cleaned for matching. Where all points are one place, two equal points: a line without length is its own planned trace.
pub(crate) fn cleaned(source: &[Position]) -> Track {
    let track = clean::clean(source);
    if track.points.len() >= 2 {
        return track;
    }
    Track { points: vec![source[0]; 2], along_m: vec![0.0; 2], source_m: vec![0.0; 2], hole_before: vec![false; 2] }
}

/// Judges and scores a recording that another engine matched to its ways.
pub(crate) fn judged_by(
    ways: &impl Ways,
    profile: Profile,
    track: &Track,
    matched: &MatchedLine,
    chain: &Chain,
    kept: &[[f64; 2]],
) -> (Vec<JudgedStep>, Reliability) {
    let noise = judge::noise(chain);
    let mut steps = judge::judged(ways, matched, track, chain, noise);
    judge::keep(&mut steps, track, kept);
    let reliability = score::score(ways, profile, track, &steps, noise, &[]);
    (steps, reliability)
}

fn judged(planner: &Planner, source: &[Position], kept: &[[f64; 2]]) -> Result<Judged, PlanError> {
    let mut track = cleaned(source);
    let network = MatchNetwork::new(planner);
    straight::mend(&network, &mut track);
    let chain = chain::find(&network, &track)?;
    let mut noise = judge::noise(&chain);
    let mut steps = judge::steps(&network, &track, &chain, noise);
    judge::keep(&mut steps, &track, kept);
    let shifts = if let Some((shift, calm)) = shift::find(&network, &track, &steps, noise)? {
        // A shift is no noise: what is tolerated follows from the noise that is left without it.
        noise = calm;
        steps = judge::steps(&network, &track, &chain, noise);
        judge::keep(&mut steps, &track, kept);
        vec![shift]
    } else {
        shift::of_stretches(&network, &track, &steps, noise)?
    };
    for shift in &shifts {
        mark_shifted(&mut steps, shift);
    }
    let reliability = score::score(planner, planner.profile, &track, &steps, noise, &shifts);
    Ok(Judged { track, chain, steps, reliability })
}

fn answer(planner: &Planner, judged: Judged) -> Match {
    let Judged { track, chain, steps, reliability } = judged;
    let line = planned::line(&planner.view, &track, &chain, &steps);
    let recorded = RecordedHeights::of(&track.points);
    let measured = Measured::new(line, planner.view, Rules::of(planner.profile), recorded.as_ref(), planner.dem);
    let last = measured.line.points.len() - 1;
    let climb = measured.climb(0, last);
    Match {
        edges: edges(planner, &measured),
        distance_m: measured.length_m(),
        duration_s: measured.duration_s(0, last),
        ascent_m: climb.map(|c| c.0.round()),
        descent_m: climb.map(|c| c.1.round()),
        elevation_source: measured.elevation_source,
        instructions: instructions::of(planner, &measured, &[0, last]),
        geometry: measured.line.points,
        reliability,
        engine: ENGINE.to_owned(),
        data_date: planner.data_date(),
    }
}

/// What the planned line runs on, stretch by stretch.
fn edges(planner: &Planner, measured: &Measured) -> Vec<MatchEdge> {
    let edge = |span: &Span| {
        let (way_id, is_backward) = match span.ground {
            Ground::Link { link, is_backward } => (Some(planner.view.link(link).way_id), is_backward),
            Ground::Free => (None, false),
        };
        let length_m = measured.along_m[span.last] - measured.along_m[span.first];
        MatchEdge { way_id, is_backward, from_index: span.first, to_index: span.last, length_m }
    };
    measured.line.spans.iter().map(edge).collect()
}

/// Steps on no way that the moved recording puts on one; not a lone one, such as the jump back at the shift's end.
fn mark_shifted(steps: &mut [judge::Step], shift: &shift::Shift) {
    let steps = &mut steps[shift.first..];
    let is_moved: Vec<bool> = (steps.iter().zip(&shift.steps))
        .map(|(step, moved)| step.verdict == Verdict::NoWay && moved.verdict == Verdict::On)
        .collect();
    let at = |i: usize| is_moved.get(i).copied().unwrap_or_default();
    for (i, step) in steps.iter_mut().enumerate() {
        if at(i) && (at(i.wrapping_sub(1)) || at(i + 1)) {
            step.verdict = Verdict::Shifted;
        }
    }
}

#[cfg(test)]
mod tests;
