//! The key of a source of tourist records.

use app::App;
use app::extract::{Body, IfMatch, Importer, Path};
use app::record::At;
use app::source_key::{self, KeyedSource, SourceKey};
use axum::extract::State;
use axum::http::StatusCode;
use domain::sit::SitSourceSheet;
use store::sealed::SealedColumn;

use super::{SitSourceError, SitSourceResource};

impl KeyedSource for SitSourceResource {
    const COLUMN: SealedColumn = SealedColumn::SitCredential;

    fn address(sheet: &SitSourceSheet) -> Option<&str> {
        sheet.url.as_deref()
    }
}

/// Set the key of a source. It takes the place of the one before, is never shown again, and is forgotten when the address
/// moves to another server.
#[utoipa::path(put, path = "/api/v1/sit-sources/{id}/credential", tag = "sit",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body = SourceKey,
    security(("session" = ["content.import"])), responses((status = 204, description = "Kept"), SitSourceError))]
#[tracing::instrument(name = "sit.set_credential", skip_all, fields(source.id = %at.id))]
pub async fn set_sit_credential(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<SourceKey>,
) -> Result<StatusCode, SitSourceError> {
    source_key::put::<SitSourceResource>(&app, &importer, &at, based_on, Some(&sent)).await
}

/// Forget the key of a source.
#[utoipa::path(delete, path = "/api/v1/sit-sources/{id}/credential", tag = "sit",
    params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.import"])), responses((status = 204, description = "Forgotten"), SitSourceError))]
#[tracing::instrument(name = "sit.drop_credential", skip_all, fields(source.id = %at.id))]
pub async fn drop_sit_credential(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<StatusCode, SitSourceError> {
    source_key::put::<SitSourceResource>(&app, &importer, &at, based_on, None).await
}
