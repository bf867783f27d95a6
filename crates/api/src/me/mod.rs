//! The signed-in person: what they are told of themselves, and what they may change.

mod error;
mod totp;
mod update;
mod view;

pub use error::MeError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
pub use view::MeView;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(update::update_me)).merge(totp::router())
}
