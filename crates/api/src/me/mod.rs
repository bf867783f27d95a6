//! The signed-in person: what they see of their account, and what they may change.

mod error;
mod password;
mod sessions;
mod tokens;
mod totp;
mod update;
mod view;

use app::App;
use app::routes;
pub use error::MeError;
use utoipa_axum::router::OpenApiRouter;
pub use view::MeView;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(update::update_me))
        .routes(routes!(password::change_password))
        .routes(routes!(sessions::list_own_sessions, sessions::end_other_sessions))
        .routes(routes!(sessions::end_own_session))
        .merge(tokens::router())
        .merge(totp::router())
}
