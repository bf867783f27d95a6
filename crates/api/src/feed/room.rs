//! What the feeds remember between two questions, until the next write.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use store::session::TokenHash;

use super::answer::Answer;
use super::door::PublicKey;
use super::facts::Facts;
use super::pace::Pace;

/// How long something is believed when nothing is written here: what another process wrote shows after so long.
const BELIEVED: Duration = Duration::from_secs(5);
/// Bytes of answers that are kept; one more and all are forgotten.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// Things of a kind that are kept.
const MAX_KEPT: usize = 4_096;

/// What the feeds remember.
#[derive(Debug, Default)]
pub(crate) struct FeedRoom {
    pub(super) keys: Remembered<TokenHash, PublicKey>,
    pub(super) facts: Remembered<(), Arc<Facts>>,
    pub(super) answers: Remembered<String, Arc<Answer>>,
    pub(super) pace: Pace,
}

/// Things found by their question, with what each weighs.
#[derive(Debug)]
pub(super) struct Remembered<K, V>(Mutex<Kept<K, V>>);

#[derive(Debug)]
struct Kept<K, V> {
    writes: u64,
    bytes: usize,
    found: HashMap<K, (Instant, V)>,
}

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Kept { writes: 0, bytes: 0, found: HashMap::new() }))
    }
}

impl<K: std::hash::Hash + Eq, V: Clone> Remembered<K, V> {
    /// What was found, if nothing was written since.
    pub(super) fn get<Q>(&self, question: &Q, writes: u64) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
        Q: std::hash::Hash + Eq + ?Sized,
    {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, found) = kept.found.get(question)?;
        (kept.writes == writes && at.elapsed() < BELIEVED).then(|| found.clone())
    }

    /// Keeps what was found after `writes`, and weighs so much.
    pub(super) fn put(&self, question: K, writes: u64, found: V, bytes: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.writes > writes || bytes > MAX_BYTES / 4 {
            return;
        }
        if kept.writes < writes || kept.bytes + bytes > MAX_BYTES || kept.found.len() >= MAX_KEPT {
            kept.found.clear();
            (kept.writes, kept.bytes) = (writes, 0);
        }
        kept.bytes += bytes;
        kept.found.insert(question, (Instant::now(), found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_lasts_until_the_next_write() {
        let room: Remembered<String, i32> = Remembered::default();
        room.put("lac".to_owned(), 1, 12, 10);
        assert_eq!((room.get("lac", 1), room.get("lac", 2), room.get("col", 1)), (Some(12), None, None));
        room.put("col".to_owned(), 2, 3, 10);
        room.put("lac".to_owned(), 1, 12, 10);
        assert_eq!((room.get("col", 2), room.get("lac", 2)), (Some(3), None), "a late answer drives nothing out");
    }

    #[test]
    fn answers_never_take_more_than_their_share() {
        let room: Remembered<usize, ()> = Remembered::default();
        room.put(0, 0, (), MAX_BYTES);
        assert_eq!(room.get(&0, 0), None, "one alone takes a quarter at most");
        for number in 1..=5 {
            room.put(number, 0, (), MAX_BYTES / 4);
        }
        assert_eq!((room.get(&1, 0), room.get(&5, 0)), (None, Some(())));
    }
}
