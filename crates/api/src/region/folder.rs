//! The bundles that this server has: one folder each, named by its id, with its manifest beside its files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use app::{Region, RegionSource};
use domain::region::{BundleId, Manifest};
use store::{Store, StoreError};

/// The file of the manifest in the folder of a bundle.
pub(super) const MANIFEST: &str = "bundle.json";
/// The file whose time says when the bundle was last taken into use.
const USED: &str = "used";
/// Bundles that stay here: the one in use and the one before it.
const KEPT: usize = 2;

/// The bundles here, the one that was last in use first.
fn bundles_here(regions: &Path) -> Vec<(BundleId, PathBuf)> {
    let Ok(entries) = fs::read_dir(regions) else { return Vec::new() };
    let mut found: Vec<(SystemTime, BundleId, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let id = BundleId::parse(entry.file_name().to_str()?)?;
            let used = fs::metadata(entry.path().join(USED)).and_then(|found| found.modified());
            Some((used.unwrap_or(SystemTime::UNIX_EPOCH), id, entry.path()))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, id, path)| (id, path)).collect()
}

/// The files of all bundles here, by their SHA-256.
pub(super) fn files_here(regions: &Path) -> HashMap<String, PathBuf> {
    let mut files = HashMap::new();
    for (_, folder) in bundles_here(regions) {
        let Some(manifest) =
            fs::read_to_string(folder.join(MANIFEST)).ok().and_then(|text| Manifest::parse(&text).ok())
        else {
            continue;
        };
        files.extend(manifest.parts().iter().map(|part| (part.sha256.clone(), folder.join(&part.name))));
    }
    files
}

/// Notes that a bundle is in use now.
pub(super) fn note_use(folder: &Path) {
    if let Err(error) = fs::write(folder.join(USED), "in use") {
        tracing::warn!(%error, "the use of a region could not be noted: {}", folder.display());
    }
}

/// Deletes the bundles that were in use before the last two, and what was fetched of others and not ended.
pub(super) fn delete_old(regions: &Path, in_use: &BundleId) {
    let others = bundles_here(regions).into_iter().filter(|(id, _)| id != in_use);
    let mut old: Vec<PathBuf> = others.skip(KEPT - 1).map(|(_, path)| path).collect();
    let entries = fs::read_dir(regions).into_iter().flatten().filter_map(Result::ok);
    old.extend(
        entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part")).map(|entry| entry.path()),
    );
    for folder in old {
        if let Err(error) = fs::remove_dir_all(&folder) {
            tracing::warn!(%error, "an old region could not be deleted: {}", folder.display());
        }
    }
}

/// The region that a server starts with, where one is published and a bundle is here: that bundle, else the one that was last in use.
pub async fn at_start(source: &RegionSource, store: &Store) -> Result<Option<Region>, StoreError> {
    let Some(current) = store::region::current(store.read()).await? else { return Ok(None) };
    let mut here = bundles_here(&source.folder);
    here.sort_by_key(|(id, _)| *id != current.id);
    for (id, folder) in here {
        match source.opener.open(&folder) {
            Ok(region) => return Ok(Some(Region { bundle: Some(id), ..region })),
            Err(failure) => tracing::error!(bundle = id.short(), "a region cannot be used: {}", failure.detail),
        }
    }
    Ok(None)
}
