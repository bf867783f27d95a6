//! Data of the map for the web app.

use app::App;
use domain::Instant;
use serde::Serialize;
use utoipa::ToSchema;

use super::ATTRIBUTION;
use super::styles::MapStyleView;

/// Metropolitan France, where there is no map of a smaller region.
const FRANCE: [f64; 4] = [-5.2, 41.3, 9.6, 51.1];

/// Where the map is, and what it covers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MapPayload {
    style_light: String,
    style_dark: String,
    /// The looks a white-label chooses from.
    styles: Vec<MapStyleView>,
    /// West, south, east, north in degrees.
    #[schema(value_type = trace::BoundingBox)]
    bbox: [f64; 4],
    /// `[lon, lat]` to open a new map at.
    #[schema(value_type = trace::Place)]
    center: [f64; 2],
    attribution: String,
    /// The day of the map's data, where known.
    data_date: Option<String>,
}

impl MapPayload {
    /// The map's data in `/payload.json`.
    pub fn of(app: &App) -> Self {
        let region = app.region();
        let tiles = region.tiles.as_deref();
        let [west, south, east, north] = tiles.map_or(FRANCE, basemap::Tiles::bbox);
        let own = app.settings.map_style_url.clone();
        Self {
            style_light: own.clone().unwrap_or_else(|| "/map/style-light.json".to_owned()),
            style_dark: own.unwrap_or_else(|| "/map/style-dark.json".to_owned()),
            styles: MapStyleView::all(),
            bbox: [west, south, east, north],
            center: [f64::midpoint(west, east), f64::midpoint(south, north)],
            attribution: ATTRIBUTION.to_owned(),
            data_date: tiles.and_then(basemap::Tiles::data_date_s).map(|seconds| Instant(seconds).day()),
        }
    }
}
