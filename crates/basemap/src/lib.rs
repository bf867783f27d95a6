//! The map under the trace: vector tiles, glyphs and style made from the same OSM extract.
//!
//! Tiles are made once by [`build`] and served by [`Tiles`]. `docs/dev/basemap.md` tells the layers.

mod assemble;
mod classify;
mod encode;
mod error;
mod feature;
mod geometry;
mod pmtiles;
mod schema;
mod source;
mod tiler;
mod tiles;

pub use error::BasemapError;
pub use schema::{Layer, MAX_ZOOM, MIN_ZOOM};
pub use tiles::{BuildReport, Progress, Stage, TileSource, Tiles, build};
