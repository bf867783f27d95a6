//! The archive of a Geotrek's database, which an operator makes with `jalon migrate-from geotrek`: it is read like the server.

use std::sync::Arc;

use app::App;
use app::problem::Internal;
use bytes::Bytes;
use domain::imports::{ImportFile, ImportKind, ImportNote, ImportSourceSheet};
use feeds::incoming::{GeotrekArchive, Refused};

use super::fetch::file_key;
use super::prepare::note_of;
use super::work::ImportCache;

/// The archive of a source; none where it is a server, or no Geotrek.
pub(super) fn of(sheet: &ImportSourceSheet) -> Option<&ImportFile> {
    sheet.file.as_ref().filter(|_| sheet.kind == ImportKind::Geotrek && sheet.url.is_none())
}

/// Reads something of an archive.
pub(super) async fn read<T: Send + 'static>(
    app: &App,
    source: i64,
    file: &ImportFile,
    ask: impl FnOnce(&mut GeotrekArchive<Bytes>) -> Result<T, Refused> + Send + 'static,
) -> Result<Result<T, ImportNote>, Internal> {
    let key = file_key(source, &file.sha256);
    let held = app.shared::<ImportCache>().archive().filter(|held| held.0 == key);
    let held = if let Some(held) = held {
        held
    } else {
        let Some(bytes) = app.blobs.get(&key).await? else {
            return Ok(Err(ImportNote::new("import/nothing-to-read")));
        };
        let held = Arc::new((key, bytes));
        app.shared::<ImportCache>().hold_archive(Some(Arc::clone(&held)));
        held
    };
    let asked = tokio::task::spawn_blocking(move || ask(&mut GeotrekArchive::open(held.1.clone())?));
    Ok(asked.await.map_err(Internal::new)?.map_err(|refused| note_of(&refused)))
}
