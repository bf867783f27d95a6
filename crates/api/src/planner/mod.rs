//! The planner for the editor: nothing here is written down.

mod analysis;
mod route;
mod status;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use crate::parcours::trace::TraceError;

pub use analysis::{AnalysisInput, AnalysisView};
pub use route::RouteInput;
pub use status::PlannerStatus;

/// The routes of the planner.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(route::plan_route))
        .routes(routes!(analysis::analyse_trace))
        .routes(routes!(status::show_planner_status))
        // A line of 200,000 points is about 10 MB of JSON.
        .layer(DefaultBodyLimit::max(32 * 1024 * 1024))
}

/// The profile of a name of the reference lists.
fn profile(name: &str) -> Result<planner::Profile, TraceError> {
    crate::parcours::compute::profile_named(Some(name))
        .ok_or_else(|| TraceError::UnknownProfile { profile: name.chars().take(40).collect() })
}
