//! What the feeds keep in memory between two requests. Keys and answers are kept until the next write, and for a second at most. Reference lists,
//! itineraries, white-labels and structures are kept until one of them changes in the database.

use std::sync::{Arc, Mutex};

use app::rate_limit::RateLimiter;
use store::Memo;
use store::feed::ReferenceState;
use store::session::TokenHash;
use tokio::sync::Semaphore;

use super::access::PublicKey;
use super::answer::Answer;
use super::facts::Facts;

/// Bytes of answers that are kept.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// Things of a kind that are kept.
const MAX_KEPT: usize = 4_096;

/// Packs that are written at once.
const PACKS_AT_ONCE: usize = 4;

/// The state of the reference lists, the white-labels and the structures, and that of the itineraries.
pub(super) type FactsState = (ReferenceState, [i64; 4]);

/// What the feeds remember.
#[derive(Debug)]
pub(crate) struct FeedState {
    pub(super) keys: Memo<PublicKey, TokenHash>,
    pub(super) facts: Memo<Arc<Facts>, ()>,
    /// The facts that were read last, and the state of the database at that time. When the state changes, they are read again.
    pub(super) last_facts: Mutex<Option<(FactsState, Arc<Facts>)>>,
    pub(super) answers: Memo<Arc<Answer>>,
    pub(super) limiter: RateLimiter,
    /// Packs that are being written: each reads up to 100 MB.
    pub(super) packs: Arc<Semaphore>,
}

impl Default for FeedState {
    fn default() -> Self {
        Self {
            keys: Memo::holding("feed_keys", MAX_KEPT, MAX_BYTES),
            facts: Memo::holding("feed_facts", 1, MAX_BYTES),
            last_facts: Mutex::default(),
            answers: Memo::holding("feed_answers", MAX_KEPT, MAX_BYTES),
            limiter: RateLimiter::default(),
            packs: Arc::new(Semaphore::new(PACKS_AT_ONCE)),
        }
    }
}
