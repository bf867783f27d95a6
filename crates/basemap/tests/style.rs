//! The style keeps its promises to the tiler, to the app and to our own lines.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use basemap::{FONTS, Layer, OVERLAY_SLOT, SOURCE, StyleOptions, Theme, sprite, style};
use serde_json::Value;
use std::collections::HashSet;

fn options() -> StyleOptions {
    StyleOptions {
        tiles_url: "http://localhost/tiles/{z}/{x}/{y}".to_owned(),
        relief_url: Some("http://localhost/relief/{z}/{x}/{y}".to_owned()),
        glyphs_url: "http://localhost/glyphs/{fontstack}/{range}".to_owned(),
        sprite_url: "http://localhost/sprite".to_owned(),
        bbox: [1.4, 42.4, 1.8, 42.7],
        attribution: "© OpenStreetMap".to_owned(),
        locale: "fr".to_owned(),
        cycle_networks: true,
    }
}

fn both() -> [Value; 2] {
    [Theme::Light, Theme::Dark].map(|theme| style(theme, &options()))
}

fn layers(style: &Value) -> &Vec<Value> {
    style["layers"].as_array().unwrap()
}

/// Every string anywhere in a value.
fn strings<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(list) => list.iter().for_each(|item| strings(item, out)),
        Value::Object(map) => map.values().for_each(|item| strings(item, out)),
        _ => {}
    }
}

/// The first argument of every `["get", …]` and `["has", …]`.
fn fields<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    if let Value::Array(list) = value {
        match list.as_slice() {
            [Value::String(operator), Value::String(field)] if operator == "get" || operator == "has" => {
                out.push(field);
            }
            items => {
                for item in items {
                    fields(item, out);
                }
            }
        }
    } else if let Value::Object(map) = value {
        map.values().for_each(|item| fields(item, out));
    }
}

#[test]
fn ids_are_unique_and_the_same_in_both_themes() {
    let [light, dark] = both();
    let ids =
        |style: &Value| layers(style).iter().map(|layer| layer["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(ids(&light), ids(&dark));
    assert_eq!(ids(&light).iter().collect::<HashSet<_>>().len(), ids(&light).len());
}

#[test]
fn every_layer_reads_only_what_the_tiler_writes() {
    for style in both() {
        for layer in layers(&style).iter().filter(|layer| layer["source"] == SOURCE) {
            let source_layer = layer["source-layer"].as_str().unwrap();
            let schema = Layer::ALL.into_iter().find(|known| known.name() == source_layer);
            let schema = schema
                .unwrap_or_else(|| panic!("{} reads {source_layer}, which the tiler does not write", layer["id"]));
            let mut read = Vec::new();
            fields(layer, &mut read);
            for field in read {
                assert!(schema.fields().contains(&field), "{} reads {field} of {source_layer}", layer["id"]);
            }
        }
    }
}

#[test]
fn without_a_ground_model_nothing_of_it_is_asked_for() {
    for theme in [Theme::Light, Theme::Dark] {
        let with = style(theme, &options());
        let without = style(theme, &StyleOptions { relief_url: None, ..options() });
        assert!(with["sources"]["relief"].is_object() && without["sources"].get("relief").is_none());
        let of_relief = |layer: &&Value| layer["source"] == "relief" || layer["source-layer"] == "contour";
        assert_eq!(layers(&without).iter().filter(of_relief).count(), 0);
        let dropped = layers(&with).iter().filter(of_relief).count();
        assert!(dropped > 4);
        assert_eq!(layers(&with).len(), layers(&without).len() + dropped);
    }
}

#[test]
fn the_slot_for_our_lines_lies_above_the_roads_and_below_the_labels() {
    for style in both() {
        let at = layers(&style).iter().position(|layer| layer["id"] == OVERLAY_SLOT).unwrap();
        assert!(layers(&style)[..at].iter().all(|layer| layer["type"] != "symbol"));
        assert!(layers(&style)[at + 1..].iter().all(|layer| layer["type"] == "symbol"));
        assert!(layers(&style)[..at].iter().any(|layer| layer["source-layer"] == "road"));
    }
}

#[test]
fn red_and_violet_are_left_to_our_own_lines() {
    for style in both() {
        let mut texts = Vec::new();
        strings(&style["layers"], &mut texts);
        let colours: HashSet<&str> = texts.into_iter().filter(|text| text.starts_with('#')).collect();
        assert!(colours.len() > 30, "only {} colours were found", colours.len());
        for colour in colours {
            let (hue, saturation) = hue_and_chroma(colour);
            let is_grey = saturation < 0.06;
            assert!(is_grey || (20.0..245.0).contains(&hue), "{colour} has the hue {hue:.0}");
        }
    }
}

/// Hue in degrees, and how far from grey (0 to 1).
fn hue_and_chroma(colour: &str) -> (f64, f64) {
    assert_eq!(colour.len(), 7, "{colour} is not #rrggbb");
    let [r, g, b] = [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0);
    let (max, min) = (r.max(g).max(b), r.min(g).min(b));
    let chroma = max - min;
    let sixth = match () {
        () if chroma == 0.0 => 0.0,
        () if (max - r).abs() < 1e-9 => ((g - b) / chroma).rem_euclid(6.0),
        () if (max - g).abs() < 1e-9 => (b - r) / chroma + 2.0,
        () => (r - g) / chroma + 4.0,
    };
    (sixth * 60.0, chroma)
}

#[test]
fn every_typeface_and_sign_is_served_by_us() {
    let index: Value = serde_json::from_slice(sprite("light.json").unwrap()).unwrap();
    for style in both() {
        for layer in layers(&style) {
            let layout = &layer["layout"];
            if let Some(font) = layout["text-font"][0].as_str() {
                assert!(FONTS.contains(&font), "{font}");
            }
            if let Some(icon) = layout["icon-image"].as_str() {
                assert!(index.get(icon).is_some(), "no sign {icon}");
            }
        }
    }
}

#[test]
fn stops_of_every_interpolation_rise() {
    fn check(value: &Value) {
        match value {
            Value::Array(list) if list.first() == Some(&Value::from("interpolate")) => {
                let zooms: Vec<f64> = list[3..].iter().step_by(2).map(|zoom| zoom.as_f64().unwrap()).collect();
                assert!(zooms.windows(2).all(|pair| pair[0] < pair[1]), "{value}");
            }
            Value::Array(list) => list.iter().for_each(check),
            Value::Object(map) => map.values().for_each(check),
            _ => {}
        }
    }
    both().iter().for_each(check);
}

#[test]
fn names_are_in_the_readers_language() {
    let english = style(Theme::Light, &StyleOptions { locale: "en".to_owned(), ..options() });
    let town = |style: &Value| {
        layers(style).iter().find(|layer| layer["id"] == "town").unwrap()["layout"]["text-field"].to_string()
    };
    assert!(town(&english).contains("name_en") && town(&both()[0]).contains("name_fr"));
}

#[test]
fn cycle_networks_can_be_left_out() {
    let without = style(Theme::Light, &StyleOptions { cycle_networks: false, ..options() });
    let ids = |style: &Value| {
        layers(style).iter().map(|layer| layer["id"].as_str().unwrap().to_owned()).collect::<HashSet<_>>()
    };
    let [with, _] = both();
    let mut gone: Vec<String> = ids(&with).difference(&ids(&without)).cloned().collect();
    gone.sort();
    assert_eq!(gone, ["network-cycle", "network-cycle-number", "network-mtb"]);
}
