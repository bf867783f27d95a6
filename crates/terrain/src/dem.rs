//! A folder of elevation tiles as one elevation model.

use crate::{
    cache::Cache,
    crs::Crs,
    error::DemError,
    geotiff, hgt,
    raster::{Format, Raster},
};
use std::{collections::HashMap, path::Path};

/// A folder of elevation tiles.
#[derive(Debug)]
pub struct Dem {
    rasters: Vec<Raster>,
    /// One for each coordinate system.
    indexes: Vec<TileIndex>,
    refused: Vec<DemError>,
    cache: Cache,
}

/// Spatial index of the tiles of one coordinate system: the grid cells that they touch.
#[derive(Debug)]
struct TileIndex {
    crs: Crs,
    /// The finest tile first.
    cells: HashMap<[i32; 2], Vec<u32>>,
    /// Tiles that touch too many cells to be listed in each, the finest first.
    wide: Vec<u32>,
}

/// A tile that touches more cells than this is listed apart, and searched for each place.
const MAX_CELLS: i64 = 4096;

impl Dem {
    /// Lists the tiles of a folder. Headers are read, heights are not. A file that cannot be used is left out and reported by
    /// [`Self::refused`].
    ///
    /// # Errors
    /// If the folder cannot be read, or has no tile that can be used.
    pub fn open_dir(dir: &Path) -> Result<Self, DemError> {
        let failed = |source| DemError::Io { path: dir.to_owned(), source };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(dir).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        // Sorted, so that the result does not depend on the file system. `.hgt` comes before `.hgt.zip`: it needs no unpacking.
        paths.sort();
        let (mut rasters, mut refused, mut corners) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let made = if let Some(corner) = hgt::corner(name) {
                if corners.contains(&corner) {
                    continue;
                }
                corners.push(corner);
                hgt::grid(&path, corner).map(|grid| Raster { grid, format: Format::Hgt, path: path.clone() })
            } else if is_tiff(&path) {
                geotiff::open(&path).map(|(grid, layout)| Raster {
                    grid,
                    format: Format::Tiff(layout),
                    path: path.clone(),
                })
            } else {
                continue;
            };
            match made {
                Ok(raster) => rasters.push(raster),
                Err(why) => refused.push(DemError::tile(&path, why)),
            }
        }
        if rasters.is_empty() {
            return Err(refused.into_iter().next().unwrap_or_else(|| DemError::NoTiles { path: dir.to_owned() }));
        }
        let indexes = indexes(&rasters);
        Ok(Self { rasters, indexes, refused, cache: Cache::default() })
    }

    /// Whether a file's name is that of an elevation tile.
    pub fn is_tile(path: &Path) -> bool {
        is_tiff(path) || path.file_name().and_then(|name| name.to_str()).is_some_and(|name| hgt::corner(name).is_some())
    }

    /// Height of the ground in metres, interpolated between the samples around the place. Where tiles overlap, the finest one with
    /// data is used. `None` where no tile has data, and outside the world.
    pub fn elevation_m(&self, lon: f64, lat: f64) -> Option<f64> {
        if !((-180.0..=180.0).contains(&lon) && (-90.0..=90.0).contains(&lat)) {
            return None;
        }
        let mut best: Option<(f64, f64)> = None;
        for index in &self.indexes {
            let at = index.crs.project(lon, lat);
            let near = index.cells.get(&cell(index.crs, at)).map_or(&[][..], Vec::as_slice);
            for list in [near, &index.wide] {
                for own in list {
                    let raster = &self.rasters[*own as usize];
                    let fineness_m = raster.grid.fineness_m();
                    if best.is_some_and(|(known, _)| known <= fineness_m) {
                        break;
                    }
                    if let Some(height) = raster.height_m(*own, at, &self.cache) {
                        best = Some((fineness_m, height));
                        break;
                    }
                }
            }
        }
        best.map(|(_, height)| height)
    }

    /// Files that look like tiles and cannot be used.
    pub fn refused(&self) -> &[DemError] {
        &self.refused
    }

    /// Checks all files, for builds and at start-up: reads one block of each.
    ///
    /// # Errors
    /// The first file that cannot be used.
    pub fn check(&self) -> Result<(), DemError> {
        if let Some(DemError::Tile { path, why }) = self.refused.first() {
            return Err(DemError::tile(path, why.as_str()));
        }
        self.rasters.iter().try_for_each(|raster| raster.check().map_err(|why| DemError::tile(&raster.path, why)))
    }

    /// A hash of the names and sizes of the tiles (FNV-1a, 64 bits).
    pub fn fingerprint(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        for raster in &self.rasters {
            add(raster.path.file_name().unwrap_or_default().as_encoded_bytes());
            add(&std::fs::metadata(&raster.path).map_or(0, |file| file.len()).to_le_bytes());
        }
        hash
    }

    /// How many tiles there are.
    pub fn tile_count(&self) -> usize {
        self.rasters.len()
    }

    /// Distance between the samples of the finest tile, in metres.
    pub fn finest_m(&self) -> f64 {
        self.rasters.iter().map(|raster| raster.grid.fineness_m()).fold(f64::INFINITY, f64::min)
    }
}

fn is_tiff(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("tif") || e.eq_ignore_ascii_case("tiff"))
}

/// The grid cell of a place. Cells are squares of 0.25° or of 20 km.
fn cell(crs: Crs, at: [f64; 2]) -> [i32; 2] {
    let side = if crs == Crs::Degrees { 0.25 } else { 20_000.0 };
    at.map(|value| (value / side).floor() as i32)
}

fn indexes(rasters: &[Raster]) -> Vec<TileIndex> {
    let mut indexes: Vec<TileIndex> = Vec::new();
    let mut order: Vec<u32> = (0..rasters.len() as u32).collect();
    order.sort_by(|a, b| {
        let fineness_m = |i: &u32| rasters[*i as usize].grid.fineness_m();
        fineness_m(a).total_cmp(&fineness_m(b))
    });
    for own in order {
        let grid = &rasters[own as usize].grid;
        let found = indexes.iter().position(|index| index.crs == grid.crs).unwrap_or_else(|| {
            indexes.push(TileIndex { crs: grid.crs, cells: HashMap::new(), wide: Vec::new() });
            indexes.len() - 1
        });
        let index = &mut indexes[found];
        let [west, south, east, north] = grid.frame();
        let (low, high) = (cell(grid.crs, [west, south]), cell(grid.crs, [east, north]));
        let across = |i: usize| i64::from(high[i]) - i64::from(low[i]) + 1;
        if across(0).saturating_mul(across(1)) > MAX_CELLS {
            index.wide.push(own);
            continue;
        }
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                index.cells.entry([x, y]).or_default().push(own);
            }
        }
    }
    indexes
}
