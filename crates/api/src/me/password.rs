//! Another password, chosen while signed in.

use app::client_address::ClientAddress;
use app::extract::{Account, Body};
use app::mail::{Letter, flush_in_background};
use app::problem::Internal;
use app::session::{ProofError, device, hash_in_turn, prove};
use app::{App, audit};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use domain::audit::{Action, Detail, On};
use domain::{MIN_PASSWORD_CHARS, check_password};
use macros::Problem;
use serde::Deserialize;
use store::{known_device, password_reset, personal_token, session};
use tracing::instrument;
use utoipa::ToSchema;

use crate::password_reset::mail;

/// Why a password is not changed. None of it is a 401: the session is good.
#[derive(Debug, thiserror::Error, Problem)]
pub enum PasswordError {
    /// Not the user's present password.
    #[error("a wrong password")]
    #[problem(422, "me/wrong-password", field = "/current_password")]
    WrongPassword,
    /// The new password is too weak.
    #[error("weak password: {reason}")]
    #[problem(422, "auth/weak-password", field = "/new_password")]
    Weak {
        /// `too_short`, `too_long`, `too_simple` or `common`.
        reason: &'static str,
        /// The fewest characters.
        min: usize,
    },
    /// The new one is the old one.
    #[error("the password is the same")]
    #[problem(422, "me/same-password", field = "/new_password")]
    Same,
    /// Too many failures: wait.
    #[error("too many tries, wait {retry_after_s} s")]
    #[problem(429, "auth/too-many-tries")]
    TooManyTries {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

impl From<ProofError> for PasswordError {
    /// The field of the present password has another name here.
    fn from(refused: ProofError) -> Self {
        match refused {
            ProofError::WrongPassword => Self::WrongPassword,
            ProofError::TooManyTries { retry_after_s } => Self::TooManyTries { retry_after_s },
            ProofError::Internal(error) => Self::Internal(error),
        }
    }
}

/// The password one has, and the one to have.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    /// One's present password.
    #[schema(format = Password)]
    current_password: String,
    /// At least 12 characters, and none that is common or known from a breach.
    #[schema(format = Password, min_length = 12)]
    new_password: String,
}

/// Change the user's own password. Their other sessions and their tokens end, links sent by mail no longer work, and a mail says so.
#[utoipa::path(put, path = "/api/v1/me/password", tag = "session", security(("session" = ["content.read"])),
    request_body = PasswordChange, responses((status = 204, description = "Changed"), PasswordError))]
#[instrument(name = "me.change_password", skip_all)]
pub async fn change_password(
    State(app): State<App>,
    account: Account,
    client: ClientAddress,
    headers: HeaderMap,
    Body(change): Body<PasswordChange>,
) -> Result<StatusCode, PasswordError> {
    let user = &account.signed_in().user;
    let same = change.current_password == change.new_password;
    let known = prove(&app, account.signed_in(), &headers, client, change.current_password).await?;
    let judged = check_password(&change.new_password, &[&user.first_name, &user.last_name, &user.email]);
    let refused = match judged {
        _ if same => Some(PasswordError::Same),
        Err(fault) => Some(PasswordError::Weak { reason: fault.as_str(), min: MIN_PASSWORD_CHARS }),
        Ok(()) => None,
    };
    if let Some(refused) = refused {
        let tx = app.store.begin().await?;
        known.accept(&tx).await?;
        tx.commit_aside().await?;
        return Err(refused);
    }
    let hashed = hash_in_turn(&app, change.new_password).await?;
    let device = device::known(&app, &headers, Some(user.id)).await?;
    let tx = app.store.begin().await?;
    known.accept(&tx).await?;
    store::user::set_password(&tx, user.id, &hashed).await?;
    session::delete_others_of(&tx, user.id, &account.signed_in().token_hash).await?;
    personal_token::delete_all_of(&tx, user.id).await?;
    known_device::forget_others(&tx, user.id, device.as_ref().map(device::KnownDevice::hash)).await?;
    password_reset::delete_all_of(&tx, user.id).await?;
    audit::done(&app, &tx, user, Action::PasswordChanged, On::user(user), Detail::None).await?;
    let mail = Letter::from(mail::changed_by_its_owner(user)).enqueue(&app, &tx).await?;
    tx.commit().await?;
    app.sessions.forget(user.id);
    flush_in_background(&app, vec![mail]);
    Ok(StatusCode::NO_CONTENT)
}
