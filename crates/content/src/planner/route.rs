//! Ways through points: the best, alternatives, loops.

use app::App;
use app::extract::{Body, Reader};
use app::problem::Internal;
use axum::extract::State;
use routing::{Language, LoopRequest, Route, RouteEngine, RouteRequest};
use serde::{Deserialize, Serialize};
use trace::{Part, Position};
use utoipa::ToSchema;

use super::{preferences, written};
use crate::parcours::ParcoursError;
use crate::parcours::json::JsonText;
use crate::parcours::trace::TraceError;

/// How the line is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineFormat {
    /// `[lon, lat, height]`, a list.
    #[default]
    Points,
    /// One text in `polyline6` instead of `geometry`: Google's encoding with six decimals, without heights.
    Polyline6,
}

/// Where to pass, and how one travels.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RouteInput {
    /// Two points at least, in order.
    pub points: Vec<Position>,
    /// `touring`, `road`, `gravel`, `mtb`, `ebike`, `hiking`, `family` or `waterway`.
    pub profile: String,
    /// Parts of the land to keep out of: `{"area": [[lon, lat], …]}` or `{"along": {"line": …, "within_m": 20}}`.
    #[serde(default)]
    pub avoid: Vec<Part>,
    /// Month of the journey, 1 to 12: ways closed in that season are not used.
    #[serde(default)]
    pub month: Option<u8>,
    /// How the line is written.
    #[serde(default)]
    pub line: LineFormat,
    /// The language of the instructions, `fr` or `en`; both without it.
    #[serde(default)]
    pub language: Option<Language>,
}

// The fields of `RouteInput` are written again: flattened into this one, the contract would refuse `count` in one half and the points in the
// other.
/// Where to pass, and how many ways are wanted.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AlternativesInput {
    /// The best and others, 1 to 3.
    pub count: usize,
    /// Start and end: two points.
    pub points: Vec<Position>,
    /// As for a route.
    pub profile: String,
    /// As for a route.
    #[serde(default)]
    pub avoid: Vec<Part>,
    /// As for a route.
    #[serde(default)]
    pub month: Option<u8>,
    /// As for a route.
    #[serde(default)]
    pub line: LineFormat,
    /// As for a route.
    #[serde(default)]
    pub language: Option<Language>,
}

impl AlternativesInput {
    fn into_route(self) -> RouteInput {
        let Self { count: _, points, profile, avoid, month, line, language } = self;
        RouteInput { points, profile, avoid, month, line, language }
    }
}

/// A loop from a place.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopInput {
    /// Where it starts and ends.
    pub start: Position,
    /// As for a route.
    pub profile: String,
    /// About how long, in metres: 500 to 300,000.
    pub length_m: f64,
    /// How many different ones, 1 to 3.
    pub count: usize,
}

/// The planned route in an answer.
#[derive(Serialize, ToSchema)]
#[schema(as = PlannedRoute)]
struct Encoded {
    /// The line as Google encodes it, with six decimals, where it is asked for so; `geometry` is then empty.
    #[schema(required = false)]
    polyline6: String,
    #[serde(flatten)]
    route: Route,
}

impl RouteInput {
    /// The request to the engine, with the preferences of the active white-label.
    async fn request(self, app: &App, reader: &Reader) -> Result<RouteRequest, ParcoursError> {
        let profile = super::profile(&self.profile)?;
        let preferences = preferences::of(app, reader, &self.profile).await?;
        Ok(RouteRequest {
            points: self.points,
            profile,
            avoid: self.avoid,
            month: self.month,
            preferences,
            language: self.language,
        })
    }
}

/// The best way through points, with its instructions.
#[utoipa::path(post, path = "/api/v1/planner/route", tag = "planner", security(("session" = ["content.read"])),
    request_body(content = RouteInput), responses((status = 200, description = "The way", body = Encoded), ParcoursError))]
pub async fn plan_route(
    State(app): State<App>,
    reader: Reader,
    Body(sent): Body<RouteInput>,
) -> Result<JsonText, ParcoursError> {
    let format = sent.line;
    let request = sent.request(&app, &reader).await?;
    // The hand-over to another thread would cost as much as the answer.
    let region = app.region();
    if let Some(engine) = region.engine.as_deref().filter(|engine| engine.answers_at_once(&request)) {
        return Ok(JsonText::new(planned(engine, &request, format)?.map_err(Internal::new)?));
    }
    written(&app, move |engine| planned(engine, &request, format)).await
}

/// Plans a route and writes it as JSON.
fn planned(
    engine: &dyn RouteEngine,
    request: &RouteRequest,
    format: LineFormat,
) -> Result<serde_json::Result<String>, TraceError> {
    let mut route = engine.route(request)?;
    Ok(match format {
        LineFormat::Points => serde_json::to_string(&route),
        LineFormat::Polyline6 => {
            let polyline6 = routing::polyline6(&std::mem::take(&mut route.geometry));
            serde_json::to_string(&Encoded { polyline6, route })
        }
    })
}

/// Up to three good ways between two points, the best first.
#[utoipa::path(post, path = "/api/v1/planner/alternatives", tag = "planner", security(("session" = ["content.read"])),
    request_body(content = AlternativesInput), responses((status = 200, description = "The ways, the best first", body = Vec<Route>), ParcoursError))]
pub async fn plan_alternatives(
    State(app): State<App>,
    reader: Reader,
    Body(sent): Body<AlternativesInput>,
) -> Result<JsonText, ParcoursError> {
    let (count, request) = (sent.count, sent.into_route().request(&app, &reader).await?);
    written(&app, move |engine| Ok(serde_json::to_string(&engine.alternatives(&request, count)?))).await
}

/// Loops of a wanted length from a place, the best first.
#[utoipa::path(post, path = "/api/v1/planner/loops", tag = "planner", security(("session" = ["content.read"])),
    request_body(content = LoopInput), responses((status = 200, description = "The loops, the best first", body = Vec<Route>), ParcoursError))]
pub async fn plan_loops(
    State(app): State<App>,
    reader: Reader,
    Body(sent): Body<LoopInput>,
) -> Result<JsonText, ParcoursError> {
    let LoopInput { start, profile, length_m, count } = sent;
    let preferences = preferences::of(&app, &reader, &profile).await?;
    let asked = LoopRequest { start, profile: super::profile(&profile)?, length_m, count, preferences };
    written(&app, move |engine| Ok(serde_json::to_string(&engine.loops(&asked)?))).await
}
