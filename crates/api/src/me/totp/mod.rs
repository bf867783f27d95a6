//! One's own second factor: offered, turned on, turned off.

mod end;
mod error;
mod offer;
mod start;

use app::App;
use app::routes;
pub use error::TotpError;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(offer::offer_totp, start::enable_totp, end::disable_totp))
}
