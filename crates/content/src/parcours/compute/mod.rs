//! Computes a trace from its legs: the planned line, its reliability, its drawings.
//!
//! Computations without the database. Handlers and the command line run them on a thread for blocking work, and store the result.

mod draw;
mod duration;
mod guidance;
mod ignored;
mod joints;
mod practice;
mod read;
mod steps;
#[cfg(test)]
mod tests;

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
use store::parcours::{NewTrace, StoredTrace, TraceExtra, WayRun};
use trace::{HeightSource, MIN_KNOWN_HEIGHT_SHARE, Measure, Position};

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
    let heights = heights_of(&ask.legs, ask.model_heights);
    let worked = with_heights(engine, joined(&ask.legs));
    let planned = match (ask.mode, engine, ask.profile) {
        (TraceMode::Source, ..) => Planned::Not(None),
        (TraceMode::Planner, None, _) => Planned::Not(Some("planner/absent")),
        (TraceMode::Planner, Some(_), None) => Planned::Not(Some("planner/no-profile")),
        (TraceMode::Planner, Some(engine), Some(profile)) => plan(engine, &ask.legs, &worked, profile),
    };
    let Planned::Done { whole, line: planned_line, instructions } = planned else {
        let notice = if let Planned::Not(notice) = planned { notice } else { None };
        return unplanned(&ask, &worked, heights, notice);
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
    let measured = measured(line, heights);
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
    /// The whole line on the network, the line in use, and the instructions along the line in use.
    Done { whole: Box<Match>, line: Vec<Position>, instructions: Vec<Instruction> },
    /// The line is not changed; the reason, where the planner was called.
    Not(Option<&'static str>),
}

/// Scores the whole working revision; stretches from the file take the network's line, planned and free ones stay.
fn plan(engine: &dyn RouteEngine, legs: &[Leg], worked: &[Position], profile: Profile) -> Planned {
    let matched = |points: &[Position]| engine.match_trace(&MatchRequest::new(points.to_vec(), profile));
    let kept = free_stretches(legs).into_iter().map(|(from_m, to_m)| [from_m, to_m]).collect();
    let whole = match engine.match_trace(&MatchRequest { line: worked.to_vec(), profile, kept }) {
        Ok(whole) => whole,
        Err(error) => return Planned::Not(Some(error.code())),
    };
    let found = match whole_recordings(legs).as_slice() {
        [Leg { kind: LegKind::Source, .. }] => Ok((rounded(whole.geometry.clone()), whole.instructions.clone())),
        legs => assembled(legs, &matched).map(|line| {
            let line = rounded(with_heights(Some(engine), line));
            let is_guided = state_of(&whole) == ReliabilityState::Ok;
            let instructions = if is_guided { guided(&line, worked, &whole, &matched) } else { Vec::new() };
            (line, instructions)
        }),
    };
    match found {
        Ok((line, instructions)) => Planned::Done { whole: Box::new(whole), line, instructions },
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

/// One line from the legs: recordings on the ways they follow, the others as they are. A planned leg begins and ends on the way where a
/// recording beside it was put on one.
fn assembled(
    legs: &[Leg],
    matched: &dyn Fn(&[Position]) -> Result<Match, PlanError>,
) -> Result<Vec<Position>, PlanError> {
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
    Ok(joined(&laid))
}

/// The unchanged line: source mode, or a planner that has no answer.
fn unplanned(ask: &Ask, worked: &[Position], heights: HeightSource, notice: Option<&'static str>) -> NewTrace {
    let measured = measured(worked, heights);
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
        },
    }
}

/// The figures of a line. The climb is not given where too few heights are known.
fn measured(line: &[Position], heights: HeightSource) -> Measure {
    let known = line.iter().filter(|position| position.ele.is_some()).count();
    let climbed = |metres: Option<f64>| metres.filter(|_| known as f64 >= MIN_KNOWN_HEIGHT_SHARE * line.len() as f64);
    let all = trace::measure_by(line, heights);
    Measure { ascent_m: climbed(all.ascent_m), descent_m: climbed(all.descent_m), ..all }
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
        min_ele_m: measured.min_ele_m.map(f64::round),
        max_ele_m: measured.max_ele_m.map(f64::round),
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

/// The source of most of the working revision's heights: a file's stretches have those of its recorder, others take
/// the ground model's, and so do those of a file without heights.
fn heights_of(legs: &[Leg], model_heights: bool) -> HeightSource {
    let mut recorded_m = [0.0, 0.0];
    for leg in legs {
        let is_recorded = leg.kind == LegKind::Source && !model_heights;
        let has_own = is_recorded && leg.line.iter().all(|position| position.ele.is_some());
        recorded_m[usize::from(has_own)] += trace::measure(&leg.line).distance_m;
    }
    if recorded_m[1] >= recorded_m[0] { HeightSource::Recorder } else { HeightSource::Model }
}

/// Whether a trace's stretches from the file have the ground model's heights: they are stored with the legs as recorded ones are, but
/// the figures were measured as those of a model.
pub fn has_model_heights(kept: &StoredTrace) -> bool {
    if heights_of(&kept.legs, false) == HeightSource::Model {
        return false;
    }
    let line = kept.line();
    let is_measured_by = |source| {
        let measured = trace::measure_by(&line, source);
        (measured.ascent_m.map(f64::round), measured.descent_m.map(f64::round))
            == (kept.summary.ascent_m, kept.summary.descent_m)
    };
    is_measured_by(HeightSource::Model) && !is_measured_by(HeightSource::Recorder)
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

/// Heights from the ground model where a line has none.
fn with_heights(engine: Option<&dyn RouteEngine>, mut line: Vec<Position>) -> Vec<Position> {
    let Some(engine) = engine.filter(|_| line.iter().any(|position| position.ele.is_none())) else { return line };
    let heights = engine.heights(&line);
    for (position, height) in line.iter_mut().zip(heights) {
        position.ele = position.ele.or(height).map(tenth);
    }
    line
}

/// The legs with the heights their line was given, whose points are theirs in a row.
fn with_line_heights(legs: &[Leg], line: &[Position]) -> Vec<Leg> {
    let mut legs = legs.to_vec();
    let mut given = line.iter();
    let mut last: Option<&Position> = None;
    for point in legs.iter_mut().flat_map(|leg| &mut leg.line) {
        if last.is_none_or(|last| !last.same_place(*point)) {
            last = given.next();
        }
        point.ele = point.ele.or(last.and_then(|last| last.ele));
    }
    legs
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
    (value * 10.0).round() / 10.0
}
