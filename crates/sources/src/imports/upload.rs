//! The upload of a file for a source that has no address.

use app::extract::{IfMatch, Importer};
use app::problem::Internal;
use app::record::operations::{change, held_at, saved};
use app::record::{At, RecordError, Refusal, Reply, Resource};
use app::{App, Rejection};
use axum::body::Body;
use content::media::{MediaError, checksum, receive};
use content::parcours::compute::clean_name;
use domain::imports::ImportFile;
use serde::Deserialize;
use store::record as rows;
use utoipa::IntoParams;

/// A source with an address or an uploaded file.
pub(crate) trait FromFile: Resource {
    /// The most bytes of a file.
    const MAX_BYTES: u64;

    /// The key of the blob with the bytes of a file.
    fn file_key(id: i64, sha256: &str) -> String;

    /// Sets this file as what the source reads, and removes its address.
    fn read_from(sheet: &mut Self::Sheet, file: ImportFile);
}

/// The parameters of an uploaded file.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ImportFileQuery {
    #[param(example = "export.zip")]
    file_name: Option<String>,
}

/// Why a file did not arrive: it is too large, it broke off, or this server cannot keep it.
fn refusal_of(error: MediaError) -> Refusal {
    match error.into_refusal() {
        refusal @ (Refusal::Rejected(_) | Refusal::Internal(_)) => refusal,
        // The sentence of a medium that is too large names the limits of media.
        _ => Refusal::Rejected(Rejection::TooLarge),
    }
}

/// Stores the uploaded file. It replaces the file that the source had, or its address.
pub(crate) async fn store_upload<R: FromFile>(
    app: &App,
    importer: &Importer,
    at: &At,
    based_on: IfMatch,
    asked: &ImportFileQuery,
    body: Body,
) -> Result<Reply<R::View>, RecordError<R>> {
    let sent = receive(app, body, R::MAX_BYTES).await.map_err(refusal_of)?;
    let path = sent.0.clone();
    let measured = tokio::task::spawn_blocking(move || Ok((checksum(&path)?, std::fs::metadata(&path)?.len())));
    let (sha256, bytes) =
        measured.await.map_err(Internal::new)?.map_err(|error: std::io::Error| Internal::new(error))?;
    let tx = app.store.begin().await?;
    let before = held_at::<R>(app, &tx, importer, at, based_on).await?;
    app.blobs.put_file(&R::file_key(before.id, &sha256), &sent.0).await?;
    let mut after = before.clone();
    let name = clean_name(asked.file_name.as_deref().unwrap_or_default());
    R::read_from(&mut after.sheet, ImportFile { name, bytes, sha256 });
    rows::save::<R::Record>(&tx, &before, after, change(app, importer, None)).await?;
    saved::<R>(app, tx, importer, at.id).await
}

#[cfg(test)]
mod tests {
    use app::problem::{AsProblem as _, Code};
    use app::record::Refused;

    use super::*;
    use crate::imports::ImportSourceResource;

    #[test]
    fn a_full_disk_and_a_broken_body_are_not_reported_as_a_large_file() {
        let code =
            |error: MediaError| RecordError::<ImportSourceResource>::from(refusal_of(error)).problem().reason().0;
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert_eq!(code(Internal::new(full).into()), "storage/full");
        assert_eq!(code(Rejection::BrokenBody.into()), "request/broken-body");
        let large = Code { status: 422, code: "media/too-large" };
        assert_eq!(code(Refused::new(large, None).into()), "request/too-large");
    }
}
