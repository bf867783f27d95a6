//! Asking for the mail.

use axum::extract::State;
use axum::http::StatusCode;
use domain::throttle::wait_s;
use domain::{User, UserStatus, normalise_email};
use serde::Deserialize;
use store::{login_failure, password_reset};
use tracing::instrument;
use utoipa::ToSchema;

use super::{LINK_S, PasswordResetError, mail};
use crate::App;
use crate::extract::Body;
use crate::session::{Token, pseudonym};

/// Mails an account may be sent before it has to wait between them.
const FREE_MAILS: i64 = 3;

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
    slow_down(&app, &email).await?;
    let found = store::user::find_by_email(app.store.read(), &email).await?;
    if let Some((user, _)) = found.filter(|(user, _)| user.status == UserStatus::Active) {
        // In its own time: how long the answer takes tells nothing of the account.
        tokio::spawn(async move {
            if let Err(error) = send(&app, &user).await {
                tracing::error!(error = %error, "the password mail was not sent");
            }
        });
    }
    Ok(StatusCode::ACCEPTED)
}

/// Nobody's mailbox is filled by somebody else's finger: known or not, an address waits after three mails.
async fn slow_down(app: &App, email: &str) -> Result<(), PasswordResetError> {
    let subject = format!("reset:{}", pseudonym(email));
    let now = app.now();
    let tx = app.store.begin().await?;
    login_failure::lock(&tx, &subject).await?;
    let asked = login_failure::find(&tx, &subject).await?;
    let retry_after_s = wait_s(asked.count, asked.last_at_s, now.0, FREE_MAILS);
    if retry_after_s > 0 {
        return Err(PasswordResetError::TooManyTries { retry_after_s });
    }
    login_failure::add(&tx, &subject, now).await?;
    Ok(tx.commit().await?)
}

async fn send(app: &App, user: &User) -> Result<(), crate::problem::Internal> {
    let (token, now) = (Token::random(), app.now());
    let tx = app.store.begin().await?;
    password_reset::insert(&tx, &token.hash(), user.id, now.plus_s(LINK_S)).await?;
    tx.commit().await?;
    let mail = mail::reset(user, &app.settings.public_url, &token);
    app.mail.send(mail).await.map_err(crate::problem::Internal::new)
}
