//! Computes a trace from its legs: the planned line, its reliability, its drawings.
//!
//! Computations without the database. Handlers and the command line run them on a thread for blocking work, and store the result.

mod draw;
mod duration;
mod guidance;
mod heights;
mod ignored;
mod joints;
mod practice;
mod read;
mod steps;
#[cfg(test)]
mod tests;

pub use heights::{has_model_heights, has_only_model_heights};
pub use ignored::ReliabilityView;
pub use practice::{pace_of, planned_as, profile_kept};
pub use read::{Join, Pieces, ReadTrace, read_source, undone};
pub use read::{clean_name, pieces_of, repairs_of};
pub use steps::{arrange_steps, step, steps_between, steps_of_file};

use domain::Instant;
use domain::parcours::line::Pace;
use domain::parcours::{
    IgnoredGap, Leg, LegKind, ReliabilityState, Repaired, SourceFile, TraceMode, TraceOrigin, TraceSummary,
};
use domain::watch::KnownNetwork;
use routing::{EngineStatus, Instruction, Match, MatchRequest, PlanError, Profile, RouteEngine};
use serde_json::{Value, json};
use store::parcours::{NewTrace, TraceExtra, WayRun};
use trace::{Measure, Position};

use heights::{measured, sampled, with_heights, with_line_heights};

/// What a trace is to be made of.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The working revision.
    pub legs: Vec<Leg>,
    /// Which line is to be used.
    pub mode: TraceMode,
    /// Profile of the planner; none for a practice that is drawn by hand.
    pub profile: Option<Profile>,
    /// Speeds of the practice.
    pub pace: Pace,
    /// Where the trace comes from.
    pub origin: TraceOrigin,
    /// The file, for an imported one.
    pub source_file: Option<SourceFile>,
    /// The repairs of the file.
    pub repairs: Vec<Repaired>,
    /// Pieces it had.
    pub pieces: u64,
    /// Holes between them.
    pub source_gaps: Value,
    /// The line read from the bytes, where the legs differ from it.
    pub source_line: Option<Vec<Position>>,
    /// Whether the heights in the stretches from the file are the ground model's ([`has_model_heights`]).
    pub model_heights: bool,
    /// Length typed by hand.
    pub distance_typed_m: Option<f64>,
    /// Duration typed by hand.
    pub duration_typed_s: Option<f64>,
    /// Duration the file's own times give.
    pub duration_recorded_s: Option<f64>,
    /// Gaps that a user chose to ignore.
    pub ignored: Vec<IgnoredGap>,
    /// The present.
    pub at: Instant,
}

/// Legs as one line: consecutive ones share their end, which is written once.
pub fn joined(legs: &[Leg]) -> Vec<Position> {
    let mut line: Vec<Position> = Vec::with_capacity(legs.iter().map(|leg| leg.line.len()).sum());
    for position in legs.iter().flat_map(|leg| &leg.line) {
        if line.last().is_none_or(|last| !last.same_place(*position)) {
            line.push(*position);
        }
    }
    line
}

/// Characters of a checksum that distinguish two extracts.
const CHECKSUM_CHARS: usize = 12;

/// Name of the network a trace is scored on: when it differs from today's, the score is stale. `None` while the planner has not
/// reported its network.
pub fn network_name(engine: &dyn RouteEngine) -> Option<String> {
    network_of(engine).map(|network| network.name)
}

/// The network of an engine as the watch knows it.
pub fn network_of(engine: &dyn RouteEngine) -> Option<KnownNetwork> {
    let EngineStatus { engine, version, data_date, checksum, bbox, .. } = engine.status();
    if version.is_empty() {
        return None;
    }
    let bbox = bbox.map(|corners| corners.map(|degrees| format!("{degrees:.4}")).join(",")).unwrap_or_default();
    let date = data_date.as_deref().unwrap_or_default();
    let start: String = checksum.as_deref().unwrap_or_default().chars().take(CHECKSUM_CHARS).collect();
    let name = format!("{engine} {date} {bbox} {start}").trim_end().to_owned();
    Some(KnownNetwork { name, engine: Some(engine), data_date, checksum })
}

/// The network of the fallback engine, where the first one failed.
fn stood_in(whole: &Match) -> String {
    format!("{} {}", whole.engine, whole.data_date.as_deref().unwrap_or_default())
}

/// Makes a trace. Without an engine, or where it has no answer, the line is not changed and the summary gives the reason.
pub fn compute(engine: Option<&dyn RouteEngine>, mut ask: Ask) -> NewTrace {
    tidy(&mut ask.legs);
    let height_source = heights::source_of(&ask.legs, ask.model_heights);
    let on_ground = heights::on_ground(&ask.legs, ask.model_heights);
    let worked = with_heights(engine, joined(&ask.legs));
    let planned = match (ask.mode, engine, ask.profile) {
        (TraceMode::Source, ..) => Planned::Not(None),
        (TraceMode::Planner, None, _) => Planned::Not(Some("planner/absent")),
        (TraceMode::Planner, Some(_), None) => Planned::Not(Some("planner/no-profile")),
        (TraceMode::Planner, Some(engine), Some(profile)) => {
            plan(engine, &heights::for_planner(&ask.legs, &on_ground, &worked), profile)
        }
    };
    // Places on the ground of the working revision; of a planned line the planner's own.
    let over_ground = || sampled(engine, &ask.legs, &on_ground, &worked);
    let Planned::Done { whole, line: planned_line, climbs, instructions } = planned else {
        let notice = if let Planned::Not(notice) = planned { notice } else { None };
        let measured = measured(&worked, &over_ground(), height_source);
        return unplanned(&ask, &worked, measured, notice);
    };
    // A fallback engine may have answered: a trace scored on its network is stale for the first engine.
    let network = engine.and_then(|engine| {
        if engine.status().engine == whole.engine { network_name(engine) } else { Some(stood_in(&whole)) }
    });
    let reliability_state = state_of(&whole);
    // Below the threshold there is no guidance: figures, steps and drawings are those of the source's line.
    let is_guided = reliability_state == ReliabilityState::Ok;
    let line = if is_guided { &planned_line } else { &worked };
    let usual = ask.profile.map_or_else(Pace::default, practice::usual_pace);
    let pace = if ask.pace.is_set { ask.pace } else { usual };
    let planner = (whole.geometry.as_slice(), whole.duration_s);
    let measured = match climbs {
        Some(climbs) if is_guided => measured(line, &climbs, height_source),
        _ if is_guided => measured(line, line, height_source),
        _ => measured(line, &over_ground(), height_source),
    };
    let duration_s =
        if is_guided { duration::planned_s(measured, planner, pace, usual) } else { duration::paced_s(measured, pace) };
    let (free, worked_m) = (free_stretches(&ask.legs), trace::measure(&worked).distance_m);
    let mut reliability = serde_json::to_value(&whole.reliability).unwrap_or(Value::Null);
    let ignored = ignored::mark(&whole.reliability, &mut reliability, &ask.ignored);
    let summary = TraceSummary {
        reliability_state,
        reliability: Some(reliability),
        engine: Some(whole.engine.clone()),
        data_date: whole.data_date.clone(),
        network,
        ..summary(&ask, TraceMode::Planner, (line, measured), Some(duration_s))
    };
    NewTrace {
        drawing: draw::drawing(line, draw::stretches(&whole.reliability, &free, worked_m)),
        shape: draw::shape(line),
        extra: TraceExtra {
            instructions: if is_guided { json!(instructions) } else { json!([]) },
            source_gaps: ask.source_gaps.clone(),
            ignored,
            ways: ways_of(&planned_line, &whole),
            model_heights: heights::is_file_without_heights(&ask.legs, ask.model_heights),
        },
        legs: with_line_heights(&ask.legs, &worked),
        planned_line: Some(planned_line),
        source_line: ask.source_line,
        summary,
    }
}

/// What a planned line runs on, where it is the match's own.
fn ways_of(line: &[Position], whole: &Match) -> Vec<WayRun> {
    let mut runs: Vec<WayRun> = Vec::new();
    if line.len() != whole.geometry.len() {
        return runs;
    }
    for edge in &whole.edges {
        let Some(way) = edge.way_id else { continue };
        match runs.last_mut() {
            Some((known, _, to)) if *known == way && *to == edge.from_index => *to = edge.to_index,
            _ => runs.push((way, edge.from_index, edge.to_index)),
        }
    }
    runs
}

enum Planned {
    /// The whole line on the network, the line in use, the line whose heights give its climb where that is another, and the
    /// instructions along the line in use.
    Done { whole: Box<Match>, line: Vec<Position>, climbs: Option<Vec<Position>>, instructions: Vec<Instruction> },
    /// The line is not changed; the reason, where the planner was called.
    Not(Option<&'static str>),
}

/// Scores the whole working revision; stretches from the file take the network's line, planned and free ones stay. The legs have the
/// heights that the planner may take ([`heights::for_planner`]).
fn plan(engine: &dyn RouteEngine, legs: &[Leg], profile: Profile) -> Planned {
    let worked = joined(legs);
    let matched = |points: &[Position]| engine.match_trace(&MatchRequest::new(points.to_vec(), profile));
    let kept = free_stretches(legs).into_iter().map(|(from_m, to_m)| [from_m, to_m]).collect();
    let whole = match engine.match_trace(&MatchRequest { line: worked.clone(), profile, kept }) {
        Ok(whole) => whole,
        Err(error) => return Planned::Not(Some(error.code())),
    };
    let found = match whole_recordings(legs).as_slice() {
        [Leg { kind: LegKind::Source, .. }] => {
            let line = rounded(with_heights(Some(engine), whole.geometry.clone()));
            Ok((line, None, whole.instructions.clone()))
        }
        legs => assembled(legs, &matched).map(|laid| {
            let line = with_heights(Some(engine), joined(&laid));
            if state_of(&whole) != ReliabilityState::Ok {
                return (rounded(line), None, Vec::new());
            }
            // What was matched has the planner's heights: only what is drawn freely runs over the ground.
            let free: Vec<bool> = laid.iter().map(|leg| leg.kind == LegKind::Free).collect();
            let climbs = sampled(Some(engine), &laid, &free, &line);
            let line = rounded(line);
            let instructions = guided(&line, &worked, &whole, &matched);
            (line, Some(climbs), instructions)
        }),
    };
    match found {
        Ok((line, climbs, instructions)) => Planned::Done { whole: Box::new(whole), line, climbs, instructions },
        Err(error) => Planned::Not(Some(error.code())),
    }
}

/// What the reliability of a match says of its line: whether it may be followed.
fn state_of(whole: &Match) -> ReliabilityState {
    ReliabilityState::of(TraceMode::Planner, whole.reliability.percent)
}

/// The instructions of a line that was put together from legs: where it is not the working line, those of its own match. None where
/// the planner has no answer to this match: the line is planned without them.
fn guided(
    line: &[Position],
    worked: &[Position],
    whole: &Match,
    matched: &dyn Fn(&[Position]) -> Result<Match, PlanError>,
) -> Vec<Instruction> {
    let is_worked = line.len() == worked.len() && line.iter().zip(worked).all(|(a, b)| a.same_place(*b));
    if is_worked {
        return guidance::placed(&whole.instructions, line);
    }
    matched(line).map(|own| guidance::placed(&own.instructions, line)).unwrap_or_default()
}

/// The legs with neighbours of the recording as one: a joint in the middle of a recording changes nothing of its line.
fn whole_recordings(legs: &[Leg]) -> Vec<Leg> {
    let both = |a: &Leg, b: &Leg| a.kind == LegKind::Source && b.kind == LegKind::Source;
    legs.chunk_by(both).map(|run| Leg { kind: run[0].kind, line: joined(run) }).collect()
}

/// The legs of the planned line: recordings on the ways they follow, the others as they are. A planned leg begins and ends on the way
/// where a recording beside it was put on one.
fn assembled(legs: &[Leg], matched: &dyn Fn(&[Position]) -> Result<Match, PlanError>) -> Result<Vec<Leg>, PlanError> {
    let mut laid: Vec<Leg> = Vec::with_capacity(legs.len());
    let mut tolerances_m: Vec<f64> = Vec::with_capacity(legs.len());
    for leg in legs {
        if leg.kind == LegKind::Source && leg.line.len() > 1 {
            let found = matched(&leg.line)?;
            tolerances_m.push(found.reliability.tolerance_m);
            laid.push(Leg { kind: leg.kind, line: found.geometry });
        } else {
            tolerances_m.push(0.0);
            laid.push(leg.clone());
        }
    }
    for at in (0..legs.len()).filter(|at| legs[*at].kind == LegKind::Planned) {
        let mut line = std::mem::take(&mut laid[at].line);
        if let Some(before) = at.checked_sub(1).filter(|before| legs[*before].kind == LegKind::Source)
            && let (Some(recorded), Some(on_way)) = (legs[before].line.last(), laid[before].line.last())
        {
            joints::begin_on_way(&mut line, *recorded, *on_way, tolerances_m[before]);
        }
        if let Some(after) = legs.get(at + 1).filter(|after| after.kind == LegKind::Source)
            && let (Some(recorded), Some(on_way)) = (after.line.first(), laid[at + 1].line.first())
        {
            line.reverse();
            joints::begin_on_way(&mut line, *recorded, *on_way, tolerances_m[at + 1]);
            line.reverse();
        }
        laid[at].line = line;
    }
    Ok(laid)
}

/// The unchanged line: source mode, or a planner that has no answer.
fn unplanned(ask: &Ask, worked: &[Position], measured: Measure, notice: Option<&'static str>) -> NewTrace {
    let mode = match notice {
        // The planner was asked for and cannot: the source is used, and reported.
        Some("planner/absent" | "planner/no-profile") | None => TraceMode::Source,
        Some(_) => TraceMode::Planner,
    };
    let state = if mode == TraceMode::Source { ReliabilityState::Source } else { ReliabilityState::NotCalculable };
    let legs = with_line_heights(&ask.legs, worked);
    NewTrace {
        summary: TraceSummary {
            reliability_state: state,
            notice: notice.map(str::to_owned),
            ..summary(ask, mode, (worked, measured), ask.duration_recorded_s)
        },
        drawing: draw::drawing(worked, draw::unjudged(measured.distance_m)),
        shape: draw::shape(worked),
        legs,
        planned_line: None,
        source_line: ask.source_line.clone(),
        extra: TraceExtra {
            instructions: json!([]),
            source_gaps: ask.source_gaps.clone(),
            ignored: ask.ignored.clone(),
            ways: Vec::new(),
            model_heights: heights::is_file_without_heights(&ask.legs, ask.model_heights),
        },
    }
}

fn summary(
    ask: &Ask,
    mode: TraceMode,
    (line, measured): (&[Position], Measure),
    duration_s: Option<f64>,
) -> TraceSummary {
    TraceSummary {
        mode,
        origin: ask.origin,
        source_file: ask.source_file.clone(),
        distance_m: ask.distance_typed_m.or(Some(measured.distance_m)).map(tenth),
        duration_s: ask.duration_typed_s.or(duration_s).map(f64::round),
        distance_typed_m: ask.distance_typed_m,
        duration_typed_s: ask.duration_typed_s,
        duration_recorded_s: ask.duration_recorded_s,
        ascent_m: measured.ascent_m.map(f64::round),
        descent_m: measured.descent_m.map(f64::round),
        min_ele_m: measured.min_ele_m.map(whole_metres),
        max_ele_m: measured.max_ele_m.map(whole_metres),
        profile: ask.profile.map(|profile| profile.as_str().to_owned()),
        reliability: None,
        reliability_state: ReliabilityState::None,
        bbox: trace::bbox(line),
        repairs: ask.repairs.clone(),
        pieces: ask.pieces,
        computed_at: ask.at,
        engine: None,
        data_date: None,
        network: None,
        notice: None,
        revision: 0,
    }
}

/// Where the free legs run, in metres along the working revision.
fn free_stretches(legs: &[Leg]) -> Vec<(f64, f64)> {
    let mut at_m = 0.0;
    let mut found = Vec::new();
    for leg in legs {
        let length_m = trace::measure(&leg.line).distance_m;
        if leg.kind == LegKind::Free {
            found.push((at_m, at_m + length_m));
        }
        at_m += length_m;
    }
    found
}

/// Rounds the lines of legs.
fn tidy(legs: &mut [Leg]) {
    for leg in legs {
        leg.line = rounded(std::mem::take(&mut leg.line));
    }
}

fn rounded(mut line: Vec<Position>) -> Vec<Position> {
    for position in &mut line {
        *position = position.rounded();
    }
    line
}

fn tenth(value: f64) -> f64 {
    // + 0.0 makes of -0 a plain 0.
    (value * 10.0).round() / 10.0 + 0.0
}

fn whole_metres(value_m: f64) -> f64 {
    value_m.round() + 0.0
}
