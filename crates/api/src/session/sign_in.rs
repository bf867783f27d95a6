//! Signing in.

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse};
use domain::{User, UserStatus, normalise_email};
use serde::Deserialize;
use store::Tx;
use tracing::instrument;
use utoipa::ToSchema;

use super::address::ClientAddress;
use super::error::SignInError;
use super::throttle::Subjects;
use super::{SESSION_S, SignedIn, Token, cookie, password};
use crate::App;
use crate::extract::Body;
use crate::me::MeView;
use crate::second_factor;

/// Who wants in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// Address of the account.
    #[schema(example = "camille@morvan.example")]
    email: String,
    /// Its password.
    #[schema(format = Password)]
    password: String,
    /// Where `auth/totp-required` asked for it: the code of the telephone, or a recovery code.
    #[serde(default)]
    #[schema(example = "287082")]
    totp: Option<String>,
}

/// Signs in: the answer sets the cookie `authToken` for a day.
#[utoipa::path(
    post,
    path = "/api/v1/session",
    tag = "session",
    security(()),
    request_body = Credentials,
    responses((status = 200, body = MeView), SignInError)
)]
#[instrument(name = "session.create", skip_all)]
pub async fn create_session(
    State(app): State<App>,
    ClientAddress(address): ClientAddress,
    Body(credentials): Body<Credentials>,
) -> Result<impl IntoResponse, SignInError> {
    let typed = credentials.email.trim().to_lowercase();
    let subjects = Subjects::new(&typed, &address);
    if let Some(retry_after_s) = subjects.count(&app).await? {
        return Err(SignInError::TooManyTries { retry_after_s });
    }
    let user = judge(&app, &typed, credentials.password).await?;
    let tx = app.store.begin().await?;
    if user.totp_enabled {
        let Some(code) = credentials.totp.filter(|typed| !typed.trim().is_empty()) else {
            // Half of the way: it says nothing against the account, and nothing for it either.
            subjects.take_back(&tx).await?;
            tx.commit_aside().await?;
            return Err(SignInError::TotpRequired);
        };
        second_factor::pass(&app, &tx, &user, &code).await?;
    }
    let (token, me) = start(&app, tx, user, &subjects).await?;
    Ok((AppendHeaders([(SET_COOKIE, cookie::give(&token, &app.settings))]), Json(me)))
}

/// The person, if the password is theirs and they may come in.
async fn judge(app: &App, typed: &str, password: String) -> Result<User, SignInError> {
    let found = match normalise_email(typed) {
        Some(email) => store::user::find_by_email(app.store.read(), &email).await?,
        None => None,
    };
    let (user, hash) = found.unzip();
    let too_long = password.chars().count() > domain::MAX_PASSWORD_CHARS;
    let right = !too_long && password::is_right(app, password, hash).await?;
    match user {
        Some(user) if right && user.status == UserStatus::Blocked => Err(SignInError::Blocked),
        Some(user) if right => Ok(user),
        _ => Err(SignInError::BadCredentials),
    }
}

async fn start(app: &App, tx: Tx, user: User, subjects: &Subjects) -> Result<(Token, MeView), SignInError> {
    let reachable = store::user::reachable(&tx, &user).await?;
    let actor = user.actor(&reachable).ok_or(SignInError::NoWhiteLabel)?;
    let (token, now) = (Token::random(), app.now());
    let expires_at = now.plus_s(SESSION_S);
    subjects.clear(&tx).await?;
    let session = store::session::Session { user_id: user.id, expires_at };
    store::session::insert(&tx, &token.hash(), session, now).await?;
    store::user::signed_in_at(&tx, user.id, now).await?;
    tx.commit_aside().await?;
    let me = MeView::of(app, &SignedIn { actor, user, expires_at, token_hash: token.hash() }).await?;
    Ok((token, me))
}
