//! Media: what is known of them, and their bytes.

mod bytes;
mod error;
mod list;
mod show;
mod view;

pub use error::MediaError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
pub use view::MediaView;

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_medias))
        .routes(routes!(show::show_media))
        .routes(routes!(bytes::download_media))
}
