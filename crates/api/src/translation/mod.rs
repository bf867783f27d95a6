//! Translation: the services, a field or a sheet at a glance, many sheets as a job.

mod error;
mod jobs;
mod propose;
mod sentences;
mod service;
mod sheet;
mod states;
mod translator;
pub mod work;

use app::App;
use app::routes;
pub use error::TranslationError;
pub(crate) use translator::{TranslatorResource, hint_of};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    translator::router()
        .routes(routes!(propose::propose_translations))
        .routes(routes!(states::list_text_states))
        .routes(routes!(jobs::start_translation_job, jobs::list_translation_jobs))
        .routes(routes!(jobs::estimate_translation_job))
        .routes(routes!(jobs::show_translation_job))
        .routes(routes!(jobs::list_translation_job_lines))
        .routes(routes!(jobs::cancel_translation_job))
        .routes(routes!(jobs::resume_translation_job))
}
