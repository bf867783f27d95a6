//! The reference lists.

mod error;
mod list;
mod view;

pub use error::VocabularyError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
pub use view::{VocabularyItemView, VocabularyView};

use crate::App;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::list_vocabulary))
}
