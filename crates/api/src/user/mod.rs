//! People who sign in, as an administrator sees them.

mod error;
mod list;
mod show;
mod view;

pub use error::UserError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
pub use view::UserView;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::list_users)).routes(routes!(show::show_user))
}
