//! Recovery codes: ten, on paper, each opens once. Kept by their hash alone.

use app::random::random_bytes;
use domain::UserId;
use sha2::{Digest, Sha256};
use store::session::TokenHash;

/// Recovery codes of one user.
const CODES: usize = 10;
/// Signs of each: 60 random bits, too many to try against a hash.
const SIGNS: usize = 12;
/// Signs in a group.
const GROUP: usize = 4;
/// Figures and letters that cannot be mistaken for one another (Crockford): no i, l, o, u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A code, in small letters, without its dashes.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RecoveryCode(String);

impl RecoveryCode {
    /// A new one.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    fn random() -> Self {
        let bytes: [u8; SIGNS] = random_bytes();
        // 256 is eight times 32: each sign is as likely as another.
        Self(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
    }

    /// The code of what was typed: dashes and spaces are left out, signs that look alike are one. None when it can be none.
    pub fn parse(typed: &str) -> Option<Self> {
        let signs = typed.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '–' | '‑'));
        let read = |sign: char| match sign.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            other => other,
        };
        let code: String = signs.map(read).collect();
        let known = code.len() == SIGNS && code.bytes().all(|sign| ALPHABET.contains(&sign));
        known.then_some(Self(code))
    }

    /// The displayed form: `4f7k-2m9c-0xqe`.
    pub fn shown(&self) -> String {
        let signs: Vec<char> = self.0.chars().collect();
        signs.chunks(GROUP).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
    }

    /// The hash that is stored; it depends on the user.
    pub fn hash(&self, user: UserId) -> TokenHash {
        Sha256::digest(format!("recovery:{}:{}", user.0, self.0).as_bytes()).into()
    }
}

/// New codes for a user who turns the second factor on.
pub(crate) fn new_codes() -> Vec<RecoveryCode> {
    (0..CODES).map(|_| RecoveryCode::random()).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn ten_different_codes_are_made_and_each_is_accepted() {
        let codes = new_codes();
        assert_eq!(codes.len(), CODES);
        for code in &codes {
            assert_eq!(code.shown().len(), SIGNS + 2);
            assert!(RecoveryCode::parse(&code.shown()).as_ref() == Some(code));
            assert_eq!(codes.iter().filter(|other| *other == code).count(), 1);
        }
    }

    #[test]
    fn a_recovery_code_is_accepted_as_people_type_it() {
        let code = RecoveryCode::parse("01ab-cdef-ghjk").unwrap();
        for typed in ["01abcdefghjk", " O1AB CDEF GHJK ", "oIab–cdef-ghjk", "0lab-cdef-ghjk"] {
            assert!(RecoveryCode::parse(typed).is_some_and(|read| read == code), "{typed}");
        }
        for wrong in ["", "123456", "01ab-cdef-ghj", "01ab-cdef-ghjkm", "01ab-cdef-ghju", "01ab-cdef-ghjé"] {
            assert!(RecoveryCode::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_hash_of_a_recovery_code_differs_between_people() {
        let code = RecoveryCode::parse("01ab-cdef-ghjk").unwrap();
        assert_ne!(code.hash(UserId(1)), code.hash(UserId(2)));
        assert_eq!(code.hash(UserId(1)), code.hash(UserId(1)));
    }
}
