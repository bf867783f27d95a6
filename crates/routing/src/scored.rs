//! A match in a few words: one object a recording, the same on the command line and over HTTP.

use crate::{Gap, GapCause, Match, MatchEdge, MatchRequest, PlanError, Remedy, RouteEngine};
use serde::Serialize;
use std::time::Instant;
use trace::Position;
use utoipa::ToSchema;

/// How much of a match is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchDetail {
    /// How far the recording and the network agree.
    ScoreOnly,
    /// The planned line and its edges too.
    WithLine,
}

/// One recording, scored; with the line and its edges where the whole match was asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Scored {
    /// The file it came from, where it came from one.
    pub file: Option<String>,
    /// Per cent of the judged length that lies on the network.
    pub reliability: Option<f64>,
    /// Why there is no per cent: `outside_extract`, `recording_holes`, `sparse`, …, or the code of what went wrong.
    pub reason: Option<String>,
    /// The same in a sentence, where something went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How far a step may lie from its way, in metres.
    pub tolerance_m: Option<f64>,
    /// Every stretch that does not match, in order.
    pub gaps: Vec<ScoredGap>,
    /// Wall time of the match in microseconds; reading the recording and writing the answer are not counted.
    pub compute_us: u64,
    /// The planned trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geometry: Option<Vec<Position>>,
    /// What it runs on, stretch by stretch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<MatchEdge>>,
}

/// A stretch that does not match. Kilometres run along the recording.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ScoredGap {
    /// Where it starts.
    pub from_km: f64,
    /// Where it ends.
    pub to_km: f64,
    pub cause: GapCause,
    /// Its greatest distance to the nearest way.
    pub max_offset_m: f64,
    /// Points that it costs.
    pub points: f64,
    /// What can be done, the best first.
    pub remedies: Vec<Remedy>,
    /// Where the map can be corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_url: Option<String>,
}

impl Scored {
    /// Asks an engine, and returns its answer with the time it took.
    pub fn ask(
        engine: &dyn RouteEngine,
        file: Option<String>,
        request: &MatchRequest,
        detail: MatchDetail,
    ) -> Result<Self, PlanError> {
        let started = Instant::now();
        let found = engine.match_trace(request)?;
        let compute_us = started.elapsed().as_micros() as u64;
        Ok(Self { compute_us, ..Self::of(file, found, detail) })
    }

    /// What could not be scored.
    pub fn refused(file: Option<String>, code: &str, message: String) -> Self {
        Self { file, reason: Some(code.to_owned()), message: Some(message), ..Self::default() }
    }

    fn of(file: Option<String>, found: Match, detail: MatchDetail) -> Self {
        let reliability = found.reliability;
        let has_line = detail == MatchDetail::WithLine;
        Self {
            file,
            reliability: reliability.percent,
            reason: reliability.not_calculable.map(|why| why.reason.as_str().to_owned()),
            tolerance_m: Some(tenth(reliability.tolerance_m)),
            gaps: reliability.gaps.iter().map(ScoredGap::of).collect(),
            geometry: has_line.then_some(found.geometry),
            edges: has_line.then_some(found.edges),
            ..Self::default()
        }
    }
}

impl ScoredGap {
    fn of(gap: &Gap) -> Self {
        let km = |metres: f64| metres.round() / 1000.0;
        Self {
            from_km: km(gap.from_m),
            to_km: km(gap.to_m),
            cause: gap.cause,
            max_offset_m: tenth(gap.max_offset_m),
            points: (gap.points * 100.0).round() / 100.0,
            remedies: gap.remedies.clone(),
            edit_url: gap.edit_url.clone(),
        }
    }
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
