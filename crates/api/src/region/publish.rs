//! Publishes a region: stores its files in the blobs by their SHA-256, and makes it the current one.

use std::path::{Path, PathBuf};

use content::parcours::compute::network_of;
use domain::region::{Manifest, ManifestError, Part};
use domain::{Clock, hexadecimal};
use futures_util::StreamExt as _;
use routing::RouteEngine;
use sha2::{Digest as _, Sha256};
use store::region::{self as rows, CurrentBundle};
use store::{Blobs, Store, StoreError};

use super::fetch::sum_of;

/// A file of a region.
#[derive(Debug, Clone)]
pub struct RegionFile {
    /// Its name in the region: `network.jnet`, `dem/N42E001.hgt`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// Why a region is not published, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The files are no region.
    #[error("this is no region that can be published: {0}")]
    Manifest(#[from] ManifestError),
    /// The planner does not say which data it has.
    #[error("the network of the region does not say which data it was made from: build it again")]
    NoNetwork,
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    /// A file was written again meanwhile.
    #[error("{} was changed while it was being published: publish again once the build has ended", .0.display())]
    Changed(PathBuf),
    /// The bundle was removed meanwhile.
    #[error("the bundle was removed while it was being published: publish again")]
    Removed,
    /// The database or the blobs.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Publishes files as a region, and returns which bundle is current then. `engine` plans on its network; `progress` gets each name and
/// whether its bytes had to be stored.
pub async fn publish(
    (store, blobs, clock): (&Store, &Blobs, &dyn Clock),
    files: &[RegionFile],
    engine: &dyn RouteEngine,
    mut progress: impl FnMut(&Part, bool),
) -> Result<(Manifest, CurrentBundle), PublishError> {
    let network = network_of(engine).ok_or(PublishError::NoNetwork)?;
    let mut parts = Vec::with_capacity(files.len());
    for file in files {
        let (sha256, bytes) = summed(&file.path).await?;
        parts.push(Part { name: file.name.clone(), sha256, bytes });
    }
    let manifest = Manifest::new(parts)?;
    let id = manifest.id();
    let tx = store.begin().await?;
    rows::note(&tx, &manifest, &network, clock.now()).await?;
    tx.commit_aside().await?;
    for part in manifest.parts() {
        let is_there = has_bytes(blobs, part).await?;
        if !is_there {
            let Some(file) = files.iter().find(|file| file.name == part.name) else { continue };
            blobs.put_file(&part.blob_key(), &file.path).await?;
            if !has_bytes(blobs, part).await? {
                return Err(PublishError::Changed(file.path.clone()));
            }
        }
        progress(part, !is_there);
    }
    let tx = store.begin().await?;
    let is_known = rows::complete(&tx, &id, clock.now()).await? && rows::set_current(&tx, &id, clock.now()).await?;
    let current = rows::current(&tx).await?.filter(|_| is_known).ok_or(PublishError::Removed)?;
    tx.commit_aside().await?;
    Ok((manifest, current))
}

async fn summed(path: &Path) -> Result<(String, u64), PublishError> {
    let file = path.to_owned();
    let failed = |error| PublishError::File { path: path.to_owned(), error };
    let summed = tokio::task::spawn_blocking(move || Ok((sum_of(&file)?, std::fs::metadata(&file)?.len()))).await;
    summed.unwrap_or_else(|error| Err(std::io::Error::other(error))).map_err(failed)
}

/// Whether the blobs have a part with these very bytes.
async fn has_bytes(blobs: &Blobs, part: &Part) -> Result<bool, StoreError> {
    let Some((size, mut bytes)) = blobs.stream(&part.blob_key(), None).await? else { return Ok(false) };
    if size != part.bytes {
        return Ok(false);
    }
    let mut sum = Sha256::new();
    while let Some(piece) = bytes.next().await {
        sum.update(&piece?);
    }
    Ok(hexadecimal(&sum.finalize()) == part.sha256)
}
