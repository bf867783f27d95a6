//! A recording laid on ways by the server, then cleaned, judged and scored as one laid by the network here.

use super::{
    ENGINE, Valhalla, costing, ground, polyline, refusal,
    ways::Foreign,
    wire::{self, Edge, Fate, Matched, Traced},
    words,
};
use crate::{
    error::PlanError,
    geometry::{Frame, Xy, at_m, cumulative_m, project},
    instructions::Instruction,
    line::{Ground, Line},
    matching::{self, Chain, Laid, Match, MatchEdge, MatchRequest, Piece, Place, Recorded, Track},
    profile::Profile,
    search::Step,
    snap::Snap,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use trace::{Position, distance_m};

/// Points and metres matched at once: the server's own bounds are 16,000 and 200 km.
const POINTS_AT_ONCE: usize = 15_000;
const METRES_AT_ONCE: f64 = 150_000.0;
/// A recording is matched in no more pieces, and in no more time.
const MAX_PIECES: usize = 200;
const PATIENCE: Duration = Duration::from_secs(60);
/// Back along an edge by less than this is noise.
const JITTER_M: f64 = 30.0;
/// Two edges that end and begin closer than this are joined.
const SAME_M: f64 = 1.0;

/// Lay, judge and score.
pub(super) fn lay(engine: &Valhalla, request: &MatchRequest) -> Result<Match, PlanError> {
    let profile = request.profile;
    let track = matching::cleaned(&request.line);
    let found = Found::of(engine, profile, &track)?;
    let (laid, chain) = (found.laid(), found.chain(&track));
    let ways = Foreign::new(engine, profile, &found.edges).ok_or(PlanError::NotOffered { what: profile.as_str() })?;
    let (steps, reliability) = matching::judged_by(&ways, profile, &track, &laid, &chain, &request.kept);
    let line = planned(&track, &chain, &laid, &steps);
    let recorded = Recorded::of(&track.points);
    let whole = ground::Laid::of(engine, line.points, recorded.as_ref(), &[]);
    let last = whole.line.len() - 1;
    let climb = whole.climb(0, last);
    let edge = |span: &crate::line::Span| {
        let (way_id, is_backward) = match span.ground {
            Ground::Link { link, is_backward } => (Some(found.edges[link as usize].way_id), is_backward),
            Ground::Free => (None, false),
        };
        let length_m = whole.along_m[span.last] - whole.along_m[span.first];
        MatchEdge { way_id, is_backward, from_index: span.first, to_index: span.last, length_m }
    };
    Ok(Match {
        edges: line.spans.iter().map(edge).collect(),
        distance_m: whole.length_m(),
        duration_s: duration_s(profile, &whole, &line.spans, &found.edges),
        ascent_m: climb.map(|c| c.0.round()),
        descent_m: climb.map(|c| c.1.round()),
        elevation_source: whole.elevation_source,
        instructions: narrated(engine, profile, &whole),
        reliability,
        engine: ENGINE.to_owned(),
        data_date: engine.data_date(),
        geometry: whole.line,
    })
}

/// Where the server put each point of a track.
struct Found {
    edges: Vec<Edge>,
    /// The edges' shapes, one after the other, and their running distances.
    shape: Vec<Position>,
    along_m: Vec<f64>,
    /// A point of the track: its edge, its place along the shape, its place on the ground.
    seats: Vec<Option<(usize, f64, Position)>>,
}

impl Found {
    fn of(engine: &Valhalla, profile: Profile, track: &Track) -> Result<Self, PlanError> {
        let mut all = Self { edges: Vec::new(), shape: Vec::new(), along_m: Vec::new(), seats: Vec::new() };
        let (started, mut first) = (Instant::now(), 0);
        for _ in 0..MAX_PIECES {
            if started.elapsed() > PATIENCE {
                return Err(PlanError::TimedOut);
            }
            let last = end_of_piece(track, first);
            // Two pieces share a point, as the stretches on both its sides need it.
            all.seats.truncate(first);
            let piece = &track.points[first..=last];
            match if piece.len() > 1 { traced(engine, profile, piece)? } else { None } {
                Some(traced) => all.add(&traced, piece.len())?,
                None => all.seats.resize(last + 1, None),
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
        if !self.seats.iter().zip(&track.points).all(|(seat, p)| is_near(seat.as_ref(), *p)) {
            return Err(PlanError::Nonsense);
        }
        self.settle();
        Ok(self)
    }

    fn add(&mut self, traced: &Traced, points: usize) -> Result<(), PlanError> {
        let shape = polyline::decoded(&traced.shape).ok_or(PlanError::Nonsense)?;
        let is_inside =
            |edge: &Edge| edge.begin_shape_index <= edge.end_shape_index && edge.end_shape_index < shape.len();
        if traced.matched_points.len() != points || !traced.edges.iter().all(is_inside) {
            return Err(PlanError::Nonsense);
        }
        let (edges_before, points_before) = (self.edges.len(), self.shape.len());
        let seat = |found: &Matched| {
            let edge = usize::try_from(found.edge_index?).ok().filter(|index| *index < traced.edges.len())?;
            let p = Position::new(found.lon, found.lat);
            (found.fate != Fate::Unmatched).then_some((edges_before + edge, 0.0, p))
        };
        self.seats.extend(traced.matched_points.iter().map(seat));
        self.shape.extend(shape);
        self.edges.extend(traced.edges.iter().map(|edge| Edge {
            begin_shape_index: edge.begin_shape_index + points_before,
            end_shape_index: edge.end_shape_index + points_before,
            ..edge.clone()
        }));
        Ok(())
    }

    /// Each point's place along the shape of its edge, without steps back that are noise.
    fn settle(&mut self) {
        let mut before: Option<(usize, f64)> = None;
        for seat in self.seats.iter_mut().flatten() {
            let edge = &self.edges[seat.0];
            let mut at = along(&self.shape, &self.along_m, edge, seat.2);
            if let Some((_, last)) = before.filter(|(same, last)| *same == seat.0 && at < *last && last - at < JITTER_M)
            {
                at = last;
            }
            seat.1 = at;
            before = Some((seat.0, at));
        }
    }

    /// The stretches of edges from one point's seat to the next one's, `None` where they are not joined.
    fn path(&self, segment: usize) -> Option<Vec<Step>> {
        let (from, to) = (self.seats[segment]?, self.seats[segment + 1]?);
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

    fn chain(&self, track: &Track) -> Chain {
        let place = |(seat, p): (&Option<(usize, f64, Position)>, &Position)| match seat {
            Some((edge, at_m, position)) => {
                let offset_m = distance_m(*position, *p);
                Place::On(Snap { link: *edge as u32, at_m: *at_m, position: *position, offset_m })
            }
            None => Place::Off,
        };
        Chain {
            points: (0..track.points.len()).collect(),
            places: self.seats.iter().zip(&track.points).map(place).collect(),
            paths: (0..track.points.len() - 1).map(|segment| self.path(segment)).collect(),
        }
    }

    fn laid(&self) -> Laid {
        let mut laid = Laid::default();
        for segment in 0..self.seats.len() - 1 {
            laid.starts.push(laid.pieces.len());
            for step in self.path(segment).iter().flatten() {
                let first = laid.points.len();
                self.cut(step, &mut laid.points);
                let last = laid.points.len();
                laid.pieces.push(Piece { link: step.link, is_backward: step.is_backward, first, last });
            }
        }
        laid.starts.push(laid.pieces.len());
        laid
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

/// Is a point's seat within what any search reaches?
fn is_near(seat: Option<&(usize, f64, Position)>, p: Position) -> bool {
    const FURTHEST_M: f64 = 1_000.0;
    // Written so that NaN is far.
    seat.is_none_or(|(_, _, position)| distance_m(*position, p) <= FURTHEST_M)
}

/// Where a place lies along the shape of its edge, in metres from the whole shape's start.
fn along(shape: &[Position], along_m: &[f64], edge: &Edge, p: Position) -> f64 {
    let frame = Frame::at(p);
    let mut best = (f64::INFINITY, along_m[edge.begin_shape_index]);
    for i in edge.begin_shape_index..edge.end_shape_index {
        let (share, offset_m) = project(Xy::default(), frame.xy(shape[i]), frame.xy(shape[i + 1]));
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
    let mut question = shape_question(profile, points)?;
    question["shape_match"] = json!("map_snap");
    question["filters"] = json!({"action": "include", "attributes": ["edge.way_id", "edge.begin_shape_index",
        "edge.end_shape_index", "edge.forward", "edge.speed", "matched.point", "matched.type", "matched.edge_index", "shape"]});
    match engine.answered("trace_attributes", &question)? {
        Ok(found) => Ok(Some(found)),
        Err(refused) if refusal::NO_MATCH.contains(&refused.error_code) => Ok(None),
        Err(refused) => Err(refused.told(points.len())),
    }
}

fn shape_question(profile: Profile, points: &[Position]) -> Result<Value, PlanError> {
    let (costing, options) = costing::of(profile).ok_or(PlanError::NotOffered { what: profile.as_str() })?;
    Ok(json!({"encoded_polyline": polyline::encoded(points), "shape_format": "polyline6", "costing": costing,
        "costing_options": {costing: options}}))
}

/// The ways where the recording follows them, its own line where not.
fn planned(track: &Track, chain: &Chain, laid: &Laid, steps: &[matching::JudgedStep]) -> Line {
    let mut line = Line::default();
    let mut free_from: Option<f64> = None;
    for segment in 0..chain.points.len().saturating_sub(1) {
        let (from, to) = (track.along_m[segment], track.along_m[segment + 1]);
        if chain.paths[segment].is_some() && matching::fits(steps, from, to) {
            if let Some(start) = free_from.take() {
                line.push(Ground::Free, &track.cut(start, from));
            }
            for piece in &laid.pieces[laid.starts[segment]..laid.starts[segment + 1]] {
                let ground = Ground::Link { link: piece.link, is_backward: piece.is_backward };
                line.push(ground, &without_doubles(&laid.points[piece.first..piece.last]));
            }
        } else {
            free_from.get_or_insert(from);
        }
    }
    if let Some(start) = free_from {
        line.push(Ground::Free, &track.cut(start, track.length_m()));
    }
    line
}

fn without_doubles(points: &[Position]) -> Vec<Position> {
    let mut out: Vec<Position> = Vec::with_capacity(points.len());
    for p in points {
        if out.last().is_none_or(|last| distance_m(*last, *p) >= 0.05) {
            out.push(*p);
        }
    }
    out
}

/// On foot our rule over the whole line; by bike the server's speed on each way, and the profile's own off them.
fn duration_s(profile: Profile, whole: &ground::Laid, spans: &[crate::line::Span], edges: &[Edge]) -> f64 {
    if costing::walks(profile) {
        return whole.walked_s(profile, 0, whole.line.len() - 1, &[]);
    }
    let flat_kmh = profile.rules().flat_kmh;
    let seconds = |span: &crate::line::Span| {
        let kmh = match span.ground {
            Ground::Link { link, .. } => Some(edges[link as usize].speed).filter(|kmh| *kmh >= 1.0).unwrap_or(flat_kmh),
            Ground::Free => flat_kmh,
        };
        (whole.along_m[span.last] - whole.along_m[span.first]) * 3.6 / kmh
    };
    spans.iter().map(seconds).sum()
}

/// The server's words for the planned line; none where it finds none, or where the line is too long for it.
fn narrated(engine: &Valhalla, profile: Profile, whole: &ground::Laid) -> Vec<Instruction> {
    let told = |language: &str| {
        let mut question = shape_question(profile, &whole.line).ok()?;
        question["shape_match"] = json!("walk_or_snap");
        question["directions_options"] = json!({"language": language, "units": "kilometers"});
        let routed: wire::Routed = engine.ask("trace_route", &question, whole.line.len()).ok()?;
        Some(routed.into_trips().into_iter().flat_map(|trip| trip.legs).collect::<Vec<_>>())
    };
    if whole.line.len() > POINTS_AT_ONCE {
        return Vec::new();
    }
    let Some((french, english)) = told("fr-FR").and_then(|french| Some((french, told("en-US")?))) else {
        return Vec::new();
    };
    placed(&french, &english, whole).unwrap_or_default()
}

/// Manoeuvres of the server's legs at their places along our line.
fn placed(french: &[wire::Leg], english: &[wire::Leg], whole: &ground::Laid) -> Option<Vec<Instruction>> {
    let mut cues = Vec::new();
    let mut at = 0.0;
    for (leg, (fr, en)) in french.iter().zip(english).enumerate() {
        let shape = polyline::decoded(&fr.shape)?;
        if fr.maneuvers.len() != en.maneuvers.len() {
            return None;
        }
        for (fr, en) in fr.maneuvers.iter().zip(&en.maneuvers) {
            at = trace::locate_from(&whole.line, *shape.get(fr.begin_shape_index)?, at)?.at_m;
            let point = whole.along_m.partition_point(|d| *d < at - 0.5).min(whole.line.len() - 1);
            cues.push(words::Cue { fr, en, point, leg });
        }
    }
    (french.len() == english.len()).then(|| words::instructions(&cues, &whole.line, &whole.along_m, french.len()))
}
