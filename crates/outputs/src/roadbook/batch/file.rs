//! The file of a batch: its roadbooks one after the other, stored without compression, for a PDF is compressed already.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use app::App;
use app::problem::Internal;
use app::slug::slug;
use domain::roadbook::Batch;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// Key of the file of a batch.
pub(super) fn key(batch: &Batch) -> String {
    batch.file.clone().unwrap_or_else(|| format!("roadbook-batches/{}.zip", batch.id))
}

/// Key of the file that a run makes: no two runs of a job write the same one.
pub(super) fn key_of_run(batch: i64, lease: i64) -> String {
    format!("roadbook-batches/{batch}-{lease}.zip")
}

/// Where one roadbook is stored until the file is made.
pub(super) fn piece(batch: i64, name: &str) -> String {
    format!("roadbook-batches/{batch}/{name}")
}

/// Puts the roadbooks of a batch into one file of this key, and returns its length. One of them is in memory at a time.
pub(super) async fn bind(app: &App, batch: &Batch, key: &str) -> Result<i64, Internal> {
    tokio::fs::create_dir_all(&app.uploads).await.map_err(Internal::new)?;
    let draft = app.uploads.join(key.replace('/', "-"));
    let bound = Box::pin(write(app, batch, key, draft.clone())).await;
    let _ = tokio::fs::remove_file(&draft).await;
    bound
}

async fn write(app: &App, batch: &Batch, key: &str, draft: PathBuf) -> Result<i64, Internal> {
    let at = draft.clone();
    let mut zip = run_blocking(move || Ok(ZipWriter::new(File::create(at)?))).await?;
    let references = references(app, batch).await?;
    for item in &batch.items {
        let Some(file) = item.file.as_deref() else { continue };
        let Some(pdf) = app.blobs.get(&piece(batch.id, file)).await? else {
            return Err(Internal::new(format!("the roadbook {file} of batch {} is missing", batch.id)));
        };
        let mut name = file.rsplit('/').next().unwrap_or(file).to_owned();
        if let Some((number, reference)) = item.client_file.and_then(|id| Some((id, references.get(&id)?))) {
            // With its number too: two files may have one reference.
            name = name.replace(&format!("-{number}.pdf"), &format!("-{}-{number}.pdf", slug(reference)));
        }
        zip = run_blocking(move || {
            zip.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored))?;
            zip.write_all(&pdf)?;
            Ok(zip)
        })
        .await?;
    }
    let length = run_blocking(move || Ok(zip.finish()?.metadata()?.len())).await?;
    app.blobs.put_file(key, &draft).await?;
    Ok(i64::try_from(length).unwrap_or(i64::MAX))
}

/// The references of the client files of a batch, by number.
async fn references(app: &App, batch: &Batch) -> Result<HashMap<i64, String>, Internal> {
    let Some(parcours) = batch.of_clients() else { return Ok(HashMap::new()) };
    let files = store::client_file::list(app.store.read(), parcours).await?;
    Ok(files.into_iter().map(|file| (file.id, file.reference)).collect())
}

/// Writes to a file on a thread for blocking work.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, zip::result::ZipError> + Send + 'static,
) -> Result<T, Internal> {
    tokio::task::spawn_blocking(work).await.map_err(Internal::new)?.map_err(Internal::new)
}

/// Deletes the single roadbooks: they are in the file, or no longer needed.
pub(super) async fn drop_pieces(app: &App, batch: &Batch) -> Result<(), Internal> {
    for name in batch.items.iter().filter_map(|item| item.file.as_deref()) {
        app.blobs.delete(&piece(batch.id, name)).await?;
    }
    Ok(())
}

/// Deletes all files of a batch.
pub(super) async fn drop_all(app: &App, batch: &Batch) -> Result<(), Internal> {
    drop_pieces(app, batch).await?;
    Ok(app.blobs.delete(&key(batch)).await?)
}
