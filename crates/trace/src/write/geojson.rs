//! GeoJSON: a FeatureCollection with the line first, then the waypoints.

use serde_json::{Value, json};

use crate::{Position, time};

use super::{Document, degrees, metres};

/// Writes the line and its waypoints; times as `coordTimes`, where every point has one.
pub fn geojson(document: &Document) -> String {
    let coordinates: Vec<Value> = document.line.iter().map(|point| position(point.position)).collect();
    let mut properties = json!({ "name": document.name, "description": document.description });
    for (key, text) in [("author", &document.author), ("copyright", &document.copyright)] {
        if let Some(text) = text {
            properties[key] = json!(text);
        }
    }
    let times: Option<Vec<String>> = document.line.iter().map(|point| point.time_ms.map(time::format_ms)).collect();
    if let Some(times) = times.filter(|times| !times.is_empty()) {
        properties["coordTimes"] = json!(times);
    }
    let mut features = vec![json!({
        "type": "Feature",
        "properties": properties,
        "geometry": { "type": "LineString", "coordinates": coordinates },
    })];
    features.extend(document.waypoints.iter().map(|waypoint| {
        json!({
            "type": "Feature",
            "properties": { "name": waypoint.name, "description": waypoint.description, "symbol": waypoint.symbol },
            "geometry": { "type": "Point", "coordinates": position(waypoint.position) },
        })
    }));
    json!({ "type": "FeatureCollection", "features": features }).to_string()
}

fn position(p: Position) -> Value {
    match p.ele {
        Some(ele) => json!([degrees(p.lon), degrees(p.lat), metres(ele)]),
        None => json!([degrees(p.lon), degrees(p.lat)]),
    }
}
