//! Tokens of sessions and links: random, and stored as a hash only where they open something. Checksums as text.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use domain::hexadecimal;
use sha2::{Digest, Sha256};
use store::session::TokenHash;

use crate::random::random_bytes;

/// A stored name where only equality matters: half of its SHA-256.
pub(crate) fn pseudonym(name: &str) -> String {
    hexadecimal(&Sha256::digest(name.as_bytes())[..16])
}

/// A token as the client has it: 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    pub fn random() -> Self {
        Self(hexadecimal(&random_bytes::<32>()))
    }

    /// The sent text as a token, if it can be one.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| Self(text.to_owned()))
    }

    /// The text of the cookie or the link.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash that is stored instead of it.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The token of `Authorization: Bearer …`. The name of the scheme has no case (RFC 9110, 11.1).
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A new token of 26 letters and digits: 130 bits, and no letter that is mistaken for another when it is read aloud.
pub fn new_token() -> String {
    random_bytes::<26>().iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The checksum of a file, hexadecimal.
pub fn checksum(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_are_never_the_same() {
        let (one, other) = (new_token(), new_token());
        assert_ne!(one, other);
        assert_eq!(one.len(), 26);
        assert!(one.bytes().all(|byte| LETTERS.contains(&byte)));
    }
}
