//! Signing out: here, or everywhere.

use app::extract::Account;
use app::session::cookie::{self, Sent};
use app::session::device::{self, KnownDevice};
use app::{App, audit};
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse};
use domain::audit::{Action, Detail, On};
use tracing::instrument;

use crate::me::MeError;

/// Ends this session. Without one there is nothing to do, and that is no error.
#[utoipa::path(
    delete,
    path = "/api/v1/session",
    tag = "session",
    security(()),
    responses((status = 204, description = "Signed out"), MeError)
)]
#[instrument(name = "session.delete", skip_all)]
pub async fn delete_session(State(app): State<App>, headers: HeaderMap) -> Result<impl IntoResponse, MeError> {
    if let Sent::Token(token) = cookie::read(&headers) {
        let tx = app.store.begin().await?;
        if let Some(session) = store::session::find(&tx, &token.hash()).await?
            && let Some(user) = store::user::find(&tx, session.user_id).await?
        {
            audit::done(&app, &tx, &user, Action::SignOut, On::user(&user), Detail::None).await?;
        }
        store::session::delete(&tx, &token.hash()).await?;
        tx.commit_aside().await?;
        app.sessions.forget_one(&token.hash());
    }
    Ok((StatusCode::NO_CONTENT, signed_out(&app)))
}

/// Ends every session of the person, on every device; the other devices are no longer known.
#[utoipa::path(
    delete,
    path = "/api/v1/sessions",
    tag = "session",
    security(("session" = ["content.read"])),
    responses((status = 204, description = "Signed out everywhere"), MeError)
)]
#[instrument(name = "sessions.delete", skip_all)]
pub async fn delete_sessions(
    State(app): State<App>,
    account: Account,
    headers: HeaderMap,
) -> Result<impl IntoResponse, MeError> {
    let here = device::known(&app, &headers, Some(account.user_id)).await?;
    let tx = app.store.begin().await?;
    store::session::delete_all_of(&tx, account.user_id).await?;
    store::known_device::forget_others(&tx, account.user_id, here.as_ref().map(KnownDevice::hash)).await?;
    let on = On::user(&account.signed_in().user);
    audit::done(&app, &tx, &*account, Action::SessionsEnded, on, Detail::None).await?;
    tx.commit_aside().await?;
    app.sessions.forget(account.user_id);
    Ok((StatusCode::NO_CONTENT, signed_out(&app)))
}

/// Takes the cookie back and has the browser drop what it keeps of answers to this person. Drafts are cleared by the page
/// itself, which knows whose they are: `"storage"` would also clear those of the others who use the browser.
fn signed_out(app: &App) -> AppendHeaders<[(HeaderName, HeaderValue); 2]> {
    AppendHeaders([
        (SET_COOKIE, cookie::take_back(&app.settings)),
        (HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\"")),
    ])
}
