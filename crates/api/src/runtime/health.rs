//! Whether the server can do its work.

use app::App;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Whether the server can do its work.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Health {
    /// `ok` or `failing`.
    status: &'static str,
    version: String,
    /// `ok` or `failing`.
    database: &'static str,
    /// `ok`, `none` where there is no network to plan on, `failing` where the one that is there cannot be used.
    network: &'static str,
    /// `ok`, or `none` where there is no base map.
    tiles: &'static str,
}

/// Whether the server can do its work.
#[utoipa::path(
    get,
    path = "/health",
    tag = "runtime",
    security(()),
    responses((status = 200, body = Health), (status = 503, body = Health))
)]
pub async fn show_health(State(app): State<App>) -> Response {
    let database = app.store.ping().await;
    if let Err(error) = &database {
        tracing::error!(error = %error, "the database does not answer");
    }
    let region = app.region();
    let word = |good: bool| if good { "ok" } else { "failing" };
    let there = |there: bool| if there { "ok" } else { "none" };
    let health = Health {
        status: word(database.is_ok()),
        version: app.settings.version.clone(),
        database: word(database.is_ok()),
        network: if region.engine_failure.is_some() { "failing" } else { there(region.engine.is_some()) },
        tiles: there(region.tiles.is_some()),
    };
    let status = if database.is_ok() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(health)).into_response()
}
