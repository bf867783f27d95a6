//! Tokens: 256 random bits that nobody can guess, kept by their hash alone.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use store::session::TokenHash;

/// A token as the client holds it: 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    pub fn random() -> Self {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        let mut text = String::with_capacity(64);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// What was sent, if it can be a token.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| Self(text.to_owned()))
    }

    /// The text of the cookie or the link.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored instead of it.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}
