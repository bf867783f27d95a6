//! The guide inside the app: its pages, its search, its pictures.

mod error;
mod page;
mod pages;
mod pictures;
mod source;

use app::App;
use app::routes;
pub use error::GuideError;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(pages::list_guide_pages))
        .routes(routes!(page::show_guide_page))
        .routes(routes!(pictures::show_guide_picture))
}
