//! Asking for the mail.

use app::App;
use app::extract::Body;
use app::mail::flush_in_background;
use app::mail_rate_limit::take_mail_slot;
use axum::extract::State;
use axum::http::StatusCode;
use domain::typed_emails;
use serde::Deserialize;
use tracing::instrument;
use utoipa::ToSchema;

use super::{PasswordResetError, answer};

/// The account whose password was forgotten.
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
    let emails = typed_emails(&input.email);
    let (Some(typed), Some(normal)) = (emails.first(), emails.last()) else { return Ok(StatusCode::ACCEPTED) };
    let retry_after_s = take_mail_slot(&app, "reset", normal).await?;
    if retry_after_s > 0 {
        return Err(PasswordResetError::TooManyTries { retry_after_s });
    }
    // Also where there is no such account: the job finds out, in its own time.
    let tx = app.store.begin().await?;
    let job = answer::enqueue(&app, &tx, typed).await?;
    tx.commit_aside().await?;
    flush_in_background(&app, vec![job]);
    Ok(StatusCode::ACCEPTED)
}
