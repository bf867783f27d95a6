//! The base map: vector tiles, fonts, icons and style, made from the same OSM extract as the network.
//!
//! [`build`] makes the tiles once, [`Tiles`] serves them, [`style`](fn@style) writes the MapLibre style that draws them.
//! `docs/dev/basemap.md` lists the layers.

mod along;
mod assemble;
mod classify;
mod encode;
mod error;
mod feature;
mod geometry;
mod glyphs;
mod piece;
mod pmtiles;
mod relief;
mod schema;
mod source;
mod sprite;
mod style;
mod tiler;
mod tiles;

pub use along::{TileAddress, tiles_along};
pub use error::BasemapError;
pub use glyphs::{FONTS, glyphs};
pub use schema::{Layer, MAX_ZOOM, MIN_ZOOM};
pub use sprite::sprite;
pub use style::{OVERLAY_SLOT, RELIEF_SOURCE, SOURCE, StyleOptions, Theme, style};
pub use tiles::{BuildReport, Progress, Stage, TileSource, Tiles, build};
