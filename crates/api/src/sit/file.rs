//! A file is brought to a source instead of an address: an export, a flux.

use axum::body::Body;
use axum::extract::State;
use domain::imports::ImportFile;
use serde::Deserialize;
use store::record as rows;
use store::sit::SitSources;
use utoipa::IntoParams;

use super::fetch::file_key;
use super::{SitSourceError, SitSourceView};
use crate::App;
use crate::extract::{IfMatch, Importer, Path, Query};
use crate::imports::fetch::MAX_PAGE_BYTES;
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
pub struct SitFileQuery {
    /// Its name.
    #[param(example = "export.zip")]
    file_name: Option<String>,
}

/// Bring a file to a source: the ZIP of a flux or of an export, JSON or XML. It takes the place of the one that was there, and of
/// the address.
#[utoipa::path(put, path = "/api/v1/sit-sources/{id}/file", tag = "sit",
    params(("id" = i64, Path), ("If-Match" = String, Header), SitFileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.import"])),
    responses((status = 200, body = SitSourceView), SitSourceError))]
#[tracing::instrument(name = "sit.file", skip_all)]
pub async fn put_sit_file(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Query(asked): Query<SitFileQuery>,
    body: Body,
) -> Result<Reply<SitSourceView>, SitSourceError> {
    let sent = receive(&app, body, MAX_PAGE_BYTES).await.map_err(|_| Refusal::Rejected(crate::Rejection::TooLarge))?;
    let bytes = tokio::fs::read(&sent.0).await.map_err(Internal::new)?;
    let tx = app.store.begin().await?;
    let before = held_at::<SitSources>(&app, &tx, &importer, &at, based_on).await?;
    let name = clean_name(asked.file_name.as_deref().unwrap_or_default());
    let file = ImportFile { name, bytes: bytes.len() as u64, sha256: checksum(&bytes) };
    app.blobs.put(&file_key(before.id, &file.sha256), bytes).await?;
    let mut after = before.clone();
    (after.sheet.file, after.sheet.url) = (Some(file), None);
    rows::save::<SitSources>(&tx, &before, after, change(&app, &importer, None)).await?;
    saved::<SitSources>(&app, tx, &importer, at.id).await
}
