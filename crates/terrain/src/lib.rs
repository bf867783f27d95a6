//! Heights of the ground from a folder of elevation tiles: SRTM HGT (plain or zipped) and GeoTIFF, mixed.
//!
//! Nothing is read before a place in it is asked for, what is read is kept in a cache of bounded size, and where tiles
//! overlap the finest that knows the place answers. `docs/dev/terrain.md` tells which files are read.

mod cache;
mod crs;
mod dem;
mod error;
mod geotiff;
mod hgt;
mod raster;

pub use dem::Dem;
pub use error::DemError;
