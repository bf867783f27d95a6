//! Answers remembered until the next write: somebody who leafs through a list, or sorts it, asks for the same totals at
//! each page, and counting costs more than the page.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long an answer is believed when nothing is written here: what another process wrote shows after so long.
const BELIEVED: Duration = Duration::from_secs(5);
/// More than this many answers and all are forgotten.
const MAX_ANSWERS: usize = 1_000;

/// Counts the writes of this process.
#[derive(Debug, Default)]
pub(crate) struct Writes(AtomicU64);

impl Writes {
    /// After each commit.
    pub(crate) fn note(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    /// To be taken before the database is asked: an answer that a write overtook is then not kept.
    pub(crate) fn seen(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// Answers of one kind, by their question.
#[derive(Debug)]
pub(crate) struct Memo<V>(Mutex<Answers<V>>);

#[derive(Debug)]
struct Answers<V> {
    writes: u64,
    known: HashMap<String, (Instant, V)>,
}

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self(Mutex::new(Answers { writes: 0, known: HashMap::new() }))
    }
}

impl<V: Clone> Memo<V> {
    /// The answer, if nothing was written since it was found.
    pub(crate) fn get(&self, question: &str, writes: u64) -> Option<V> {
        let answers = self.answers();
        let (found_at, answer) = answers.known.get(question)?;
        (answers.writes == writes && found_at.elapsed() < BELIEVED).then(|| answer.clone())
    }

    /// Keeps an answer found after `writes`.
    pub(crate) fn put(&self, question: String, writes: u64, answer: V) {
        let mut answers = self.answers();
        if answers.writes > writes {
            return;
        }
        if answers.writes < writes || answers.known.len() >= MAX_ANSWERS {
            answers.known.clear();
            answers.writes = writes;
        }
        answers.known.insert(question, (Instant::now(), answer));
    }

    /// A panic elsewhere leaves the map whole: it holds no half-written answer.
    fn answers(&self) -> MutexGuard<'_, Answers<V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_lasts_until_the_next_write() {
        let (memo, writes) = (Memo::default(), Writes::default());
        memo.put("lac".to_owned(), writes.seen(), 12);
        assert_eq!(memo.get("lac", writes.seen()), Some(12));
        assert_eq!(memo.get("col", writes.seen()), None);
        writes.note();
        assert_eq!(memo.get("lac", writes.seen()), None);
    }

    #[test]
    fn an_answer_that_a_write_overtook_is_not_kept() {
        let (memo, writes) = (Memo::default(), Writes::default());
        let before = writes.seen();
        writes.note();
        memo.put("col".to_owned(), writes.seen(), 3);
        memo.put("lac".to_owned(), before, 12);
        assert_eq!(memo.get("lac", writes.seen()), None);
        assert_eq!(memo.get("col", writes.seen()), Some(3), "and does not drive out what is true");
    }

    #[test]
    fn there_are_never_too_many() {
        let memo = Memo::default();
        for question in 0..=MAX_ANSWERS {
            memo.put(question.to_string(), 0, ());
        }
        assert_eq!(memo.get("0", 0), None);
        assert_eq!(memo.get(&MAX_ANSWERS.to_string(), 0), Some(()));
    }
}
