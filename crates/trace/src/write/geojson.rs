//! GeoJSON: a FeatureCollection with the line first, then the waypoints.

use serde_json::{Value, json};

use crate::{Position, time};

use super::{Document, degrees, metres};

/// Writes the line and its waypoints; times as `coordTimes`, where every point has one.
pub fn geojson(document: &Document) -> String {
    // A LineString has at least two positions (RFC 7946, 3.1.4).
    let twice = document.line.first().map(|only| [*only; 2]);
    let line = match &twice {
        Some(twice) if document.line.len() == 1 => &twice[..],
        _ => &document.line[..],
    };
    let coordinates: Vec<Value> = line.iter().map(|point| position(point.position)).collect();
    let mut properties = json!({ "name": document.name, "description": document.description });
    for (key, text) in [("author", &document.author), ("copyright", &document.copyright)] {
        if let Some(text) = text {
            properties[key] = json!(text);
        }
    }
    if let Some(source) = document.heights_source() {
        properties["src"] = json!(source);
    }
    let times: Option<Vec<String>> = line.iter().map(|point| point.time_ms.map(time::format_ms)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TracePoint;

    #[test]
    fn a_lone_point_is_written_twice() {
        let lone = TracePoint { position: Position::new(6.0, 45.0), time_ms: Some(0) };
        let written = geojson(&Document { line: vec![lone], ..Document::default() });
        assert!(written.contains("\"coordinates\":[[6.0,45.0],[6.0,45.0]]"), "{written}");
        assert!(written.contains("[\"1970-01-01T00:00:00Z\",\"1970-01-01T00:00:00Z\"]"), "{written}");
    }
}
