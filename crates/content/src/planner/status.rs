//! The state and the data of the planner.

use app::extract::Reader;
use app::{App, PlannerFailure};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// The planner, if there is one.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PlannerStatus {
    /// Whether it answers.
    pub available: bool,
    /// Its name, version, day of its data, box, profiles and bounds.
    #[schema(value_type = Option<routing::EngineStatus>)]
    pub engine: Option<Value>,
    /// Why there is no planner, where a network is there and cannot be used.
    pub problem: Option<PlannerFailure>,
}

/// The state of the planner and the data it has.
#[utoipa::path(get, path = "/api/v1/planner/status", tag = "planner", security(("session" = ["content.read"])),
    responses((status = 200, body = PlannerStatus), app::Rejection))]
pub async fn show_planner_status(State(app): State<App>, _reader: Reader) -> Json<PlannerStatus> {
    let region = app.region();
    let engine = region.engine.as_deref().map(|engine| serde_json::to_value(engine.status()).unwrap_or_default());
    Json(PlannerStatus { available: engine.is_some(), engine, problem: region.engine_failure.clone() })
}
