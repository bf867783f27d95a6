//! Answers cached until the next write: a user who pages through a list, or sorts it, asks for the same totals at each page,
//! and counting costs more than the page. Public feeds cache whole answers in the same way.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use metrics::counter;

/// How long an answer is used while this process writes nothing: after that, the writes of other processes become visible.
const MAX_AGE: Duration = Duration::from_secs(1);
/// The most answers: one more clears the cache.
const MAX_ANSWERS: usize = 1_000;
/// Longer questions are not cached: one that lists thousands of numbers is hardly asked twice.
const MAX_QUESTION_BYTES: usize = 4_096;

/// Counts the writes of this process.
#[derive(Debug, Default)]
pub(crate) struct Writes(AtomicU64);

impl Writes {
    /// Counts one write: called after each commit.
    pub(crate) fn note(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    /// The number of writes so far. Read it before the query: an answer that is older than a write is then not stored.
    pub(crate) fn seen(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// Answers of one kind, by their question.
#[derive(Debug)]
pub struct Memo<V, K = String> {
    /// The value of the label `cache` in the metrics.
    name: &'static str,
    max_answers: usize,
    max_bytes: usize,
    answers: Mutex<Answers<V, K>>,
}

#[derive(Debug)]
struct Answers<V, K> {
    writes: u64,
    bytes: usize,
    known: HashMap<K, (Instant, V)>,
}

impl<V> Memo<V> {
    /// A cache for small answers.
    pub(crate) fn small(name: &'static str) -> Self {
        Self::holding(name, MAX_ANSWERS, usize::MAX)
    }
}

impl<V, K> Memo<V, K> {
    /// A cache for `max_answers` answers of `max_bytes` bytes together. It is cleared when one more would exceed them.
    pub fn holding(name: &'static str, max_answers: usize, max_bytes: usize) -> Self {
        let answers = Answers { writes: 0, bytes: 0, known: HashMap::new() };
        Self { name, max_answers, max_bytes, answers: Mutex::new(answers) }
    }

    /// A panic of another thread leaves the map valid: no answer is half-written.
    fn answers(&self) -> MutexGuard<'_, Answers<V, K>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Clone, K: Hash + Eq> Memo<V, K> {
    /// The answer, if nothing was written since it was found.
    pub fn get<Q>(&self, question: &Q, writes: u64) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let answers = self.answers();
        let known = answers.known.get(question).filter(|_| answers.writes == writes);
        let known = known.filter(|(found_at, _)| found_at.elapsed() < MAX_AGE).map(|(_, answer)| answer.clone());
        drop(answers);
        let result = if known.is_some() { "hit" } else { "miss" };
        counter!("jalon_cache_requests_total", "cache" => self.name, "result" => result).increment(1);
        known
    }

    /// Stores an answer of `bytes` bytes, found after `writes`. An answer larger than a quarter of the cache is not stored.
    pub fn keep(&self, question: K, writes: u64, answer: V, bytes: usize) {
        self.keep_aged(question, writes, answer, bytes, Duration::ZERO);
    }

    /// Stores an answer that was already `age` old when it was found: it is used for a shorter time.
    pub fn keep_aged(&self, question: K, writes: u64, answer: V, bytes: usize, age: Duration) {
        let Some(found_at) = Instant::now().checked_sub(age) else { return };
        let mut answers = self.answers();
        if answers.writes > writes || bytes > self.max_bytes / 4 {
            return;
        }
        let is_full = answers.known.len() >= self.max_answers || answers.bytes + bytes > self.max_bytes;
        if answers.writes < writes || is_full {
            answers.known.clear();
            (answers.writes, answers.bytes) = (writes, 0);
        }
        answers.bytes += bytes;
        answers.known.insert(question, (found_at, answer));
    }
}

impl<V: Clone> Memo<V> {
    /// Keeps a small answer found after `writes`.
    pub(crate) fn put(&self, question: String, writes: u64, answer: V) {
        if question.len() <= MAX_QUESTION_BYTES {
            self.keep(question, writes, answer, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_lasts_until_the_next_write() {
        let (memo, writes) = (Memo::small("test"), Writes::default());
        memo.put("lac".to_owned(), writes.seen(), 12);
        assert_eq!(memo.get("lac", writes.seen()), Some(12));
        assert_eq!(memo.get("col", writes.seen()), None);
        writes.note();
        assert_eq!(memo.get("lac", writes.seen()), None);
    }

    #[test]
    fn an_answer_that_was_old_already_is_believed_for_what_is_left_of_the_second() {
        let memo: Memo<i32, usize> = Memo::holding("test", 10, 1_000);
        memo.keep_aged(1, 0, 12, 0, Duration::from_millis(500));
        memo.keep_aged(2, 0, 13, 0, MAX_AGE);
        assert_eq!((memo.get(&1, 0), memo.get(&2, 0)), (Some(12), None));
    }

    #[test]
    fn an_answer_that_a_write_overtook_is_not_kept() {
        let (memo, writes) = (Memo::small("test"), Writes::default());
        let before = writes.seen();
        writes.note();
        memo.put("col".to_owned(), writes.seen(), 3);
        memo.put("lac".to_owned(), before, 12);
        assert_eq!(memo.get("lac", writes.seen()), None);
        assert_eq!(memo.get("col", writes.seen()), Some(3), "and does not drive out what is true");
    }

    #[test]
    fn a_question_without_end_is_not_kept() {
        let memo = Memo::small("test");
        memo.put("1,".repeat(MAX_QUESTION_BYTES), 0, 2);
        memo.put("1,".to_owned(), 0, 1);
        assert_eq!((memo.get(&"1,".repeat(MAX_QUESTION_BYTES), 0), memo.get("1,", 0)), (None, Some(1)));
    }

    #[test]
    fn answers_never_take_more_than_their_share() {
        const MAX_BYTES: usize = 64 * 1024 * 1024;
        let memo: Memo<(), usize> = Memo::holding("test", 4_096, MAX_BYTES);
        memo.keep(0, 0, (), MAX_BYTES);
        assert_eq!(memo.get(&0, 0), None, "one alone takes a quarter at most");
        for number in 1..=5 {
            memo.keep(number, 0, (), MAX_BYTES / 4);
        }
        assert_eq!((memo.get(&1, 0), memo.get(&5, 0)), (None, Some(())));
    }

    #[test]
    fn there_are_never_too_many() {
        let memo = Memo::small("test");
        for question in 0..=MAX_ANSWERS {
            memo.put(question.to_string(), 0, ());
        }
        assert_eq!(memo.get("0", 0), None);
        assert_eq!(memo.get(&MAX_ANSWERS.to_string(), 0), Some(()));
    }
}
