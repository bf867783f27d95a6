//! A trace with its lines.

use app::App;
use app::extract::{Path, Query, Reader};
use app::problem::Internal;
use axum::extract::State;
use domain::parcours::{Leg, ReliabilityState, TraceOrigin, TraceSummary, end_warnings};
use domain::{Actor, ParcoursId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Connection;
use store::parcours::{self as rows, Header, StoredTrace};
use trace::Position;
use utoipa::{IntoParams, ToSchema};

use super::super::access::{own, seen};
use super::super::error::{ParcoursError, ParcoursRefusal};
use super::super::json::JsonText;
use super::inspect::PieceGap;

/// A trace with its lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TraceView {
    /// In figures.
    #[serde(flatten)]
    pub summary: TraceSummary,
    /// As read from the bytes, repaired; absent for a drawn one, and for people of other white-labels.
    pub source_line: Option<Vec<Position>>,
    /// The working revision; for people of other white-labels the line in use.
    pub legs: Vec<Leg>,
    /// The line the applications use.
    pub line: Vec<Position>,
    /// What the planner made of it.
    pub planned_line: Option<Vec<Position>>,
    /// Turn by turn.
    #[schema(value_type = Vec<routing::Instruction>)]
    pub instructions: Value,
    /// Holes between the pieces of the file.
    #[schema(value_type = Vec<PieceGap>)]
    pub source_gaps: Value,
    /// What to ask about the ends: `loop_like`, `one_way_like`.
    pub warnings: Vec<String>,
}

impl TraceView {
    /// The view of a stored trace.
    pub fn of(kept: StoredTrace, is_loop: Option<bool>, network: Option<&str>) -> Self {
        let line = kept.line();
        let source_line = match (&kept.source_line, kept.summary.origin) {
            (Some(line), _) => Some(line.clone()),
            (None, TraceOrigin::Imported) => Some(kept.worked_line()),
            (None, TraceOrigin::Drawn) => None,
        };
        let warnings = end_warnings(&line, is_loop).into_iter().map(str::to_owned).collect();
        let reliability_state: ReliabilityState = kept.summary.state_on(network);
        Self {
            summary: TraceSummary { reliability_state, ..kept.summary },
            source_line,
            legs: kept.legs,
            line,
            planned_line: kept.planned_line,
            instructions: list(kept.extra.instructions),
            source_gaps: list(kept.extra.source_gaps),
            warnings,
        }
    }
}

fn list(value: Value) -> Value {
    if value.is_array() { value } else { Value::Array(Vec::new()) }
}

/// The trace of a parcours as an answer, with the parcours' version.
pub async fn reply(app: &App, db: &impl Connection, id: ParcoursId, actor: &Actor) -> Result<JsonText, ParcoursError> {
    let header = seen(db, id, actor).await?;
    let kept = rows::trace(db, id).await?.ok_or(ParcoursRefusal::NoTrace)?;
    view(app, db, header, kept, actor).await
}

async fn view(
    app: &App,
    db: &impl Connection,
    header: Header,
    kept: StoredTrace,
    actor: &Actor,
) -> Result<JsonText, ParcoursError> {
    let is_loop = rows::load(db, header.id).await?.and_then(|stored| stored.sheet.is_loop);
    let network = app.region().engine.as_deref().and_then(super::super::compute::network_name);
    let theirs = actor.works_in(header.white_label_id);
    let mut view = TraceView::of(if theirs { kept } else { kept.public() }, is_loop, network.as_deref());
    if !theirs {
        view.source_line = None;
    }
    let text = serde_json::to_string(&view).map_err(Internal::new)?;
    Ok(JsonText::new(text).version(header.version))
}

/// Which trace is asked for.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct TraceQuery {
    /// One of its past revisions; absent: the one in use. Past ones are for people who may read the history.
    pub revision: Option<i64>,
}

/// The trace with its lines.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/trace", tag = "parcours", params(("id" = i64, Path), TraceQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = TraceView), ParcoursError))]
pub async fn show_trace(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Query(asked): Query<TraceQuery>,
) -> Result<JsonText, ParcoursError> {
    let db = app.store.read();
    let Some(revision) = asked.revision else { return reply(&app, db, id, &reader).await };
    let header = own(db, id, &reader).await?;
    let kept = rows::trace_at(db, id, revision).await?.ok_or(ParcoursRefusal::NoTrace)?;
    view(&app, db, header, kept, &reader).await
}
