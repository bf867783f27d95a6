//! One walk over the ground: its contours, and tiles of heights for the map to shade. These are PNG pictures whose colours are metres (Terrarium: red × 256 + green + blue / 256
//! - 32768), each zoom made of the one below it.

use super::contours;
use super::grid::{BLOCK_SIDE, SIDE, Sampler, ZOOM, tiles_of};
use crate::assemble::{Ground, Groups};
use crate::error::BasemapError;
use crate::geometry::unproject;
use crate::pmtiles::{About, Content, Writer};
use serde_json::json;
use std::path::Path;
use terrain::Dem;

/// First zoom with heights; at lower zooms the shading would not be visible.
pub(crate) const MIN_ZOOM: u8 = 6;
/// Last zoom with heights; the map shades deeper zooms from these.
pub(crate) const MAX_ZOOM: u8 = ZOOM;
/// Heights are stored to an eighth of a metre: a finer step takes more bytes without a visible effect.
const STEPS_A_METRE: f32 = 8.0;

/// Adds the contours of the covered ground and writes its heights; returns tiles and bytes, `None` where the model has no heights.
pub(crate) fn survey(
    dem: &Dem,
    ground: &Ground,
    groups: &mut Groups,
    out: &Path,
    etag: &str,
) -> Result<Option<(u64, u64)>, BasemapError> {
    let failed = |source| BasemapError::io(out, source);
    let writer = Writer::create(out, Content::Png).map_err(failed)?;
    let rect = &ground.rect;
    let mut walk = Walk { sampler: Sampler::new(dem, rect), ground, groups, out, writer, written: 0 };
    let [columns, rows] = tiles_of(rect, MIN_ZOOM);
    for y in rows[0]..=rows[1] {
        for x in columns[0]..=columns[1] {
            walk.tile(MIN_ZOOM, x, y)?;
        }
    }
    if walk.written == 0 {
        return Ok(None);
    }
    let [[west, north], [east, south]] = [unproject(rect.min), unproject(rect.max)];
    let about = About {
        zooms: [MIN_ZOOM, MAX_ZOOM],
        bbox: [west, south, east, north],
        metadata: json!({ "name": "Jalon, heights", "encoding": "terrarium", "jalon": { "etag": etag } }),
    };
    walk.writer.finish(&about).map(Some).map_err(failed)
}

struct Walk<'a> {
    sampler: Sampler<'a>,
    ground: &'a Ground,
    groups: &'a mut Groups,
    out: &'a Path,
    writer: Writer,
    written: u64,
}

impl Walk<'_> {
    /// Writes a tile and all below it; returns its heights, none where the model has none.
    fn tile(&mut self, z: u8, x: u32, y: u32) -> Result<Option<Vec<f32>>, BasemapError> {
        let [columns, rows] = tiles_of(&self.ground.rect, z);
        if !(columns[0]..=columns[1]).contains(&x) || !(rows[0]..=rows[1]).contains(&y) {
            return Ok(None);
        }
        let heights = if z == MAX_ZOOM {
            let block = self.sampler.block(x, y);
            if let Some(block) = &block {
                contours::add(block, [x, y], self.ground, self.groups)?;
            }
            block.map(|block| {
                let rows = block.heights.chunks(BLOCK_SIDE).take(SIDE);
                rows.flat_map(|row| row[..SIDE].iter().copied()).collect()
            })
        } else {
            let mut quarters: [Option<Vec<f32>>; 4] = [const { None }; 4];
            for (quarter, (dx, dy)) in quarters.iter_mut().zip([(0, 0), (1, 0), (0, 1), (1, 1)]) {
                *quarter = self.tile(z + 1, x * 2 + dx, y * 2 + dy)?;
            }
            halved(&quarters)
        };
        if let Some(heights) = &heights {
            let written = png(heights).and_then(|png| self.writer.add(z, x, y, &png));
            written.map_err(|source| BasemapError::io(self.out, source))?;
            self.written += 1;
        }
        Ok(heights)
    }
}

/// Four tiles as one, each pixel the mean of four. A missing quarter takes the nearest heights of the others: a step would
/// be drawn as a cliff.
fn halved(quarters: &[Option<Vec<f32>>; 4]) -> Option<Vec<f32>> {
    quarters.iter().flatten().next()?;
    let half = SIDE / 2;
    let pixel = |i: usize| {
        let place = [i % SIDE, i / SIDE];
        let [right, below] = place.map(|at| usize::from(at >= half));
        // The quarter of the pixel, else the one beside it, below or above it, or across.
        let order = [[right, below], [1 - right, below], [right, 1 - below], [1 - right, 1 - below]];
        let found = order.into_iter().find_map(|[x, y]| Some(([x * half, y * half], quarters[y * 2 + x].as_ref()?)));
        found.map_or(0.0, |(corner, list)| {
            // The same place in the pixels of that quarter, clamped to its border.
            let own = |axis: usize| place[axis].clamp(corner[axis], corner[axis] + half - 1) - corner[axis];
            let first = own(1) * 2 * SIDE + own(0) * 2;
            (list[first] + list[first + 1] + list[first + SIDE] + list[first + SIDE + 1]) / 4.0
        })
    };
    Some((0..SIDE * SIDE).map(pixel).collect())
}

fn png(heights: &[f32]) -> std::io::Result<Vec<u8>> {
    let colours: Vec<u8> = heights
        .iter()
        .flat_map(|height| {
            let steps = ((height + 32_768.0) * STEPS_A_METRE).round().clamp(0.0, 524_287.0) as u32;
            let [_, red, green, blue] = (steps * (256 / STEPS_A_METRE as u32)).to_be_bytes();
            [red, green, blue]
        })
        .collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, SIDE as u32, SIDE as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header().map_err(std::io::Error::other)?;
    writer.write_image_data(&colours).map_err(std::io::Error::other)?;
    writer.finish().map_err(std::io::Error::other)?;
    Ok(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn colours_are_metres() {
        let heights: Vec<f32> = (0..SIDE * SIDE).map(|i| i as f32 / 64.0 - 20.0).collect();
        let bytes = png(&heights).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut colours = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut colours).unwrap();
        for (i, rgb) in colours.chunks(3).enumerate() {
            let metres = f32::from(rgb[0]) * 256.0 + f32::from(rgb[1]) + f32::from(rgb[2]) / 256.0 - 32_768.0;
            assert!((metres - heights[i]).abs() <= 0.0626, "{i}: {metres}");
        }
    }

    #[test]
    fn a_tile_is_the_mean_of_those_below_it() {
        let flat = |height| Some(vec![height; SIDE * SIDE]);
        let whole = halved(&[flat(10.0), flat(20.0), None, flat(30.0)]).unwrap();
        let at = |column: usize, row: usize| whole[row * SIDE + column];
        assert!([at(0, 0) - 10.0, at(255, 0) - 20.0, at(255, 255) - 30.0].iter().all(|off| off.abs() < 1e-3));
        assert!((at(0, 255) - 30.0).abs() < 1e-3, "that beside it: {}", at(0, 255));
        assert!(halved(&[None, None, None, None]).is_none());
    }
}
