//! How the servers of the platform are: each writes it down every few seconds, and administrators see it.

mod error;
mod heartbeat;
mod show;

use app::App;
use app::routes;
use utoipa_axum::router::OpenApiRouter;

pub use heartbeat::{leave, note, start};

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show::show_status))
}
