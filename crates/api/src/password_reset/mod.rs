//! A forgotten password: a mail with a link that works once, for an hour.

mod answer;
mod create;
mod error;
mod invite;
pub(crate) mod mail;
mod show;
mod use_up;

pub(crate) use answer::AnswerPasswordReset;
use app::App;
use app::routes;
use domain::{DAY_S, HOUR_S};
pub use error::PasswordResetError;
pub(crate) use invite::invite;
use utoipa_axum::router::OpenApiRouter;

/// How long a link works: an hour.
pub const LINK_S: i64 = HOUR_S;
/// How long an invitation works: a week.
const INVITATION_S: i64 = 7 * DAY_S;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_password_reset))
        .routes(routes!(show::show_password_reset, use_up::use_password_reset))
}
