//! Computes a trace that is being edited, without saving it.

use app::App;
use app::extract::{Body, Reader};
use axum::Json;
use axum::extract::State;
use domain::parcours::{Leg, ReliabilityState, TraceMode, TraceOrigin, end_warnings};
use domain::{Fault, ParcoursId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::parcours::NewTrace;
use trace::Position;
use utoipa::ToSchema;

use crate::parcours::ParcoursError;
use crate::parcours::compute::{Ask, ReliabilityView, pace_of};
use crate::parcours::trace::ignored::{self, IgnoredGapInput};
use crate::parcours::trace::{TraceError, check_legs, computed, source_has_model_heights};

/// A trace in the making.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisInput {
    /// The working revision.
    pub legs: Vec<Leg>,
    /// Which line would be used.
    pub mode: TraceMode,
    /// `touring`, `road`, `mtb`, `hiking`, or a name of the reference lists.
    pub profile: String,
    /// The practice, whose speeds give the durations.
    #[serde(default)]
    pub practice_type_id: Option<i64>,
    /// Whether it is meant to be a loop.
    #[serde(default)]
    pub is_loop: Option<bool>,
    #[serde(default)]
    pub ignored_gaps: Vec<IgnoredGapInput>,
    /// The parcours whose trace has the recording behind the legs; absent: the recording, if there is one, is not saved yet.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    pub parcours_id: Option<ParcoursId>,
    /// The revision of that trace, where the recording is not the one in use.
    #[serde(default)]
    pub source_revision: Option<i64>,
}

/// What it would be.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AnalysisView {
    /// The line that would be used.
    pub line: Vec<Position>,
    /// What the planner makes of it, also where the source's line is the one in use.
    pub planned_line: Option<Vec<Position>>,
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    pub ascent_m: Option<f64>,
    pub descent_m: Option<f64>,
    pub min_ele_m: Option<f64>,
    pub max_ele_m: Option<f64>,
    /// The planner's reliability.
    #[schema(value_type = Option<ReliabilityView>)]
    pub reliability: Option<Value>,
    /// The same in one word.
    pub reliability_state: ReliabilityState,
    /// Turn by turn.
    #[schema(value_type = Vec<routing::Instruction>)]
    pub instructions: Value,
    /// `loop_like`, `one_way_like`.
    pub warnings: Vec<&'static str>,
    /// Why there is no planned line, as a code.
    pub notice: Option<String>,
}

/// Measure and score a trace in the making. Nothing is written.
#[utoipa::path(post, path = "/api/v1/planner/analysis", tag = "planner", security(("session" = ["content.read"])),
    request_body(content = AnalysisInput), responses((status = 200, body = AnalysisView), ParcoursError))]
pub async fn analyse_trace(
    State(app): State<App>,
    reader: Reader,
    Body(sent): Body<AnalysisInput>,
) -> Result<Json<AnalysisView>, ParcoursError> {
    check_legs(&sent.legs)?;
    if sent.legs.is_empty() {
        return Err(TraceError::TooFewPoints { count: 0 }.into());
    }
    let (_, pace) = pace_of(app.store.read(), sent.practice_type_id).await?;
    let model_heights = match (sent.parcours_id, sent.source_revision) {
        (Some(id), revision) => source_has_model_heights(&app, &reader, id, revision).await?,
        (None, Some(_)) => return Err(Fault::new("validation/required", "/parcours_id").into()),
        (None, None) => false,
    };
    let ask = Ask {
        mode: sent.mode,
        profile: Some(super::profile(&sent.profile)?),
        pace,
        origin: TraceOrigin::Drawn,
        source_file: None,
        repairs: Vec::new(),
        pieces: 1,
        source_gaps: Value::Array(Vec::new()),
        source_line: None,
        model_heights,
        distance_typed_m: None,
        duration_typed_s: None,
        duration_recorded_s: None,
        ignored: ignored::settled(&app, &reader, &sent.ignored_gaps, &[], &sent.legs).await?,
        legs: sent.legs,
        at: app.now(),
    };
    let trace = computed(&app, ask).await?;
    Ok(Json(view(trace, sent.is_loop)))
}

fn view(trace: NewTrace, is_loop: Option<bool>) -> AnalysisView {
    let line = trace.line();
    let NewTrace { summary, extra, planned_line, .. } = trace;
    AnalysisView {
        warnings: end_warnings(&line, is_loop),
        line,
        planned_line,
        distance_m: summary.distance_m,
        duration_s: summary.duration_s,
        ascent_m: summary.ascent_m,
        descent_m: summary.descent_m,
        min_ele_m: summary.min_ele_m,
        max_ele_m: summary.max_ele_m,
        reliability: summary.reliability,
        reliability_state: summary.reliability_state,
        instructions: extra.instructions,
        notice: summary.notice,
    }
}
