//! Prepared tiles: made once from an extract, then served from a memory-mapped file.

use crate::assemble::{Ground, Groups, assemble};
use crate::error::BasemapError;
use crate::geometry::unproject;
use crate::pmtiles::{About, Content, Reader, Writer};
use crate::relief;
use crate::schema::{Layer, MAX_ZOOM, MIN_ZOOM};
use crate::source::Source;
use crate::tiler;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use terrain::Dem;

/// Increase it whenever the same extract would give other tiles: browsers then fetch them again.
const TILER_VERSION: u32 = 2;

/// The current stage of [`build`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading the extract.
    Reading,
    /// Classifying, joining and simplifying its content; contours and heights of the ground.
    Assembling,
    /// Cutting and writing the tiles.
    Tiling,
}

/// The progress of [`build`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// The share of this stage that is done, 0 to 1; reading and assembling report only their start and end.
    pub fraction: f64,
}

/// The result of [`build`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuildReport {
    /// Tiles in the file.
    pub tiles: u64,
    /// Length of the file.
    pub bytes: u64,
    /// Tiles of heights beside it and their length, where a ground model covers the region.
    pub relief: Option<(u64, u64)>,
    /// Elapsed time.
    pub seconds: f64,
}

/// Makes the tiles of an extract and writes them to `out`: to a temporary file first, then renamed, so `out` is never half-written.
/// A ground model gives contours, and a second file beside `out` with heights to shade.
pub fn build(
    extract: &Path,
    dem: Option<&Dem>,
    out: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<BuildReport, BasemapError> {
    let start = Instant::now();
    let mut report = |stage, fraction| progress(Progress { stage, fraction });
    report(Stage::Reading, 0.0);
    let checksum = extract::checksum(extract)?;
    let source = Source::read(extract)?;
    report(Stage::Reading, 1.0);
    report(Stage::Assembling, 0.0);
    let data_date = source.header.date_s;
    let ground = dem.map_or_else(|| "0".to_owned(), |dem| format!("{:016x}", dem.fingerprint()));
    let etag = format!("{}-{ground}-{TILER_VERSION}", &checksum[..16.min(checksum.len())]);
    let mut relief = Ok(None);
    let assembled = assemble(&source, |ground, groups| relief = survey(dem, ground, groups, out, &etag))
        .ok_or_else(|| BasemapError::NothingToDraw { path: extract.to_owned() })?;
    let relief = relief?;
    drop(source);
    report(Stage::Assembling, 1.0);
    let [[west, north], [east, south]] = [unproject(assembled.rect.min), unproject(assembled.rect.max)];
    let about = About {
        zooms: [MIN_ZOOM, MAX_ZOOM],
        bbox: [west, south, east, north],
        metadata: json!({
            "name": "Jalon",
            "attribution": "© OpenStreetMap",
            "vector_layers": Layer::ALL.map(|layer| json!({"id": layer.name(), "fields": {}, "minzoom": MIN_ZOOM, "maxzoom": MAX_ZOOM})),
            "jalon": { "etag": etag, "data_date_s": data_date },
        }),
    };
    let (tiles, bytes) =
        whole(out, |aside| write(&assembled.features, aside, &about, &mut |fraction| report(Stage::Tiling, fraction)))?;
    Ok(BuildReport { tiles, bytes, relief, seconds: start.elapsed().as_secs_f64() })
}

/// Makes contours, and the heights beside the tiles; without heights, an older file of them is deleted.
fn survey(
    dem: Option<&Dem>,
    ground: &Ground,
    groups: &mut Groups,
    out: &Path,
    etag: &str,
) -> Result<Option<(u64, u64)>, BasemapError> {
    let beside = relief_file(out);
    let made = match dem {
        Some(dem) => whole(&beside, |aside| relief::survey(dem, ground, groups, aside, etag))?,
        None => None,
    };
    if made.is_none() {
        // Best effort: a remaining file is of another build, and is not opened.
        let _ = std::fs::remove_file(&beside);
    }
    Ok(made)
}

/// Writes a temporary file, then renames it; removes it when one of these fails.
fn whole<T>(out: &Path, write: impl FnOnce(&Path) -> Result<T, BasemapError>) -> Result<T, BasemapError> {
    let aside = aside(out);
    let written = write(&aside).and_then(|counts| {
        std::fs::rename(&aside, out).map(|()| counts).map_err(|source| BasemapError::io(out, source))
    });
    if written.is_err() {
        // Best effort: the first error is the one to report.
        let _ = std::fs::remove_file(&aside);
    }
    written
}

/// The file of heights of a tiles file: `basemap-relief.pmtiles` beside `basemap.pmtiles`.
fn relief_file(tiles: &Path) -> PathBuf {
    let stem = tiles.file_stem().unwrap_or_default().to_string_lossy();
    tiles.with_file_name(format!("{stem}-relief.pmtiles"))
}

fn aside(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    out.with_file_name(name)
}

fn write(
    features: &[crate::feature::Feature],
    path: &Path,
    about: &About,
    progress: &mut dyn FnMut(f64),
) -> Result<(u64, u64), BasemapError> {
    let mut writer = Writer::create(path, Content::Vector).map_err(|source| BasemapError::io(path, source))?;
    let mut sink = |z, x, y, bytes: &[u8]| writer.add(z, x, y, bytes).map_err(|source| BasemapError::io(path, source));
    tiler::run(features, &mut sink, progress)?;
    writer.finish(about).map_err(|source| BasemapError::io(path, source))
}

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
    /// Opens a file that [`build`] made. Takes milliseconds at any size.
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
