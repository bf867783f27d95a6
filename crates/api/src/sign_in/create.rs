//! Signing in.

use app::client_address::ClientAddress;
use app::extract::Body;
use app::session::cookie::{self, Sent};
use app::session::login_wait::Attempt;
use app::session::{SESSION_S, device, new_session, password};
use app::session_cache::SignedIn;
use app::token::Token;
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse};
use domain::audit::{Action, Detail, On};
use domain::{User, UserStatus, typed_emails};
use serde::Deserialize;
use store::Tx;
use tracing::instrument;
use utoipa::ToSchema;

use crate::me::MeView;
use crate::second_factor::{self, CodeError};
use crate::sign_in::SignInError;

/// The credentials.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// Address of the account.
    #[schema(example = "camille@morvan.example")]
    email: String,
    #[schema(format = Password)]
    password: String,
    /// Where `auth/totp-required` asked for it: the code of the telephone, or a recovery code.
    #[serde(default)]
    #[schema(example = "287082")]
    totp: Option<String>,
}

/// The answer to a sign-in that succeeded.
struct SignInReply {
    me: MeView,
    cookies: [HeaderValue; 2],
}

/// Signs in: the answer sets the cookie `authToken` for a day. The session that this browser had before ends.
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
    client: ClientAddress,
    headers: HeaderMap,
    Body(credentials): Body<Credentials>,
) -> Result<impl IntoResponse, SignInError> {
    let typed = credentials.email.trim().to_lowercase();
    let mut found = None;
    // Each is looked up, also behind one that was found: the time does not show which accounts there are.
    for email in typed_emails(&typed) {
        found = found.or(store::user::credentials(app.store.read(), &email).await?);
    }
    let (id, hash) = found.clone().unzip();
    id.into_iter().for_each(audit::about_account);
    let device = device::known(&app, &headers, id).await?;
    let begun = Attempt::begin(&app, &typed, client.network(), device.as_ref()).await?;
    let attempt = begun.map_err(|retry_after_s| SignInError::TooManyTries { retry_after_s })?;
    let too_long = credentials.password.chars().count() > domain::MAX_PASSWORD_CHARS;
    let right = !too_long && password::is_right(&app, credentials.password, hash).await?;
    let entered = match found.filter(|_| right) {
        Some((id, hash)) => enter(&app, &headers, (id, &hash), credentials.totp.as_deref(), &attempt).await,
        None => Err(SignInError::BadCredentials),
    };
    match &entered {
        Ok(_) | Err(SignInError::TotpRequired) => {}
        // A failure of the server does not count as a failed try.
        Err(SignInError::Internal(_) | SignInError::Code(CodeError::OtherKey | CodeError::Internal(_))) => {
            let tx = app.store.begin().await?;
            attempt.take_back(&tx).await?;
            tx.commit_aside().await?;
        }
        Err(_) => attempt.failed(&app).await?,
    }
    let SignInReply { me, cookies: [session, device] } = entered?;
    Ok((AppendHeaders([(SET_COOKIE, session), (SET_COOKIE, device)]), Json(me)))
}

/// Signs in an account whose password was right, with the second factor where it is on.
async fn enter(
    app: &App,
    headers: &HeaderMap,
    (id, hash): (domain::UserId, &str),
    totp: Option<&str>,
    attempt: &Attempt,
) -> Result<SignInReply, SignInError> {
    let tx = app.store.begin().await?;
    // Changed while it was compared: the sessions that its change ended must not be followed by one more.
    if !store::user::hold_password(&tx, id, hash).await? {
        return Err(SignInError::BadCredentials);
    }
    let user = store::user::find(&tx, id).await?.ok_or(SignInError::BadCredentials)?;
    if user.status == UserStatus::Blocked {
        return Err(SignInError::Blocked);
    }
    if user.totp_enabled {
        let Some(code) = totp.filter(|typed| !typed.trim().is_empty()) else {
            // The password was right and the code is missing: the try counts neither as failed nor as passed.
            attempt.take_back(&tx).await?;
            tx.commit_aside().await?;
            return Err(SignInError::TotpRequired);
        };
        second_factor::pass(app, &tx, &user, code).await?;
    }
    start(app, tx, headers, user, attempt).await
}

async fn start(
    app: &App,
    tx: Tx,
    headers: &HeaderMap,
    user: User,
    attempt: &Attempt,
) -> Result<SignInReply, SignInError> {
    let reachable = store::user::reachable(&tx, &user).await?;
    let actor = user.actor(&reachable).ok_or(SignInError::NoWhiteLabel)?;
    let (token, now) = (Token::random(), app.now());
    let expires_at = now.plus_s(SESSION_S);
    attempt.take_back(&tx).await?;
    let older = match cookie::read(headers) {
        Sent::Token(older) => Some(older.hash()),
        Sent::Nothing | Sent::Malformed => None,
    };
    if let Some(older) = &older {
        store::session::delete(&tx, older).await?;
    }
    store::session::insert(&tx, &token.hash(), new_session(user.id, expires_at, headers), now).await?;
    let device = device::remember(app, &tx, headers, user.id).await?;
    store::user::set_last_login_at(&tx, user.id, now).await?;
    audit::done(app, &tx, &user, Action::SignIn, On::user(&user), Detail::None).await?;
    tx.commit_aside().await?;
    if let Some(older) = &older {
        app.sessions.forget_one(older);
    }
    let me = MeView::of(app, &SignedIn { actor, user, expires_at, id: 0, token_hash: token.hash() }).await?;
    Ok(SignInReply { me, cookies: [cookie::give(&token, &app.settings), device] })
}
