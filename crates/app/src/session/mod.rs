//! Sessions: the cookie `authToken`, of which only a hash is stored, and the user behind a request.

pub mod cookie;
mod current;
pub mod device;
pub mod login_wait;
pub mod password;
mod proof;
mod user_agent;

use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;
pub use cookie::COOKIE_NAME;
pub use current::{OnBehalfOf, admitted, behind_token, needs_totp, signed_in};
pub use device::DEVICE_S;
use domain::DAY_S;
pub use login_wait::end_wait;
pub use password::hash_password;
pub use password::{hash_in_turn, is_right};
pub use proof::{ProofError, prove};

use crate::App;
use crate::token::Token;

/// How long a session lives at most: a day.
pub const SESSION_S: i64 = DAY_S;

/// Starts a session for a person: what signing in does, and what tests and tools do without a password.
pub async fn start(app: &App, user: domain::UserId) -> Result<Token, store::StoreError> {
    let token = Token::random();
    let now = app.now();
    let tx = app.store.begin().await?;
    let session = new_session(user, now.plus_s(SESSION_S), &HeaderMap::new());
    store::session::insert(&tx, &token.hash(), session, now).await?;
    tx.commit_aside().await?;
    Ok(token)
}

/// A session to be, with what its owner will recognise it by.
pub fn new_session(
    user_id: domain::UserId,
    expires_at: domain::Instant,
    headers: &HeaderMap,
) -> store::session::NewSession {
    let user_agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (browser, system) = user_agent::names(user_agent);
    store::session::NewSession { user_id, expires_at, browser: browser.to_owned(), system: system.to_owned() }
}
