//! Names, numbers and signs. A later layer wins its place, so the list runs from the least to the most important.

use super::{Draw, Palette, by_class, even, one_of};
use crate::schema::Layer;
use serde_json::{Value, json};

const REGULAR: &str = "Noto Sans Regular";
const BOLD: &str = "Noto Sans Bold";
const ITALIC: &str = "Noto Sans Italic";

/// Every label layer.
pub(super) fn labels(p: &Palette, locale: &str, has_relief: bool) -> Vec<Value> {
    let name = name(locale);
    let mut layers = if has_relief { vec![contour_heights(p)] } else { Vec::new() };
    // Street names come before the signs of every car park and fountain.
    layers.extend(late_pois(p, &name));
    layers.extend(along(p, &name));
    layers.extend(networks(p));
    layers.extend(areas(p, &name));
    layers.extend(pois(p, &name));
    layers.extend(shields(p));
    layers.extend(places(p, &name));
    layers
}

/// The name in the reader's language where it has one, else the local one.
fn name(locale: &str) -> Value {
    let key = if locale.starts_with("en") { "name_en" } else { "name_fr" };
    json!(["coalesce", ["get", key], ["get", "name"]])
}

fn text(id: &str, layer: Layer, font: &str, field: Value, p: &Palette) -> Draw {
    Draw::new("symbol", id, layer)
        .layout("text-field", field)
        .layout("text-font", json!([font]))
        .paint_full("text-halo-color", p.halo)
        .paint_full("text-halo-width", 1.4)
        .paint_full("text-halo-blur", 0.3)
}

/// A text that follows its line. The tiles hold calm lines, so wide turns are allowed.
fn on_line(draw: Draw, spacing: Value) -> Draw {
    draw.layout("symbol-placement", "line")
        .layout("text-max-angle", 45)
        .layout("symbol-spacing", spacing)
        .layout("text-padding", 3)
}

/// Heights on every fifth contour: the first to give way.
fn contour_heights(p: &Palette) -> Value {
    on_line(text("contour-height", Layer::Contour, REGULAR, json!(["to-string", ["get", "ele"]]), p), json!(420))
        .min_zoom(13.0)
        .only(json!([
            "step",
            ["zoom"],
            ["==", ["%", ["get", "ele"], 200], 0],
            14,
            ["==", ["%", ["get", "ele"], 100], 0]
        ]))
        .layout("text-max-angle", 30)
        .layout("text-size", even(&[(13.0, 8.5), (17.0, 11.0)]))
        .paint_full("text-color", p.contour_label)
        .paint_full("text-halo-width", 1.0)
        .json()
}

fn along(p: &Palette, name: &Value) -> Vec<Value> {
    let road = |id: &str, from: f64, classes: &[&str]| {
        on_line(text(id, Layer::RoadLabel, REGULAR, json!(["get", "name"]), p), even(&[(14.0, 150.0), (17.0, 260.0)]))
            .min_zoom(from)
            .classes(classes)
            .only(json!(["has", "name"]))
    };
    let stream = |id: &str, from: f64, classes: &[&str]| {
        on_line(text(id, Layer::WaterwayLabel, ITALIC, name.clone(), p), json!(350))
            .min_zoom(from)
            .classes(classes)
            .layout("text-letter-spacing", 0.06)
            .paint_full("text-color", p.water_label)
    };
    vec![
        Draw::new("symbol", "oneway", Layer::Road)
            .min_zoom(15.0)
            .only(json!(["has", "oneway"]))
            .layout("symbol-placement", "line")
            .layout("symbol-spacing", 140)
            .layout("icon-image", "oneway")
            .layout("icon-size", even(&[(15.0, 0.7), (18.0, 1.0)]))
            .layout("icon-padding", 1)
            .paint_full("icon-opacity", 0.6)
            .json(),
        stream("stream-name", 13.5, &["stream", "ditch"])
            .layout("text-size", even(&[(13.5, 10.0), (17.0, 13.0)]))
            .json(),
        stream("river-name", 10.0, &["river", "canal"]).layout("text-size", even(&[(10.0, 10.0), (16.0, 14.0)])).json(),
        road("path-name", 14.5, &["path"])
            .layout("text-size", even(&[(14.5, 9.5), (18.0, 12.5)]))
            .paint_full("text-color", p.summit)
            .json(),
        road("street-name", 14.0, &["street"])
            .layout("text-size", even(&[(14.0, 9.5), (18.0, 13.0)]))
            .paint_full("text-color", p.label_soft)
            .json(),
        road("road-name", 13.0, &["main"])
            .layout("text-size", even(&[(13.0, 10.0), (18.0, 14.0)]))
            .paint_full("text-color", p.label)
            .json(),
    ]
}

fn networks(p: &Palette) -> Vec<Value> {
    let label = |id: &str, kinds: &[&str], colour: &str| {
        Draw::new("symbol", id, Layer::RouteLabel)
            .min_zoom(11.0)
            .only(one_of("kind", kinds))
            .layout("symbol-placement", "line")
            .layout("symbol-spacing", 380)
            .layout("text-field", json!(["get", "ref"]))
            .layout("text-font", json!([BOLD]))
            .layout("text-size", even(&[(11.0, 9.0), (16.0, 11.0)]))
            .layout("text-rotation-alignment", "viewport")
            .layout("text-max-angle", 360)
            .layout("text-padding", 12)
            .paint_full("text-color", colour)
            .paint_full("text-halo-color", p.halo)
            .paint_full("text-halo-width", 2.0)
            .json()
    };
    vec![
        label("network-hike-number", &["hike"], p.hike_label),
        label("network-cycle-number", &["cycle", "mtb"], p.cycle_label),
    ]
}

fn areas(p: &Palette, name: &Value) -> Vec<Value> {
    let area = |id: &str, font: &str, classes: &[&str], colour: &str| {
        text(id, Layer::AreaLabel, font, name.clone(), p)
            .classes(classes)
            .layout("text-max-width", 7)
            .paint_full("text-color", colour)
    };
    vec![
        area("wood-name", ITALIC, &["forest", "park"], p.green_label)
            .min_zoom(12.0)
            .layout("text-size", even(&[(12.0, 10.0), (17.0, 13.0)]))
            .json(),
        area("protected-name", ITALIC, &["protected"], p.green_label)
            .layout("text-size", even(&[(9.0, 10.5), (14.0, 13.0)]))
            .layout("text-letter-spacing", 0.04)
            .json(),
        area("lake-name", ITALIC, &["lake"], p.water_label)
            .layout("text-size", even(&[(10.0, 10.0), (16.0, 14.0)]))
            .json(),
    ]
}

/// A sign with its name under it.
fn sign(id: &str, from: f64, classes: &[&str], p: &Palette, name: &Value) -> Draw {
    let colour = by_class(
        &[
            ("spring", json!(p.water_label)),
            ("water", json!(p.water_label)),
            ("waterfall", json!(p.water_label)),
            ("castle", json!(p.heritage)),
            ("monument", json!(p.heritage)),
            ("church", json!(p.heritage)),
            ("museum", json!(p.heritage)),
            ("hut", json!(p.summit)),
            ("shelter", json!(p.summit)),
            ("viewpoint", json!(p.outdoors)),
            ("camping", json!(p.outdoors)),
            ("station", json!(p.transport)),
            ("bus", json!(p.transport)),
            ("ferry", json!(p.transport)),
            ("bike_rental", json!(p.cycle_label)),
            ("bike_repair", json!(p.cycle_label)),
        ],
        p.service,
    );
    text(id, Layer::Poi, REGULAR, name.clone(), p)
        .min_zoom(from)
        .classes(classes)
        .layout("icon-image", json!(["get", "class"]))
        .layout("icon-size", even(&[(12.0, 0.8), (16.0, 1.0)]))
        .layout("icon-padding", 3)
        .layout("symbol-sort-key", json!(["get", "rank"]))
        .layout("text-size", even(&[(13.0, 9.5), (17.0, 11.5)]))
        .layout("text-anchor", "top")
        .layout("text-offset", json!([0, 0.8]))
        .layout("text-max-width", 8)
        .layout("text-optional", true)
        .layout("text-padding", 3)
        .paint_full("text-color", colour)
}

fn late_pois(p: &Palette, name: &Value) -> Vec<Value> {
    vec![
        sign("poi-last", 16.5, &["bus_stop", "shop", "pharmacy", "toilets", "food", "lodging"], p, name).json(),
        sign(
            "poi-late",
            15.0,
            &[
                "parking",
                "church",
                "museum",
                "monument",
                "cross",
                "townhall",
                "guidepost",
                "bike_repair",
                "bike_rental",
            ],
            p,
            name,
        )
        .layout("text-field", json!(["step", ["zoom"], "", 16.0, name]))
        .json(),
        sign("poi-common", 15.0, &["water", "picnic", "bus", "information", "hospital"], p, name).json(),
    ]
}

fn pois(p: &Palette, name: &Value) -> Vec<Value> {
    let metres = json!(["concat", ["to-string", ["get", "ele"]], "\u{202f}m"]);
    let summit = json!([
        "format",
        ["coalesce", name, ""],
        {},
        ["case", ["has", "ele"], ["concat", ["case", ["has", "name"], "\n", ""], metres], ""],
        { "font-scale": 0.86, "text-font": ["literal", [REGULAR]] }
    ]);
    let high = |id: &str, from: f64, class: &str| {
        sign(id, from, &[class], p, name)
            .layout("text-field", summit.clone())
            .layout("text-font", json!([if class == "peak" { BOLD } else { REGULAR }]))
            .layout("text-size", even(&[(10.0, 9.5), (16.0, 12.0)]))
            .layout("text-offset", json!([0, 0.55]))
            .paint_full("text-color", p.summit)
    };
    vec![
        sign("poi", 14.0, &["spring", "cave", "shelter", "waterfall"], p, name).json(),
        sign("poi-early", 13.0, &["viewpoint", "camping", "castle", "station", "ferry"], p, name).json(),
        high("saddle", 12.5, "saddle").json(),
        high("hut", 12.0, "hut").json(),
        high("peak-late", 13.0, "peak").only(json!(["!", ["has", "name"]])).json(),
        high("peak", 10.5, "peak")
            .only(json!(["has", "name"]))
            .layout("icon-padding", even(&[(10.0, 14.0), (13.0, 3.0)]))
            .json(),
    ]
}

fn shields(p: &Palette) -> Vec<Value> {
    let shield = |id: &str, from: f64, classes: &[&str]| {
        Draw::new("symbol", id, Layer::RoadLabel)
            .min_zoom(from)
            .classes(classes)
            .only(json!(["has", "ref"]))
            .layout("symbol-placement", "line")
            .layout("symbol-spacing", 420)
            .layout("text-field", json!(["get", "ref"]))
            .layout("text-font", json!([BOLD]))
            .layout("text-size", 9.5)
            .layout("text-rotation-alignment", "viewport")
            .layout("text-max-angle", 360)
            .layout("text-padding", 16)
            .layout("icon-image", "shield")
            .layout("icon-text-fit", "both")
            .layout("icon-text-fit-padding", json!([1.5, 4, 1.5, 4]))
            .layout("icon-rotation-alignment", "viewport")
            .paint_full("text-color", p.label)
            .json()
    };
    vec![
        shield("shield-minor", 12.0, &["tertiary"]),
        shield("shield-secondary", 10.5, &["secondary"]),
        shield("shield-main", 8.5, &["primary", "trunk", "motorway"]),
    ]
}

fn places(p: &Palette, name: &Value) -> Vec<Value> {
    let place = |id: &str, font: &str, classes: &[&str], from: f64| {
        text(id, Layer::Place, font, name.clone(), p)
            .classes(classes)
            .min_zoom(from)
            .layout("symbol-sort-key", json!(["get", "rank"]))
            .layout("text-max-width", 8)
            .layout("text-padding", 4)
            .paint_full("text-color", p.label)
    };
    vec![
        place("locality", ITALIC, &["locality", "farm"], 14.0)
            .layout("text-size", even(&[(14.0, 10.0), (17.0, 12.5)]))
            .paint_full("text-color", p.label_soft)
            .json(),
        place("quarter", REGULAR, &["quarter", "island"], 13.5)
            .layout("text-size", even(&[(13.5, 10.5), (17.0, 14.0)]))
            .paint_full("text-color", p.label_soft)
            .json(),
        place("hamlet", REGULAR, &["hamlet", "suburb"], 12.0)
            .layout("text-size", even(&[(12.0, 10.5), (16.0, 15.0)]))
            .json(),
        place("village", BOLD, &["village"], 10.0)
            .max_zoom(17.0)
            .layout("text-size", even(&[(10.0, 10.5), (15.0, 16.0)]))
            .json(),
        place("town", BOLD, &["town"], 7.0)
            .max_zoom(16.0)
            .layout("text-size", even(&[(8.0, 12.0), (14.0, 18.0)]))
            .json(),
        place("city", BOLD, &["city"], 5.0)
            .max_zoom(15.5)
            .layout("text-size", even(&[(6.0, 12.0), (13.0, 21.0)]))
            .json(),
    ]
}
