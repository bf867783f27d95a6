//! What a person changes for themselves: language, view, white-label.

use app::App;
use app::extract::{Account, Body};
use app::session_cache::SignedIn;
use axum::Json;
use axum::extract::State;
use domain::{Locale, WhiteLabelId};
use serde::Deserialize;
use store::user::Preferences;
use tracing::instrument;
use utoipa::ToSchema;

use super::{MeError, MeView};

/// What to change; what is absent stays.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MePatch {
    /// Language of the interface and of mails.
    #[serde(default)]
    locale: Option<Locale>,
    /// Whether to show every field.
    #[serde(default)]
    advanced_view: Option<bool>,
    /// Whether a letter alone is a shortcut.
    #[serde(default)]
    single_keys: Option<bool>,
    /// The white-label to look at.
    #[serde(default)]
    active_white_label_id: Option<WhiteLabelId>,
}

/// Change the user's own preferences.
#[utoipa::path(
    patch,
    path = "/api/v1/me",
    tag = "session",
    security(("session" = ["content.read"])),
    request_body = MePatch,
    responses((status = 200, body = MeView), MeError)
)]
#[instrument(name = "me.update", skip_all)]
pub async fn update_me(
    State(app): State<App>,
    account: Account,
    Body(patch): Body<MePatch>,
) -> Result<Json<MeView>, MeError> {
    if let Some(id) = patch.active_white_label_id.filter(|id| !account.works_in(*id)) {
        return Err(MeError::WhiteLabelNotYours { id });
    }
    let chosen = Preferences {
        locale: patch.locale,
        advanced_view: patch.advanced_view,
        single_keys: patch.single_keys,
        active_white_label_id: patch.active_white_label_id,
    };
    let tx = app.store.begin().await?;
    store::user::set_preferences(&tx, account.user_id, chosen, app.now()).await?;
    tx.commit().await?;
    app.sessions.forget(account.user_id);
    Ok(Json(MeView::of(&app, &changed(account.signed_in(), patch)).await?))
}

/// The session as the next request will find it.
fn changed(before: &SignedIn, patch: MePatch) -> SignedIn {
    let mut after = before.clone();
    after.user.locale = patch.locale.unwrap_or(after.user.locale);
    after.user.advanced_view = patch.advanced_view.unwrap_or(after.user.advanced_view);
    after.user.single_keys = patch.single_keys.unwrap_or(after.user.single_keys);
    after.actor.active_white_label_id = patch.active_white_label_id.unwrap_or(after.actor.active_white_label_id);
    after
}
