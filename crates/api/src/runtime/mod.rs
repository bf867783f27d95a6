//! What the web app asks before anything else: configuration, builds, health.

mod builds;
mod disk;
mod health;
mod measures;
mod media;
mod payload;
mod probes;

use app::App;
use app::routes;
use utoipa_axum::router::OpenApiRouter;

pub(crate) use self::disk::disk;
pub use self::measures::measure;
pub use self::probes::{PartState, Readiness, ReadyState, begin_stop, readiness};

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(payload::show_payload))
        .routes(routes!(builds::show_latest_build))
        .routes(routes!(builds::show_build))
        .routes(routes!(health::show_health))
        .routes(routes!(probes::show_liveness))
        .routes(routes!(probes::show_readiness))
}
