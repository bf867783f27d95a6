//! GeoPackage files (OGC 12-128r19): an SQLite file with layers that QGIS, GDAL and others read.

mod read;
mod write;

pub use read::{MAX_BYTES, ReadError, ReadLayer, ReadRow, is_geopackage, read};
pub use write::{Feature, GeoPackage, GeoPackageLayer, Shape};
