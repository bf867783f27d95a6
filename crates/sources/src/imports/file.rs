//! Uploads a file to a source, instead of an address.

use app::App;
use app::extract::{IfMatch, Importer, Path, Query};
use app::record::{At, Reply};
use axum::body::Body;
use axum::extract::State;
use domain::imports::ImportFile;

use super::fetch::{MAX_PAGE_BYTES, file_key};
use super::upload::{FromFile, ImportFileQuery, store_upload};
use super::{ImportSourceError, ImportSourceResource, ImportSourceView};

impl FromFile for ImportSourceResource {
    const MAX_BYTES: u64 = MAX_PAGE_BYTES;

    fn file_key(id: i64, sha256: &str) -> String {
        file_key(id, sha256)
    }

    fn read_from(sheet: &mut Self::Sheet, file: ImportFile) {
        (sheet.file, sheet.url) = (Some(file), None);
    }
}

/// Bring a file to a source: a recording, features, Cirkwi's XML, a ZIP of recordings or of a Shapefile. It replaces the one that was
/// there, and the address.
#[utoipa::path(put, path = "/api/v1/import-sources/{id}/file", tag = "imports",
    params(("id" = i64, Path), ("If-Match" = String, Header), ImportFileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.import"])),
    responses((status = 200, body = ImportSourceView), ImportSourceError))]
#[tracing::instrument(name = "import.file", skip_all)]
pub async fn put_import_file(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Query(asked): Query<ImportFileQuery>,
    body: Body,
) -> Result<Reply<ImportSourceView>, ImportSourceError> {
    store_upload::<ImportSourceResource>(&app, &importer, &at, based_on, &asked, body).await
}
