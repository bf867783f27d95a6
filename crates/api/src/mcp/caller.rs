//! Who calls: a person, by one of their tokens.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use app::session_cache::SignedIn;
use axum::extract::ConnectInfo;
use axum::http::HeaderMap;
use domain::{Actor, Locale, TokenScope};

/// The calls of each token that are under way.
#[derive(Debug, Default)]
pub(super) struct UnderWay(Mutex<HashMap<i64, usize>>);

impl UnderWay {
    /// Counts a call of a token; none where it has as many under way as it may.
    pub(super) fn take(self: &Arc<Self>, token: i64, most: usize) -> Option<Place> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(token).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place { of: Arc::clone(self), token })
    }
}

/// A counted call; dropping it gives its place back.
#[derive(Debug)]
pub(super) struct Place {
    of: Arc<UnderWay>,
    token: i64,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.of.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.token) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.token);
            }
        }
    }
}

/// A request's person, token and origin.
#[derive(Debug)]
pub(super) struct Caller {
    /// The person.
    pub person: Arc<SignedIn>,
    /// The name of the token.
    pub token_name: String,
    /// What the token may be used for.
    pub scopes: Vec<TokenScope>,
    /// The connection.
    pub peer: Option<ConnectInfo<SocketAddr>>,
    /// The headers in which proxies say where the request comes from.
    pub forwarded: HeaderMap,
    /// The number of the request.
    pub request_id: String,
    /// The call's place among those of the token.
    pub _place: Place,
}

impl Caller {
    /// The person for the rules of ownership.
    pub(super) fn actor(&self) -> &Actor {
        &self.person.actor
    }

    /// The language of the person.
    pub(super) fn locale(&self) -> Locale {
        self.person.user.locale
    }
}
