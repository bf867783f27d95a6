//! Turning it off.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use tracing::instrument;
use utoipa::ToSchema;

use super::TotpError;
use crate::App;
use crate::extract::{Account, Body};
use crate::session::{ClientAddress, Subjects, is_right};

/// The proof that it is oneself, not somebody who found the screen open.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordProof {
    /// One's password.
    #[schema(format = Password)]
    password: String,
}

/// Turn the second factor off: its secret and its recovery codes are forgotten. Sessions stay open.
#[utoipa::path(delete, path = "/api/v1/me/totp", tag = "session", security(("session" = ["content.read"])),
    request_body = PasswordProof, responses((status = 204, description = "Off"), TotpError))]
#[instrument(name = "me.disable_totp", skip_all)]
pub async fn disable_totp(
    State(app): State<App>,
    account: Account,
    ClientAddress(address): ClientAddress,
    Body(proof): Body<PasswordProof>,
) -> Result<StatusCode, TotpError> {
    // Guessing a password here waits as it does at the door.
    let subjects = Subjects::new(&account.signed_in().user.email, &address);
    if let Some(retry_after_s) = subjects.count(&app).await? {
        return Err(TotpError::TooManyTries { retry_after_s });
    }
    let hash = store::user::password_hash(app.store.read(), account.user_id).await?;
    let too_long = proof.password.chars().count() > domain::MAX_PASSWORD_CHARS;
    if too_long || !is_right(&app, proof.password, hash).await? {
        return Err(TotpError::WrongPassword);
    }
    let tx = app.store.begin().await?;
    subjects.take_back(&tx).await?;
    store::user::drop_totp(&tx, account.user_id).await?;
    tx.commit().await?;
    app.sessions.forget(account.user_id);
    Ok(StatusCode::NO_CONTENT)
}
