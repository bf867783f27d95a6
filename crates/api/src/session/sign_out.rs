//! Signing out: here, or everywhere.

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse};
use tracing::instrument;

use super::cookie::{self, Sent};
use crate::App;
use crate::extract::Account;
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
        let session = store::session::find(app.store.read(), &token.hash()).await?;
        let tx = app.store.begin().await?;
        store::session::delete(&tx, &token.hash()).await?;
        tx.commit_aside().await?;
        if let Some(session) = session {
            app.sessions.forget(session.user_id);
        }
    }
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(SET_COOKIE, cookie::take_back(&app.settings))])))
}

/// Ends every session of the person, on every device.
#[utoipa::path(
    delete,
    path = "/api/v1/sessions",
    tag = "session",
    security(("session" = ["content.read"])),
    responses((status = 204, description = "Signed out everywhere"), MeError)
)]
#[instrument(name = "sessions.delete", skip_all)]
pub async fn delete_sessions(State(app): State<App>, account: Account) -> Result<impl IntoResponse, MeError> {
    let tx = app.store.begin().await?;
    store::session::delete_all_of(&tx, account.user_id).await?;
    tx.commit_aside().await?;
    app.sessions.forget(account.user_id);
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(SET_COOKIE, cookie::take_back(&app.settings))])))
}
