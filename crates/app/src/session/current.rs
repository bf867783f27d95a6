//! The signed-in user of a request.

use std::sync::Arc;
use std::time::Duration;

use axum::http::request::Parts;
use domain::{Actor, Capability, User, UserId, UserStatus};
use store::personal_token::PersonalToken;
use store::session::TokenHash;

use super::cookie::{self, Sent};
use crate::session_cache::SignedIn;
use crate::{App, Rejection, audit};

/// A session in use is noted as such when the note is older than this.
const TOUCH_AFTER_S: i64 = 300;
/// Reading never waits longer than this to note it; the next request tries again.
const TOUCH_TIMEOUT: Duration = Duration::from_millis(250);

/// The person for whom this server sends a request to its own operations, because a program asked for it with a personal token. It is in
/// the extensions of the request, which only this server fills: no header and no body of a client sets it.
#[derive(Debug, Clone)]
pub struct OnBehalfOf(pub Arc<SignedIn>);

/// The signed-in person behind a request.
pub async fn signed_in(app: &App, parts: &Parts) -> Result<Arc<SignedIn>, Rejection> {
    if let Some(OnBehalfOf(found)) = parts.extensions.get() {
        audit::asked_by(&found.actor);
        return Ok(Arc::clone(found));
    }
    let token = match cookie::read(&parts.headers) {
        Sent::Nothing => return Err(Rejection::SessionRequired),
        Sent::Malformed => return Err(Rejection::SessionExpired),
        Sent::Token(token) => token,
    };
    let (hash, now) = (token.hash(), app.now());
    if let Some(found) = app.sessions.get(&hash, now) {
        audit::asked_by(&found.actor);
        return Ok(found);
    }
    let db = app.store.read();
    let idle_s = app.settings.session_idle_s;
    let session = store::session::find(db, &hash).await?.filter(|session| session.is_open(now, idle_s));
    let session = session.ok_or(Rejection::SessionExpired)?;
    let (actor, user) = person(app, session.user_id).await?;
    if now.since_s(session.last_seen_at) >= TOUCH_AFTER_S.min(idle_s / 4) {
        touch(app, session.id).await;
    }
    let found = SignedIn { actor, user, expires_at: session.expires_at, id: session.id, token_hash: hash };
    let found = Arc::new(found);
    app.sessions.put(Arc::clone(&found), now);
    audit::asked_by(&found.actor);
    Ok(found)
}

/// A person as the rules of ownership see them now, unless they are blocked or have no white-label to work in.
async fn person(app: &App, id: UserId) -> Result<(Actor, User), Rejection> {
    let db = app.store.read();
    let user = store::user::find(db, id).await?.ok_or(Rejection::SessionExpired)?;
    if user.status == UserStatus::Blocked {
        audit::about_account(user.id);
        return Err(Rejection::Blocked);
    }
    let reachable = store::user::reachable(db, &user).await?;
    let actor = user.actor(&reachable).ok_or(Rejection::NoWhiteLabel)?;
    Ok((actor, user))
}

/// The owner of a personal token, read from the database at each request: rights that changed, and tokens that ended, count at once. They
/// need a second factor as a session does.
pub async fn behind_token(app: &App, token: &PersonalToken, token_hash: TokenHash) -> Result<Arc<SignedIn>, Rejection> {
    let (actor, user) = person(app, token.user_id).await?;
    if needs_totp(app, &user) && !user.totp_enabled {
        return Err(Rejection::TotpSetupRequired);
    }
    // No session has the number 0: nothing that is done with a token ends one.
    Ok(Arc::new(SignedIn { actor, user, expires_at: token.expires_at, id: 0, token_hash }))
}

/// Notes that a session is in use, where the database has a moment for it.
async fn touch(app: &App, id: i64) {
    let noted = async {
        let tx = app.store.begin().await?;
        store::session::touch(&tx, id, app.now()).await?;
        tx.commit_aside().await
    };
    match tokio::time::timeout(TOUCH_TIMEOUT, noted).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the use of a session could not be noted"),
        Err(_) => tracing::debug!("the use of a session is noted by a later request: the database is busy"),
    }
}

/// The signed-in person, once their two-factor authentication is set up where it is required. Nearly every request uses this function.
pub async fn admitted(app: &App, parts: &Parts) -> Result<Arc<SignedIn>, Rejection> {
    let found = signed_in(app, parts).await?;
    if needs_totp(app, &found.user) && !found.user.totp_enabled { Err(Rejection::TotpSetupRequired) } else { Ok(found) }
}

/// Whether a user must have a second factor: administrators, where the operator requires it.
pub fn needs_totp(app: &App, user: &User) -> bool {
    app.settings.totp_required_of_admins && user.role.can(Capability::UsersManage)
}
