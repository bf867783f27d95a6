//! The trace of a parcours: import, edit, recalculate, take away. The source's bytes are kept for good, never altered.

mod download;
mod edit;
mod error;
pub(crate) mod ignored;
mod import;
mod inspect;
mod show;

use std::sync::LazyLock;
use std::time::Duration;

use app::App;
use app::problem::Internal;
use app::routes;
use axum::extract::DefaultBodyLimit;
pub use download::{Format, document, written};
pub(super) use edit::remake;
pub(crate) use edit::source_has_model_heights;
pub use edit::{again, check_legs};
pub use error::TraceError;
pub(crate) use import::body_of;
pub use import::source_key;
pub use show::TraceView;
use store::parcours::NewTrace;
use tokio::sync::Semaphore;
use utoipa_axum::router::OpenApiRouter;

use super::compute::{Ask, compute};
use super::error::ParcoursError;

/// Matching and planning take a core each: as many at once as there are cores, the others wait a while.
static PLANNING: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)));
/// How long a request waits for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs work of the planner on a thread for blocking work, in its turn. Refused as busy where its turn does not come within
/// `QUEUE_TIMEOUT`.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ParcoursError> {
    let turn = tokio::time::timeout(QUEUE_TIMEOUT, PLANNING.acquire()).await;
    let Ok(Ok(_turn)) = turn else { return Err(TraceError::Busy { retry_after_s: 5 }.into()) };
    tokio::task::spawn_blocking(work).await.map_err(|error| Internal::new(error).into())
}

/// Makes a trace on a thread for blocking work, in its turn.
pub(crate) async fn computed(app: &App, ask: Ask) -> Result<NewTrace, ParcoursError> {
    let engine = app.region().engine.clone();
    run_blocking(move || compute(engine.as_deref(), ask)).await
}

/// A file of 20 MB written as text, with the JSON of a line of 200,000 points; the readers report a file over their limit.
const MAX_BODY: usize = 60 * 1024 * 1024;

/// The routes of this folder.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show::show_trace, edit::save_trace))
        .routes(routes!(import::import_trace_source, download::download_trace_source))
        .routes(routes!(import::restore_trace_original))
        .routes(routes!(edit::recalculate_parcours))
        .routes(routes!(inspect::inspect_trace))
        .routes(routes!(download::download_trace_gpx))
        .routes(routes!(download::download_trace_kml))
        .routes(routes!(download::download_trace_geojson))
        .routes(routes!(download::download_trace_tcx))
        .layer(DefaultBodyLimit::max(MAX_BODY))
}
