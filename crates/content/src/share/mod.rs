//! Sharing a parcours: a stable address while it is published, or one that ends.

mod error;
mod list;
mod make;
pub(crate) mod qr;

use app::App;
use app::routes;
use utoipa_axum::router::OpenApiRouter;

pub use error::ShareError;
pub use list::{ShareView, Shares};
pub use make::ShareInput;

/// The routes of shares.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_shares, make::create_share))
        .routes(routes!(make::revoke_share))
        .routes(routes!(qr::draw_share_qr_svg))
        .routes(routes!(qr::draw_share_qr_png))
}
