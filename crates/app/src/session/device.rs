//! Devices on which an account signed in before: a cookie for each account, of which only a hash is stored.
//!
//! Such a device waits after its own failures alone. The token is random and looked up by its hash, so it needs no signature:
//! what the server did not hand out is not in the table.

use axum::http::{HeaderMap, HeaderValue};
use domain::{DAY_S, UserId, hexadecimal};
use store::session::TokenHash;
use store::{StoreError, Tx, known_device};

use super::cookie;
use crate::App;
use crate::Settings;
use crate::token::Token;

/// How long a device is known after its last sign-in: half a year.
pub const DEVICE_S: i64 = 180 * DAY_S;

/// The cookie is `device-<number of the account>`.
const COOKIE_PREFIX: &str = "device-";

/// The device of a request, known for the account in question.
pub struct KnownDevice {
    hash: TokenHash,
}

impl KnownDevice {
    /// The name under which its failures are counted.
    pub fn subject(&self) -> String {
        format!("device:{}", hexadecimal(&self.hash))
    }

    /// The stored hash of its token.
    pub const fn hash(&self) -> &TokenHash {
        &self.hash
    }
}

/// The device, if this account signed in on it before. An account that does not exist costs the same queries.
pub async fn known(app: &App, headers: &HeaderMap, user: Option<UserId>) -> Result<Option<KnownDevice>, StoreError> {
    let Some(token) = token_for(headers, user) else { return Ok(None) };
    let hash = token.hash();
    let owner = known_device::find(app.store.read(), &hash).await?;
    Ok((owner.is_some() && owner == user).then_some(KnownDevice { hash }))
}

/// Remembers the device for an account that proved who it is; the cookie for the answer.
pub async fn remember(app: &App, tx: &Tx, headers: &HeaderMap, user: UserId) -> Result<HeaderValue, StoreError> {
    let sent = token_for(headers, Some(user));
    // A token that the server did not issue for this account is replaced: an attacker may have planted it.
    let token = match sent {
        Some(token) if known_device::find(tx, &token.hash()).await? == Some(user) => token,
        _ => Token::random(),
    };
    known_device::remember(tx, &token.hash(), user, app.now()).await?;
    Ok(header(user, &token, &app.settings))
}

/// The token for an account; without one, that of any other account, which the lookup then does not find.
fn token_for(headers: &HeaderMap, user: Option<UserId>) -> Option<Token> {
    let own = user.and_then(|user| cookie::value(headers, |name| name == name_for(user)));
    let found = own.or_else(|| cookie::value(headers, |name| name.starts_with(COOKIE_PREFIX)));
    found.and_then(Token::parse)
}

fn name_for(user: UserId) -> String {
    format!("{COOKIE_PREFIX}{}", user.0)
}

fn header(user: UserId, token: &Token, settings: &Settings) -> HeaderValue {
    cookie::header(&name_for(user), token.as_str(), "/api/v1", DEVICE_S, settings)
}
