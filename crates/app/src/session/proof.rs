//! Confirming one's identity with the password while signed in: the person at the screen may not be the account's owner.

use axum::http::HeaderMap;
use domain::UserId;
use macros::Problem;
use store::Tx;

use super::login_wait::Attempt;
use super::{device, is_right};
use crate::App;
use crate::client_address::ClientAddress;
use crate::problem::Internal;
use crate::session_cache::SignedIn;

/// Why a password does not confirm the person. None of it is a 401: the session is valid.
#[derive(Debug, thiserror::Error, Problem)]
pub enum ProofError {
    /// Not the user's password; the try counts as a failure.
    #[error("a wrong password")]
    #[problem(422, "me/wrong-password", field = "/password")]
    WrongPassword,
    /// Too many failures: it was not judged.
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

/// A password that was right when it was compared.
pub struct Proof {
    user: UserId,
    attempt: Attempt,
    hash: String,
}

impl Proof {
    /// Called first in the transaction of the operation that asked for the password: no longer counts the attempt, and keeps the password
    /// from being changed until the transaction ends.
    /// Refused where it was changed since it was compared: what that change ended must not be followed by more.
    pub async fn accept(&self, tx: &Tx) -> Result<(), ProofError> {
        if !store::user::hold_password(tx, self.user, &self.hash).await? {
            return Err(ProofError::WrongPassword);
        }
        self.attempt.take_back(tx).await?;
        Ok(())
    }
}

/// Judges the password of the person behind a session. Guessing it here waits as it does at the sign-in.
pub async fn prove(
    app: &App,
    session: &SignedIn,
    headers: &HeaderMap,
    client: ClientAddress,
    password: String,
) -> Result<Proof, ProofError> {
    let user = &session.user;
    let device = device::known(app, headers, Some(user.id)).await?;
    let attempt = Attempt::begin(app, &user.email, client.network(), device.as_ref()).await?;
    let attempt = attempt.map_err(|retry_after_s| ProofError::TooManyTries { retry_after_s })?;
    let hash = store::user::password_hash(app.store.read(), user.id).await?;
    let too_long = password.chars().count() > domain::MAX_PASSWORD_CHARS;
    let is_right = !too_long && is_right(app, password, hash.clone()).await?;
    if let Some(hash) = hash.filter(|_| is_right) {
        return Ok(Proof { user: user.id, attempt, hash });
    }
    attempt.failed(app).await?;
    Err(ProofError::WrongPassword)
}
