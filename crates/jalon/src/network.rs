//! `jalon network build`: the planner's network and the base map, from one extract.

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use planner::{Dem, Network};
use serde::Serialize;

use crate::cli::NetworkBuild;
use crate::config::Config;
use crate::output;

/// Name of the prepared network inside the region's folder.
pub const NETWORK_FILE: &str = "network.jnet";
/// Name of the prepared tiles inside the region's folder.
pub const TILES_FILE: &str = "basemap.pmtiles";
/// Folder of elevation tiles inside the region's folder.
pub const DEM_FOLDER: &str = "dem";

/// Why a region could not be prepared, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The planner's part.
    #[error(transparent)]
    Network(#[from] planner::NetworkError),
    /// The elevation tiles.
    #[error(transparent)]
    Dem(#[from] planner::DemError),
    /// The map's part.
    #[error(transparent)]
    Basemap(#[from] basemap::BasemapError),
    /// A folder or file.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// The result of the preparation.
#[derive(Debug, Serialize)]
struct Prepared {
    network: planner::BuildReport,
    /// Tiles written and their bytes.
    tiles: Option<(u64, u64)>,
}

/// Prepares what the command line asks for.
pub fn build(config: &Config, asked: &NetworkBuild) -> Result<(), BuildError> {
    let prepared = match &asked.output {
        Some(file) => {
            let dem = asked.dem.as_deref().map(checked).transpose()?;
            Prepared { network: network(&asked.extract, dem.as_ref(), file, asked.json)?, tiles: None }
        }
        None => region(&config.region(), &asked.extract, asked.dem.as_deref(), asked.json)?,
    };
    if asked.json {
        output::json(&prepared);
    } else {
        output::line(format!(
            "Network: {} ways, {} junctions{}.",
            prepared.network.ways,
            prepared.network.junctions,
            if prepared.network.has_elevation { ", with elevation" } else { "" },
        ));
    }
    Ok(())
}

/// Prepares a whole region folder: elevation beside, network, tiles. Each file appears whole or not at all.
pub fn prepare(folder: &Path, extract: &Path, dem: Option<&Path>) -> Result<(), BuildError> {
    region(folder, extract, dem, false).map(|_| ())
}

fn region(folder: &Path, extract: &Path, dem: Option<&Path>, quiet: bool) -> Result<Prepared, BuildError> {
    fs::create_dir_all(folder).map_err(|source| BuildError::File { path: folder.to_owned(), source })?;
    if let Some(dem) = dem {
        copy_dem(dem, &folder.join(DEM_FOLDER))?;
    }
    let kept = folder.join(DEM_FOLDER);
    let dem = if kept.is_dir() { Some(checked(&kept)?) } else { None };
    let network = network(extract, dem.as_ref(), &folder.join(NETWORK_FILE), quiet)?;
    let bar = bar(quiet);
    let tiles = basemap::build(extract, dem.as_ref(), &folder.join(TILES_FILE), &mut |progress| {
        bar.set_message(format!("Base map: {:?}, {:.0} %", progress.stage, progress.fraction * 100.0));
        bar.tick();
    })?;
    bar.finish_and_clear();
    Ok(Prepared { network, tiles: Some((tiles.tiles, tiles.bytes)) })
}

/// A folder of tiles, each of which can be used: a build stops at a damaged tile, as the operator can replace it now.
fn checked(folder: &Path) -> Result<Dem, BuildError> {
    let dem = Dem::open_dir(folder)?;
    dem.check()?;
    Ok(dem)
}

fn network(extract: &Path, dem: Option<&Dem>, out: &Path, quiet: bool) -> Result<planner::BuildReport, BuildError> {
    let bar = bar(quiet);
    let report = Network::build(extract, dem, out, &mut |progress| {
        bar.set_message(format!("Network: {:?}, {} read", progress.stage, progress.done));
        bar.tick();
    })?;
    bar.finish_and_clear();
    Ok(report)
}

/// Elevation tiles are kept with the region, so that the server needs nothing else.
fn copy_dem(from: &Path, to: &Path) -> Result<(), BuildError> {
    if from == to {
        return Ok(());
    }
    let file_error = |path: &Path| {
        let path = path.to_owned();
        move |source| BuildError::File { path, source }
    };
    fs::create_dir_all(to).map_err(file_error(to))?;
    for entry in fs::read_dir(from).map_err(file_error(from))? {
        let path = entry.map_err(file_error(from))?.path();
        let Some(name) = path.file_name() else { continue };
        if Dem::is_tile(&path) {
            fs::copy(&path, to.join(name)).map_err(file_error(&path))?;
        }
    }
    Ok(())
}

fn bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar
}
