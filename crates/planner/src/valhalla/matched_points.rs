//! Where the server puts a recording: each point on an edge, and the stretches of edges from one point to the next.

use super::{
    Reply, Valhalla, costing, refusal,
    wire::{Edge, MatchType, Matched, Traced},
};
use crate::{
    geometry::{Projection, Xy, at_m, cumulative_m, nearest_on_segment},
    matching::{Chain, MatchedLine, Piece, Place, Track},
    search::Step,
    snap::Snap,
};
use routing::{PlanError, Profile, from_polyline6, polyline6};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use trace::{Position, distance_m};

/// Points and metres matched at once: the server's own bounds are 16,000 and 200 km.
const POINTS_AT_ONCE: usize = 15_000;
const METRES_AT_ONCE: f64 = 150_000.0;
/// The most pieces in which a recording is matched, and the most time for it.
const MAX_PIECES: usize = 200;
const MATCH_TIMEOUT: Duration = Duration::from_secs(60);
/// Back along an edge by less than this is noise.
const JITTER_M: f64 = 30.0;
/// Two edges that end and begin closer than this are joined.
const SAME_M: f64 = 1.0;

/// Where the server put each point of a track.
pub(super) struct MatchedTrack {
    pub edges: Vec<Edge>,
    /// The edges' shapes, one after the other, and their running distances.
    shape: Vec<Position>,
    along_m: Vec<f64>,
    /// For each point of the track: index of its edge, metres along `shape`, matched position; `None` where not matched.
    matched: Vec<Option<(usize, f64, Position)>>,
}

impl MatchedTrack {
    pub(super) fn of(engine: &Valhalla, profile: Profile, track: &Track) -> Result<Self, PlanError> {
        let mut all = Self { edges: Vec::new(), shape: Vec::new(), along_m: Vec::new(), matched: Vec::new() };
        let (started, mut first) = (Instant::now(), 0);
        for _ in 0..MAX_PIECES {
            if started.elapsed() > MATCH_TIMEOUT {
                return Err(PlanError::TimedOut);
            }
            let last = end_of_piece(track, first);
            // Two pieces share a point, as the stretches on both its sides need it.
            all.matched.truncate(first);
            let piece = &track.points[first..=last];
            match if piece.len() > 1 { traced(engine, profile, piece)? } else { None } {
                Some(traced) => all.add(&traced, piece.len())?,
                None => all.matched.resize(last + 1, None),
            }
            if last + 1 >= track.points.len() {
                return all.finished(track);
            }
            first = if last == first || track.hole_before[last + 1] { last + 1 } else { last };
        }
        Err(PlanError::TooLong { limit_m: None })
    }

    fn finished(mut self, track: &Track) -> Result<Self, PlanError> {
        self.along_m = cumulative_m(&self.shape);
        if !self.matched.iter().zip(&track.points).all(|(matched, p)| is_near(matched.as_ref(), *p)) {
            return Err(PlanError::BadAnswer);
        }
        self.remove_small_steps_back();
        Ok(self)
    }

    fn add(&mut self, traced: &Traced, points: usize) -> Result<(), PlanError> {
        let shape = from_polyline6(&traced.shape).ok_or(PlanError::BadAnswer)?;
        let is_inside =
            |edge: &Edge| edge.begin_shape_index <= edge.end_shape_index && edge.end_shape_index < shape.len();
        if traced.matched_points.len() != points || !traced.edges.iter().all(is_inside) {
            return Err(PlanError::BadAnswer);
        }
        let (edges_before, points_before) = (self.edges.len(), self.shape.len());
        let point = |found: &Matched| {
            let edge = usize::try_from(found.edge_index?).ok().filter(|index| *index < traced.edges.len())?;
            let p = Position::new(found.lon, found.lat);
            (found.match_type != MatchType::Unmatched).then_some((edges_before + edge, 0.0, p))
        };
        self.matched.extend(traced.matched_points.iter().map(point));
        self.shape.extend(shape);
        self.edges.extend(traced.edges.iter().map(|edge| Edge {
            begin_shape_index: edge.begin_shape_index + points_before,
            end_shape_index: edge.end_shape_index + points_before,
            ..edge.clone()
        }));
        Ok(())
    }

    /// Sets each point's place along the shape of its edge; steps back shorter than [`JITTER_M`] are noise and are removed.
    fn remove_small_steps_back(&mut self) {
        let mut before: Option<(usize, f64)> = None;
        for point in self.matched.iter_mut().flatten() {
            let edge = &self.edges[point.0];
            let mut at = along(&self.shape, &self.along_m, edge, point.2);
            if let Some((_, last)) =
                before.filter(|(same, last)| *same == point.0 && at < *last && last - at < JITTER_M)
            {
                at = last;
            }
            point.1 = at;
            before = Some((point.0, at));
        }
    }

    /// The stretches of edges from one matched point to the next one, `None` where they are not joined.
    fn path(&self, segment: usize) -> Option<Vec<Step>> {
        let (from, to) = (self.matched[segment]?, self.matched[segment + 1]?);
        let step = |edge: usize, from_m: f64, to_m: f64| {
            let is_backward = (to_m < from_m) == self.edges[edge].forward;
            Step { link: edge as u32, is_backward, from_m, to_m }
        };
        if from.0 == to.0 {
            return Some(vec![step(from.0, from.1, to.1)]);
        }
        let edges = self.edges.get(from.0..=to.0)?;
        let is_joined = |pair: &[Edge]| {
            let (end, begin) = (pair[0].end_shape_index, pair[1].begin_shape_index);
            end == begin || distance_m(self.shape[end], self.shape[begin]) < SAME_M
        };
        if !edges.windows(2).all(is_joined) {
            return None;
        }
        let whole = |(i, edge): (usize, &Edge)| {
            let (begin, end) = (self.along_m[edge.begin_shape_index], self.along_m[edge.end_shape_index]);
            let number = from.0 + i;
            step(number, if i == 0 { from.1 } else { begin }, if number == to.0 { to.1 } else { end })
        };
        Some(edges.iter().enumerate().map(whole).collect())
    }

    pub(super) fn chain(&self, track: &Track) -> Chain {
        let place = |(matched, p): (&Option<(usize, f64, Position)>, &Position)| match matched {
            Some((edge, at_m, position)) => {
                let offset_m = distance_m(*position, *p);
                Place::On(Snap { link: *edge as u32, at_m: *at_m, position: *position, offset_m })
            }
            None => Place::Off,
        };
        Chain {
            points: (0..track.points.len()).collect(),
            places: self.matched.iter().zip(&track.points).map(place).collect(),
            paths: (0..track.points.len() - 1).map(|segment| self.path(segment)).collect(),
        }
    }

    pub(super) fn matched_line(&self) -> MatchedLine {
        let mut matched = MatchedLine::default();
        for segment in 0..self.matched.len() - 1 {
            matched.starts.push(matched.pieces.len());
            for step in self.path(segment).iter().flatten() {
                let first = matched.points.len();
                self.cut(step, &mut matched.points);
                let last = matched.points.len();
                matched.pieces.push(Piece { link: step.link, is_backward: step.is_backward, first, last });
            }
        }
        matched.starts.push(matched.pieces.len());
        matched
    }

    /// The points of a stretch of an edge in the direction of travel.
    fn cut(&self, step: &Step, out: &mut Vec<Position>) {
        let edge = &self.edges[step.link as usize];
        let (low, high) = (step.from_m.min(step.to_m), step.from_m.max(step.to_m));
        let start = out.len();
        let (shape, along_m) = (
            &self.shape[edge.begin_shape_index..=edge.end_shape_index],
            &self.along_m[edge.begin_shape_index..=edge.end_shape_index],
        );
        out.push(at_m(shape, along_m, low));
        out.extend(
            shape.iter().zip(along_m).filter(|(_, at)| **at > low + 0.01 && **at < high - 0.01).map(|(p, _)| *p),
        );
        out.push(at_m(shape, along_m, high));
        if step.to_m < step.from_m {
            out[start..].reverse();
        }
    }
}

/// Whether a matched position is within the reach of any search.
fn is_near(matched: Option<&(usize, f64, Position)>, p: Position) -> bool {
    const FURTHEST_M: f64 = 1_000.0;
    // Written so that NaN is far.
    matched.is_none_or(|(_, _, position)| distance_m(*position, p) <= FURTHEST_M)
}

/// The place of a point along the shape of its edge, in metres from the whole shape's start.
fn along(shape: &[Position], along_m: &[f64], edge: &Edge, p: Position) -> f64 {
    let projection = Projection::at(p);
    let mut best = (f64::INFINITY, along_m[edge.begin_shape_index]);
    for i in edge.begin_shape_index..edge.end_shape_index {
        let (share, offset_m) = nearest_on_segment(Xy::default(), projection.xy(shape[i]), projection.xy(shape[i + 1]));
        if offset_m < best.0 {
            best = (offset_m, along_m[i] + (along_m[i + 1] - along_m[i]) * share);
        }
    }
    best.1
}

/// The last point of a piece that is matched at once: before a hole, or at a bound. It may be the first.
fn end_of_piece(track: &Track, first: usize) -> usize {
    let is_end = |next: usize| {
        let is_full = next - first >= POINTS_AT_ONCE || track.along_m[next] - track.along_m[first] > METRES_AT_ONCE;
        track.hole_before[next] || is_full
    };
    (first + 1..track.points.len()).find(|next| is_end(*next)).unwrap_or(track.points.len()) - 1
}

/// What the server makes of a piece, `None` where it finds no way along it.
fn traced(engine: &Valhalla, profile: Profile, points: &[Position]) -> Result<Option<Traced>, PlanError> {
    let mut body = match_body(profile, points)?;
    body["shape_match"] = json!("map_snap");
    body["filters"] = json!({"action": "include", "attributes": ["edge.way_id", "edge.begin_shape_index",
        "edge.end_shape_index", "edge.forward", "edge.speed", "matched.point", "matched.type", "matched.edge_index", "shape"]});
    match engine.send("trace_attributes", &body)? {
        Reply::Answer(found) => Ok(Some(found)),
        Reply::Refusal(refused) if refusal::NO_MATCH.contains(&refused.error_code) => Ok(None),
        Reply::Refusal(refused) => Err(refused.to_error(points.len())),
    }
}

/// The body of a request about a line, for a profile.
pub(super) fn match_body(profile: Profile, points: &[Position]) -> Result<Value, PlanError> {
    let (costing, options) = costing::of(profile).ok_or(PlanError::NotOffered { what: profile.as_str() })?;
    Ok(json!({"encoded_polyline": polyline6(points), "shape_format": "polyline6", "costing": costing,
        "costing_options": {costing: options}}))
}
