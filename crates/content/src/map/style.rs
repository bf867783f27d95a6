//! The style of the map, light and dark.

use app::contract::files::MapStyle;
use app::extract::{Path, Query};
use app::{App, Rejection};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, HOST};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse};
use axum::{Json, http};
use basemap::StyleOptions;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{ATTRIBUTION, STYLES};

/// Options of a map style: the language of its names, and whether the cycle networks are drawn.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StyleQuery {
    /// `fr` or `en`.
    locale: Option<String>,
    /// `off`: without the cycle networks and their numbers.
    cycle: Option<String>,
}

/// A MapLibre style: `style-light.json` or `style-dark.json`.
#[utoipa::path(
    get,
    path = "/map/{style}",
    tag = "map",
    security(()),
    params(("style" = String, Path, description = "`style-light.json` or `style-dark.json`"), StyleQuery),
    responses((status = 200, description = "A MapLibre style", body = MapStyle), Rejection)
)]
pub async fn show_map_style(
    State(app): State<App>,
    Path(style): Path<String>,
    Query(query): Query<StyleQuery>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Rejection> {
    let code = style.strip_prefix("style-").and_then(|rest| rest.strip_suffix(".json"));
    let known = STYLES.iter().find(|known| Some(known.code) == code);
    let theme = known.ok_or_else(|| Rejection::NotFound { path: format!("/map/{style}") })?.theme;
    let base = base_url(&app, &headers);
    let region = app.region();
    let tiles = region.tiles.as_deref();
    let etag = tiles.map(|tiles| tiles.etag().to_owned()).unwrap_or_default();
    let options = StyleOptions {
        // The entity tag is part of the URL, so that tiles may be cached for long: another extract has other URLs.
        tiles_url: format!("{base}/map/tiles/{{z}}/{{x}}/{{y}}.mvt?v={etag}"),
        relief_url: tiles
            .filter(|tiles| tiles.has_relief())
            .map(|_| format!("{base}/map/relief/{{z}}/{{x}}/{{y}}.png?v={etag}")),
        glyphs_url: format!("{base}/map/glyphs/{{fontstack}}/{{range}}.pbf"),
        sprite_url: format!("{base}/map/sprite"),
        bbox: tiles.map_or([-180.0, -85.0, 180.0, 85.0], basemap::Tiles::bbox),
        attribution: ATTRIBUTION.to_owned(),
        locale: query.locale.filter(|locale| locale == "en").unwrap_or_else(|| "fr".to_owned()),
        cycle_networks: query.cycle.as_deref() != Some("off"),
    };
    let cache = [(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"))];
    Ok((AppendHeaders(cache), Json(basemap::style(theme, &options))))
}

/// The URL of this server as the client sees it: MapLibre's worker needs absolute URLs, and a proxy may use another host name
/// than `public_url`.
fn base_url(app: &App, headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = host.filter(|host| host.parse::<http::uri::Authority>().is_ok());
    let scheme = if app.settings.is_https() { "https" } else { "http" };
    host.map_or_else(|| app.settings.public_url.clone(), |host| format!("{scheme}://{host}"))
}
