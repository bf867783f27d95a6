//! Distances and reach: matrix and isochrones.

use app::App;
use app::extract::{Body, Reader};
use axum::extract::State;
use serde::Deserialize;
use trace::Position;
use utoipa::ToSchema;

use super::written;
use crate::parcours::ParcoursError;
use crate::parcours::json::JsonText;

/// Points to compare.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatrixInput {
    /// 2 to 50 points.
    pub points: Vec<Position>,
    /// As in `POST /planner/route`.
    pub profile: String,
}

/// A place and some times.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IsochroneInput {
    /// The starting point.
    pub from: Position,
    /// As in `POST /planner/route`.
    pub profile: String,
    /// Up to ten times in seconds, six hours at most.
    pub times_s: Vec<u32>,
}

/// Distances and times between all points, to put them in order.
#[utoipa::path(post, path = "/api/v1/planner/matrix", tag = "planner", security(("session" = ["content.read"])),
    request_body(content = MatrixInput), responses((status = 200, description = "A row for each point one sets out from", body = routing::Matrix), ParcoursError))]
pub async fn plan_matrix(
    State(app): State<App>,
    _reader: Reader,
    Body(sent): Body<MatrixInput>,
) -> Result<JsonText, ParcoursError> {
    let profile = super::profile(&sent.profile);
    written(&app, move |engine| Ok(serde_json::to_string(&engine.matrix(&sent.points, profile?)?))).await
}

/// What can be reached from a place in some times: length of ways and rings around them.
#[utoipa::path(post, path = "/api/v1/planner/isochrone", tag = "planner", security(("session" = ["content.read"])),
    request_body(content = IsochroneInput), responses((status = 200, description = "One for each time, the shortest first", body = Vec<routing::Isochrone>), ParcoursError))]
pub async fn plan_isochrone(
    State(app): State<App>,
    _reader: Reader,
    Body(sent): Body<IsochroneInput>,
) -> Result<JsonText, ParcoursError> {
    let profile = super::profile(&sent.profile);
    written(&app, move |engine| Ok(serde_json::to_string(&engine.isochrone(sent.from, profile?, &sent.times_s)?))).await
}
