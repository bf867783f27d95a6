//! Confirming one's identity with the password while signed in: the person at the screen may not be the account's owner.

use axum::http::HeaderMap;

use super::throttle::Attempt;
use super::{device, is_right};
use crate::App;
use crate::client_address::ClientAddress;
use crate::problem::Internal;
use crate::session_cache::SignedIn;

/// How a proof came out.
pub enum Proof {
    /// The password is right. The try is taken back where what it was for is done.
    Right(Attempt),
    /// It is another one, and the try counts as a failure.
    Wrong,
    /// Too many failures: it was not judged.
    Wait {
        /// Seconds to wait.
        retry_after_s: i64,
    },
}

/// Judges the password of the person behind a session. Guessing it here waits as it does at the sign-in.
pub async fn prove(
    app: &App,
    session: &SignedIn,
    headers: &HeaderMap,
    client: ClientAddress,
    password: String,
) -> Result<Proof, Internal> {
    let user = &session.user;
    let device = device::known(app, headers, Some(user.id)).await?;
    let attempt = match Attempt::begin(app, &user.email, client.network(), device.as_ref()).await? {
        Ok(attempt) => attempt,
        Err(retry_after_s) => return Ok(Proof::Wait { retry_after_s }),
    };
    let hash = store::user::password_hash(app.store.read(), user.id).await?;
    let too_long = password.chars().count() > domain::MAX_PASSWORD_CHARS;
    if too_long || !is_right(app, password, hash).await? {
        attempt.failed(app).await?;
        return Ok(Proof::Wrong);
    }
    Ok(Proof::Right(attempt))
}
