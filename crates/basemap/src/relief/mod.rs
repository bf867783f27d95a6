//! The relief: contours in the vector tiles, and tiles of heights that the map shades.
//!
//! Both come from one grid, the pixels of the heights' last zoom, so that they agree and meet across tiles.

mod contours;
mod grid;
mod shading;

pub(crate) use shading::{MAX_ZOOM, MIN_ZOOM, survey};
