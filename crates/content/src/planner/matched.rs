//! A recording laid on the network: the same answers as `jalon plan match|score --json`.

use app::extract::{Query, Reader, parse};
use app::{App, Rejection};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use routing::{MatchDetail, MatchRequest, Profile, Scored};
use serde::Deserialize;
use trace::Position;
use utoipa::{IntoParams, ToSchema};

use super::written;
use crate::parcours::ParcoursError;
use crate::parcours::json::JsonText;
use crate::parcours::trace::{TraceError, body_of};

/// A line sent as JSON.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LineInput {
    /// 2 to 200,000 points.
    pub coordinates: Vec<Position>,
    /// As in `POST /planner/route`.
    pub profile: String,
    /// Stretches kept off the network on purpose: from and to, in metres along the line.
    #[serde(default)]
    pub kept: Vec<[f64; 2]>,
}

/// The format of a file and the profile; a line sent as JSON contains both.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Matching {
    /// The file's name.
    #[param(example = "boucle.gpx")]
    pub file_name: Option<String>,
    /// As for a route; required with a file.
    #[param(example = "hiking")]
    pub profile: Option<String>,
}

/// Lay a recording on the network: its reliability, each stretch that does not match, the planned line and the ways it
/// runs on. The body is a line as `application/json`, or a file (GPX, KML/KMZ, GeoJSON, TCX, FIT) as any other type.
#[utoipa::path(post, path = "/api/v1/planner/match", tag = "planner", params(Matching), security(("session" = ["content.read"])),
    request_body(content((LineInput = "application/json"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, description = "How far they agree, with the line and its ways", body = Scored), ParcoursError))]
#[tracing::instrument(name = "planner.match", skip_all)]
pub async fn match_recording(
    State(app): State<App>,
    _reader: Reader,
    Query(asked): Query<Matching>,
    headers: HeaderMap,
    sent: Result<Bytes, BytesRejection>,
) -> Result<JsonText, ParcoursError> {
    scored(&app, asked, &headers, sent, MatchDetail::WithLine).await
}

/// The same without the line and the ways: how far a recording and the network agree.
#[utoipa::path(post, path = "/api/v1/planner/score", tag = "planner", params(Matching), security(("session" = ["content.read"])),
    request_body(content((LineInput = "application/json"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, description = "How far they agree", body = Scored), ParcoursError))]
#[tracing::instrument(name = "planner.score", skip_all)]
pub async fn score_recording(
    State(app): State<App>,
    _reader: Reader,
    Query(asked): Query<Matching>,
    headers: HeaderMap,
    sent: Result<Bytes, BytesRejection>,
) -> Result<JsonText, ParcoursError> {
    scored(&app, asked, &headers, sent, MatchDetail::ScoreOnly).await
}

async fn scored(
    app: &App,
    asked: Matching,
    headers: &HeaderMap,
    sent: Result<Bytes, BytesRejection>,
    detail: MatchDetail,
) -> Result<JsonText, ParcoursError> {
    let bytes = body_of::<ParcoursError>(sent)?;
    if is_line(headers) {
        let LineInput { coordinates, profile, kept } = parse(&bytes)?;
        let request = MatchRequest { line: coordinates, profile: super::profile(&profile)?, kept };
        return answered(app, None, move || Ok(request), detail).await;
    }
    let profile: Profile = match asked.profile.as_deref() {
        Some(name) => super::profile(name)?,
        None => return Err(Rejection::BadQuery { name: "profile".to_owned() }.into()),
    };
    let file = asked.file_name;
    let name = file.clone().unwrap_or_default();
    let read = move || Ok(MatchRequest::new(trace::read(&bytes, &name)?.line(), profile));
    answered(app, file, read, detail).await
}

async fn answered(
    app: &App,
    file: Option<String>,
    request: impl FnOnce() -> Result<MatchRequest, TraceError> + Send + 'static,
    detail: MatchDetail,
) -> Result<JsonText, ParcoursError> {
    written(app, move |engine| Ok(serde_json::to_string(&Scored::ask(engine, file, &request()?, detail)?))).await
}

/// GeoJSON is a file like others: only `application/json` itself is a line.
fn is_line(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}
