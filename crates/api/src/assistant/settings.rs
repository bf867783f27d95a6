//! Which model a white-label asks. Its key goes in and never comes out again.

use app::extract::{Body, IfMatch, Path, SettingsManager};
use app::problem::Internal;
use app::record::{At, operations};
use app::seal::{Place, origin_fault, typed_key};
use app::source_key::REASON;
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use connect::text::models;
use domain::audit::{Action, Detail, On};
use domain::record::Kind;
use domain::{Fault, WhiteLabelId, service_key};
use serde::{Deserialize, Serialize};
use store::assistant::{self as rows, AssistantSetting};
use store::record::raise_version;
use store::white_label::WhiteLabels;
use utoipa::ToSchema;

use super::AssistantError;
use super::write::account_of;
use crate::translation::hint_of;
use crate::white_label::WhiteLabelResource;

/// The settings of the assistant, without the key.
#[derive(Debug, Serialize, ToSchema)]
pub struct AssistantSettings {
    /// Whether the model is asked; our own sentences need none.
    enabled: bool,
    /// Where it is, up to `/v1`.
    base_url: Option<String>,
    /// Which model.
    model: Option<String>,
    /// The last characters of its key; none where it has no key.
    key_hint: Option<String>,
    /// The most tokens of a month; none sets no limit.
    monthly_tokens: Option<i64>,
    /// Tokens used this month.
    used_tokens: i64,
}

async fn shown(app: &App, id: WhiteLabelId) -> Result<Json<AssistantSettings>, AssistantError> {
    let db = app.store.read();
    let set = rows::setting(db, id).await?;
    Ok(Json(AssistantSettings {
        enabled: set.enabled,
        base_url: set.base_url,
        model: set.model,
        key_hint: set.key_hint,
        monthly_tokens: set.monthly_tokens,
        used_tokens: rows::used(db, id, &app.today()).await?,
    }))
}

/// The model that writes a white-label's texts, and what it used this month.
#[utoipa::path(get, path = "/api/v1/white-labels/{id}/assistant", tag = "assistant", params(("id" = i64, Path)),
    security(("session" = ["settings.manage"])), responses((status = 200, body = AssistantSettings), AssistantError))]
pub async fn show_assistant_settings(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
) -> Result<Json<AssistantSettings>, AssistantError> {
    let record = operations::own::<WhiteLabelResource>(app.store.read(), &keeper, &at).await?;
    shown(&app, WhiteLabelId(record.id)).await
}

/// The white-label, for the journal.
const fn on(id: WhiteLabelId) -> On {
    On::record(Kind::WhiteLabel, id.0).of_white_label(id)
}

/// The new settings.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssistantInput {
    /// Whether the model is asked.
    #[serde(default)]
    pub enabled: bool,
    /// Where it is, up to `/v1`.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Which model.
    #[serde(default)]
    pub model: Option<String>,
    /// The most tokens of a month; none sets no limit.
    #[serde(default)]
    pub monthly_tokens: Option<i64>,
}

/// Why a white-label has a new version: the settings of its assistant, which are stored beside it, were saved. A second save based on the
/// same version is refused, instead of replacing what another user has just set.
const SETTINGS_REASON: Option<&str> = Some("assistant_settings");

/// Set which model a white-label's texts are written by. `If-Match` names the version of the white-label.
#[utoipa::path(put, path = "/api/v1/white-labels/{id}/assistant", tag = "assistant",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body(content = AssistantInput),
    security(("session" = ["settings.manage"])), responses((status = 200, body = AssistantSettings), AssistantError))]
#[tracing::instrument(name = "assistant.set", skip_all)]
pub async fn set_assistant_settings(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<AssistantInput>,
) -> Result<Json<AssistantSettings>, AssistantError> {
    let filled = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let (base_url, model) = (filled(sent.base_url), filled(sent.model));
    let mut errors = Vec::new();
    if let Some(wrong) = base_url.as_deref().and_then(|url| domain::link::check_link(url).err()) {
        errors.push(Fault::new(wrong.code(), "/base_url").with("max", domain::link::MAX_LINK_CHARS));
    }
    if let Some(name) = base_url.as_deref().and_then(service_key::secret_in) {
        errors.push(Fault::new("service-key/in-address", "/base_url").with("name", name));
    }
    if sent.enabled {
        let missing = [("/base_url", base_url.is_none()), ("/model", model.is_none())];
        errors.extend(missing.iter().filter(|(_, is)| *is).map(|(at, _)| Fault::new("validation/required", *at)));
    }
    if model.as_ref().is_some_and(|model| model.chars().count() > 200) {
        errors.push(Fault::new("validation/too-long", "/model").with("max", 200));
    }
    if model.as_ref().is_some_and(|model| model.chars().any(char::is_control)) {
        errors.push(Fault::new("assistant/model-name", "/model"));
    }
    if sent.monthly_tokens.is_some_and(|tokens| !(0..=1_000_000_000).contains(&tokens)) {
        errors.push(Fault::new("validation/out-of-range", "/monthly_tokens").with("min", 0).with("max", 1_000_000_000));
    }
    if !errors.is_empty() {
        return Err(AssistantError::Invalid { errors });
    }
    let tx = app.store.begin().await?;
    let record = operations::held_at::<WhiteLabelResource>(&app, &tx, &keeper, &at, based_on).await?;
    let id = WhiteLabelId(record.id);
    let before = rows::setting(&tx, id).await?;
    let mut set = AssistantSetting {
        enabled: sent.enabled,
        base_url,
        model,
        monthly_tokens: sent.monthly_tokens,
        ..before.clone()
    };
    // A key that is being typed for the server from before is refused too: it is sent over the version that was shown.
    if set != before {
        raise_version::<WhiteLabels>(&tx, &record, operations::change(&app, &keeper, SETTINGS_REASON)).await?;
    }
    // The key goes to no other server than the one it was entered for.
    let is_key_forgotten = set.api_key.is_some() && set.key_origin.as_deref() != Some(origin_of(&set).as_str());
    if is_key_forgotten {
        (set.api_key, set.key_origin, set.key_hint) = (None, None, None);
    }
    rows::put_setting(&tx, id, &set).await?;
    audit::done(&app, &tx, &*keeper, Action::ServiceChanged, on(id), Detail::None).await?;
    if is_key_forgotten {
        audit::done(&app, &tx, &*keeper, Action::ServiceKeyRemoved, on(id), Detail::None).await?;
    }
    tx.commit().await?;
    shown(&app, id).await
}

// It has no `Debug`: nothing prints it by mistake.
/// A key in a request.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssistantKey {
    /// The key, as the service gave it.
    #[schema(format = Password, max_length = 500)]
    key: String,
}

/// The server the key of a white-label's model goes to.
fn origin_of(set: &AssistantSetting) -> String {
    service_key::origin(set.base_url.as_deref().unwrap_or_default())
}

async fn put_key(
    app: &App,
    keeper: &SettingsManager,
    at: &At,
    based_on: IfMatch,
    key: Option<&str>,
) -> Result<StatusCode, AssistantError> {
    let tx = app.store.begin().await?;
    let record = operations::held_at::<WhiteLabelResource>(app, &tx, keeper, at, based_on).await?;
    let id = WhiteLabelId(record.id);
    let mut set = rows::setting(&tx, id).await?;
    let origin = origin_of(&set);
    if let Some(fault) = key.and_then(|_| origin_fault(&origin, app.services.asks_private_addresses())) {
        return Err(AssistantError::Invalid { errors: vec![fault] });
    }
    if key.is_some() || set.api_key.is_some() {
        raise_version::<WhiteLabels>(&tx, &record, operations::change(app, keeper, REASON)).await?;
    }
    set.api_key = key.map(|key| app.key.seal(Place::AssistantKey(id.0, &origin), key.as_bytes()));
    set.key_origin = key.map(|_| origin);
    set.key_hint = key.map(hint_of);
    rows::put_setting(&tx, id, &set).await?;
    let action = if key.is_some() { Action::ServiceKeySet } else { Action::ServiceKeyRemoved };
    audit::done(app, &tx, &**keeper, action, on(id), Detail::None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set the key of a white-label's model; of it only the last four characters are ever shown.
#[utoipa::path(put, path = "/api/v1/white-labels/{id}/assistant/key", tag = "assistant",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body = AssistantKey, security(("session" = ["settings.manage"])),
    responses((status = 204, description = "Kept"), AssistantError))]
#[tracing::instrument(name = "assistant.set_key", skip_all)]
pub async fn set_assistant_key(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<AssistantKey>,
) -> Result<StatusCode, AssistantError> {
    let key = typed_key(&sent.key)?;
    put_key(&app, &keeper, &at, based_on, Some(key)).await
}

/// Forget the key of a white-label's model.
#[utoipa::path(delete, path = "/api/v1/white-labels/{id}/assistant/key", tag = "assistant",
    params(("id" = i64, Path), ("If-Match" = String, Header)), security(("session" = ["settings.manage"])), responses((status = 204, description = "Forgotten"), AssistantError))]
#[tracing::instrument(name = "assistant.drop_key", skip_all)]
pub async fn drop_assistant_key(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<StatusCode, AssistantError> {
    put_key(&app, &keeper, &at, based_on, None).await
}

/// The models of a service.
#[derive(Debug, Serialize, ToSchema)]
pub struct AssistantModels {
    /// Their names.
    models: Vec<String>,
}

/// Ask a white-label's service which models it has: shows that its key works.
#[utoipa::path(post, path = "/api/v1/white-labels/{id}/assistant/test", tag = "assistant", params(("id" = i64, Path)),
    security(("session" = ["settings.manage"])), responses((status = 200, body = AssistantModels), AssistantError))]
#[tracing::instrument(name = "assistant.test", skip_all)]
pub async fn test_assistant(
    State(app): State<App>,
    keeper: SettingsManager,
    Path(at): Path<At>,
) -> Result<Json<AssistantModels>, AssistantError> {
    let db = app.store.read();
    let id = WhiteLabelId(operations::own::<WhiteLabelResource>(db, &keeper, &at).await?.id);
    let set = rows::setting(db, id).await?;
    let account = account_of(&app, id, &set)?.ok_or(AssistantError::NotSetUp)?;
    let services = app.services.clone();
    let found = tokio::task::spawn_blocking(move || models(&services, &account)).await.map_err(Internal::new)??;
    Ok(Json(AssistantModels { models: found.into_iter().take(500).collect() }))
}
