//! The base map: tiles, style, letters and signs, all ours, public and cached.

mod files;
mod payload;
mod relief;
mod square;
mod style;
mod styles;
mod tile;

use axum::middleware::map_response;
pub use payload::MapPayload;
pub(crate) use styles::{STYLES, style_url};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use crate::every_site::for_every_site;

/// The attribution on the map: the licence of its data requires it.
pub(crate) const ATTRIBUTION: &str =
    r#"© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>"#;

/// The routes of this folder: the map of a widget is drawn in the pages of other sites.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(style::show_map_style))
        .routes(routes!(tile::show_map_tile))
        .routes(routes!(relief::show_map_relief))
        .routes(routes!(square::show_map_square))
        .routes(routes!(files::show_map_glyphs))
        .routes(routes!(files::show_map_sprite))
        .layer(map_response(for_every_site))
}
