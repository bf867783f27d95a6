//! Asking for the mail.

use axum::extract::State;
use axum::http::StatusCode;
use domain::audit::{Action, Detail, On, Who};
use domain::{User, UserStatus, normalise_email};
use serde::Deserialize;
use store::password_reset;
use tracing::instrument;
use utoipa::ToSchema;

use super::{LINK_S, PasswordResetError, mail};
use crate::extract::Body;
use crate::mail_pace::wait_to_mail;
use crate::session::Token;
use crate::{App, audit};

/// Whose password was forgotten.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordResetInput {
    /// Address of the account.
    #[schema(example = "camille@morvan.example")]
    email: String,
}

/// Send a link to choose a new password. The answer is the same whether the account exists or not.
#[utoipa::path(
    post,
    path = "/api/v1/password-resets",
    tag = "session",
    security(()),
    request_body = PasswordResetInput,
    responses((status = 202, description = "If there is such an account, a mail is on its way"), PasswordResetError)
)]
#[instrument(name = "password_reset.create", skip_all)]
pub async fn create_password_reset(
    State(app): State<App>,
    Body(input): Body<PasswordResetInput>,
) -> Result<StatusCode, PasswordResetError> {
    let Some(email) = normalise_email(&input.email) else { return Ok(StatusCode::ACCEPTED) };
    let retry_after_s = wait_to_mail(&app, "reset", &email).await?;
    if retry_after_s > 0 {
        return Err(PasswordResetError::TooManyTries { retry_after_s });
    }
    let found = store::user::find_by_email(app.store.read(), &email).await?;
    if let Some((user, _)) = found.filter(|(user, _)| user.status == UserStatus::Active) {
        // In its own time: how long the answer takes tells nothing of the account.
        tokio::spawn(audit::carried(async move {
            if let Err(error) = send(&app, &user).await {
                tracing::error!(error = %error, "the password mail was not sent");
            }
        }));
    }
    Ok(StatusCode::ACCEPTED)
}

async fn send(app: &App, user: &User) -> Result<(), crate::problem::Internal> {
    let (token, now) = (Token::random(), app.now());
    let tx = app.store.begin().await?;
    password_reset::insert(&tx, &token.hash(), user.id, now.plus_s(LINK_S)).await?;
    // Whoever asks is not signed in: the event names the account, and nobody as its author.
    audit::done(app, &tx, Who::default(), Action::PasswordResetAsked, On::user(user), Detail::None).await?;
    tx.commit().await?;
    let mail = mail::reset(user, &app.settings.public_url, &token);
    app.mail.send(mail).await.map_err(crate::problem::Internal::new)
}
