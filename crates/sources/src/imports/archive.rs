//! The archive of a Geotrek's database, which an operator makes with `jalon migrate-from geotrek`: it is read like the server.

use std::io::Cursor;
use std::sync::{Arc, Mutex, PoisonError};

use app::App;
use app::problem::Internal;
use bytes::Bytes;
use domain::imports::{ImportFile, ImportKind, ImportNote, ImportSourceSheet};
use feeds::incoming::{GeotrekArchive, Refused};

use super::fetch::file_key;
use super::halt::Halt;
use super::prepare::note_of;
use super::work::ImportCache;

/// An archive that is open, and the key of its blob.
#[derive(Debug)]
pub(super) struct OpenArchive {
    key: String,
    archive: Mutex<GeotrekArchive<Cursor<Bytes>>>,
}

/// The archive of a source; none where it is a server, or no Geotrek.
pub(super) fn of(sheet: &ImportSourceSheet) -> Option<&ImportFile> {
    sheet.file.as_ref().filter(|_| sheet.kind == ImportKind::Geotrek && sheet.url.is_none())
}

/// Reads something of an archive.
pub(super) async fn read<T: Send + 'static>(
    app: &App,
    source: i64,
    file: &ImportFile,
    ask: impl FnOnce(&mut GeotrekArchive<Cursor<Bytes>>) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Halt> {
    let key = file_key(source, &file.sha256);
    let held = app.shared::<ImportCache>().archive().filter(|held| held.key == key);
    let known = match held {
        Some(held) => Ok(held),
        None => match app.blobs.get(&key).await? {
            Some(bytes) => Err(bytes),
            None => return Err(ImportNote::new("import/nothing-to-read").into()),
        },
    };
    let asked = tokio::task::spawn_blocking(move || {
        let held = match known {
            Ok(held) => held,
            Err(bytes) => Arc::new(OpenArchive { key, archive: Mutex::new(GeotrekArchive::open(bytes)?) }),
        };
        let found = ask(&mut held.archive.lock().unwrap_or_else(PoisonError::into_inner))?;
        Ok((held, found))
    });
    let (held, found) = asked.await.map_err(Internal::new)?.map_err(|refused| note_of(&refused))?;
    app.shared::<ImportCache>().hold_archive(Some(held));
    Ok(found)
}
