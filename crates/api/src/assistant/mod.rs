//! The writing assistant: uses the model of a white-label where it has one, else built-in sentences.

mod error;
mod facts;
pub(crate) mod finish;
mod job;
mod settings;
mod write;

use app::App;
use app::routes;
use utoipa_axum::router::OpenApiRouter;

pub use error::AssistantError;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(write::show_assistant))
        .routes(routes!(write::write_text))
        .routes(routes!(settings::show_assistant_settings, settings::set_assistant_settings))
        .routes(routes!(settings::set_assistant_key, settings::drop_assistant_key))
        .routes(routes!(settings::test_assistant))
}
