//! Signing in and out, and who is signed in.

mod create;
mod end;
mod error;
mod show;

use app::App;
use app::routes;
pub use error::SignInError;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_session, show::show_session, end::delete_session))
        .routes(routes!(end::delete_sessions))
}
