//! The layers under the roads, and the veil over the land outside the extract.

use super::{Draw, Palette, RELIEF_SOURCE, by_class, even, grow};
use crate::schema::Layer;
use serde_json::{Value, json};

/// Land, water, buildings.
pub(super) fn below_roads(p: &Palette, has_relief: bool) -> Vec<Value> {
    let mut layers =
        vec![json!({ "id": "background", "type": "background", "paint": { "background-color": p.outside } })];
    layers.extend(land(p));
    if has_relief {
        layers.push(shading(p));
        layers.extend(contours(p));
    }
    layers.extend(water(p));
    layers.extend(built(p));
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

/// Light from the north-west, as maps have it; less of it the nearer one looks, where 90 m a sample is coarse.
fn shading(p: &Palette) -> Value {
    json!({
        "id": "shading",
        "type": "hillshade",
        "source": RELIEF_SOURCE,
        "paint": {
            "hillshade-method": "igor",
            "hillshade-exaggeration": even(&[(8.0, 0.5), (11.0, 0.38), (13.0, 0.28), (16.0, 0.2)]),
            "hillshade-shadow-color": p.shadow,
            "hillshade-highlight-color": p.sunlight,
            "hillshade-accent-color": p.shadow,
        }
    })
}

/// Every 100 m, then 40, then 20; each fifth a little stronger.
fn contours(p: &Palette) -> Vec<Value> {
    let every = |metres: i64| json!(["==", ["%", ["get", "ele"], metres], 0]);
    let line = |id: &str, width: f64| {
        Draw::new("line", id, Layer::Contour)
            .paint("color", p.contour)
            .paint("width", even(&[(11.0, width * 0.7), (16.0, width * 1.3)]))
            .layout("line-join", "round")
    };
    vec![
        line("contour-far", 0.6).min_zoom(11.0).max_zoom(13.0).only(every(100)).paint("opacity", 0.4).json(),
        line("contour-mid", 0.6).min_zoom(13.0).max_zoom(14.0).only(every(40)).paint("opacity", 0.4).json(),
        line("contour", 0.6).min_zoom(14.0).paint("opacity", 0.4).json(),
        line("contour-index-mid", 1.0).min_zoom(12.0).max_zoom(14.0).only(every(200)).paint("opacity", 0.55).json(),
        line("contour-index", 1.0).min_zoom(14.0).only(every(100)).paint("opacity", 0.55).json(),
    ]
}

fn built(p: &Palette) -> Vec<Value> {
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

/// Borders, then the veil over the ground outside the extract.
pub(super) fn above_roads(p: &Palette, has_relief: bool) -> Vec<Value> {
    // Shading runs on to the border of its tiles, and beyond as streaks: the veil hides it.
    let veil = if has_relief { even(&[(11.0, 1.0), (13.0, 0.95)]) } else { json!(0.85) };
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
            .paint("opacity", veil)
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
