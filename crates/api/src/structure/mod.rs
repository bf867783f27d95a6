//! Structures.

mod error;
mod list;
mod show;
mod view;

pub use error::StructureError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
pub use view::StructureView;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::list_structures)).routes(routes!(show::show_structure))
}
