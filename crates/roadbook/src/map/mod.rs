//! A day, or the whole trip, on paper: a vector ground without text, the line, and where numbers and names go.
//!
//! All places on paper are millimetres from the map's top left corner.

mod ground;
mod labels;
mod line;
mod markers;
mod projection;
mod tile;

use serde::Serialize;

pub(crate) use ground::Tileset;
pub(crate) use projection::Projection;
pub use tile::svg_tile;

use crate::data::TracePoint;
use crate::svg::{Mm, Svg};

/// A map ready to be set.
#[derive(Debug, Serialize)]
pub(crate) struct Map {
    pub(crate) width_mm: f64,
    pub(crate) height_mm: f64,
    /// Name of the ground's picture among the files of the Typst world.
    pub(crate) file: String,
    /// Denominator of the scale.
    pub(crate) scale: u32,
    pub(crate) labels: Vec<labels::Label>,
    pub(crate) markers: Vec<markers::Marker>,
    pub(crate) alt: String,
    /// The picture, kept beside.
    #[serde(skip)]
    pub(crate) svg: String,
    /// Whether it was drawn from tiles.
    #[serde(skip)]
    pub(crate) grounded: bool,
    /// Whether some numbers were left out.
    #[serde(skip)]
    pub(crate) thinned: bool,
}

/// What a map shows, and its size.
pub(crate) struct MapSpec<'a> {
    /// Millimetres.
    pub(crate) size: Mm,
    /// Each its own line: one for a day, one a day for the overview.
    pub(crate) traces: Vec<&'a [TracePoint]>,
    /// Numbered places, and whether each may be left out where there are too many.
    pub(crate) stops: Vec<Stop>,
    /// Names beside those of the ground.
    pub(crate) names: Vec<(String, [f64; 2])>,
    /// Colour of the line, `#rrggbb`.
    pub(crate) colour: &'a str,
    /// Language of the ground's names.
    pub(crate) lang: &'a str,
}

/// A numbered place.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    pub(crate) label: String,
    pub(crate) kind: &'static str,
    /// Longitude, latitude.
    pub(crate) at: [f64; 2],
    /// Stays when numbers are thinned.
    pub(crate) kept: bool,
    /// Metres around it that a marker covers, relative to a step's.
    pub(crate) size: f64,
}

/// Draws a map. There must be at least two places.
pub(crate) fn draw(spec: &MapSpec<'_>, tiles: Option<&Tileset>) -> Map {
    let projection = Projection::around(spec.traces.iter().copied().flatten(), spec.size);
    let lines: Vec<Vec<Mm>> = spec.traces.iter().map(|trace| line::simplified(trace, &projection)).collect();
    let ground = tiles.map(|tiles| ground::read(tiles, &projection, spec.lang)).unwrap_or_default();
    let mut svg = Svg::new(spec.size);
    ground.draw(&mut svg);
    for points in &lines {
        line::draw(points, spec.colour, &mut svg);
    }
    let (markers, thinned) = markers::place(&spec.stops, &lines, &projection);
    let own = spec.names.iter().map(|(name, at)| labels::Name::town(name.clone(), projection.place(*at)));
    let labels = labels::place(own.chain(ground.names).collect(), &markers, &lines, spec.size);
    Map {
        width_mm: spec.size[0],
        height_mm: spec.size[1],
        file: String::new(),
        scale: projection.scale(),
        labels,
        markers,
        alt: String::new(),
        svg: svg.finish(),
        grounded: ground.grounded,
        thinned,
    }
}
