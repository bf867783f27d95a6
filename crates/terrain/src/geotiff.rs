//! GeoTIFF, cloud-optimised or plain: one band of heights in metres, tiled or in strips, of which only the blocks asked
//! for are decoded (OGC 19-008r4, *GeoTIFF Standard* 1.1; nodata as GDAL writes it).

use crate::{
    crs::Crs,
    grid::{Block, Grid, Samples},
};
use std::{fs::File, io::BufReader, path::Path};
use tiff::{
    TiffError,
    decoder::{ChunkType, Decoder, DecodingResult, Limits},
    tags::Tag,
};

/// A block has at least this many samples: strips of one row are read many at a time.
const MIN_SAMPLES: u32 = 65_536;
/// A tile or strip has at most this many samples: a whole SRTM tile in one strip fits.
const MAX_SAMPLES: u64 = 16 << 20;
/// Deflate compresses at most 1,032 times: a header that gives more samples per byte is wrong.
const MAX_SAMPLES_PER_BYTE: u64 = 1032;
/// TIFF compressions that are read: none, LZW, Deflate (two numbers), PackBits.
const PACKINGS: [u16; 5] = [1, 5, 8, 32_946, 32_773];
/// The command that converts most files that are not read.
const REMEDY: &str = "write it again with `gdal_translate -co COMPRESS=DEFLATE -co TILED=YES`";
/// The range of valid heights, in metres; other values count as unknown.
const HEIGHTS_M: std::ops::RangeInclusive<f64> = -1000.0..=9000.0;

/// How a file's samples are cut into blocks.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Columns and rows of a tile, or of a strip.
    chunk: [u32; 2],
    /// Tiles or strips side by side.
    across: u32,
    /// Strips read at a time; 1 for tiles.
    grouped: u32,
    /// Tiles or strips in all.
    count: u32,
    nodata: Option<f64>,
    /// Metres per unit of height.
    unit_m: f64,
}

impl Layout {
    pub(crate) fn block_of(&self, [column, row]: [u32; 2]) -> u32 {
        let chunk = row / self.chunk[1] * self.across + column / self.chunk[0];
        chunk / self.grouped
    }
}

/// Reads a file's header.
///
/// # Errors
/// A sentence that says why the file cannot be used.
pub(crate) fn open(path: &Path) -> Result<(Grid, Layout), String> {
    let bytes = std::fs::metadata(path).map_err(|e| e.to_string())?.len();
    let mut decoder = decoder(path)?;
    let (columns, rows) = decoder.dimensions().map_err(unreadable)?;
    if columns == 0 || rows == 0 {
        return Err("it has no samples".to_owned());
    }
    let samples: Option<u16> = decoder.find_tag_unsigned(Tag::SamplesPerPixel).map_err(unreadable)?;
    if samples.unwrap_or(1) != 1 {
        return Err("it has several bands, a picture perhaps: elevation has one".to_owned());
    }
    let packing: Option<u16> = decoder.find_tag_unsigned(Tag::Compression).map_err(unreadable)?;
    if packing.is_some_and(|code| !PACKINGS.contains(&code)) {
        return Err(format!(
            "it is packed in a way that is not read (TIFF compression {}): {REMEDY}",
            packing.unwrap_or(0)
        ));
    }
    let layout = layout(&mut decoder, [columns, rows], bytes)?;
    let keys = GeoKeys::read(&mut decoder)?;
    let crs = keys.crs()?;
    let unit_m = keys.unit_m()?;
    let (first, step) = placed(&mut decoder, keys.is_point())?;
    let grid = Grid { crs, first, step, size: [columns, rows] };
    if !first.iter().chain(&step).chain(&grid.frame()).all(|n| n.is_finite() && n.abs() < 1e9) {
        return Err("its position is not a number".to_owned());
    }
    Ok((grid, Layout { unit_m, ..layout }))
}

/// Decodes one block: the tile or the group of strips of this index.
///
/// # Errors
/// A sentence that says why the block cannot be read.
pub(crate) fn read_block(path: &Path, layout: &Layout, size: [u32; 2], index: u32) -> Result<Block, String> {
    let mut decoder = decoder(path)?;
    let first_chunk = index.checked_mul(layout.grouped).ok_or("no such block")?;
    let first = [first_chunk % layout.across * layout.chunk[0], first_chunk / layout.across * layout.chunk[1]];
    if first[0] >= size[0] || first[1] >= size[1] {
        return Err("no such block".to_owned());
    }
    let columns = layout.chunk[0].min(size[0] - first[0]);
    let lengths = lengths(&mut decoder)?;
    let mut samples: Vec<f32> = Vec::new();
    for chunk in first_chunk..first_chunk.saturating_add(layout.grouped).min(layout.count) {
        let top = chunk / layout.across * layout.chunk[1];
        let rows = layout.chunk[1].min(size[1].saturating_sub(top));
        let wanted = columns as usize * rows as usize;
        if lengths.get(chunk as usize).is_none_or(|length| *length == 0) {
            // GDAL leaves tiles without data out: their length is 0.
            samples.resize(samples.len() + wanted, f32::NAN);
            continue;
        }
        let decoded = heights(decoder.read_chunk(chunk).map_err(unreadable)?, layout)?;
        if decoded.len() != wanted {
            return Err("a block is shorter than its header says".to_owned());
        }
        samples.extend(decoded);
    }
    Ok(Block { first, columns, samples: Samples::Real(samples) })
}

/// Bytes of each tile or strip.
fn lengths(decoder: &mut Decoder<BufReader<File>>) -> Result<Vec<u64>, String> {
    let tag = match decoder.get_chunk_type() {
        ChunkType::Tile => Tag::TileByteCounts,
        ChunkType::Strip => Tag::StripByteCounts,
    };
    decoder.find_tag_unsigned_vec(tag).map_err(unreadable).map(Option::unwrap_or_default)
}

fn decoder(path: &Path) -> Result<Decoder<BufReader<File>>, String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MAX_SAMPLES as usize * 8;
    limits.intermediate_buffer_size = MAX_SAMPLES as usize * 8;
    Decoder::new(BufReader::new(file)).map(|decoder| decoder.with_limits(limits)).map_err(unreadable)
}

fn unreadable(error: TiffError) -> String {
    if let TiffError::UnsupportedError(what) = &error {
        return format!("{what}: {REMEDY}");
    }
    format!("not a readable TIFF file: {error}")
}

fn layout(decoder: &mut Decoder<BufReader<File>>, [columns, rows]: [u32; 2], bytes: u64) -> Result<Layout, String> {
    let (width, height) = decoder.chunk_dimensions();
    // The decoder gives strips as high as the header says, which may be far beyond the picture.
    let chunk = [width, height.min(rows)];
    let samples = u64::from(chunk[0]) * u64::from(chunk[1]);
    if samples == 0 {
        return Err("its blocks are empty".to_owned());
    }
    if samples > MAX_SAMPLES || samples > bytes.saturating_mul(MAX_SAMPLES_PER_BYTE) {
        return Err(format!("its blocks are too large: {REMEDY}"));
    }
    let (across, down) = (columns.div_ceil(chunk[0]), rows.div_ceil(chunk[1]));
    let count = across.checked_mul(down).ok_or("it has too many blocks")?;
    let is_strips = decoder.get_chunk_type() == ChunkType::Strip;
    let grouped = if is_strips { MIN_SAMPLES.div_ceil(samples as u32).min(count) } else { 1 };
    let nodata = match decoder.find_tag(Tag::GdalNodata).map_err(unreadable)? {
        Some(value) => value.into_string().ok().and_then(|text| text.trim_matches(['\0', ' ']).parse().ok()),
        None => None,
    };
    Ok(Layout { chunk, across, grouped, count, nodata, unit_m: 1.0 })
}

/// Heights in metres; NaN where unknown.
fn heights(decoded: DecodingResult, layout: &Layout) -> Result<Vec<f32>, String> {
    let height = |raw: f64| {
        let is_nodata = layout.nodata.is_some_and(|nodata| (raw - nodata).abs() <= nodata.abs() * 1e-6);
        let metres = raw * layout.unit_m;
        if is_nodata || !HEIGHTS_M.contains(&metres) { f32::NAN } else { metres as f32 }
    };
    Ok(match decoded {
        DecodingResult::I16(list) => list.into_iter().map(|h| height(f64::from(h))).collect(),
        DecodingResult::U16(list) => list.into_iter().map(|h| height(f64::from(h))).collect(),
        DecodingResult::I32(list) => list.into_iter().map(|h| height(f64::from(h))).collect(),
        DecodingResult::U32(list) => list.into_iter().map(|h| height(f64::from(h))).collect(),
        DecodingResult::U8(list) => list.into_iter().map(|h| height(f64::from(h))).collect(),
        DecodingResult::F32(list) => list.into_iter().map(|h| height(f64::from(h))).collect(),
        DecodingResult::F64(list) => list.into_iter().map(height).collect(),
        _ => return Err("its samples have a type that is not read".to_owned()),
    })
}

/// The middle of the first sample and the steps, from scale and tie point or from a matrix without rotation.
fn placed(decoder: &mut Decoder<BufReader<File>>, is_point: bool) -> Result<([f64; 2], [f64; 2]), String> {
    let mut numbers = |tag| match decoder.find_tag(tag).map_err(unreadable)? {
        Some(value) => value.into_f64_vec().map(Some).map_err(unreadable),
        None => Ok(None),
    };
    let (scale, tie, matrix) =
        (numbers(Tag::ModelPixelScaleTag)?, numbers(Tag::ModelTiepointTag)?, numbers(Tag::ModelTransformationTag)?);
    let (corner, step) = match (scale.as_deref(), tie.as_deref(), matrix.as_deref()) {
        (Some([dx, dy, ..]), Some([i, j, _, x, y, ..]), _) => ([x - i * dx, y + j * dy], [*dx, *dy]),
        (_, _, Some([dx, shear_x, _, x, shear_y, down, _, y, ..])) => {
            if shear_x.abs() > 1e-12 || shear_y.abs() > 1e-12 {
                return Err("it is rotated: convert it with `gdalwarp -t_srs EPSG:4326`".to_owned());
            }
            ([*x, *y], [*dx, -*down])
        }
        _ => return Err("it does not say where it is on the ground: it is a TIFF, not a GeoTIFF".to_owned()),
    };
    if !step.iter().all(|n| *n > 0.0) {
        return Err("its rows do not run from north to south: convert it with `gdalwarp -t_srs EPSG:4326`".to_owned());
    }
    // The coordinates are those of the sample (point), or of the north-west corner of its square (area).
    let half = if is_point { 0.0 } else { 0.5 };
    Ok(([corner[0] + half * step[0], corner[1] - half * step[1]], step))
}

/// The file's GeoKeys whose value is a code: their ids and codes.
struct GeoKeys(Vec<(u32, u32)>);

impl GeoKeys {
    const MODEL: u32 = 1024;
    const RASTER: u32 = 1025;
    const GEOGRAPHIC: u32 = 2048;
    const PROJECTED: u32 = 3072;
    const VERTICAL_UNIT: u32 = 4099;
    /// "User-defined": described by other keys instead of a number.
    const USER_DEFINED: u32 = 32_767;

    fn read(decoder: &mut Decoder<BufReader<File>>) -> Result<Self, String> {
        let list: Option<Vec<u32>> = decoder.find_tag_unsigned_vec(Tag::GeoKeyDirectoryTag).map_err(unreadable)?;
        let list = list.ok_or("it does not say in which coordinates it is: it is a TIFF, not a GeoTIFF")?;
        // Four numbers a key: id, where its value is (0: here), how many, the value. The first four are a heading.
        let keys = list.as_chunks::<4>().0.iter().skip(1).filter(|key| key[1] == 0);
        Ok(Self(keys.map(|key| (key[0], key[3])).collect()))
    }

    fn get(&self, id: u32) -> Option<u32> {
        self.0.iter().find(|(key, _)| *key == id).map(|(_, value)| *value)
    }

    fn is_point(&self) -> bool {
        self.get(Self::RASTER) == Some(2)
    }

    fn crs(&self) -> Result<Crs, String> {
        let is_projected = self.get(Self::MODEL) == Some(1);
        let code = self.get(if is_projected { Self::PROJECTED } else { Self::GEOGRAPHIC });
        let name = match code {
            None | Some(Self::USER_DEFINED) => "a coordinate system without a number".to_owned(),
            Some(code) => match Crs::of_epsg(code) {
                // A code in degrees in a model in metres, or the reverse, would put the tile in a wrong place.
                Some(crs) if (crs != Crs::Degrees) == is_projected => return Ok(crs),
                _ => format!("EPSG:{code}"),
            },
        };
        Err(format!("it is in {name}, which is not read: convert it to degrees with `gdalwarp -t_srs EPSG:4326`"))
    }

    fn unit_m(&self) -> Result<f64, String> {
        match self.get(Self::VERTICAL_UNIT) {
            None | Some(9001 | Self::USER_DEFINED) => Ok(1.0),
            Some(9002) => Ok(0.3048),
            Some(9003) => Ok(12.0 / 39.37),
            Some(code) => Err(format!("its heights are in a unit that is not read (EPSG:{code})")),
        }
    }
}
