//! Makes the tiles of an extract, once.

use crate::assemble::{self, Ground, Groups, assemble};
use crate::blocks::{self, Blocks};
use crate::error::BasemapError;
use crate::geometry::unproject;
use crate::pmtiles::{About, Content, Writer};
use crate::relief;
use crate::schema::{Layer, MAX_ZOOM, MIN_ZOOM};
use crate::temporary::Folder;
use crate::tiler;
use crate::tiles::relief_file;
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
///
/// What does not fit the memory is in temporary files of the same folder, which the system removes when they are closed: several times the
/// length of the extract.
pub fn build(
    extract: &Path,
    dem: Option<&Dem>,
    out: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<BuildReport, BasemapError> {
    build_in_blocks(extract, dem, out, blocks::ZOOM, progress)
}

fn build_in_blocks(
    extract: &Path,
    dem: Option<&Dem>,
    out: &Path,
    block_zoom: u8,
    progress: &mut dyn FnMut(Progress),
) -> Result<BuildReport, BasemapError> {
    let start = Instant::now();
    let mut report = |stage, fraction| progress(Progress { stage, fraction });
    report(Stage::Reading, 0.0);
    let checksum = extract::checksum(extract)?;
    let folder = Folder::of(out);
    let surveyed = assemble::read(extract, &folder)?;
    report(Stage::Reading, 1.0);
    report(Stage::Assembling, 0.0);
    let data_date = surveyed.source.header.date_s;
    let ground = dem.map_or_else(|| "0".to_owned(), |dem| format!("{:016x}", dem.fingerprint()));
    let etag = format!("{}-{ground}-{TILER_VERSION}", &checksum[..16.min(checksum.len())]);
    let mut relief = None;
    let assembled = assemble(surveyed, &folder, block_zoom, |ground, groups| {
        relief = survey(dem, ground, groups, out, &etag)?;
        Ok(())
    })?;
    let assembled = assembled.ok_or_else(|| BasemapError::NothingToDraw { path: extract.to_owned() })?;
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
        whole(out, |aside| write(assembled.blocks, aside, &about, &mut |fraction| report(Stage::Tiling, fraction)))?;
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

fn aside(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    out.with_file_name(name)
}

fn write(
    blocks: Blocks,
    path: &Path,
    about: &About,
    progress: &mut dyn FnMut(f64),
) -> Result<(u64, u64), BasemapError> {
    let mut writer = Writer::create(path, Content::Vector).map_err(|source| BasemapError::io(path, source))?;
    let mut sink = |z, x, y, bytes: &[u8]| writer.add(z, x, y, bytes).map_err(|source| BasemapError::io(path, source));
    tiler::run(blocks, &mut sink, progress)?;
    writer.finish(about).map_err(|source| BasemapError::io(path, source))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use std::fmt::Write as _;
    use std::fs;

    /// Winding roads, streams and woods over several blocks, each with a name, and a wood of two ways; ways come before their nodes.
    fn wide_region() -> String {
        let (mut nodes, mut ways) = (String::new(), String::new());
        for way in 0..48_i32 {
            let (closed, refs) = (way % 4 == 3, (0..40).map(|k| way * 100 + k));
            for (k, id) in (0_i32..).zip(refs.clone()) {
                let (turn, bend) = (f64::from(k) * 0.157, f64::from(k * (way + 3) % 7) * 0.002);
                let [middle_lon, middle_lat] = [4.9 + f64::from(way % 8) * 0.04, 44.9 + f64::from(way / 8) * 0.03];
                let [lon, lat] = if closed {
                    [middle_lon + turn.cos() * 0.1 + bend, middle_lat + turn.sin() * 0.08]
                } else {
                    [middle_lon + f64::from(k - 20) * 0.005, middle_lat + bend]
                };
                let _ = write!(nodes, "<node id='{id}' lon='{lon:.7}' lat='{lat:.7}'>");
                let sign = "<tag k='natural' v='peak'/><tag k='name' v='Pic'/>";
                let _ = write!(nodes, "{}</node>", if k == way { sign } else { "" });
            }
            let tag = ["highway=secondary", "waterway=river", "highway=path", "natural=wood"][way as usize % 4];
            let (key, value) = tag.split_once('=').unwrap();
            let mut list: String = refs.map(|id| format!("<nd ref='{id}'/>")).collect();
            if closed {
                let _ = write!(list, "<nd ref='{}'/>", way * 100);
            }
            let _ = write!(
                ways,
                "<way id='{way}'>{list}<tag k='{key}' v='{value}'/><tag k='name' v='{key} {}'/></way>",
                way % 12
            );
        }
        let route = "<member type='way' ref='0' role=''/><member type='way' ref='4' role=''/>\
            <tag k='type' v='route'/><tag k='route' v='hiking'/><tag k='ref' v='GR 9'/>";
        let lake = "<member type='way' ref='3' role='outer'/><member type='way' ref='7' role='inner'/>\
            <tag k='type' v='multipolygon'/><tag k='natural' v='water'/>";
        format!(
            "<osm version='0.6'>{ways}{nodes}<relation id='1'>{route}</relation><relation id='2'>{lake}</relation></osm>"
        )
    }

    /// SRTM tiles around the region, with hills 20 km wide.
    fn hills(folder: &Path) -> Dem {
        let height = |i: usize| ((i % 1201) as f64 / 150.0).sin() * 300.0 + ((i / 1201) as f64 / 190.0).cos() * 200.0;
        let tile: Vec<u8> = (0..1201 * 1201).flat_map(|i| (600 + height(i) as i16).to_be_bytes()).collect();
        for name in ["N44E004.hgt", "N44E005.hgt", "N45E004.hgt", "N45E005.hgt"] {
            fs::write(folder.join(name), &tile).unwrap();
        }
        Dem::open_dir(folder).unwrap()
    }

    #[test]
    fn blocks_of_any_zoom_and_the_whole_in_memory_give_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let (extract, ground) = (folder.path().join("wide.osm"), tempfile::tempdir().unwrap());
        fs::write(&extract, wide_region()).unwrap();
        let dem = hills(ground.path());
        let made = |block_zoom: u8| {
            let out = folder.path().join("map.pmtiles");
            let report = build_in_blocks(&extract, Some(&dem), &out, block_zoom, &mut |_| {}).unwrap();
            assert!(report.tiles > 200, "{report:?}");
            (fs::read(&out).unwrap(), fs::read(relief_file(&out)).unwrap())
        };
        let whole = made(0);
        for block_zoom in [8, blocks::ZOOM, MAX_ZOOM] {
            assert!(made(block_zoom) == whole, "blocks of zoom {block_zoom}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "the extract and two files");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named_and_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let extract = folder.path().join("wide.osm");
        fs::write(&extract, wide_region()).unwrap();
        let missing = folder.path().join("missing");
        let error = build(&extract, None, &missing.join("map.pmtiles"), &mut |_| {}).unwrap_err();
        assert!(matches!(error, BasemapError::Temporary { .. }), "{error}");
        assert!(error.to_string().contains("missing"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
