//! Signing in and out: the cookie `authToken`, of which only a hash is stored.

mod address;
mod cache;
mod cookie;
pub(crate) use address::ClientAddress;
pub use cookie::COOKIE_NAME;
mod current;
mod error;
mod password;
mod sign_in;
mod sign_out;
mod throttle;
mod token;

pub use cache::{SessionCache, SignedIn};
pub(crate) use current::{admitted, needs_totp, signed_in};
pub use error::SignInError;
pub use password::hash_password;
pub(crate) use password::{hash_in_turn, is_right};
pub(crate) use throttle::Subjects;
pub use token::Token;
pub(crate) use token::{hex, pseudonym};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;

/// How long a session lives: a day.
pub const SESSION_S: i64 = 86_400;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sign_in::create_session, current::show_session, sign_out::delete_session))
        .routes(routes!(sign_out::delete_sessions))
}

/// Starts a session for a person: what signing in does, and what tests and tools do without a password.
pub async fn start(app: &App, user: domain::UserId) -> Result<Token, store::StoreError> {
    let token = Token::random();
    let now = app.now();
    let tx = app.store.begin().await?;
    let session = store::session::Session { user_id: user, expires_at: now.plus_s(SESSION_S) };
    store::session::insert(&tx, &token.hash(), session, now).await?;
    tx.commit_aside().await?;
    Ok(token)
}
