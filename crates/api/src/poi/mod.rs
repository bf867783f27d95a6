//! Points of interest: read here; their screens and rules come with their own issue.

mod error;
mod list;
mod show;
mod view;

pub use error::PoiError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
pub use view::PoiView;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::list_pois)).routes(routes!(show::show_poi))
}
