//! Entries that people make on the ground, often without a network: stored once each, listed for the desk, reviewed there (decision 0069), or
//! taken in without a review (0085).

mod apply;
mod error;
mod give;
mod list;
mod review;
mod track;
mod view;

use app::App;
use app::routes;
use utoipa_axum::router::OpenApiRouter;

pub use error::GroundError;
pub use view::GroundEntryView;

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_ground_entries))
        .routes(routes!(give::give_ground_entry))
        .routes(routes!(review::review_ground_entry))
        .routes(routes!(track::download_ground_track))
}
