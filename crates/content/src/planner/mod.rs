//! The planner for the editor: nothing here is written down.

mod analysis;
mod matched;
mod preferences;
mod reach;
mod route;
mod status;
pub mod watch;

use app::App;
use app::problem::Internal;
use app::routes;
use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;

use crate::parcours::ParcoursError;
use crate::parcours::json::JsonText;
use crate::parcours::trace::{TraceError, run_blocking};

pub use analysis::{AnalysisInput, AnalysisView};
pub use matched::{LineInput, Matching};
pub use reach::{IsochroneInput, MatrixInput};
pub use route::{AlternativesInput, LineFormat, LoopInput, RouteInput};
pub use status::PlannerStatus;

/// The routes of the planner.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(route::plan_route))
        .routes(routes!(route::plan_alternatives))
        .routes(routes!(route::plan_loops))
        .routes(routes!(reach::plan_matrix))
        .routes(routes!(reach::plan_isochrone))
        .routes(routes!(matched::match_recording))
        .routes(routes!(matched::score_recording))
        .routes(routes!(analysis::analyse_trace))
        .routes(routes!(status::show_planner_status))
        .merge(watch::router())
        // A line of 200,000 points is about 10 MB of JSON.
        .layer(DefaultBodyLimit::max(32 * 1024 * 1024))
}

/// Asks the engine on a thread for blocking work and writes its answer as JSON there, without a tree of values: a line has thousands of
/// points.
async fn written(
    app: &App,
    ask: impl FnOnce(&dyn routing::RouteEngine) -> Result<serde_json::Result<String>, TraceError> + Send + 'static,
) -> Result<JsonText, ParcoursError> {
    let engine = app.region().engine.clone().ok_or(TraceError::Absent)?;
    let text = run_blocking(move || ask(engine.as_ref())).await??;
    Ok(JsonText::new(text.map_err(Internal::new)?))
}

/// The profile of a name of the reference lists.
fn profile(name: &str) -> Result<routing::Profile, TraceError> {
    name.parse().map_err(|_| TraceError::UnknownProfile { profile: name.chars().take(40).collect() })
}
