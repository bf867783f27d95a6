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

/// The `creator` of our GPX files.
pub(crate) const CREATOR: &str = "Jalon";

/// The `src` of a GPX track, and of a GeoJSON line, whose heights are all of a ground model. The readers know it.
pub(crate) const MODEL_SOURCE: &str = "Jalon, elevations of a terrain model";

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
    /// Whether all heights of the line are of a ground model: GPX and GeoJSON say so.
    pub has_model_heights: bool,
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

impl Document {
    /// The words for the origin of the line's heights, where these are of a ground model.
    fn heights_source(&self) -> Option<&'static str> {
        let is_known = |point: &TracePoint| point.position.ele.is_some();
        (self.has_model_heights && self.line.iter().any(is_known)).then_some(MODEL_SOURCE)
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
