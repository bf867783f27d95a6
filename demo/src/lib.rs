//! The fictional region of the demo and its generator.
//!
//! Nothing here exists: land, names and ways come from a seeded generator, the same each time. The extract it writes
//! is an ordinary `.osm.pbf` and its elevation an ordinary `.hgt` tile, so that planner, matching, basemap and
//! profile work on them as on a real region.

pub mod content;
mod contour;
mod curve;
mod graph;
mod ground;
mod hgt;
mod random;
mod region;
mod terrain;

use std::fs;
use std::path::{Path, PathBuf};

use extract::ExtractError;

pub use graph::{Graph, Journey, Mood};
pub use region::{Place, Region, Size, region};
pub use terrain::ele;

/// Where the region's files were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionFiles {
    /// The OpenStreetMap extract.
    pub extract: PathBuf,
    /// The folder of elevation tiles.
    pub dem: PathBuf,
}

/// Why the demo's files could not be written.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The extract was not written.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// A picture could not be encoded.
    #[error("the picture {key} could not be encoded: {why}")]
    Picture {
        /// Its key.
        key: &'static str,
        /// What the encoder said.
        why: String,
    },
    /// Another file was not written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Writes `dir/val-d-orsel.osm.pbf` and `dir/dem/N44E003.hgt`.
pub fn write_region(dir: &Path) -> Result<RegionFiles, DemoError> {
    // The tile and the region owe each other nothing: each has its core.
    let (region, tile) = std::thread::scope(|scope| {
        let tile = scope.spawn(hgt::tile);
        (region(), tile.join())
    });
    match tile {
        Ok(tile) => write(dir, &region, &tile),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn write(dir: &Path, region: &Region, tile_bytes: &[u8]) -> Result<RegionFiles, DemoError> {
    let files = RegionFiles { extract: dir.join("val-d-orsel.osm.pbf"), dem: dir.join("dem") };
    let io = |path: &Path, source| DemoError::Io { path: path.into(), source };
    fs::create_dir_all(&files.dem).map_err(|source| io(&files.dem, source))?;
    extract::write_pbf(&files.extract, &region.header(), &region.elements)?;
    let tile = files.dem.join("N44E003.hgt");
    fs::write(&tile, tile_bytes).map_err(|source| io(&tile, source))?;
    Ok(files)
}
