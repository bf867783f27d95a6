//! A recording matched by the server, then judged and scored like one that was matched on the embedded network.

use super::{
    ENGINE, Valhalla, costing, ground,
    matched_points::{MatchedTrack, match_body},
    ways::ServerWays,
    wire::{self, Edge},
    words,
};
use crate::{
    line::{Ground, Line},
    matching::{self, Chain, MatchedLine, RecordedHeights, Track},
    profile::Rules,
};
use routing::{Instruction, Match, MatchEdge, MatchRequest, PlanError, Profile, from_polyline6};
use serde_json::json;
use trace::{Position, distance_m};

/// The server's own words reach no further; its bound is 16,000 points.
const NARRATED_POINTS: usize = 15_000;

/// Lay, judge and score.
pub(super) fn lay(engine: &Valhalla, request: &MatchRequest) -> Result<Match, PlanError> {
    let profile = request.profile;
    let track = matching::cleaned(&request.line);
    let found = MatchedTrack::of(engine, profile, &track)?;
    let (matched, chain) = (found.matched_line(), found.chain(&track));
    let ways =
        ServerWays::new(engine, profile, &found.edges).ok_or(PlanError::NotOffered { what: profile.as_str() })?;
    let (steps, reliability) = matching::judged_by(&ways, profile, &track, &matched, &chain, &request.kept);
    let line = planned(&track, &chain, &matched, &steps);
    let recorded = RecordedHeights::of(&track.points);
    let whole = ground::MeasuredLine::of(engine, line.points, recorded.as_ref(), &[]);
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

/// The ways where the recording follows them, its own line where not.
fn planned(track: &Track, chain: &Chain, matched: &MatchedLine, steps: &[matching::JudgedStep]) -> Line {
    let mut line = Line::default();
    let mut free_from: Option<f64> = None;
    for segment in 0..chain.points.len().saturating_sub(1) {
        let (from, to) = (track.along_m[segment], track.along_m[segment + 1]);
        if chain.paths[segment].is_some() && matching::fits(steps, from, to) {
            if let Some(start) = free_from.take() {
                line.push(Ground::Free, &track.cut(start, from));
            }
            for piece in &matched.pieces[matched.starts[segment]..matched.starts[segment + 1]] {
                let ground = Ground::Link { link: piece.link, is_backward: piece.is_backward };
                line.push(ground, &without_doubles(&matched.points[piece.first..piece.last]));
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
fn duration_s(profile: Profile, whole: &ground::MeasuredLine, spans: &[crate::line::Span], edges: &[Edge]) -> f64 {
    if costing::walks(profile) {
        return whole.walked_s(profile, 0, whole.line.len() - 1, &[]);
    }
    let flat_kmh = Rules::of(profile).flat_kmh;
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
fn narrated(engine: &Valhalla, profile: Profile, whole: &ground::MeasuredLine) -> Vec<Instruction> {
    let in_language = |language: &str| {
        let mut body = match_body(profile, &whole.line).ok()?;
        body["shape_match"] = json!("walk_or_snap");
        body["directions_options"] = json!({"language": language, "units": "kilometers"});
        let routed: wire::Routed = engine.ask("trace_route", &body, whole.line.len()).ok()?;
        Some(routed.into_trips().into_iter().flat_map(|trip| trip.legs).collect::<Vec<_>>())
    };
    if whole.line.len() > NARRATED_POINTS {
        return Vec::new();
    }
    let Some((french, english)) = in_language("fr-FR").and_then(|french| Some((french, in_language("en-US")?))) else {
        return Vec::new();
    };
    placed(&french, &english, whole).unwrap_or_default()
}

/// Manoeuvres of the server's legs at their places along our line.
fn placed(french: &[wire::Leg], english: &[wire::Leg], whole: &ground::MeasuredLine) -> Option<Vec<Instruction>> {
    let mut cues = Vec::new();
    let mut at = 0.0;
    for (leg, (fr, en)) in french.iter().zip(english).enumerate() {
        let shape = from_polyline6(&fr.shape)?;
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
