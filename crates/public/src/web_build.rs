//! Files of other builds of the web application: a page that was loaded before an upgrade, or from a server of another version, asks for
//! chunks that this binary does not hold (decision 0051).
//!
//! Each server stores its own hashed files when it starts; those of two builds are kept.

use app::{App, Asset};
use domain::Instant;
use futures_util::{StreamExt as _, TryStreamExt as _};
use store::web_build::{self as rows, WebFile};
use store::{Blobs, StoreError};

/// Files that are stored at once.
const AT_ONCE: usize = 8;
/// The builds that are kept beside the one of this server.
const OTHERS: u32 = 1;

/// The builder writes a hash into the names in these folders: those bytes never change.
pub(crate) fn is_hashed(path: &str) -> bool {
    ["assets/", "public-page/chunks/", "terrain/assets/"].iter().any(|folder| path.starts_with(folder))
}

/// Stores the hashed files of this server's build, so that servers of other versions can serve them. A server does so before it takes
/// requests.
pub async fn publish(app: &App) -> Result<(), StoreError> {
    let build_id = app.settings.build_id.as_str();
    let paths: Vec<String> = app.assets.paths().into_iter().filter(|path| is_hashed(path)).collect();
    if paths.is_empty() || !is_plain(build_id) {
        return Ok(());
    }
    let mut files = Vec::new();
    if !is_stored(app, build_id, paths.len()).await? {
        let stored =
            futures_util::stream::iter(paths).map(|path| store_file(app, build_id, path)).buffer_unordered(AT_ONCE);
        files = stored.try_filter_map(|file| std::future::ready(Ok(file))).try_collect().await?;
    }
    let gone = record(app, build_id, &files, app.now()).await?;
    for build in gone {
        delete(&app.blobs, &build).await?;
    }
    Ok(())
}

/// Whether all files of a build are stored. A backup that was put back has their rows, and not their blobs.
async fn is_stored(app: &App, build_id: &str, files: usize) -> Result<bool, StoreError> {
    if rows::count(app.store.read(), build_id).await? != files as i64 {
        return Ok(false);
    }
    let blobs: Vec<_> = app.blobs.list(&rows::folder(build_id)).try_collect().await?;
    Ok(blobs.len() >= files)
}

/// A name that may be part of a key.
fn is_plain(build_id: &str) -> bool {
    !build_id.is_empty() && build_id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

async fn store_file(app: &App, build_id: &str, path: String) -> Result<Option<WebFile>, StoreError> {
    let Some(plain) = app.assets.get(&path) else { return Ok(None) };
    let packed = app.assets.get(&format!("{path}.br"));
    let file = WebFile {
        build_id: build_id.to_owned(),
        path,
        mime: plain.mime,
        etag: plain.etag,
        is_packed: packed.is_some(),
    };
    app.blobs.put(&file.blob_key(), plain.bytes.into_owned()).await?;
    if let Some(packed) = packed {
        app.blobs.put(&file.packed_key(), packed.bytes.into_owned()).await?;
    }
    Ok(Some(file))
}

async fn record(app: &App, build_id: &str, files: &[WebFile], now: Instant) -> Result<Vec<String>, StoreError> {
    let tx = app.store.begin().await?;
    let gone = rows::record(&tx, build_id, files, OTHERS, now).await?;
    tx.commit_aside().await?;
    Ok(gone)
}

async fn delete(blobs: &Blobs, build_id: &str) -> Result<(), StoreError> {
    let mut listed = blobs.list(&rows::folder(build_id));
    while let Some(blob) = listed.next().await {
        blobs.delete(&blob?.key).await?;
    }
    Ok(())
}

/// A hashed file of another build: its bytes, and whether they are packed with brotli.
pub(crate) async fn file(app: &App, path: &str, takes_packed: bool) -> Result<Option<(Asset, bool)>, StoreError> {
    if !is_hashed(path) {
        return Ok(None);
    }
    let Some(file) = rows::find(app.store.read(), path).await? else { return Ok(None) };
    let is_packed = takes_packed && file.is_packed;
    let key = if is_packed { file.packed_key() } else { file.blob_key() };
    let Some(bytes) = app.blobs.get(&key).await? else { return Ok(None) };
    let asset = Asset { bytes: bytes.to_vec().into(), mime: file.mime, etag: file.etag };
    Ok(Some((asset, is_packed)))
}
