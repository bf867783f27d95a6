//! KML 2.2: the line as one LineString on the ground, waypoints as points.

use std::fmt::Write as _;

use crate::Position;

use super::xml::Xml;
use super::{Document, degrees, metres};

/// Writes a document with the line and its waypoints. KML of this kind has no times.
pub fn kml(document: &Document) -> String {
    let mut xml = Xml::new();
    xml.open("kml", &[("xmlns", &"http://www.opengis.net/kml/2.2"), ("xmlns:atom", &"http://www.w3.org/2005/Atom")]);
    xml.open("Document", &[]);
    xml.maybe("name", document.name.as_ref());
    if let Some(author) = document.author.as_ref().or(document.copyright.as_ref()) {
        xml.open("atom:author", &[]);
        xml.text("atom:name", author);
        xml.close();
    }
    xml.maybe("description", document.description.as_ref());
    for waypoint in &document.waypoints {
        xml.open("Placemark", &[]);
        xml.maybe("name", waypoint.name.as_ref());
        xml.maybe("description", waypoint.description.as_ref());
        xml.open("Point", &[]);
        xml.text("coordinates", coordinates(&[waypoint.position]));
        xml.close();
        xml.close();
    }
    xml.open("Placemark", &[]);
    xml.maybe("name", document.name.as_ref());
    xml.open("LineString", &[]);
    xml.text("tessellate", 1);
    let positions: Vec<Position> = document.line.iter().map(|point| point.position).collect();
    xml.text("coordinates", coordinates(&positions));
    xml.finish()
}

fn coordinates(positions: &[Position]) -> String {
    let mut text = String::with_capacity(positions.len() * 24);
    for (i, p) in positions.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{},{}", degrees(p.lon), degrees(p.lat));
        if let Some(ele) = p.ele {
            let _ = write!(text, ",{}", metres(ele));
        }
    }
    text
}
