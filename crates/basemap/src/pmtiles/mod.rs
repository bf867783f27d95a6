//! The part of the PMTiles 3 container that one writer and one reader of gzip vector tiles and PNG pictures need.
//!
//! Layout: header, root directory (both within the first 16 KiB), tiles in the order they were made, leaf directories,
//! metadata. Directories and metadata are gzip, pictures are not. <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>

mod directory;
mod header;
mod reader;
mod writer;

pub(crate) use header::Content;
pub(crate) use reader::Reader;
pub(crate) use writer::{About, Writer};

/// The number of a tile: zooms one after the other, each along its Hilbert curve. None: no such tile.
pub(crate) fn tile_id(z: u8, x: u32, y: u32) -> Option<u64> {
    if z > 26 || u64::from(x.max(y)) >> z != 0 {
        return None;
    }
    let (mut x, mut y) = (u64::from(x), u64::from(y));
    let mut id = ((1_u64 << (2 * u32::from(z))) - 1) / 3;
    let mut side = (1_u64 << z) >> 1;
    while side > 0 {
        let (right, down) = (u64::from(x & side != 0), u64::from(y & side != 0));
        id += side * side * ((3 * right) ^ down);
        if down == 0 {
            if right == 1 {
                x = (side.wrapping_sub(1)).wrapping_sub(x & (side - 1));
                y = (side.wrapping_sub(1)).wrapping_sub(y & (side - 1));
            }
            std::mem::swap(&mut x, &mut y);
        }
        x &= side - 1;
        y &= side - 1;
        side >>= 1;
    }
    Some(id)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn tile_numbers_are_those_of_the_specification() {
        let known = [
            ((0, 0, 0), 0),
            ((1, 0, 0), 1),
            ((1, 0, 1), 2),
            ((1, 1, 1), 3),
            ((1, 1, 0), 4),
            ((2, 0, 0), 5),
            ((12, 3423, 1763), 19_078_479),
        ];
        for ((z, x, y), id) in known {
            assert_eq!(tile_id(z, x, y), Some(id), "{z}/{x}/{y}");
        }
    }

    #[test]
    fn neighbours_on_the_curve_are_neighbours_on_the_ground_and_each_number_is_used_once() {
        let mut of_id = vec![None; 64 * 64];
        let first = tile_id(6, 0, 0).unwrap();
        for x in 0..64_u32 {
            for y in 0..64_u32 {
                let slot = &mut of_id[(tile_id(6, x, y).unwrap() - first) as usize];
                assert!(slot.replace((x, y)).is_none());
            }
        }
        for pair in of_id.windows(2) {
            let ((ax, ay), (bx, by)) = (pair[0].unwrap(), pair[1].unwrap());
            assert_eq!(ax.abs_diff(bx) + ay.abs_diff(by), 1);
        }
    }

    #[test]
    fn a_tile_outside_its_zoom_has_no_number() {
        assert_eq!(tile_id(3, 8, 0), None);
        assert_eq!(tile_id(200, 0, 0), None);
        assert_eq!(tile_id(14, u32::MAX, 0), None);
    }
}
