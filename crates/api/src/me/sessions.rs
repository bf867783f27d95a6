//! One's own sessions: listed, ended one by one, or all but the one in use.

use app::extract::{Account, Path};
use app::session::device;
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use domain::Instant;
use domain::audit::{Action, Detail, On};
use serde::Serialize;
use store::{known_device, session};
use tracing::instrument;
use utoipa::ToSchema;

use super::MeError;

/// An open session of the user.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnSession)]
pub struct SessionView {
    id: i64,
    /// The browser's name, where it is known.
    #[schema(example = "Firefox")]
    browser: Option<String>,
    /// The system's name, where it is known.
    #[schema(example = "Windows")]
    system: Option<String>,
    /// When one signed in.
    created_at: Instant,
    /// When it was last used, to within five minutes.
    last_seen_at: Instant,
    /// Whether it is the one that asks.
    current: bool,
}

/// One's open sessions, the one used last first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnSessions)]
pub struct SessionsView {
    items: Vec<SessionView>,
}

/// List the user's open sessions.
#[utoipa::path(get, path = "/api/v1/me/sessions", tag = "session", security(("session" = ["content.read"])),
    responses((status = 200, body = SessionsView), MeError))]
pub async fn list_own_sessions(State(app): State<App>, account: Account) -> Result<Json<SessionsView>, MeError> {
    let (now, current) = (app.now(), account.signed_in().id);
    let found = session::open_of(app.store.read(), account.user_id, now, app.settings.session_idle_s).await?;
    let known = |name: String| Some(name).filter(|name| !name.is_empty());
    let items = found.into_iter().map(|one| SessionView {
        id: one.id,
        browser: known(one.browser),
        system: known(one.system),
        created_at: one.created_at,
        last_seen_at: if one.id == current { now } else { one.last_seen_at },
        current: one.id == current,
    });
    let mut items: Vec<_> = items.collect();
    items.sort_by_key(|one| !one.current);
    Ok(Json(SessionsView { items }))
}

/// End one of the user's sessions, on any device.
#[utoipa::path(delete, path = "/api/v1/me/sessions/{id}", tag = "session", security(("session" = ["content.read"])),
    params(("id" = i64, Path)), responses((status = 204, description = "It is over"), MeError))]
#[instrument(name = "me.end_session", skip_all)]
pub async fn end_own_session(
    State(app): State<App>,
    account: Account,
    Path(id): Path<i64>,
) -> Result<StatusCode, MeError> {
    let tx = app.store.begin().await?;
    if !session::delete_one_of(&tx, account.user_id, id).await? {
        return Err(MeError::NoSuchSession { id });
    }
    let on = On::user(&account.signed_in().user);
    audit::done(&app, &tx, &*account, Action::SessionsEnded, on, Detail::None).await?;
    tx.commit_aside().await?;
    app.sessions.forget(account.user_id);
    Ok(StatusCode::NO_CONTENT)
}

/// End all other sessions of the user; the devices they were on are no longer known.
#[utoipa::path(delete, path = "/api/v1/me/sessions", tag = "session", security(("session" = ["content.read"])),
    responses((status = 204, description = "Only the session that asks is left"), MeError))]
#[instrument(name = "me.end_other_sessions", skip_all)]
pub async fn end_other_sessions(
    State(app): State<App>,
    account: Account,
    headers: HeaderMap,
) -> Result<StatusCode, MeError> {
    let device = device::known(&app, &headers, Some(account.user_id)).await?;
    let tx = app.store.begin().await?;
    session::delete_others_of(&tx, account.user_id, &account.signed_in().token_hash).await?;
    known_device::forget_others(&tx, account.user_id, device.as_ref().map(device::KnownDevice::hash)).await?;
    let on = On::user(&account.signed_in().user);
    audit::done(&app, &tx, &*account, Action::SessionsEnded, on, Detail::None).await?;
    tx.commit_aside().await?;
    app.sessions.forget(account.user_id);
    Ok(StatusCode::NO_CONTENT)
}
