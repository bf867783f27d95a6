//! Writing: GPX 1.1, KML 2.2, GeoJSON (RFC 7946) and TCX (course), valid by their schemas.

mod geojson;
mod gpx;
mod kml;
mod tcx;
mod xml;

pub use geojson::geojson;
pub use gpx::gpx;
pub use kml::kml;
pub use tcx::tcx;

use crate::{Reading, TracePoint, Waypoint};

/// The content of the file: one line, its texts, its waypoints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The title.
    pub name: Option<String>,
    /// A plain text.
    pub description: Option<String>,
    /// The author of the trace.
    pub author: Option<String>,
    /// The holder of the rights, or the attribution that the data requires.
    pub copyright: Option<String>,
    pub line: Vec<TracePoint>,
    /// What the whole takes, in seconds: TCX needs times, and a planned line has none.
    pub duration_s: Option<f64>,
    /// The points of interest, steps among them.
    pub waypoints: Vec<Waypoint>,
}

impl From<&Reading> for Document {
    fn from(reading: &Reading) -> Self {
        Self {
            name: reading.name.clone(),
            description: reading.description.clone(),
            line: reading.segments.iter().flat_map(|segment| segment.points.iter().copied()).collect(),
            waypoints: reading.waypoints.clone(),
            ..Self::default()
        }
    }
}

/// Degrees to seven decimals (a centimetre), without trailing zeros.
fn degrees(value: f64) -> f64 {
    (value * 1e7).round() / 1e7 + 0.0
}

/// Metres to the centimetre.
fn metres(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}
