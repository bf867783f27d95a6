//! Which build is the newest, and the route rules that go with it.

use std::collections::BTreeMap;

use app::extract::Path;
use app::{App, Rejection};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::{AppendHeaders, IntoResponse};
use serde::Serialize;
use utoipa::ToSchema;

/// The newest build.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LatestBuild {
    id: String,
    /// When it was made, in milliseconds since 1970.
    timestamp: i64,
}

/// The route rules of a build.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BuildManifest {
    id: String,
    matcher: Matcher,
    prerendered: Vec<String>,
}

/// Rules by kind of path; ours are all of exact paths.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Matcher {
    #[serde(rename = "static")]
    exact: BTreeMap<String, Rule>,
    #[schema(value_type = Object)]
    wildcard: BTreeMap<String, Rule>,
    #[schema(value_type = Object)]
    dynamic: BTreeMap<String, Rule>,
}

/// What happens on a path.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Rule {
    /// Where it leads.
    redirect: String,
    /// Whether that is another site, which takes a full page load.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    external: bool,
}

const NO_CACHE: [(axum::http::HeaderName, HeaderValue); 1] = [(CACHE_CONTROL, HeaderValue::from_static("no-cache"))];

/// The newest build: an open page that finds another one than its own offers a reload.
#[utoipa::path(
    get,
    path = "/builds/latest.json",
    tag = "runtime",
    security(()),
    responses((status = 200, body = LatestBuild))
)]
pub async fn show_latest_build(State(app): State<App>) -> impl IntoResponse {
    let latest = LatestBuild { id: app.settings.build_id.clone(), timestamp: app.settings.built_at.seconds() * 1_000 };
    (AppendHeaders(NO_CACHE), Json(latest))
}

/// The route rules of a build; of an older one, those of today.
#[utoipa::path(
    get,
    path = "/builds/meta/{id}",
    tag = "runtime",
    security(()),
    params(("id" = String, Path, description = "`<build>.json`")),
    responses((status = 200, body = BuildManifest), Rejection)
)]
pub async fn show_build(State(app): State<App>, Path(file): Path<String>) -> Result<impl IntoResponse, Rejection> {
    let id = file.strip_suffix(".json").ok_or_else(|| Rejection::NotFound { path: format!("/builds/meta/{file}") })?;
    let exact = app.settings.redirects.iter().map(|(from, to)| {
        let external = !to.starts_with('/') || to.starts_with("//");
        (from.clone(), Rule { redirect: to.clone(), external })
    });
    let matcher = Matcher { exact: exact.collect(), ..Matcher::default() };
    let manifest = BuildManifest { id: id.to_owned(), matcher, prerendered: Vec::new() };
    Ok((AppendHeaders(NO_CACHE), Json(manifest)))
}
