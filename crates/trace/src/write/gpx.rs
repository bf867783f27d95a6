//! GPX 1.1 (topografix.com/GPX/1/1).

use crate::{TracePoint, time};

use super::xml::Xml;
use super::{CREATOR, Document, degrees, metres};

/// Writes a track with its waypoints.
pub fn gpx(document: &Document) -> String {
    let mut xml = Xml::new();
    xml.open(
        "gpx",
        &[
            ("version", &"1.1"),
            ("creator", &CREATOR),
            ("xmlns", &"http://www.topografix.com/GPX/1/1"),
            ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:schemaLocation", &"http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd"),
        ],
    );
    xml.open("metadata", &[]);
    xml.maybe("name", document.name.as_ref());
    xml.maybe("desc", document.description.as_ref());
    if let Some(author) = &document.author {
        xml.open("author", &[]);
        xml.text("name", author);
        xml.close();
    }
    if let Some(holder) = &document.copyright {
        xml.empty("copyright", &[("author", holder)]);
    }
    xml.close();
    for waypoint in &document.waypoints {
        let (lat, lon) = (degrees(waypoint.position.lat), degrees(waypoint.position.lon));
        xml.open("wpt", &[("lat", &lat), ("lon", &lon)]);
        xml.maybe("ele", waypoint.position.ele.map(metres));
        xml.maybe("name", waypoint.name.as_ref());
        xml.maybe("desc", waypoint.description.as_ref());
        xml.maybe("sym", waypoint.symbol.as_ref());
        xml.close();
    }
    xml.open("trk", &[]);
    xml.maybe("name", document.name.as_ref());
    xml.maybe("src", document.heights_source());
    xml.open("trkseg", &[]);
    for point in &document.line {
        write_point(&mut xml, point);
    }
    xml.finish()
}

fn write_point(xml: &mut Xml, point: &TracePoint) {
    let (lat, lon) = (degrees(point.position.lat), degrees(point.position.lon));
    if point.position.ele.is_none() && point.time_ms.is_none() {
        xml.empty("trkpt", &[("lat", &lat), ("lon", &lon)]);
        return;
    }
    xml.open("trkpt", &[("lat", &lat), ("lon", &lon)]);
    xml.maybe("ele", point.position.ele.map(metres));
    xml.maybe("time", point.time_ms.map(time::format_ms));
    xml.close();
}
