//! Heights of the ground from a folder of elevation tiles: SRTM HGT (plain or zipped) and GeoTIFF, mixed.
//!
//! [`Dem`] opens the folder and gives the height of a place. A tile is read when a place in it is first asked for, and kept
//! in a cache of bounded size. Where tiles overlap, the finest one that has a value is used. `docs/dev/terrain.md` lists
//! the formats.

mod cache;
mod crs;
mod dem;
mod error;
mod geotiff;
mod grid;
mod hgt;
mod raster;

pub use dem::Dem;
pub use error::DemError;
