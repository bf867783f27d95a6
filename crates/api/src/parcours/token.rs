//! Random tokens.

use crate::problem::Internal;

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A new token of 26 letters and digits: 130 bits, and no letter that is mistaken for another when it is read aloud.
pub(crate) fn new_token() -> Result<String, Internal> {
    let mut random = [0_u8; 26];
    getrandom::fill(&mut random).map_err(|error| Internal::new(error.to_string()))?;
    Ok(random.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn two_words_are_never_the_same() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 26);
        assert!(one.bytes().all(|byte| LETTERS.contains(&byte)));
    }
}
