//! Uploads a file to a source, instead of an address: an export, a flux.

use app::App;
use app::extract::{IfMatch, Importer, Path, Query};
use app::record::{At, Reply};
use axum::body::Body;
use axum::extract::State;
use domain::imports::ImportFile;

use super::fetch::{MAX_BYTES, file_key};
use super::{SitSourceError, SitSourceResource, SitSourceView};
use crate::imports::upload::{FromFile, ImportFileQuery, store_upload};

impl FromFile for SitSourceResource {
    const MAX_BYTES: u64 = MAX_BYTES;

    fn file_key(id: i64, sha256: &str) -> String {
        file_key(id, sha256)
    }

    fn read_from(sheet: &mut Self::Sheet, file: ImportFile) {
        (sheet.file, sheet.url) = (Some(file), None);
    }
}

/// Bring a file to a source: the ZIP of a flux or of an export, JSON or XML. It takes the place of the one that was there, and of
/// the address.
#[utoipa::path(put, path = "/api/v1/sit-sources/{id}/file", tag = "sit",
    params(("id" = i64, Path), ("If-Match" = String, Header), ImportFileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.import"])),
    responses((status = 200, body = SitSourceView), SitSourceError))]
#[tracing::instrument(name = "sit.file", skip_all)]
pub async fn put_sit_file(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Query(asked): Query<ImportFileQuery>,
    body: Body,
) -> Result<Reply<SitSourceView>, SitSourceError> {
    store_upload::<SitSourceResource>(&app, &importer, &at, based_on, &asked, body).await
}
