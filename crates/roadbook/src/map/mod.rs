//! A day, or the whole trip, on paper: a vector ground without text, the line, and where numbers and names go.
//!
//! All places on paper are millimetres from the map's top left corner.

mod ground;
mod labels;
mod line;
mod markers;
mod plane;
mod square;

use serde::Serialize;

pub(crate) use ground::Tileset;
pub(crate) use plane::Plane;
pub use square::square;

use crate::data::TracePoint;
use crate::svg::{Mm, Svg};

/// A map ready to be set.
#[derive(Debug, Serialize)]
pub(crate) struct Map {
    pub(crate) width_mm: f64,
    pub(crate) height_mm: f64,
    /// Name of the ground's picture in the setting's world.
    pub(crate) file: String,
    /// Denominator of the scale.
    pub(crate) scale: u32,
    pub(crate) labels: Vec<labels::Label>,
    pub(crate) markers: Vec<markers::Marker>,
    pub(crate) alt: String,
    /// The picture, kept beside.
    #[serde(skip)]
    pub(crate) svg: String,
    /// Whether tiles lay under it.
    #[serde(skip)]
    pub(crate) grounded: bool,
    /// Whether some numbers were left out.
    #[serde(skip)]
    pub(crate) thinned: bool,
}

/// What a map is to show.
pub(crate) struct Wish<'a> {
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

/// Draws a map. The caller has seen to it that there are two places at least.
pub(crate) fn draw(wish: &Wish<'_>, tiles: Option<&Tileset>) -> Map {
    let plane = Plane::around(wish.traces.iter().copied().flatten(), wish.size);
    let lines: Vec<Vec<Mm>> = wish.traces.iter().map(|trace| line::simplified(trace, &plane)).collect();
    let ground = tiles.map(|tiles| ground::read(tiles, &plane, wish.lang)).unwrap_or_default();
    let mut svg = Svg::new(wish.size);
    ground.draw(&mut svg);
    for points in &lines {
        line::draw(points, wish.colour, &mut svg);
    }
    let (markers, thinned) = markers::place(&wish.stops, &lines, &plane);
    let own = wish.names.iter().map(|(name, at)| labels::Name::town(name.clone(), plane.place(*at)));
    let labels = labels::place(own.chain(ground.names).collect(), &markers, &lines, wish.size);
    Map {
        width_mm: wish.size[0],
        height_mm: wish.size[1],
        file: String::new(),
        scale: plane.scale(),
        labels,
        markers,
        alt: String::new(),
        svg: svg.finish(),
        grounded: ground.grounded,
        thinned,
    }
}
