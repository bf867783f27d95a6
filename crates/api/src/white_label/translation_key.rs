//! The key of a white-label's translation service: sealed when it is received, never shown.

use app::extract::{Body, IfMatch, Path, SettingsManager};
use app::record::{At, operations};
use app::seal::{Place, origin_fault, typed_key};
use app::source_key::REASON;
use app::{App, audit};
use axum::extract::State;
use axum::http::StatusCode;
use domain::audit::{Action, Detail};
use serde::Deserialize;
use store::record::raise_version;
use store::sealed::{self, SealedColumn};
use store::white_label::WhiteLabels;
use utoipa::ToSchema;

use super::{WhiteLabelError, WhiteLabelResource};

// It has no `Debug`: nothing prints it by mistake.
/// A key in a request.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TranslationKey {
    /// The key, as the service gave it.
    #[schema(format = Password, max_length = 500)]
    key: String,
}

/// Set the key of a white-label's translation service. It takes the place of the one before, is never shown again,
/// and is forgotten when its translator is asked at another server.
#[utoipa::path(put, path = "/api/v1/white-labels/{id}/translation-key", tag = "white-labels",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body = TranslationKey,
    security(("session" = ["settings.manage"])), responses((status = 204, description = "Kept"), WhiteLabelError))]
#[tracing::instrument(name = "white_label.set_translation_key", skip_all, fields(white_label.id = %at.id))]
pub async fn set_translation_key(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<TranslationKey>,
) -> Result<StatusCode, WhiteLabelError> {
    let key = typed_key(&sent.key)?;
    let tx = app.store.begin().await?;
    let record = operations::held_at::<WhiteLabelResource>(&app, &tx, &keeper, &at, based_on).await?;
    let origin = store::translation::own_key_origin(&tx, record.sheet.translator_id).await?;
    if let Some(fault) = origin_fault(&origin, app.services.asks_private_addresses()) {
        return Err(fault.into());
    }
    raise_version::<WhiteLabels>(&tx, &record, operations::change(&app, &keeper, REASON)).await?;
    let sealed = app.key.seal(Place::TranslationKey(record.id, &origin), key.as_bytes());
    sealed::put(&tx, SealedColumn::TranslationKey, record.id, Some((sealed, origin.as_str()))).await?;
    audit::done(&app, &tx, &*keeper, Action::ServiceKeySet, audit::on::<WhiteLabels>(&record), Detail::None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Forget the key of a white-label's translation service.
#[utoipa::path(delete, path = "/api/v1/white-labels/{id}/translation-key", tag = "white-labels",
    params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["settings.manage"])), responses((status = 204, description = "Forgotten"), WhiteLabelError))]
#[tracing::instrument(name = "white_label.drop_translation_key", skip_all, fields(white_label.id = %at.id))]
pub async fn drop_translation_key(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<StatusCode, WhiteLabelError> {
    let tx = app.store.begin().await?;
    let record = operations::held_at::<WhiteLabelResource>(&app, &tx, &keeper, &at, based_on).await?;
    if sealed::find(&tx, SealedColumn::TranslationKey, record.id).await?.is_some() {
        raise_version::<WhiteLabels>(&tx, &record, operations::change(&app, &keeper, REASON)).await?;
    }
    sealed::put(&tx, SealedColumn::TranslationKey, record.id, None).await?;
    audit::done(&app, &tx, &*keeper, Action::ServiceKeyRemoved, audit::on::<WhiteLabels>(&record), Detail::None)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
