//! The network watch: when the map's data was replaced, parcours are scored again before anyone complains, and those that
//! lost or gained guidance are listed with what changed. Beside them, stored traces that are not as a save would store them.

mod compare;
mod error;
mod faults;
mod list;
mod show;
pub mod work;

use app::App;
use app::routes;
pub use error::WatchError;
pub use show::waiting;
use utoipa_axum::router::OpenApiRouter;
pub use work::ScoreAgain;
pub use work::{WatchState, settle, start};

/// The routes of this folder.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show::show_watch))
        .routes(routes!(show::start_watch_run))
        .routes(routes!(list::list_watch_changes))
        .routes(routes!(list::see_watch_change))
        .routes(routes!(faults::list_trace_faults))
}
