//! The map's style for MapLibre (style specification 8), made from a palette: one drawing, light and dark.

mod ground;
mod labels;
mod palette;
mod roads;
pub(crate) mod signs;

use crate::relief;
use crate::schema::{MAX_ZOOM, MIN_ZOOM};
pub use palette::Theme;
pub(crate) use palette::{Colour, Palette};
use serde_json::{Value, json};

/// Layers of the app go before this one: above roads, below labels.
pub const OVERLAY_SLOT: &str = "jalon-overlay-slot";
/// The style's source of vector tiles.
pub const SOURCE: &str = "jalon";
/// The style's source of heights, where there are any.
pub const RELIEF_SOURCE: &str = "relief";

/// What a style needs to know of the server.
#[derive(Debug, Clone, PartialEq)]
pub struct StyleOptions {
    /// Address of the tiles with `{z}`, `{x}` and `{y}`.
    pub tiles_url: String,
    /// Address of the tiles of heights with `{z}`, `{x}` and `{y}`; none: neither shading nor contours.
    pub relief_url: Option<String>,
    /// Address of the glyphs with `{fontstack}` and `{range}`.
    pub glyphs_url: String,
    /// Address under which [`crate::sprite`]'s files lie; the theme's name is added.
    pub sprite_url: String,
    /// West, south, east, north in degrees: [`crate::Tiles::bbox`]. Tiles outside are not asked for.
    pub bbox: [f64; 4],
    /// The attribution shown on the map.
    pub attribution: String,
    /// `fr` or `en`: names in that language where there are any, else the local ones.
    pub locale: String,
    /// Whether the networks of cycle routes and their numbers are drawn.
    pub cycle_networks: bool,
}

/// A MapLibre style. Layer ids are stable; [`OVERLAY_SLOT`] is where the app puts its lines.
pub fn style(theme: Theme, options: &StyleOptions) -> Value {
    let palette = theme.palette();
    let mut layers = ground::below_roads(palette, options.relief_url.is_some());
    layers.extend(roads::networks(palette));
    layers.extend(roads::roads(palette));
    layers.extend(ground::above_roads(palette, options.relief_url.is_some()));
    layers.push(json!({ "id": OVERLAY_SLOT, "type": "background", "layout": { "visibility": "none" } }));
    layers.extend(labels::labels(palette, &options.locale, options.relief_url.is_some()));
    if !options.cycle_networks {
        layers.retain(|layer| !roads::CYCLE_NETWORKS.iter().any(|id| layer["id"] == *id));
    }
    let mut sources = json!({
        SOURCE: {
            "type": "vector",
            "tiles": [options.tiles_url],
            "minzoom": MIN_ZOOM,
            "maxzoom": MAX_ZOOM,
            "bounds": options.bbox,
            "attribution": options.attribution,
        }
    });
    if let Some(url) = &options.relief_url {
        sources[RELIEF_SOURCE] = json!({
            "type": "raster-dem",
            "encoding": "terrarium",
            "tiles": [url],
            "tileSize": 256,
            "minzoom": relief::MIN_ZOOM,
            "maxzoom": relief::MAX_ZOOM,
            "bounds": options.bbox,
        });
    }
    json!({
        "version": 8,
        "name": format!("Jalon {}", theme.name()),
        "glyphs": options.glyphs_url,
        "sprite": format!("{}/{}", options.sprite_url.trim_end_matches('/'), theme.name()),
        "sources": sources,
        "layers": layers,
    })
}

/// One layer of the style in the making.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    id: String,
    kind: &'static str,
    source_layer: crate::schema::Layer,
    zooms: [f64; 2],
    filter: Vec<Value>,
    paint: serde_json::Map<String, Value>,
    layout: serde_json::Map<String, Value>,
}

impl Draw {
    pub(crate) fn new(kind: &'static str, id: impl Into<String>, source_layer: crate::schema::Layer) -> Self {
        Self {
            id: id.into(),
            kind,
            source_layer,
            zooms: [0.0, 24.0],
            filter: Vec::new(),
            paint: serde_json::Map::new(),
            layout: serde_json::Map::new(),
        }
    }

    pub(crate) fn min_zoom(mut self, zoom: f64) -> Self {
        self.zooms[0] = zoom;
        self
    }

    pub(crate) fn max_zoom(mut self, zoom: f64) -> Self {
        self.zooms[1] = zoom;
        self
    }

    /// Only features that also meet this condition.
    pub(crate) fn only(mut self, condition: Value) -> Self {
        self.filter.push(condition);
        self
    }

    /// Only features of these classes.
    pub(crate) fn classes(self, classes: &[&str]) -> Self {
        self.only(one_of("class", classes))
    }

    pub(crate) fn paint(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.paint.insert(format!("{}-{key}", self.kind), value.into());
        self
    }

    pub(crate) fn layout(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.layout.insert(key.to_owned(), value.into());
        self
    }

    /// A property with its full name (symbol layers have icon- and text- ones).
    pub(crate) fn paint_full(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.paint.insert(key.to_owned(), value.into());
        self
    }

    pub(crate) fn json(self) -> Value {
        let mut layer =
            json!({ "id": self.id, "type": self.kind, "source": SOURCE, "source-layer": self.source_layer.name() });
        if let Some(map) = layer.as_object_mut() {
            if self.zooms[0] > 0.0 {
                map.insert("minzoom".into(), self.zooms[0].into());
            }
            if self.zooms[1] < 24.0 {
                map.insert("maxzoom".into(), self.zooms[1].into());
            }
            match self.filter.len() {
                0 => {}
                1 => {
                    map.extend(self.filter.into_iter().next().map(|only| ("filter".to_owned(), only)));
                }
                _ => {
                    let all = std::iter::once(json!("all")).chain(self.filter).collect::<Vec<_>>();
                    map.insert("filter".into(), all.into());
                }
            }
            if !self.layout.is_empty() {
                map.insert("layout".into(), self.layout.into());
            }
            if !self.paint.is_empty() {
                map.insert("paint".into(), self.paint.into());
            }
        }
        layer
    }
}

/// `["match", ["get", key], [values], true, false]`.
pub(crate) fn one_of(key: &str, values: &[&str]) -> Value {
    json!(["match", ["get", key], values, true, false])
}

/// A number that grows with the zoom, exponentially as the map's scale does.
pub(crate) fn grow(stops: &[(f64, f64)]) -> Value {
    zoomed(&json!(["exponential", 1.5]), stops)
}

/// A number that grows evenly with the zoom.
pub(crate) fn even(stops: &[(f64, f64)]) -> Value {
    zoomed(&json!(["linear"]), stops)
}

fn zoomed(how: &Value, stops: &[(f64, f64)]) -> Value {
    let mut all = vec![json!("interpolate"), how.clone(), json!(["zoom"])];
    all.extend(stops.iter().flat_map(|(zoom, value)| [json!(zoom), json!(value)]));
    all.into()
}

/// A value by class: `pairs`, else the last.
pub(crate) fn by_class(pairs: &[(&str, Value)], otherwise: impl Into<Value>) -> Value {
    let mut all = vec![json!("match"), json!(["get", "class"])];
    all.extend(pairs.iter().flat_map(|(class, value)| [json!(class), value.clone()]));
    all.push(otherwise.into());
    all.into()
}
