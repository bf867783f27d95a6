//! A file is brought to a feed instead of an address.

use axum::body::Body;
use axum::extract::State;
use domain::imports::ImportFile;
use serde::Deserialize;
use store::record as rows;
use store::transit::TransportFeeds;
use utoipa::IntoParams;

use super::fetch::{MAX_FEED_BYTES, file_key};
use super::{TransportFeedError, TransportFeedView};
use crate::App;
use crate::extract::{IfMatch, Importer, Path, Query};
use crate::media::receive;
use crate::parcours::compute::clean_name;
use crate::parcours::trace::checksum;
use crate::problem::Internal;
use crate::record::operations::{change, held_at, saved};
use crate::record::{At, Refusal, Reply};

/// What a file is told with.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct TransportFileQuery {
    /// Its name.
    #[param(example = "gtfs.zip")]
    file_name: Option<String>,
}

/// Bring a GTFS archive to a feed. It takes the place of the one that was there, and of the address.
#[utoipa::path(put, path = "/api/v1/transport-feeds/{id}/file", tag = "transport-feeds",
    params(("id" = i64, Path), ("If-Match" = String, Header), TransportFileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.import"])),
    responses((status = 200, body = TransportFeedView), TransportFeedError))]
#[tracing::instrument(name = "transport.file", skip_all)]
pub async fn put_transport_feed_file(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Query(asked): Query<TransportFileQuery>,
    body: Body,
) -> Result<Reply<TransportFeedView>, TransportFeedError> {
    let sent = receive(&app, body, MAX_FEED_BYTES).await.map_err(|_| Refusal::Rejected(crate::Rejection::TooLarge))?;
    let bytes = tokio::fs::read(&sent.0).await.map_err(Internal::new)?;
    let tx = app.store.begin().await?;
    let before = held_at::<TransportFeeds>(&app, &tx, &importer, &at, based_on).await?;
    let file = ImportFile {
        name: clean_name(asked.file_name.as_deref().unwrap_or_default()),
        bytes: bytes.len() as u64,
        sha256: checksum(&bytes),
    };
    app.blobs.put(&file_key(before.id, &file.sha256), bytes).await?;
    let mut after = before.clone();
    (after.sheet.file, after.sheet.url) = (Some(file), None);
    rows::save::<TransportFeeds>(&tx, &before, after, change(&app, &importer, None)).await?;
    saved::<TransportFeeds>(&app, tx, &importer, at.id).await
}
