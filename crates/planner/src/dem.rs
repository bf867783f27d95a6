//! Heights from SRTM tiles: `N42E001.hgt` or `N42E001.hgt.zip`, 1201 or 3601 samples a side.
//!
//! A tile is read when a place in it is first asked for, then kept; its voids are filled from around them.

use crate::error::NetworkError;
use std::{
    collections::HashMap,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::OnceLock,
};
use trace::Position;

const VOID: i16 = -32_768;

/// A folder of elevation tiles.
#[derive(Debug)]
pub struct Dem {
    tiles: HashMap<(i16, i16), Slot>,
}

#[derive(Debug)]
struct Slot {
    path: PathBuf,
    tile: OnceLock<Option<Tile>>,
}

/// One degree by one degree.
#[derive(Debug)]
struct Tile {
    side: usize,
    heights: Vec<i16>,
}

impl Dem {
    /// List the tiles of a folder; none is read yet.
    pub fn open_dir(dir: &Path) -> Result<Self, NetworkError> {
        let entries = std::fs::read_dir(dir).map_err(|source| NetworkError::io(dir, source))?;
        let mut tiles = HashMap::new();
        for entry in entries {
            let path = entry.map_err(|source| NetworkError::io(dir, source))?.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_ascii_uppercase();
            if let Some(corner) = corner(&name) {
                // The plain tile wins over its zipped twin: it needs no unpacking.
                let is_plain = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("hgt"));
                if is_plain || !tiles.contains_key(&corner) {
                    tiles.insert(corner, Slot { path, tile: OnceLock::new() });
                }
            }
        }
        if tiles.is_empty() {
            return Err(NetworkError::Dem(format!(
                "{} holds no tile named like N42E001.hgt or N42E001.hgt.zip",
                dir.display()
            )));
        }
        Ok(Self { tiles })
    }

    /// Height of the ground in metres, between the four samples around the place.
    pub fn elevation_m(&self, p: Position) -> Option<f64> {
        if !crate::geometry::is_on_earth(p) {
            return None;
        }
        let (south, west) = (p.lat.floor(), p.lon.floor());
        let slot = self.tiles.get(&(south as i16, west as i16))?;
        let tile = slot.tile.get_or_init(|| Tile::read(&slot.path)).as_ref()?;
        tile.at(p.lon - west, p.lat - south)
    }

    /// Read every tile now and name the first that cannot be used: for start-up checks.
    pub fn check(&self) -> Result<(), NetworkError> {
        for slot in self.tiles.values() {
            if slot.tile.get_or_init(|| Tile::read(&slot.path)).is_none() {
                return Err(NetworkError::Dem(format!(
                    "{} is no tile of 1201 or 3601 samples a side",
                    slot.path.display()
                )));
            }
        }
        Ok(())
    }

    /// How many tiles there are.
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }
}

/// South and west of the tile from a name like `N42E001.HGT`.
fn corner(name: &str) -> Option<(i16, i16)> {
    let stem = name.strip_suffix(".HGT.ZIP").or_else(|| name.strip_suffix(".HGT"))?;
    let (lat, lon) = (stem.get(..3)?, stem.get(3..7)?);
    if stem.len() != 7 {
        return None;
    }
    let signed = |text: &str, plus: char, minus: char| {
        let value: i16 = text.get(1..)?.parse().ok()?;
        match text.chars().next()? {
            c if c == plus => Some(value),
            c if c == minus => Some(-value),
            _ => None,
        }
    };
    Some((signed(lat, 'N', 'S')?, signed(lon, 'E', 'W')?))
}

impl Tile {
    fn read(path: &Path) -> Option<Self> {
        const LARGEST: u64 = 3601 * 3601 * 2;
        let mut bytes = Vec::new();
        let file = File::open(path).ok()?;
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zip")) {
            let mut archive = zip::ZipArchive::new(file).ok()?;
            archive.by_index(0).ok()?.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
        } else {
            file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
        }
        let side = match bytes.len() {
            n if n == 1201 * 1201 * 2 => 1201,
            n if n as u64 == LARGEST => 3601,
            _ => return None,
        };
        let heights = bytes.as_chunks::<2>().0.iter().map(|pair| i16::from_be_bytes(*pair)).collect();
        let mut tile = Self { side, heights };
        tile.fill_voids();
        Some(tile)
    }

    /// Void samples take the mean of their known neighbours, from the rim of each hole inwards.
    fn fill_voids(&mut self) {
        let mut holes: Vec<usize> = (0..self.heights.len()).filter(|i| self.heights[*i] == VOID).collect();
        while !holes.is_empty() {
            let filled: Vec<(usize, i16)> =
                holes.iter().filter_map(|i| self.mean_around(*i).map(|h| (*i, h))).collect();
            if filled.is_empty() {
                return;
            }
            for (i, height) in &filled {
                self.heights[*i] = *height;
            }
            holes.retain(|i| self.heights[*i] == VOID);
        }
    }

    fn mean_around(&self, index: usize) -> Option<i16> {
        let (row, column) = (index / self.side, index % self.side);
        let (mut sum, mut count) = (0_i32, 0_i32);
        for r in row.saturating_sub(1)..=(row + 1).min(self.side - 1) {
            for c in column.saturating_sub(1)..=(column + 1).min(self.side - 1) {
                let height = self.heights[r * self.side + c];
                if height != VOID {
                    sum += i32::from(height);
                    count += 1;
                }
            }
        }
        (count > 0).then(|| (sum / count) as i16)
    }

    /// Bilinear height at shares of the tile's width (from the west) and height (from the south).
    fn at(&self, east: f64, north: f64) -> Option<f64> {
        let last = (self.side - 1) as f64;
        let (x, y) = ((east * last).clamp(0.0, last), ((1.0 - north) * last).clamp(0.0, last));
        let (column, row) = ((x as usize).min(self.side - 2), (y as usize).min(self.side - 2));
        let (dx, dy) = (x - column as f64, y - row as f64);
        let known = |r: usize, c: usize| Some(self.heights[r * self.side + c]).filter(|h| *h != VOID).map(f64::from);
        let top = known(row, column)? * (1.0 - dx) + known(row, column + 1)? * dx;
        let bottom = known(row + 1, column)? * (1.0 - dx) + known(row + 1, column + 1)? * dx;
        Some(top * (1.0 - dy) + bottom * dy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_names_are_read() {
        assert_eq!(corner("N42E001.HGT"), Some((42, 1)));
        assert_eq!(corner("S01W070.HGT.ZIP"), Some((-1, -70)));
        assert_eq!(corner("README.MD"), None);
        assert_eq!(corner("N42E0011.HGT"), None);
    }

    #[test]
    fn voids_take_their_neighbours_height() {
        let mut tile = Tile { side: 5, heights: vec![100; 25] };
        for i in [6, 7, 8, 11, 12, 13] {
            tile.heights[i] = VOID;
        }
        tile.fill_voids();
        assert!(tile.heights.iter().all(|h| *h == 100));
        assert_eq!(tile.at(0.5, 0.5), Some(100.0));
    }

    #[test]
    fn heights_are_read_between_samples() {
        let tile = Tile { side: 3, heights: vec![0, 10, 20, 0, 10, 20, 0, 10, 20] };
        assert_eq!(tile.at(0.25, 0.3), Some(5.0));
        assert_eq!(tile.at(1.0, 1.0), Some(20.0));
    }
}
