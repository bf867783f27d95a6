//! Fetches the files of a bundle from the blobs into a folder, piece by piece. What was cut goes on where it was; the folder gets its name
//! once every sum is right.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::hexadecimal;
use domain::region::{DEM, Manifest, Part};
use futures_util::StreamExt as _;
use rustix::fs::statvfs;
use sha2::{Digest as _, Sha256};
use store::{Blobs, StoreError};
use tokio::io::AsyncWriteExt as _;

use super::RegionFault;
use super::folder::{self, MANIFEST};

/// Blobs that send nothing for so long do not answer.
const CHUNK_TIMEOUT: Duration = Duration::from_secs(60);
/// Room that is left on the disk beside the region: the database may be on it.
const LEFT_FREE: u64 = 64 * 1024 * 1024;
/// Bytes hashed at once.
const PIECE: usize = 256 * 1024;
/// How often it looks whether another server over the same folder has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The folder of a bundle, whole. `progress` gets the bytes that are here and all of them.
pub(super) async fn fetch(
    blobs: &Blobs,
    manifest: &Manifest,
    regions: &Path,
    progress: impl Fn(u64, u64) + Sync,
) -> Result<PathBuf, RegionFault> {
    let id = manifest.id();
    let whole = regions.join(id.as_str());
    if whole.is_dir() {
        return Ok(whole);
    }
    fs::create_dir_all(regions).map_err(RegionFault::folder(regions))?;
    let _alone = alone(regions).await?;
    // Another server over this folder may have fetched it meanwhile.
    if whole.is_dir() {
        return Ok(whole);
    }
    let aside = regions.join(format!(".{id}.part"));
    let has_dem = manifest.parts().iter().any(|part| part.name.starts_with(DEM));
    // Without tiles of the ground model there is no folder for them.
    let inner = if has_dem { aside.join(DEM) } else { aside.clone() };
    fs::create_dir_all(&inner).map_err(RegionFault::folder(&inner))?;
    let all = manifest.bytes();
    let here = folder::files_here(regions);
    let (mut lacking, mut done) = (Vec::new(), 0);
    for part in manifest.parts() {
        if aside.join(&part.name).is_file() || linked(&here, part, &aside).await? {
            done += part.bytes;
        } else {
            lacking.push(part);
        }
        progress(done, all);
    }
    check_blobs(blobs, &lacking).await?;
    check_space(regions, &aside, &lacking)?;
    for part in lacking {
        let goes_on = size_of(&partial(&aside, part)) > 0;
        let said = |bytes| progress(done + bytes, all);
        match fetch_part(blobs, part, &aside, said).await {
            // After a power cut a file may have bytes that were never written to it: the file on this disk is at fault, not the blob.
            Err(RegionFault::Altered { .. }) if goes_on => fetch_part(blobs, part, &aside, said).await?,
            fetched => fetched?,
        }
        done += part.bytes;
    }
    let (text, named) = (manifest.text(), whole.clone());
    aside_blocking(move || {
        let file = aside.join(MANIFEST);
        fs::write(&file, text).map_err(RegionFault::folder(&file))?;
        for folder in [&inner, &aside] {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(RegionFault::folder(folder))?;
        }
        fs::rename(&aside, &named).map_err(RegionFault::folder(&named))?;
        let above = named.parent().unwrap_or(&named);
        File::open(above).and_then(|folder| folder.sync_all()).map_err(RegionFault::folder(above))
    })
    .await?;
    Ok(whole)
}

/// Whether every file of a folder has the bytes that the manifest gives.
pub(super) async fn is_whole(folder: &Path, manifest: &Manifest) -> Result<bool, RegionFault> {
    let (folder, manifest) = (folder.to_owned(), manifest.clone());
    aside_blocking(move || {
        let right = |part: &Part| sum_of(&folder.join(&part.name)).is_ok_and(|sum| sum == part.sha256);
        Ok(manifest.parts().iter().all(right))
    })
    .await
}

/// The SHA-256 of a file in hexadecimal digits.
pub(super) fn sum_of(file: &Path) -> io::Result<String> {
    let mut sum = Sha256::new();
    add_to(&mut sum, file)?;
    Ok(hexadecimal(&sum.finalize()))
}

fn add_to(sum: &mut Sha256, file: &Path) -> io::Result<()> {
    let mut file = File::open(file)?;
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            read => sum.update(&piece[..read]),
        }
    }
}

/// Work on files outside the async threads.
async fn aside_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RegionFault> + Send + 'static,
) -> Result<T, RegionFault> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(RegionFault::Blobs(error.to_string())))
}

/// A lock of the folder, for two servers of one machine that share it. It ends with the value, or with the process.
async fn alone(regions: &Path) -> Result<File, RegionFault> {
    let path = regions.join(".lock");
    let file = File::create(&path).map_err(RegionFault::folder(&path))?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(fs::TryLockError::WouldBlock) => tokio::time::sleep(POLL_INTERVAL).await,
            Err(fs::TryLockError::Error(error)) => return Err(RegionFault::folder(&path)(error)),
        }
    }
}

/// The lock of the folder, where no other server has it at this moment.
pub(super) fn alone_now(regions: &Path) -> Option<File> {
    let file = File::create(regions.join(".lock")).ok()?;
    file.try_lock().is_ok().then_some(file)
}

/// Links a file that another bundle here has, so that it is neither fetched nor stored twice.
async fn linked(here: &HashMap<String, PathBuf>, part: &Part, aside: &Path) -> Result<bool, RegionFault> {
    let Some(from) = here.get(&part.sha256).cloned() else { return Ok(false) };
    let (to, sha256) = (aside.join(&part.name), part.sha256.clone());
    aside_blocking(move || {
        // A file that was damaged on this disk is fetched.
        let is_right = sum_of(&from).is_ok_and(|sum| sum == sha256);
        Ok(is_right && fs::hard_link(&from, &to).is_ok())
    })
    .await
}

/// Asks the size of each blob before the first one is fetched.
async fn check_blobs(blobs: &Blobs, parts: &[&Part]) -> Result<(), RegionFault> {
    for part in parts {
        let (name, key) = (part.name.clone(), part.blob_key());
        match blobs.size(&key).await.map_err(unanswered)? {
            None => return Err(RegionFault::Missing { name, key }),
            Some(size) if size != part.bytes => return Err(RegionFault::Altered { name, key }),
            Some(_) => {}
        }
    }
    Ok(())
}

fn check_space(regions: &Path, aside: &Path, parts: &[&Part]) -> Result<(), RegionFault> {
    let left = |part: &&Part| part.bytes.saturating_sub(size_of(&partial(aside, part)));
    let needed = parts.iter().map(left).sum::<u64>();
    if needed == 0 {
        return Ok(());
    }
    let space = statvfs(regions).map_err(|error| RegionFault::folder(regions)(error.into()))?;
    let (free, needed) = (space.f_bavail * space.f_frsize, needed + LEFT_FREE);
    if free < needed {
        return Err(RegionFault::NoSpace { path: regions.to_owned(), free, needed });
    }
    Ok(())
}

fn size_of(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |found| found.len())
}

/// The file of what was fetched of a part until now.
fn partial(aside: &Path, part: &Part) -> PathBuf {
    aside.join(format!("{}.partial", part.name))
}

fn unanswered(error: StoreError) -> RegionFault {
    RegionFault::Blobs(error.to_string())
}

async fn fetch_part(blobs: &Blobs, part: &Part, aside: &Path, progress: impl Fn(u64)) -> Result<(), RegionFault> {
    let (file, key) = (partial(aside, part), part.blob_key());
    let altered = || RegionFault::Altered { name: part.name.clone(), key: key.clone() };
    if size_of(&file) > part.bytes {
        fs::remove_file(&file).map_err(RegionFault::folder(&file))?;
    }
    let mut here = size_of(&file);
    let began = file.clone();
    let mut sum = aside_blocking(move || {
        let mut sum = Sha256::new();
        if here > 0 {
            add_to(&mut sum, &began).map_err(RegionFault::folder(&began))?;
        }
        Ok(sum)
    })
    .await?;
    progress(here);
    let failed = |error| RegionFault::folder(&file)(error);
    let mut out = tokio::fs::OpenOptions::new().append(true).create(true).open(&file).await.map_err(failed)?;
    if here < part.bytes {
        let range = (here > 0).then_some(here..part.bytes);
        let Some((size, mut bytes)) = blobs.stream(&key, range).await.map_err(unanswered)? else {
            return Err(RegionFault::Missing { name: part.name.clone(), key });
        };
        if size != part.bytes {
            return Err(altered());
        }
        loop {
            let next = tokio::time::timeout(CHUNK_TIMEOUT, bytes.next()).await;
            let next = next.map_err(|_| RegionFault::Blobs("they send nothing for a minute".to_owned()))?;
            let Some(piece) = next else { break };
            let piece = piece.map_err(unanswered)?;
            sum.update(&piece);
            out.write_all(&piece).await.map_err(failed)?;
            here += piece.len() as u64;
            progress(here);
        }
    }
    out.flush().await.map_err(failed)?;
    out.sync_all().await.map_err(failed)?;
    if here < part.bytes {
        return Err(RegionFault::Blobs(format!("{} broke off", part.name)));
    }
    if hexadecimal(&sum.finalize()) != part.sha256 {
        fs::remove_file(&file).map_err(RegionFault::folder(&file))?;
        return Err(altered());
    }
    let whole = aside.join(&part.name);
    fs::rename(&file, &whole).map_err(RegionFault::folder(&whole))
}
