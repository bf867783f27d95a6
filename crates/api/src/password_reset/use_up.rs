//! Choosing the new password.

use app::extract::{Body, Path};
use app::mail::{Letter, flush_in_background};
use app::session::{device, end_wait, hash_in_turn};
use app::token::Token;
use app::{App, audit};
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse};
use domain::audit::{Action, Detail, On};
use domain::{MIN_PASSWORD_CHARS, UserStatus, check_password};
use serde::Deserialize;
use store::{known_device, password_reset, personal_token, session};
use tracing::instrument;
use utoipa::ToSchema;

use super::{PasswordResetError, mail};

/// The new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// At least 12 characters, and none that is common or known from a breach.
    #[schema(format = Password, min_length = 12)]
    password: String,
}

/// Choose a new password by the link of the mail; every session of the account ends, and so does the wait after failed tries.
#[utoipa::path(
    put,
    path = "/api/v1/password-resets/{token}",
    tag = "session",
    security(()),
    params(("token" = String, Path, description = "From the mail's link")),
    request_body = NewPassword,
    responses((status = 204, description = "The password is changed"), PasswordResetError)
)]
#[instrument(name = "password_reset.use", skip_all)]
pub async fn use_password_reset(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    Body(new): Body<NewPassword>,
) -> Result<impl IntoResponse, PasswordResetError> {
    let hash = Token::parse(&token).ok_or(PasswordResetError::Invalid)?.hash();
    let db = app.store.read();
    let id = password_reset::find(db, &hash, app.now()).await?.ok_or(PasswordResetError::Invalid)?;
    let user = store::user::find(db, id).await?.filter(|user| user.status == UserStatus::Active);
    let user = user.ok_or(PasswordResetError::Invalid)?;
    check_password(&new.password, &[&user.first_name, &user.last_name, &user.email])
        .map_err(|fault| PasswordResetError::Weak { reason: fault.as_str(), min: MIN_PASSWORD_CHARS })?;
    let hashed = hash_in_turn(&app, new.password).await?;
    let tx = app.store.begin().await?;
    let user = store::user::lock(&tx, id).await?.filter(|user| user.status == UserStatus::Active);
    let user = user.ok_or(PasswordResetError::Invalid)?;
    // Two at once: the second finds nothing left to take.
    if !password_reset::take(&tx, &hash).await? {
        return Err(PasswordResetError::Invalid);
    }
    store::user::set_password(&tx, id, &hashed).await?;
    password_reset::delete_all_of(&tx, id).await?;
    session::delete_all_of(&tx, id).await?;
    personal_token::delete_all_of(&tx, id).await?;
    known_device::forget_others(&tx, id, None).await?;
    audit::done(&app, &tx, &user, Action::PasswordReset, On::user(&user), Detail::None).await?;
    // The person who opened the link reads the account's mail: failed tries of others no longer make them wait.
    end_wait(&tx, &user.email).await?;
    let device = device::remember(&app, &tx, &headers, id).await?;
    let mail = Letter::from(mail::changed(&user)).enqueue(&app, &tx).await?;
    tx.commit().await?;
    app.sessions.forget(id);
    flush_in_background(&app, vec![mail]);
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(SET_COOKIE, device)])))
}
