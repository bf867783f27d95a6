//! SRTM tiles: `N42E001.hgt` or `N42E001.hgt.zip`, one degree a side, 1201 or 3601 samples, whole metres.

use crate::{
    crs::Crs,
    grid::{Block, Grid, Samples, VOID},
};
use std::{fs::File, io::Read, path::Path};

const SIDES: [usize; 2] = [1201, 3601];
const MAX_BYTES: u64 = 3601 * 3601 * 2;

/// Where a tile lies, by a name like `N42E001.hgt`; `None` for other names.
pub(crate) fn corner(name: &str) -> Option<[i16; 2]> {
    let name = name.to_ascii_uppercase();
    let stem = name.strip_suffix(".HGT.ZIP").or_else(|| name.strip_suffix(".HGT"))?;
    let (lat, lon) = (stem.get(..3)?, stem.get(3..7)?);
    let signed = |text: &str, plus: char, minus: char| {
        let value: i16 = text.get(1..)?.parse().ok()?;
        match text.chars().next()? {
            c if c == plus => Some(value),
            c if c == minus => Some(-value),
            _ => None,
        }
    };
    let corner = [signed(lon, 'E', 'W')?, signed(lat, 'N', 'S')?];
    (stem.len() == 7 && (-180..180).contains(&corner[0]) && (-90..90).contains(&corner[1])).then_some(corner)
}

/// The grid of a tile. Its side follows from its size, which a zipped one gives when it is unpacked.
pub(crate) fn grid(path: &Path, [west, south]: [i16; 2]) -> Result<Grid, String> {
    let bytes = if is_zipped(path) {
        let mut archive = zip::ZipArchive::new(File::open(path).map_err(|e| e.to_string())?).map_err(broken)?;
        archive.by_index(0).map_err(broken)?.size()
    } else {
        std::fs::metadata(path).map_err(|e| e.to_string())?.len()
    };
    let side = side_of(bytes)?;
    let step = 1.0 / (side - 1) as f64;
    let first = [f64::from(west), f64::from(south) + 1.0];
    Ok(Grid { crs: Crs::Degrees, first, step: [step, step], size: [side as u32; 2] })
}

/// The whole tile as one block, its voids filled from around them.
pub(crate) fn read(path: &Path, columns: u32) -> Result<Block, String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    let mut bytes = Vec::new();
    if is_zipped(path) {
        let mut archive = zip::ZipArchive::new(file).map_err(broken)?;
        let entry = archive.by_index(0).map_err(broken)?;
        entry.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    } else {
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    }
    let side = side_of(bytes.len() as u64)?;
    if side as u32 != columns {
        return Err("its zip file says another size than it has".to_owned());
    }
    let mut heights: Vec<i16> = bytes.as_chunks::<2>().0.iter().map(|pair| i16::from_be_bytes(*pair)).collect();
    fill_voids(&mut heights, side);
    Ok(Block { first: [0, 0], columns: side as u32, samples: Samples::Whole(heights) })
}

fn is_zipped(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zip"))
}

fn broken(error: impl std::fmt::Display) -> String {
    format!("no readable zip file: {error}")
}

fn side_of(bytes: u64) -> Result<usize, String> {
    let side = SIDES.into_iter().find(|side| (side * side * 2) as u64 == bytes);
    side.ok_or_else(|| format!("no tile of 1201 or 3601 samples a side: it has {bytes} bytes"))
}

/// Void samples take the mean of their known neighbours, from the rim of each hole inwards, one ring at a time.
fn fill_voids(heights: &mut [i16], side: usize) {
    let is_rim = |heights: &[i16], i: usize| heights[i] == VOID && around(i, side).any(|n| heights[n] != VOID);
    let mut rim: Vec<usize> = (0..heights.len()).filter(|i| is_rim(heights, *i)).collect();
    while !rim.is_empty() {
        let filled: Vec<(usize, i16)> = rim.iter().map(|i| (*i, mean_around(heights, *i, side))).collect();
        for (i, height) in &filled {
            heights[*i] = *height;
        }
        rim = filled.iter().flat_map(|(i, _)| around(*i, side)).filter(|n| heights[*n] == VOID).collect();
        rim.sort_unstable();
        rim.dedup();
    }
}

fn mean_around(heights: &[i16], index: usize, side: usize) -> i16 {
    let known = around(index, side).map(|n| heights[n]).filter(|h| *h != VOID);
    let (sum, count) = known.fold((0_i32, 0_i32), |(sum, count), h| (sum + i32::from(h), count + 1));
    (sum / count.max(1)) as i16
}

/// The indexes of the up to eight samples around one.
fn around(index: usize, side: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (index / side, index % side);
    let rows = row.saturating_sub(1)..=(row + 1).min(side - 1);
    let columns = column.saturating_sub(1)..=(column + 1).min(side - 1);
    rows.flat_map(move |r| columns.clone().map(move |c| r * side + c)).filter(move |n| *n != index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_names_are_read() {
        assert_eq!(corner("N42E001.hgt"), Some([1, 42]));
        assert_eq!(corner("S01W070.HGT.ZIP"), Some([-70, -1]));
        assert_eq!(corner("README.MD"), None);
        assert_eq!(corner("N42E0011.HGT"), None);
        assert_eq!(corner("N99E001.HGT"), None);
    }

    #[test]
    fn voids_take_their_neighbours_height() {
        let mut heights = vec![100; 25];
        for i in [6, 7, 8, 11, 12, 13] {
            heights[i] = VOID;
        }
        fill_voids(&mut heights, 5);
        assert!(heights.iter().all(|h| *h == 100));
    }

    #[test]
    fn a_tile_of_one_known_sample_is_filled_in_no_time() {
        let mut heights = vec![VOID; 1201 * 1201];
        heights[0] = 7;
        fill_voids(&mut heights, 1201);
        assert!(heights.iter().all(|h| *h == 7));
    }
}
