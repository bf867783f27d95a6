//! `jalon network …`: the planner's network and the base map from one extract, and publishing them to all servers.

use std::fs;
use std::path::{Path, PathBuf};

use api::region::RegionFile;
use domain::region::{BundleId, DEM, NETWORK, RELIEF, TILES};
use domain::{DAY_S, SystemClock};
use indicatif::{ProgressBar, ProgressStyle};
use planner::{Dem, Network, Stage};
use serde::Serialize;
use store::blob_check::ORPHANS_KEPT_S;

use crate::cli::{NetworkBuild, NetworkCommand};
use crate::config::Config;
use crate::{Failure, output, wiring};

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
        /// The path.
        path: PathBuf,
        /// The error.
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

/// Runs one.
pub async fn run(config: &Config, command: &NetworkCommand) -> Result<(), Failure> {
    match command {
        NetworkCommand::Build(asked) => {
            if asked.publish {
                // A database that cannot be opened is reported before the long work.
                wiring::store(config).await?.close().await?;
            }
            build(config, asked)?;
            if asked.publish { publish(config).await } else { Ok(()) }
        }
        NetworkCommand::Publish => publish(config).await,
        NetworkCommand::List => list(config).await,
        NetworkCommand::Use { id } => use_bundle(config, id).await,
        NetworkCommand::Remove { id } => remove(config, id).await,
    }
}

/// Publishes the region of the data folder to all servers of the database.
async fn publish(config: &Config) -> Result<(), Failure> {
    let folder = config.region();
    // What cannot be opened here cannot be opened by the servers either.
    let engine = wiring::embedded(&folder)?;
    let tiles = wiring::tiles(&folder)?;
    let (Some(engine), Some(_)) = (engine, tiles) else {
        return Err(
            format!("{} has no region yet: `jalon network build <extract>` prepares one", folder.display()).into()
        );
    };
    let (store, blobs) = (wiring::store(config).await?, wiring::blobs(config)?);
    let said = |part: &domain::region::Part, is_new: bool| {
        let what = if is_new { "stored" } else { "there already" };
        output::line(format!("{}: {} KB, {what}", part.name, part.bytes.div_ceil(1024)));
    };
    let (manifest, current) =
        api::region::publish((&store, &blobs, &SystemClock), &files_of(&folder)?, &engine, said).await?;
    output::line(format!(
        "Region {} is published: {} files, {} MB. Running servers fetch it within seconds.",
        current.id.short(),
        manifest.parts().len(),
        manifest.bytes().div_ceil(1_048_576)
    ));
    store.close().await?;
    Ok(())
}

/// The files of a region folder.
fn files_of(folder: &Path) -> Result<Vec<RegionFile>, BuildError> {
    let file = |name: &str| RegionFile { name: name.to_owned(), path: folder.join(name) };
    let mut files = vec![file(NETWORK), file(TILES)];
    files.extend(Some(file(RELIEF)).filter(|file| file.path.is_file()));
    let dem = folder.join(DEM);
    if dem.is_dir() {
        let failed = |source| BuildError::File { path: dem.clone(), source };
        for entry in fs::read_dir(&dem).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).map(|name| format!("{DEM}{name}"));
            if let Some(name) = name.filter(|_| Dem::is_tile(&path)) {
                files.push(RegionFile { name, path });
            }
        }
    }
    Ok(files)
}

async fn list(config: &Config) -> Result<(), Failure> {
    let store = wiring::store(config).await?;
    let current = store::region::current(store.read()).await?;
    let bundles = store::region::list(store.read()).await?;
    for bundle in &bundles {
        let is_current = current.as_ref().is_some_and(|current| current.id == bundle.id);
        let published =
            bundle.published_at.map_or("not completely stored".to_owned(), |at| format!("published {}", at.day()));
        output::line(format!(
            "{} {}  {published}, data of {}, {} MB",
            if is_current { "*" } else { " " },
            bundle.id.short(),
            bundle.network.data_date.as_deref().unwrap_or("an unknown date"),
            bundle.manifest.bytes().div_ceil(1_048_576)
        ));
    }
    if bundles.is_empty() {
        output::line("No region is published: each server uses the region of its data folder.");
    }
    store.close().await?;
    Ok(())
}

/// The bundle whose id starts with these digits.
async fn bundle_named(store: &store::Store, start: &str) -> Result<BundleId, Failure> {
    let all = store::region::list(store.read()).await?;
    let mut found = all.into_iter().map(|bundle| bundle.id).filter(|id| id.as_str().starts_with(start));
    match (found.next(), found.next()) {
        (Some(id), None) => Ok(id),
        (None, _) => Err(format!("no region starts with {start}: `jalon network list` shows all").into()),
        (Some(_), Some(_)) => Err(format!("several regions start with {start}: give more digits").into()),
    }
}

async fn use_bundle(config: &Config, start: &str) -> Result<(), Failure> {
    let store = wiring::store(config).await?;
    let id = bundle_named(&store, start).await?;
    let tx = store.begin().await?;
    if !store::region::set_current(&tx, &id, wiring::now()).await? {
        return Err(format!("region {} is not completely stored: publish it again", id.short()).into());
    }
    tx.commit_aside().await?;
    output::line(format!("Region {} is the one in use now. Running servers fetch it within seconds.", id.short()));
    store.close().await?;
    Ok(())
}

async fn remove(config: &Config, start: &str) -> Result<(), Failure> {
    let store = wiring::store(config).await?;
    let id = bundle_named(&store, start).await?;
    let tx = store.begin().await?;
    if !store::region::forget(&tx, &id).await? {
        return Err(format!("region {} is the one in use: publish or use another one first", id.short()).into());
    }
    tx.commit_aside().await?;
    output::line(removed(id.short()));
    store.close().await?;
    Ok(())
}

/// The sentence on files that a sweep leaves: young ones, which a publication under way may need.
fn removed(id: &str) -> String {
    let days = ORPHANS_KEPT_S / DAY_S;
    format!(
        "Region {id} is removed. `jalon blobs sweep --delete` deletes its files once they are {days} days old, or sooner with `--days`."
    )
}

/// Prepares what the command line asks for.
fn build(config: &Config, asked: &NetworkBuild) -> Result<(), BuildError> {
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
        copy_dem(dem, &folder.join(DEM))?;
    }
    let kept = folder.join(DEM);
    let dem = if kept.is_dir() { Some(checked(&kept)?) } else { None };
    let network = network(extract, dem.as_ref(), &folder.join(NETWORK), quiet)?;
    let bar = bar(quiet);
    let tiles = basemap::build(extract, dem.as_ref(), &folder.join(TILES), &mut |progress| {
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
        let done = match (progress.stage, progress.total) {
            (Stage::Costs, Some(total)) => format!("{} of {total} profiles", progress.done),
            (stage, _) => format!("{stage:?}, {} read", progress.done),
        };
        bar.set_message(format!("Network: {done}"));
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

#[cfg(test)]
mod tests {
    use super::removed;

    #[test]
    fn it_says_when_the_files_of_a_removed_region_can_be_deleted() {
        let said = removed("77b1e004");
        assert!(said.contains("77b1e004") && said.contains("7 days old") && said.contains("`--days`"), "{said}");
    }
}
