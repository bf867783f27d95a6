//! Parcours: the sheet, the list, the trace, the history.

pub mod access;
pub mod beside;
mod bulk;
mod children;
mod closures;
pub mod compute;
mod content;
mod create;
mod delete;
mod detour;
pub(crate) mod duplicate;
mod error;
pub(crate) mod export;
pub(crate) mod input;
pub(crate) mod json;
mod list;
pub mod list_query;
mod presence;
pub mod proposals;
mod publish;
mod revisions;
mod saving;
mod show;
pub mod trace;
pub mod trace_check;
mod update;
mod view;
mod white_labels;

use app::App;
use app::routes;
pub use children::{ChildDecision, ChildRequestView};
pub use closures::ParcoursClosureView;
pub(crate) use closures::closures_of;
pub(crate) use content::ParcoursContent;
pub use error::{ParcoursError, ParcoursRefusal, not_found};
use utoipa_axum::router::OpenApiRouter;
pub use view::{ParcoursRow, ParcoursView};

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_parcours, create::create_parcours))
        .routes(routes!(list::count_parcours_views))
        .routes(routes!(list::map_parcours))
        .routes(routes!(export::export_parcours_geojson))
        .routes(routes!(export::export_parcours_csv))
        .routes(routes!(bulk::change_many_parcours))
        .routes(routes!(bulk::undo_bulk))
        .routes(routes!(show::show_parcours, update::update_parcours, delete::delete_parcours))
        .routes(routes!(delete::list_parcours_uses))
        .routes(routes!(publish::publish_parcours, publish::unpublish_parcours))
        .routes(routes!(white_labels::link_parcours, white_labels::unlink_parcours))
        .routes(routes!(children::decide_parcours_child))
        .routes(routes!(duplicate::duplicate_parcours))
        .routes(routes!(revisions::list_parcours_revisions))
        .routes(routes!(revisions::show_parcours_revision))
        .routes(routes!(revisions::restore_parcours_revision))
        .routes(routes!(presence::announce_presence))
        .routes(routes!(proposals::list_parcours_proposals))
        .routes(routes!(proposals::decide_parcours_proposal))
        .routes(routes!(closures::list_parcours_closures))
        .routes(routes!(detour::publish_detour, detour::withdraw_detour))
        .merge(trace::router())
}
