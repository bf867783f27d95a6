//! The key of a white-label's public API: shown once when it is made, stored as a hash only.

use app::extract::{IfMatch, Path, SettingsManager};
use app::record::{At, operations};
use app::token::Token;
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::audit::{Action, Detail};
use serde::Serialize;
use store::record::raise_version;
use store::white_label::{KeyHead, WhiteLabels, drop_key, put_key};
use utoipa::ToSchema;

use super::{WhiteLabelError, WhiteLabelResource};

/// Characters of a key that are shown afterwards: enough to distinguish two, not to guess the rest.
const SHOWN: usize = 8;
/// Why a record has a new version: its key was made or taken back. A second request based on the same version is refused, instead of
/// replacing a key that was just shown to another user.
const REASON: Option<&str> = Some("api_key");

/// A key that was just made.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewKey {
    /// The key: shown here and never again.
    key: String,
}

/// Make the key of a white-label's public API. The previous key stops working.
#[utoipa::path(post, path = "/api/v1/white-labels/{id}/api-key", tag = "white-labels", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["settings.manage"])), responses((status = 201, body = NewKey), WhiteLabelError))]
#[tracing::instrument(name = "white_label.make_key", skip_all, fields(white_label.id = %at.id))]
pub async fn make_white_label_key(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<(StatusCode, Json<NewKey>), WhiteLabelError> {
    let tx = app.store.begin().await?;
    let record = operations::held_at::<WhiteLabelResource>(&app, &tx, &keeper, &at, based_on).await?;
    let token = Token::random();
    let head = KeyHead { prefix: token.as_str()[..SHOWN].to_owned(), created_at: app.now() };
    let rotated = drop_key(&tx, record.id).await?;
    put_key(&tx, record.id, &token.hash(), &head).await?;
    raise_version::<WhiteLabels>(&tx, &record, operations::change(&app, &keeper, REASON)).await?;
    let action = if rotated { Action::ApiKeyRotated } else { Action::ApiKeyMade };
    audit::done(&app, &tx, &*keeper, action, audit::on::<WhiteLabels>(&record), Detail::None).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(NewKey { key: token.as_str().to_owned() })))
}

/// Take the key of a white-label's public API back.
#[utoipa::path(delete, path = "/api/v1/white-labels/{id}/api-key", tag = "white-labels", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["settings.manage"])), responses((status = 204), WhiteLabelError))]
#[tracing::instrument(name = "white_label.drop_key", skip_all, fields(white_label.id = %at.id))]
pub async fn drop_white_label_key(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<StatusCode, WhiteLabelError> {
    let tx = app.store.begin().await?;
    let record = operations::held_at::<WhiteLabelResource>(&app, &tx, &keeper, &at, based_on).await?;
    if drop_key(&tx, record.id).await? {
        raise_version::<WhiteLabels>(&tx, &record, operations::change(&app, &keeper, REASON)).await?;
    }
    audit::done(&app, &tx, &*keeper, Action::ApiKeyRemoved, audit::on::<WhiteLabels>(&record), Detail::None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
