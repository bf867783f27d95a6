//! Randomness of the system, for what must not be guessed.

/// Random bytes.
///
/// # Panics
/// When the system has no randomness, without which nothing is safe.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}
