//! The key of a source of routes.

use app::App;
use app::extract::{Body, IfMatch, Importer, Path};
use app::record::At;
use app::source_key::{self, KeyedSource, SourceKey};
use axum::extract::State;
use axum::http::StatusCode;
use domain::imports::ImportSourceSheet;
use store::sealed::SealedColumn;

use super::{ImportSourceError, ImportSourceResource};

impl KeyedSource for ImportSourceResource {
    const COLUMN: SealedColumn = SealedColumn::ImportCredential;

    fn address(sheet: &ImportSourceSheet) -> Option<&str> {
        sheet.url.as_deref()
    }
}

/// Set the key of a source of routes. It takes the place of the one before, is never shown again, and is forgotten when the address
/// moves to another server.
#[utoipa::path(put, path = "/api/v1/import-sources/{id}/credential", tag = "imports",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body = SourceKey,
    security(("session" = ["content.import"])), responses((status = 204, description = "Kept"), ImportSourceError))]
#[tracing::instrument(name = "import.set_credential", skip_all, fields(source.id = %at.id))]
pub async fn set_import_credential(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<SourceKey>,
) -> Result<StatusCode, ImportSourceError> {
    source_key::put::<ImportSourceResource>(&app, &importer, &at, based_on, Some(&sent)).await
}

/// Forget the key of a source of routes.
#[utoipa::path(delete, path = "/api/v1/import-sources/{id}/credential", tag = "imports",
    params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.import"])), responses((status = 204, description = "Forgotten"), ImportSourceError))]
#[tracing::instrument(name = "import.drop_credential", skip_all, fields(source.id = %at.id))]
pub async fn drop_import_credential(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<StatusCode, ImportSourceError> {
    source_key::put::<ImportSourceResource>(&app, &importer, &at, based_on, None).await
}
