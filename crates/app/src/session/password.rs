//! Passwords: argon2id, 19 MiB, two passes (OWASP), a few at a time.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

use crate::App;
use crate::problem::Internal;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The hash of no known password: an unknown account takes as long as a wrong password.
const UNMATCHED: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGF0IGFsbCEhIQ$xpUvZ8UNPYzMDwE4tRQGa3bXPW1TTTHcpUH2LyMCi5I";

/// Hashes a password: tens of milliseconds of a core, so not on a thread that answers requests.
pub fn hash_password(password: &str) -> Result<String, Internal> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| Internal::new(error.to_string()))?;
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    hasher
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| Internal::new(error.to_string()))
}

/// Hashes a password on a separate thread, as many at once as there are cores.
pub async fn hash_in_turn(app: &App, password: String) -> Result<String, Internal> {
    let _turn = app.hashing.acquire().await.map_err(Internal::new)?;
    tokio::task::spawn_blocking(move || hash_password(&password)).await.map_err(Internal::new)?
}

/// Whether a password is the one of a hash. Without a hash the same work is done and the answer is no.
pub async fn is_right(app: &App, password: String, hash: Option<String>) -> Result<bool, Internal> {
    let _turn = app.hashing.acquire().await.map_err(Internal::new)?;
    // An invited user has no password yet.
    let hash = hash.filter(|hash| !hash.is_empty());
    let there = hash.is_some();
    let stored = hash.unwrap_or_else(|| UNMATCHED.to_owned());
    let right = tokio::task::spawn_blocking(move || {
        PasswordHash::new(&stored)
            .is_ok_and(|parsed| Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok())
    });
    Ok(right.await.map_err(Internal::new)? && there)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_argon2id_with_the_parameters_we_say() {
        let hash = hash_password("cheval agrafe pile").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let parsed = PasswordHash::new(&hash).unwrap();
        assert!(Argon2::default().verify_password(b"cheval agrafe pile", &parsed).is_ok());
        assert!(Argon2::default().verify_password(b"cheval agrafe pilE", &parsed).is_err());
    }

    #[test]
    fn the_hash_of_nobody_is_one_that_takes_the_same_work() {
        let parsed = PasswordHash::new(UNMATCHED).unwrap();
        let params = Params::try_from(&parsed).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (MEMORY_KIB, PASSES, LANES));
        assert!(Argon2::default().verify_password(b"", &parsed).is_err());
    }
}
