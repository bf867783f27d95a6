//! The runtime configuration of the web app.

use app::{App, Environment};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::{AppendHeaders, IntoResponse};
use content::map;
use domain::Locale;
use serde::Serialize;
use utoipa::ToSchema;

use super::media::MediaPayload;

/// The runtime configuration of the web app.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Payload {
    product: &'static str,
    version: String,
    /// The build that is served; another one in the page means that a newer one is there.
    build_id: String,
    /// Put before every path of the API.
    api_base: &'static str,
    locales: [Locale; 2],
    /// For a visitor that asks for nothing we have.
    default_locale: Option<Locale>,
    content_languages: Vec<String>,
    environment: Environment,
    preproduction_url: Option<String>,
    issue_tracker_url: String,
    contact: String,
    map: map::MapPayload,
    limits: Limits,
    /// Profiles of the planner.
    profiles: [&'static str; 8],
    /// Below it the app has no step-by-step guidance.
    reliability_threshold: i64,
}

/// What may be sent at most.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Limits {
    media: MediaPayload,
    trace_bytes: u64,
    trace_points: u64,
    body_bytes: usize,
    per_page: u64,
    password_min: usize,
    password_max: usize,
}

/// The runtime configuration of the web app.
#[utoipa::path(get, path = "/payload.json", tag = "runtime", security(()), responses((status = 200, body = Payload)))]
pub async fn show_payload(State(app): State<App>) -> impl IntoResponse {
    let settings = &app.settings;
    let payload = Payload {
        product: "Jalon",
        version: settings.version.clone(),
        build_id: settings.build_id.clone(),
        api_base: "",
        locales: Locale::ALL,
        default_locale: settings.default_locale,
        content_languages: settings.content_languages.clone(),
        environment: settings.environment,
        preproduction_url: settings.preproduction_url.clone(),
        issue_tracker_url: settings.issue_tracker_url.clone(),
        contact: settings.contact.clone(),
        map: map::MapPayload::of(&app),
        limits: Limits {
            media: MediaPayload::of(&settings.media),
            trace_bytes: 20 * 1024 * 1024,
            trace_points: 200_000,
            body_bytes: crate::shell::MAX_BODY_BYTES,
            per_page: store::page::MAX_PER_PAGE,
            password_min: domain::MIN_PASSWORD_CHARS,
            password_max: domain::MAX_PASSWORD_CHARS,
        },
        profiles: domain::white_label::PLANNER_PROFILES,
        reliability_threshold: 95,
    };
    (AppendHeaders([(CACHE_CONTROL, HeaderValue::from_static("no-cache"))]), Json(payload))
}
