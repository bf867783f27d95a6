//! White-labels.

mod error;
mod list;
mod show;
mod view;

pub use error::WhiteLabelError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
pub use view::WhiteLabelView;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::list_white_labels)).routes(routes!(show::show_white_label))
}
