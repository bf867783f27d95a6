//! Answers remembered until the next write: somebody who leafs through a list, or sorts it, asks for the same totals at
//! each page, and counting costs more than the page.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::Value;

use crate::parcours::sql::{get, one};
use crate::{Connection, StoreError};

/// How long an answer is believed when nothing is written here: what another process wrote shows after so long.
const BELIEVED: Duration = Duration::from_secs(5);
/// More than this many answers and all are forgotten.
const MAX_ANSWERS: usize = 1_000;
/// Bytes of the longest question that is kept: one that lists thousands of numbers is not asked twice.
const MAX_QUESTION: usize = 4_096;

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
        if answers.writes > writes || question.len() > MAX_QUESTION {
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

/// Whole numbers a statement finds in one row (0 where it finds nothing), remembered until the next write; a transaction asks
/// for itself.
pub(crate) async fn remembered<const N: usize>(
    db: &impl Connection,
    sql: &str,
    values: Vec<Value>,
) -> Result<[i64; N], StoreError> {
    let Some(totals) = db.totals() else { return numbers_of(db, sql, values).await };
    let question = format!("{sql} {values:?}");
    if let Some(known) = totals.numbers.get(&question, totals.writes).and_then(|known| known.try_into().ok()) {
        return Ok(known);
    }
    let found = numbers_of::<N>(db, sql, values).await?;
    totals.numbers.put(question, totals.writes, found.to_vec());
    Ok(found)
}

async fn numbers_of<const N: usize>(
    db: &impl Connection,
    sql: &str,
    values: Vec<Value>,
) -> Result<[i64; N], StoreError> {
    let mut found = [0; N];
    if let Some(row) = one(db, sql, values).await? {
        for (column, number) in found.iter_mut().enumerate() {
            *number = get::<Option<i64>>(&row, column)?.unwrap_or(0);
        }
    }
    Ok(found)
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
    fn a_question_without_end_is_not_kept() {
        let memo = Memo::default();
        memo.put("1,".repeat(MAX_QUESTION), 0, 2);
        memo.put("1,".to_owned(), 0, 1);
        assert_eq!((memo.get(&"1,".repeat(MAX_QUESTION), 0), memo.get("1,", 0)), (None, Some(1)));
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
