//! Prepared tiles, served from a memory-mapped file.

use crate::error::BasemapError;
use crate::pmtiles::Reader;
use std::path::{Path, PathBuf};

/// The source of the tiles: the prepared file today; another source later changes no caller.
pub trait TileSource: Send + Sync {
    /// A tile as gzip Mapbox vector tile; none where there is nothing to draw.
    fn tile(&self, z: u8, x: u32, y: u32) -> Option<&[u8]>;
}

/// Prepared tiles, open for reading; threads may share it.
#[derive(Debug)]
pub struct Tiles {
    reader: Reader,
    relief: Option<Reader>,
    etag: String,
    data_date_s: Option<i64>,
}

impl Tiles {
    /// Opens a file that [`build`](fn@crate::build) made. Takes milliseconds at any size.
    pub fn open(path: &Path) -> Result<Self, BasemapError> {
        let reader = Reader::open(path)?;
        let ours = &reader.metadata()["jalon"];
        let etag = ours["etag"].as_str().ok_or_else(|| BasemapError::bad(path, "it was not made by Jalon"))?.to_owned();
        let data_date_s = ours["data_date_s"].as_i64();
        // Heights of another build would not fit the contours.
        let relief = Reader::open(&relief_file(path)).ok().filter(|relief| relief.metadata()["jalon"]["etag"] == etag);
        Ok(Self { reader, relief, etag, data_date_s })
    }

    /// A tile of heights as PNG (Terrarium); none where the ground model does not cover the place.
    pub fn relief(&self, z: u8, x: u32, y: u32) -> Option<&[u8]> {
        self.relief.as_ref()?.tile(z, x, y)
    }

    /// Are there heights to shade, and contours?
    pub fn has_relief(&self) -> bool {
        self.relief.is_some()
    }

    /// A tile as gzip Mapbox vector tile; none where there is nothing to draw (answer 204, not 404).
    pub fn tile(&self, z: u8, x: u32, y: u32) -> Option<&[u8]> {
        self.reader.tile(z, x, y)
    }

    /// The same for the same extract and tiler; without quotes.
    pub fn etag(&self) -> &str {
        &self.etag
    }

    /// West, south, east, north of the covered ground in degrees.
    pub fn bbox(&self) -> [f64; 4] {
        self.reader.bbox()
    }

    /// First zoom with tiles.
    pub fn min_zoom(&self) -> u8 {
        self.reader.zooms()[0]
    }

    /// Last zoom with tiles.
    pub fn max_zoom(&self) -> u8 {
        self.reader.zooms()[1]
    }

    /// The extract's date in seconds since 1970, where it gives one.
    pub fn data_date_s(&self) -> Option<i64> {
        // Tiles of older versions have 0 for an extract without times.
        self.data_date_s.filter(|date_s| *date_s > 0)
    }
}

impl TileSource for Tiles {
    fn tile(&self, z: u8, x: u32, y: u32) -> Option<&[u8]> {
        Self::tile(self, z, x, y)
    }
}

/// The file of heights of a tiles file: `basemap-relief.pmtiles` beside `basemap.pmtiles`.
pub(crate) fn relief_file(tiles: &Path) -> PathBuf {
    let stem = tiles.file_stem().unwrap_or_default().to_string_lossy();
    tiles.with_file_name(format!("{stem}-relief.pmtiles"))
}
