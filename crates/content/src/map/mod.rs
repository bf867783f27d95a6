//! The base map: tiles, style, letters and signs, all ours, public and cached.

mod files;
mod payload;
mod relief;
mod square;
mod style;
mod styles;
mod tile;

use app::App;
use app::every_site::for_every_site;
use app::routes;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::middleware::map_response;
use axum::response::Response;
pub use payload::MapPayload;
use serde::Deserialize;
pub use styles::{STYLES, style_url};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

/// The attribution on the map: the licence of its data requires it.
pub const ATTRIBUTION: &str =
    r#"© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>"#;

const A_WEEK: HeaderValue = HeaderValue::from_static("public, max-age=604800");
/// While servers change to another region one after the other.
const A_MINUTE: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// Which map a tile is of.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Version {
    /// The version of the map's data, from the style: a tile of that version may be kept for a week.
    v: Option<String>,
}

/// Lets a tile of another map than the one that was asked for be kept for a minute alone: the style may come from a server that has the
/// newer region already, and the tile from one that does not.
fn kept_for(version: &Version, mut response: Response, etag: &str) -> Response {
    if version.v.as_deref().is_some_and(|wanted| wanted != etag) {
        response.headers_mut().insert(CACHE_CONTROL, A_MINUTE);
    }
    response
}

/// The routes of this folder: the map of a widget is drawn in the pages of other sites.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(style::show_map_style))
        .routes(routes!(tile::show_map_tile))
        .routes(routes!(relief::show_map_relief))
        .routes(routes!(square::show_map_square))
        .routes(routes!(files::show_map_glyphs))
        .routes(routes!(files::show_map_sprite))
        .layer(map_response(for_every_site))
}
