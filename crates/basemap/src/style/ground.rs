//! What lies under the roads, and what covers them: the land beyond the extract.

use super::{Draw, Palette, by_class, even, grow};
use crate::schema::Layer;
use serde_json::{Value, json};

/// Land, water, buildings.
pub(super) fn below_roads(p: &Palette) -> Vec<Value> {
    let mut layers =
        vec![json!({ "id": "background", "type": "background", "paint": { "background-color": p.outside } })];
    layers.extend(land(p));
    layers.extend(water(p));
    layers.extend(relief(p));
    layers.push(
        Draw::new("fill", "building", Layer::Building)
            .min_zoom(13.0)
            .paint("color", p.building)
            .paint("outline-color", p.building_line)
            .paint("opacity", even(&[(13.0, 0.4), (14.5, 1.0)]))
            .json(),
    );
    layers
}

fn land(p: &Palette) -> Vec<Value> {
    let colours = [
        ("forest", p.forest),
        ("scrub", p.scrub),
        ("meadow", p.meadow),
        ("farmland", p.farmland),
        ("orchard", p.orchard),
        ("park", p.park),
        ("cemetery", p.park),
        ("pitch", p.pitch),
        ("rock", p.rock),
        ("quarry", p.rock),
        ("scree", p.scree),
        ("ice", p.ice),
        ("sand", p.sand),
        ("wetland", p.wetland),
        ("residential", p.residential),
        ("industrial", p.industrial),
        ("institution", p.institution),
        ("parking", p.square),
        ("square", p.square),
    ]
    .map(|(class, colour)| (class, json!(colour)));
    vec![
        Draw::new("fill", "land", Layer::Coverage).paint("color", p.land).json(),
        Draw::new("fill", "landcover", Layer::Landcover).paint("color", by_class(&colours, p.land)).json(),
        Draw::new("line", "square-outline", Layer::Landcover)
            .min_zoom(15.0)
            .classes(&["square", "parking", "pitch"])
            .paint("color", p.minor_case)
            .paint("width", 0.6)
            .json(),
        Draw::new("line", "protected-tint", Layer::Protected)
            .min_zoom(8.0)
            .paint("color", p.protected)
            .paint("opacity", 0.22)
            .paint("width", even(&[(8.0, 2.0), (12.0, 6.0), (16.0, 10.0)]))
            .paint("offset", even(&[(8.0, 1.0), (12.0, 3.0), (16.0, 5.0)]))
            .json(),
        Draw::new("line", "protected-outline", Layer::Protected)
            .min_zoom(9.0)
            .paint("color", p.protected)
            .paint("width", 0.9)
            .paint("dasharray", json!([5, 2]))
            .json(),
    ]
}

fn water(p: &Palette) -> Vec<Value> {
    let river = grow(&[(8.0, 0.7), (11.0, 1.4), (14.0, 3.2), (18.0, 16.0)]);
    let stream = grow(&[(12.0, 0.5), (14.0, 1.1), (18.0, 5.0)]);
    let line = |id: &str, classes: &[&str]| {
        Draw::new("line", id, Layer::Waterway)
            .classes(classes)
            .paint("color", p.water_line)
            .layout("line-cap", "round")
            .layout("line-join", "round")
    };
    vec![
        line("stream", &["stream", "ditch"])
            .min_zoom(12.0)
            .only(json!(["!", ["has", "tunnel"]]))
            .only(json!(["!", ["has", "intermittent"]]))
            .paint("width", stream.clone())
            .json(),
        line("stream-intermittent", &["stream", "ditch"])
            .min_zoom(12.0)
            .only(json!(["!", ["has", "tunnel"]]))
            .only(json!(["has", "intermittent"]))
            .paint("width", stream.clone())
            .paint("dasharray", json!([4, 2.5]))
            .json(),
        line("waterway-tunnel", &["stream", "ditch", "river", "canal"])
            .min_zoom(13.0)
            .only(json!(["has", "tunnel"]))
            .paint("width", stream)
            .paint("opacity", 0.6)
            .paint("dasharray", json!([1.5, 2.5]))
            .json(),
        line("river", &["river", "canal"])
            .min_zoom(8.0)
            .only(json!(["!", ["has", "tunnel"]]))
            .paint("width", river)
            .json(),
        Draw::new("fill", "water", Layer::Water)
            .paint("color", p.water)
            .paint("opacity", json!(["case", ["has", "intermittent"], 0.6, 1.0]))
            .json(),
        Draw::new("line", "water-outline", Layer::Water)
            .min_zoom(11.0)
            .only(json!(["!=", ["get", "class"], "river"]))
            .paint("color", p.water_line)
            .paint("width", even(&[(11.0, 0.4), (15.0, 1.0)]))
            .json(),
    ]
}

fn relief(p: &Palette) -> Vec<Value> {
    vec![
        Draw::new("line", "cliff", Layer::Line)
            .min_zoom(13.0)
            .classes(&["cliff"])
            .paint("color", p.cliff)
            .paint("width", even(&[(13.0, 0.8), (17.0, 1.8)]))
            .json(),
        // The teeth of a cliff hang on its right side, the lower one.
        Draw::new("line", "cliff-teeth", Layer::Line)
            .min_zoom(14.0)
            .classes(&["cliff"])
            .paint("color", p.cliff)
            .paint("width", even(&[(14.0, 2.5), (17.0, 5.0)]))
            .paint("offset", even(&[(14.0, 1.5), (17.0, 3.0)]))
            .paint("dasharray", json!([0.3, 0.9]))
            .json(),
        Draw::new("line", "pier", Layer::Line)
            .min_zoom(12.0)
            .classes(&["pier", "dam"])
            .paint("color", p.land)
            .paint("width", grow(&[(12.0, 1.0), (18.0, 12.0)]))
            .json(),
        Draw::new("line", "runway", Layer::Line)
            .min_zoom(11.0)
            .classes(&["runway"])
            .paint("color", p.square)
            .paint("width", grow(&[(11.0, 1.5), (16.0, 24.0)]))
            .json(),
    ]
}

/// Borders, then the veil over what lies beyond the extract.
pub(super) fn above_roads(p: &Palette) -> Vec<Value> {
    vec![
        Draw::new("line", "ferry", Layer::Line)
            .min_zoom(8.0)
            .classes(&["ferry"])
            .paint("color", p.water_label)
            .paint("width", 1.0)
            .paint("opacity", 0.6)
            .paint("dasharray", json!([5, 4]))
            .json(),
        Draw::new("line", "border-commune", Layer::Boundary)
            .min_zoom(11.0)
            .only(json!([">=", ["get", "level"], 6]))
            .paint("color", p.border)
            .paint("opacity", 0.45)
            .paint("width", even(&[(11.0, 0.6), (15.0, 1.2)]))
            .paint("dasharray", json!([4, 3]))
            .json(),
        Draw::new("line", "border-country-tint", Layer::Boundary)
            .only(json!(["<=", ["get", "level"], 4]))
            .paint("color", p.border)
            .paint("opacity", 0.18)
            .paint("width", even(&[(6.0, 3.0), (14.0, 9.0)]))
            .layout("line-join", "round")
            .json(),
        Draw::new("line", "border-country", Layer::Boundary)
            .only(json!(["<=", ["get", "level"], 4]))
            .paint("color", p.border)
            .paint("width", even(&[(5.0, 0.7), (10.0, 1.2), (15.0, 2.0)]))
            .paint("dasharray", json!([6, 2, 1.5, 2]))
            .json(),
        Draw::new("fill", "outside", Layer::Outside)
            .paint("color", p.outside)
            .paint("opacity", 0.85)
            .paint("antialias", false)
            .json(),
        Draw::new("line", "outside-outline", Layer::Coverage)
            .paint("color", p.outline)
            .paint("width", even(&[(6.0, 0.8), (14.0, 1.4)]))
            .paint("opacity", 0.7)
            .paint("dasharray", json!([2, 3]))
            .layout("line-join", "round")
            .json(),
    ]
}
