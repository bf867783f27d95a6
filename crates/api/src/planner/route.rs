//! A way through points.

use axum::Json;
use axum::extract::State;
use planner::RouteRequest;
use serde::Deserialize;
use serde_json::Value;
use trace::Position;
use utoipa::ToSchema;

use crate::App;
use crate::extract::{Body, Reader};
use crate::parcours::ParcoursError;
use crate::parcours::trace::{TraceError, aside};

/// Where to pass, and how one travels.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RouteInput {
    /// Two points at least, in order.
    #[schema(value_type = Vec<Vec<f64>>)]
    pub points: Vec<Position>,
    /// `touring`, `road`, `mtb`, `hiking`, or a name of the reference lists.
    pub profile: String,
}

/// The best way through points, with its instructions.
#[utoipa::path(post, path = "/api/v1/planner/route", tag = "planner", security(("session" = ["content.read"])),
    responses((status = 200, description = "The way: geometry, legs, distance_m, duration_s, instructions", body = Object), ParcoursError))]
pub async fn plan_route(
    State(app): State<App>,
    _reader: Reader,
    Body(sent): Body<RouteInput>,
) -> Result<Json<Value>, ParcoursError> {
    let engine = app.engine.clone().ok_or(TraceError::Absent)?;
    let request = RouteRequest::new(sent.points, super::profile(&sent.profile)?);
    let route =
        aside(move || engine.route(&request).map(|route| serde_json::to_value(&route).unwrap_or_default())).await?;
    Ok(Json(route.map_err(TraceError::from)?))
}
