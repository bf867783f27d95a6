//! The recording step by step: ten metres at a time, on its way or not, and the reason if not.

use super::{
    chain::{Chain, Place},
    clean::Track,
    match_network::MatchNetwork,
    ways::Ways,
};
use crate::geometry::{Projection, Xy, between, nearest_on_segment};
use trace::Position;

/// Length of a judged step.
pub(crate) const STEP_M: f64 = 10.0;
/// The largest number of steps in which a recording is judged.
const MAX_STEPS: f64 = 100_000.0;
/// Between points further apart than this the recording does not show its way.
const SPARSE_M: f64 = 60.0;

/// The place on the matched line nearest to a step, with the direction of travel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DirectedSnap {
    pub offset_m: f64,
    pub link: u32,
    pub is_backward: bool,
    pub position: Position,
}

/// The result for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    On,
    Forbidden,
    NoWay,
    Shifted,
    Hole,
    Outside,
    Sparse,
    Kept,
}

impl Verdict {
    pub(crate) fn is_judged(self) -> bool {
        matches!(self, Self::On | Self::Forbidden | Self::NoWay | Self::Shifted)
    }
}

/// A stretch of the track of ten metres or less.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub from_m: f64,
    pub to_m: f64,
    pub middle: Position,
    pub snap: Option<DirectedSnap>,
    pub verdict: Verdict,
}

impl Step {
    pub(crate) fn length_m(&self) -> f64 {
        self.to_m - self.from_m
    }
}

/// Stretches that the user keeps off the network are not judged. Forbidden ways there are still judged.
pub(crate) fn keep(steps: &mut [Step], track: &Track, kept: &[[f64; 2]]) {
    if kept.is_empty() {
        return;
    }
    for step in steps.iter_mut().filter(|step| step.verdict == Verdict::NoWay) {
        let at = track.source_at(f64::midpoint(step.from_m, step.to_m));
        if kept.iter().any(|[from, to]| (*from..=*to).contains(&at)) {
            step.verdict = Verdict::Kept;
        }
    }
}

/// The recording's noise and the tolerance that follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Noise {
    pub sigma_m: f64,
    pub tolerance_m: f64,
}

/// 1.4826 × the median offset of the matched points, 4 to 20 m; three times that, 15 to 40 m, is tolerated.
pub(crate) fn noise(chain: &Chain) -> Noise {
    let mut offsets: Vec<f64> =
        chain.places.iter().filter_map(|p| if let Place::On(snap) = p { Some(snap.offset_m) } else { None }).collect();
    offsets.sort_by(f64::total_cmp);
    let median = offsets.get(offsets.len() / 2).copied().unwrap_or_default();
    let sigma_m = (1.4826 * median).clamp(4.0, 20.0);
    Noise { sigma_m, tolerance_m: (3.0 * sigma_m).clamp(15.0, 40.0) }
}

/// A piece of the matched line: its points `first..last`.
pub(crate) struct Piece {
    pub link: u32,
    pub is_backward: bool,
    pub first: usize,
    pub last: usize,
}

/// The matched line, segment by segment.
#[derive(Default)]
pub(crate) struct MatchedLine {
    pub points: Vec<Position>,
    pub pieces: Vec<Piece>,
    /// Where each segment's pieces start; one more at the end.
    pub starts: Vec<usize>,
}

impl MatchedLine {
    fn of(network: &MatchNetwork, chain: &Chain) -> Self {
        let mut matched = Self::default();
        for path in &chain.paths {
            matched.starts.push(matched.pieces.len());
            for step in path.iter().flatten() {
                let first = matched.points.len();
                network.shape(step.link).cut(step, &mut matched.points);
                let last = matched.points.len();
                matched.pieces.push(Piece { link: step.link, is_backward: step.is_backward, first, last });
            }
        }
        matched.starts.push(matched.pieces.len());
        matched
    }

    /// This segment and its neighbours, projected.
    fn around(&self, segment: usize, projection: &Projection, flat: &mut Vec<Xy>) -> NearbyLine<'_> {
        let (first, last) = (segment.saturating_sub(1), (segment + 2).min(self.starts.len() - 1));
        let pieces = &self.pieces[self.starts[first]..self.starts[last]];
        flat.clear();
        let first = pieces.first().map_or(0, |piece| piece.first);
        let end = pieces.last().map_or(0, |piece| piece.last);
        flat.extend(self.points[first..end].iter().map(|p| projection.xy(*p)));
        NearbyLine { pieces, first }
    }
}

/// The matched line near a segment.
struct NearbyLine<'a> {
    pieces: &'a [Piece],
    /// Index of the first projected point in the matched line.
    first: usize,
}

impl NearbyLine<'_> {
    /// The nearest place on it.
    fn snap(&self, flat: &[Xy], projection: &Projection, middle: Position) -> Option<DirectedSnap> {
        let here = projection.xy(middle);
        let mut best: Option<(f64, &Piece, Xy)> = None;
        for piece in self.pieces {
            for pair in flat[piece.first - self.first..piece.last - self.first].windows(2) {
                let (share, offset_m) = nearest_on_segment(here, pair[0], pair[1]);
                if best.is_none_or(|(known, ..)| offset_m < known) {
                    best = Some((offset_m, piece, pair[0].along(pair[1], share)));
                }
            }
        }
        best.map(|(offset_m, piece, place)| DirectedSnap {
            offset_m,
            link: piece.link,
            is_backward: piece.is_backward,
            position: projection.position(place),
        })
    }
}

/// Judges every step of a track.
pub(crate) fn steps(network: &MatchNetwork, track: &Track, chain: &Chain, noise: Noise) -> Vec<Step> {
    judged(network.planner, &MatchedLine::of(network, chain), track, chain, noise)
}

/// The same over a line that another engine matched.
pub(crate) fn judged(ways: &impl Ways, matched: &MatchedLine, track: &Track, chain: &Chain, noise: Noise) -> Vec<Step> {
    let step_m = STEP_M.max(track.length_m() / MAX_STEPS);
    let mut out = Vec::with_capacity((track.length_m() / step_m * 1.5) as usize + track.points.len());
    let mut flat = Vec::new();
    for segment in 0..chain.points.len().saturating_sub(1) {
        let (first, last) = (chain.points[segment], chain.points[segment + 1]);
        let projection = Projection::at(track.points[first]);
        let around = matched.around(segment, &projection, &mut flat);
        for i in first..last {
            let (from, to) = (track.along_m[i], track.along_m[i + 1]);
            let gap_m = to - from;
            let count = (gap_m / step_m).ceil().max(1.0);
            for k in 0..count as usize {
                let (from_m, to_m) = (from + gap_m * k as f64 / count, from + gap_m * (k + 1) as f64 / count);
                let share = (k as f64 + 0.5) / count;
                let middle = between(track.points[i], track.points[i + 1], share);
                let mut step = Step { from_m, to_m, middle, snap: None, verdict: Verdict::NoWay };
                if !ways.covers(middle) {
                    step.verdict = Verdict::Outside;
                } else if track.hole_before[i + 1] {
                    step.verdict = Verdict::Hole;
                } else {
                    step.snap = around.snap(&flat, &projection, middle);
                    step.verdict = verdict(ways, chain, segment, &step, gap_m, noise);
                }
                out.push(step);
            }
        }
    }
    out
}

fn verdict(ways: &impl Ways, chain: &Chain, segment: usize, step: &Step, gap_m: f64, noise: Noise) -> Verdict {
    let is_open = |link: u32| ways.is_usable(link);
    match step.snap {
        Some(snap) if snap.offset_m <= noise.tolerance_m => {
            return if is_open(snap.link) { Verdict::On } else { Verdict::Forbidden };
        }
        _ => {}
    }
    if gap_m <= SPARSE_M {
        return Verdict::NoWay;
    }
    // Far apart: the straight line between two points cuts the bends of a way that both lie on.
    match (&chain.paths[segment], chain.places[segment], chain.places[segment + 1]) {
        (Some(path), Place::On(_), Place::On(_)) => {
            let length_m: f64 = path.iter().map(|s| (s.to_m - s.from_m).abs()).sum();
            let is_likely = length_m <= 2.0 * gap_m + 100.0;
            match path.first() {
                Some(first) if is_likely && is_open(first.link) => Verdict::On,
                Some(_) if is_likely => Verdict::Forbidden,
                _ => Verdict::Sparse,
            }
        }
        (None, Place::On(_), Place::On(_)) => Verdict::Sparse,
        _ => Verdict::NoWay,
    }
}
