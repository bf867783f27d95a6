//! Uploads a file to a feed, instead of an address.

use app::App;
use app::extract::{IfMatch, Importer, Path, Query};
use app::record::{At, Reply};
use axum::body::Body;
use axum::extract::State;
use domain::imports::ImportFile;

use super::fetch::{MAX_FEED_BYTES, file_key};
use super::{TransportFeedError, TransportFeedResource, TransportFeedView};
use crate::imports::upload::{FromFile, ImportFileQuery, store_upload};

impl FromFile for TransportFeedResource {
    const MAX_BYTES: u64 = MAX_FEED_BYTES;

    fn file_key(id: i64, sha256: &str) -> String {
        file_key(id, sha256)
    }

    fn read_from(sheet: &mut Self::Sheet, file: ImportFile) {
        (sheet.file, sheet.url) = (Some(file), None);
    }
}

/// Bring a GTFS archive to a feed. It takes the place of the one that was there, and of the address.
#[utoipa::path(put, path = "/api/v1/transport-feeds/{id}/file", tag = "transport-feeds",
    params(("id" = i64, Path), ("If-Match" = String, Header), ImportFileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.import"])),
    responses((status = 200, body = TransportFeedView), TransportFeedError))]
#[tracing::instrument(name = "transport.file", skip_all)]
pub async fn put_transport_feed_file(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Query(asked): Query<ImportFileQuery>,
    body: Body,
) -> Result<Reply<TransportFeedView>, TransportFeedError> {
    store_upload::<TransportFeedResource>(&app, &importer, &at, based_on, &asked, body).await
}
