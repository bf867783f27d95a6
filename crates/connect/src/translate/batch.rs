//! Many texts, asked for in batches that a service takes.

use std::ops::Range;

use super::{Translate, TranslateError, Translated, TranslationRequest};

/// The most texts asked for at once.
pub const MAX_TEXTS: usize = 50;

/// Splits texts into requests of at most [`MAX_TEXTS`] texts and `max_bytes` bytes. A longer text gets a request of its own.
pub fn batches(texts: &[String], max_bytes: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        let full = at - start == MAX_TEXTS || (at > start && bytes + text.len() > max_bytes);
        if full {
            parts.push(start..at);
            (start, bytes) = (at, 0);
        }
        bytes += text.len();
    }
    if start < texts.len() {
        parts.push(start..texts.len());
    }
    parts
}

/// Asks for one batch. One that is too large for the service is asked for in halves, down to a single text; of a single one that
/// is too large still, nothing comes back.
pub fn in_parts(
    service: &dyn Translate,
    asked: TranslationRequest<'_>,
) -> Result<Vec<Option<Translated>>, TranslateError> {
    match service.translate(asked) {
        Ok(found) => Ok(found.into_iter().map(Some).collect()),
        Err(TranslateError::TooLarge) if asked.texts.len() <= 1 => Ok(vec![None; asked.texts.len()]),
        Err(TranslateError::TooLarge) => {
            let (first, second) = asked.texts.split_at(asked.texts.len() / 2);
            let mut found = in_parts(service, TranslationRequest { texts: first, ..asked })?;
            found.extend(in_parts(service, TranslationRequest { texts: second, ..asked })?);
            Ok(found)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::sync::Mutex;

    use super::super::Usage;
    use super::*;

    /// Takes ten bytes at once.
    struct Small(Mutex<Vec<usize>>);

    impl Translate for Small {
        fn translate(&self, asked: TranslationRequest<'_>) -> Result<Vec<Translated>, TranslateError> {
            self.0.lock().unwrap().push(asked.texts.len());
            if asked.texts.iter().map(String::len).sum::<usize>() > 10 {
                return Err(TranslateError::TooLarge);
            }
            Ok(asked.texts.iter().map(|text| Translated { text: text.to_uppercase(), detected: None }).collect())
        }

        fn usage(&self) -> Result<Usage, TranslateError> {
            Ok(Usage::default())
        }
    }

    #[test]
    fn batches_hold_50_texts_and_so_many_bytes() {
        let texts: Vec<String> = (0..120).map(|_| "x".repeat(10)).collect();
        assert_eq!(batches(&texts, 100_000), [0..50, 50..100, 100..120]);
        assert_eq!(batches(&texts[..7], 30), [0..3, 3..6, 6..7]);
        assert_eq!(batches(&["x".repeat(99)], 30).len(), 1, "a text is never cut");
        assert!(batches(&[], 30).is_empty());
    }

    #[test]
    fn what_is_too_large_is_asked_for_in_halves() {
        let service = Small(Mutex::default());
        let asked = |texts| TranslationRequest { texts, source: None, target: "en", html: false };
        let texts = ["abcdef", "ghij", "klm", "nop"].map(str::to_owned);
        let found = in_parts(&service, asked(&texts)).unwrap();
        let words: Vec<&str> = found.iter().flatten().map(|one| one.text.as_str()).collect();
        assert_eq!(
            (words, service.0.lock().unwrap().as_slice()),
            (vec!["ABCDEF", "GHIJ", "KLM", "NOP"], &[4, 2, 2][..])
        );
        let with_one = ["abcdefghijkl", "nop"].map(str::to_owned);
        let found = in_parts(&service, asked(&with_one)).unwrap();
        assert!(found[0].is_none() && found[1].is_some(), "one that is too large does not keep the others");
    }
}
