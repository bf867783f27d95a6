//! A cache of the sessions of the last seconds, so that a request need not look its user up in the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{Actor, Instant, User, UserId};
use metrics::counter;
use store::session::TokenHash;

/// The user of a session, and until when it is valid.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The person as the rules of ownership see them.
    pub actor: Actor,
    /// The person.
    pub user: User,
    /// When the session ends.
    pub expires_at: Instant,
    /// The session's number, for ending it.
    pub id: i64,
    /// The session itself.
    pub token_hash: TokenHash,
}

/// How long an entry is used without asking the database: a session that ended on another server is refused here after at
/// most so long. On the server where it ended it is refused at once.
pub const MAX_STALENESS_S: i64 = 1;
/// At this number, entries that are too old are dropped.
const MAX_ENTRIES: usize = 10_000;

/// The entries, each with the instant it was read at.
#[derive(Debug, Default)]
pub struct SessionCache(Mutex<HashMap<TokenHash, (Instant, Arc<SignedIn>)>>);

impl SessionCache {
    /// The session of a token, if it was read a moment ago.
    pub(crate) fn get(&self, hash: &TokenHash, now: Instant) -> Option<Arc<SignedIn>> {
        let entries = self.entries();
        let known = entries.get(hash).filter(|(read_at, _)| now.since_s(*read_at) < MAX_STALENESS_S);
        let known = known.filter(|(_, found)| now < found.expires_at).map(|(_, found)| Arc::clone(found));
        drop(entries);
        let result = if known.is_some() { "hit" } else { "miss" };
        counter!("jalon_cache_requests_total", "cache" => "sessions", "result" => result).increment(1);
        known
    }

    /// Remembers a session that was just read.
    pub(crate) fn put(&self, found: Arc<SignedIn>, now: Instant) {
        let mut entries = self.entries();
        if entries.len() >= MAX_ENTRIES {
            entries.retain(|_, (read_at, _)| now.since_s(*read_at) < MAX_STALENESS_S);
        }
        if entries.len() < MAX_ENTRIES {
            entries.insert(found.token_hash, (now, found));
        }
    }

    /// Forgets one session.
    pub fn forget_one(&self, hash: &TokenHash) {
        self.entries().remove(hash);
    }

    /// Forgets all there is of a person: they signed out, were blocked, or changed.
    pub fn forget(&self, user: UserId) {
        self.entries().retain(|_, (_, found)| found.user.id != user);
    }

    /// Forgets all sessions: which white-labels people work in changed.
    pub fn forget_all(&self) {
        self.entries().clear();
    }

    /// A panic elsewhere leaves the map valid: no entry is half-written.
    fn entries(&self) -> MutexGuard<'_, HashMap<TokenHash, (Instant, Arc<SignedIn>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
