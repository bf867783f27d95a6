//! Statistics of use: events are received from pages, widgets and applications; figures are read from the sums of their days.

mod breakdown;
mod count;
mod error;
mod export;
mod installs;
mod intake;
mod keep;
mod map;
mod overview;
mod query;

use app::App;
use app::every_site::for_every_site;
use app::routes;
use app::window_limit::WindowLimiter;
use axum::middleware::map_response;
pub(crate) use count::{CountedEvent, note};
pub use error::{EventsError, StatisticsError};
pub use intake::{EventInput, EventsInput};
pub use keep::settle;
use utoipa_axum::router::OpenApiRouter;

/// What statistics keep in the application.
#[derive(Debug, Default)]
pub(crate) struct StatisticsState {
    queue: keep::Queue,
    limiter: WindowLimiter<60>,
    shown: intake::ShownParcours,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    // No answer to an event contains personal data: every site may read it.
    let events = OpenApiRouter::new().routes(routes!(intake::take_events)).layer(map_response(for_every_site));
    OpenApiRouter::new()
        .routes(routes!(overview::show_statistics))
        .routes(routes!(breakdown::list_statistics))
        .routes(routes!(map::show_statistics_map))
        .routes(routes!(export::export_statistics_csv))
        .routes(routes!(installs::import_installs))
        .merge(events)
}
