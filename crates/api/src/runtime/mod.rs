//! What the web app asks before anything else: configuration, builds, health.

mod builds;
mod health;
mod media;
mod payload;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(payload::show_payload))
        .routes(routes!(builds::show_latest_build))
        .routes(routes!(builds::show_build))
        .routes(routes!(health::show_health))
}
