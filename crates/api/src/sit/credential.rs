//! The key of a source: sealed when it comes in, shown to nobody.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use store::sit::{SitSources, put_credential};
use utoipa::ToSchema;

use super::SitSourceError;
use crate::App;
use crate::extract::{Body, IfMatch, Importer, Path};
use crate::record::{At, operations};
use crate::seal::{Place, typed_key};

/// A key that comes in. It has no `Debug`: nothing prints it by mistake.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SitCredential {
    /// The key as the source gave it; for Cirkwi, `name:password`.
    #[schema(format = Password, max_length = 500)]
    key: String,
}

/// Set the key of a source. It takes the place of the one before, and is never shown again.
#[utoipa::path(put, path = "/api/v1/sit-sources/{id}/credential", tag = "sit",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body = SitCredential,
    security(("session" = ["content.import"])), responses((status = 204, description = "Kept"), SitSourceError))]
#[tracing::instrument(name = "sit.set_credential", skip_all, fields(source.id = %at.id))]
pub async fn set_sit_credential(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<SitCredential>,
) -> Result<StatusCode, SitSourceError> {
    let key = typed_key(&sent.key)?;
    let tx = app.store.begin().await?;
    let record = operations::held_at::<SitSources>(&app, &tx, &importer, &at, based_on).await?;
    put_credential(&tx, record.id, Some(app.key.seal(Place::SitCredential(record.id), key.as_bytes()))).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
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
    let tx = app.store.begin().await?;
    let record = operations::held_at::<SitSources>(&app, &tx, &importer, &at, based_on).await?;
    put_credential(&tx, record.id, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
