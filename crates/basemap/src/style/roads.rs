//! Networks, roads and paths: tunnels below, then the ground, then bridges; casings of all before the fills of any.

use super::{Draw, Palette, by_class, even, grow, one_of};
use crate::schema::Layer;
use serde_json::{Value, json};

/// Roads by class: width in pixels at zoom 9, 12, 14 and 18; first zoom.
const ROADS: [(&str, [f64; 4], f64); 7] = [
    ("pedestrian", [0.3, 0.6, 2.6, 14.0], 13.0),
    ("service", [0.2, 0.4, 1.5, 10.0], 13.0),
    ("minor", [0.3, 0.9, 3.0, 18.0], 11.0),
    ("tertiary", [0.6, 1.6, 4.2, 22.0], 9.5),
    ("secondary", [1.0, 2.4, 5.4, 24.0], 8.5),
    ("primary", [1.5, 3.2, 6.6, 26.0], 6.5),
    ("major", [2.1, 4.2, 8.0, 28.0], 5.0),
];

/// Where a road runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Tunnel,
    Ground,
    Bridge,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Tunnel => "tunnel",
            Self::Ground => "road",
            Self::Bridge => "bridge",
        }
    }

    fn filter(self) -> Value {
        match self {
            Self::Tunnel => json!(["has", "tunnel"]),
            Self::Ground => json!(["all", ["!", ["has", "tunnel"]], ["!", ["has", "bridge"]]]),
            Self::Bridge => json!(["has", "bridge"]),
        }
    }
}

/// The layers of the cycle networks, their numbers among them.
pub(super) const CYCLE_NETWORKS: [&str; 3] = ["network-mtb", "network-cycle", "network-cycle-number"];

/// Bands of the cycling and walking networks, wide and pale, under the roads.
pub(super) fn networks(p: &Palette) -> Vec<Value> {
    let long = json!(["match", ["get", "network"], ["international", "national"], true, false]);
    let colour = |near: &str, far: &str| json!(["case", long, far, near]);
    let width = even(&[(8.0, 1.2), (11.0, 2.4), (13.0, 5.0), (16.0, 12.0), (18.0, 22.0)]);
    let band = |id: &str, kind: &str, colour: Value| {
        Draw::new("line", id, Layer::Route)
            .min_zoom(8.0)
            .only(json!(["==", ["get", "kind"], kind]))
            .paint("color", colour)
            .paint("width", width.clone())
            .layout("line-join", "round")
    };
    vec![
        // From afar dashes distinguish a footpath of ochre from a road; near by it is a band under the path.
        band("network-hike-far", "hike", json!(p.hike_far))
            .max_zoom(12.0)
            .paint("width", even(&[(8.0, 1.0), (12.0, 2.0)]))
            .paint("dasharray", json!([2.5, 1.5]))
            .json(),
        band("network-hike", "hike", colour(p.hike, p.hike_long)).min_zoom(12.0).layout("line-cap", "round").json(),
        band("network-mtb", "mtb", json!(p.cycle)).min_zoom(10.0).layout("line-cap", "round").json(),
        band("network-cycle", "cycle", colour(p.cycle, p.cycle_long)).layout("line-cap", "round").json(),
    ]
}

/// Every road and path.
pub(super) fn roads(p: &Palette) -> Vec<Value> {
    let mut layers = level(p, Level::Tunnel);
    layers.extend(paths(p, Level::Ground));
    layers.extend(level(p, Level::Ground));
    layers.extend(rails(p));
    layers.extend(level(p, Level::Bridge));
    layers.extend(paths(p, Level::Bridge));
    layers.extend(lifts(p));
    layers
}

fn width(widths: [f64; 4], extra: f64) -> Value {
    let [z9, z12, z14, z18] = widths;
    grow(&[(9.0, z9 + extra * 0.6), (12.0, z12 + extra * 0.8), (14.0, z14 + extra), (18.0, z18 + extra * 1.4)])
}

fn level(p: &Palette, level: Level) -> Vec<Value> {
    let cases = ROADS.iter().map(|road| case(p, level, *road));
    let fills = ROADS.iter().map(|road| fill(p, level, *road));
    cases.chain(fills).collect()
}

fn road(id: String, level: Level, class: &str, from: f64) -> Draw {
    let classes: &[&str] = if class == "major" { &["motorway", "trunk"] } else { &[class] };
    Draw::new("line", id, Layer::Road)
        .min_zoom(from)
        .classes(classes)
        .only(level.filter())
        .layout("line-join", "round")
        .layout("line-cap", if level == Level::Ground { "round" } else { "butt" })
}

fn case(p: &Palette, level: Level, (class, widths, from): (&str, [f64; 4], f64)) -> Value {
    let colour = match class {
        "major" => p.trunk_case,
        "primary" | "secondary" | "tertiary" => p.main_case,
        _ => p.minor_case,
    };
    // Small roads seen from afar are one thin line; a casing would only smear them.
    let from = match class {
        "minor" | "tertiary" => f64::max(from, 12.0),
        "secondary" => 10.0,
        _ => from,
    };
    let extra = if level == Level::Bridge { 2.4 } else { 1.6 };
    let draw = road(format!("{}-{class}-case", level.name()), level, class, from).paint("color", colour);
    if level == Level::Tunnel {
        let gap = link(width(widths, 0.0), 0.75);
        return draw
            .min_zoom(from.max(11.0))
            .paint("gap-width", gap)
            .paint("width", 0.9)
            .paint("dasharray", json!([4, 2.5]))
            .paint("opacity", 0.8)
            .json();
    }
    draw.paint("width", link(width(widths, extra), 0.75)).json()
}

fn fill(p: &Palette, level: Level, (class, widths, from): (&str, [f64; 4], f64)) -> Value {
    let colour = match class {
        "major" => p.trunk,
        "primary" | "secondary" | "tertiary" => p.main,
        "pedestrian" => p.square,
        _ => p.minor,
    };
    // At zooms without casings, small roads have the colour of the casing, so that they are visible.
    let colour = match class {
        "minor" => json!(["step", ["zoom"], p.minor_case, 12.0, colour]),
        "tertiary" => json!(["step", ["zoom"], p.main_case, 12.0, colour]),
        _ => json!(colour),
    };
    let mut draw = road(format!("{}-{class}", level.name()), level, class, from)
        .paint("color", colour)
        .paint("width", link(width(widths, 0.0), 0.75));
    if level == Level::Tunnel {
        draw = draw.paint("opacity", 0.45);
    } else if class == "service" {
        draw = draw.paint("opacity", json!(["case", ["has", "private"], 0.55, 1.0]));
    }
    draw.json()
}

/// Slip roads are narrower: each stop of the width is scaled for them.
fn link(width: Value, scale: f64) -> Value {
    let Value::Array(mut parts) = width else { return width };
    for part in parts.iter_mut().skip(4).step_by(2) {
        let full = part.as_f64().unwrap_or(1.0);
        *part = json!(["case", ["has", "link"], full * scale, full]);
    }
    parts.into()
}

/// Tracks, paths, steps and cycleways on the ground or on bridges (tunnels of these are drawn as the ground).
fn paths(p: &Palette, level: Level) -> Vec<Value> {
    let ways: &[&str] = &["track", "path", "pavement", "steps", "cycleway", "via_ferrata"];
    let filter = match level {
        Level::Bridge => json!(["has", "bridge"]),
        _ => json!(["!", ["has", "bridge"]]),
    };
    let id = |name: &str| if level == Level::Bridge { format!("bridge-{name}") } else { name.to_owned() };
    let line = |name: &str, classes: &[&str], from: f64| {
        Draw::new("line", id(name), Layer::Road)
            .min_zoom(from)
            .classes(classes)
            .only(filter.clone())
            .layout("line-join", "round")
    };
    let faint = json!(["case", ["has", "private"], 0.5, 1.0]);
    let thin = grow(&[(12.0, 0.8), (14.0, 1.4), (18.0, 3.4)]);
    let sac = json!(["coalesce", ["get", "sac"], 0]);
    let is_path = |from: i64, to: i64| json!(["all", ["!", ["has", "bike"]], [">=", sac, from], ["<=", sac, to]]);
    let mut layers = Vec::new();
    if level == Level::Bridge {
        layers.push(
            line("way-case", ways, 13.0)
                .paint("color", p.minor_case)
                .paint("width", grow(&[(13.0, 3.4), (18.0, 9.0)]))
                .json(),
        );
    }
    layers.extend([
        line("way-halo", ways, 13.0)
            .paint("color", p.path_halo)
            .paint("opacity", 0.75)
            .paint("width", grow(&[(13.0, 2.6), (18.0, 7.4)]))
            .layout("line-cap", "round")
            .json(),
        line("pavement", &["pavement"], 15.0)
            .paint("color", p.path)
            .paint("opacity", 0.5)
            .paint("width", grow(&[(15.0, 0.7), (18.0, 2.0)]))
            .paint("dasharray", json!([2, 1.5]))
            .json(),
        line("track-good", &["track"], 12.0)
            .only(json!(["==", ["get", "grade"], "good"]))
            .paint("color", p.path)
            .paint("opacity", faint.clone())
            .paint("width", grow(&[(12.0, 1.0), (14.0, 1.9), (18.0, 5.0)]))
            .layout("line-cap", "round")
            .json(),
        line("track-rough", &["track"], 12.0)
            .only(json!(["!=", ["get", "grade"], "good"]))
            .paint("color", p.path)
            .paint("opacity", faint.clone())
            .paint("width", grow(&[(12.0, 0.9), (14.0, 1.6), (18.0, 4.2)]))
            .paint("dasharray", json!([5, 1.6]))
            .json(),
        line("path-easy", &["path"], 12.0)
            .only(is_path(0, 1))
            .paint("color", p.path)
            .paint("opacity", faint)
            .paint("width", thin.clone())
            .paint("dasharray", json!([2.6, 1.3]))
            .json(),
        line("path-mountain", &["path"], 12.0)
            .only(is_path(2, 2))
            .paint("color", p.path_hard)
            .paint("width", thin.clone())
            .paint("dasharray", json!([2.6, 1.3]))
            .json(),
        line("path-demanding", &["path"], 12.0)
            .only(is_path(3, 3))
            .paint("color", p.path_hard)
            .paint("width", grow(&[(12.0, 1.1), (14.0, 1.8), (18.0, 4.0)]))
            .paint("dasharray", json!([0.1, 1.9]))
            .layout("line-cap", "round")
            .json(),
        line("path-alpine", &["path", "via_ferrata"], 12.0)
            .only(json!(["any", ["==", ["get", "class"], "via_ferrata"], is_path(4, 9)]))
            .paint("color", p.path_hard)
            .paint("width", grow(&[(12.0, 1.1), (14.0, 1.8), (18.0, 4.0)]))
            .paint("dasharray", json!([0.1, 3.4]))
            .layout("line-cap", "round")
            .json(),
        line("steps", &["steps"], 14.0)
            .paint("color", p.path)
            .paint("width", grow(&[(14.0, 2.2), (18.0, 7.0)]))
            .paint("dasharray", json!([0.35, 0.35]))
            .json(),
        line("cycleway", &["cycleway", "path", "track"], 12.0)
            .only(json!(["any", ["==", ["get", "class"], "cycleway"], ["has", "bike"]]))
            .paint("color", p.cycleway)
            .paint("width", grow(&[(12.0, 1.0), (14.0, 1.7), (18.0, 4.2)]))
            .layout("line-cap", "round")
            .json(),
    ]);
    layers
}

fn rails(p: &Palette) -> Vec<Value> {
    let rail = |id: &str, from: f64| {
        Draw::new("line", id, Layer::Line).min_zoom(from).only(one_of("class", &["rail", "tram"]))
    };
    let open = json!(["!", ["has", "tunnel"]]);
    vec![
        rail("rail-tunnel", 11.0)
            .only(json!(["has", "tunnel"]))
            .paint("color", p.rail)
            .paint("opacity", 0.5)
            .paint("width", even(&[(11.0, 0.8), (16.0, 1.6)]))
            .paint("dasharray", json!([4, 3]))
            .json(),
        rail("rail", 9.0)
            .only(open.clone())
            .paint("color", p.rail)
            .paint("opacity", json!(["case", ["has", "service"], 0.5, 1.0]))
            .paint("width", by_width())
            .json(),
        rail("rail-ties", 13.0)
            .only(open)
            .only(json!(["!", ["has", "service"]]))
            .paint("color", p.rail)
            .paint("width", even(&[(13.0, 3.6), (17.0, 7.0)]))
            .paint("dasharray", json!([0.22, 2.6]))
            .json(),
    ]
}

fn by_width() -> Value {
    let stop = |rail: f64, tram: f64| by_class(&[("tram", json!(tram))], rail);
    json!(["interpolate", ["linear"], ["zoom"], 9.0, stop(0.8, 0.4), 13.0, stop(1.4, 0.9), 17.0, stop(2.4, 1.6)])
}

fn lifts(p: &Palette) -> Vec<Value> {
    let lift = |id: &str| Draw::new("line", id, Layer::Line).min_zoom(11.5).classes(&["lift"]).paint("color", p.lift);
    vec![
        lift("lift").paint("width", even(&[(11.5, 0.6), (16.0, 1.4)])).json(),
        lift("lift-cabins")
            .min_zoom(13.0)
            .paint("width", even(&[(13.0, 3.0), (17.0, 6.0)]))
            .paint("dasharray", json!([0.5, 6]))
            .json(),
    ]
}
