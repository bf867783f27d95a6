//! The base map: vector tiles, fonts, icons and style, made from the same OSM extract as the network.
//!
//! [`build`](fn@build) makes the tiles once, [`Tiles`] serves them, [`style`](fn@style) writes the MapLibre style that draws them.
//! `docs/dev/basemap.md` lists the layers.

mod along;
mod assemble;
mod blocks;
mod build;
mod bytes;
mod classify;
mod encode;
mod error;
mod feature;
mod geometry;
mod glyphs;
mod piece;
mod pmtiles;
mod records;
mod relief;
mod schema;
mod source;
mod sprite;
mod style;
mod temporary;
mod tiler;
mod tiles;

pub use along::{TileAddress, tiles_along};
pub use build::{BuildReport, Progress, Stage, build};
pub use error::BasemapError;
pub use glyphs::{FONTS, glyphs};
pub use schema::{Layer, MAX_ZOOM, MIN_ZOOM};
pub use sprite::sprite;
pub use style::{OVERLAY_SLOT, RELIEF_SOURCE, SOURCE, StyleOptions, Theme, style};
pub use tiles::{TileSource, Tiles};
