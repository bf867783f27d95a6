//! Secrets at rest: what must be read again (the key of a translation service, the secret of a second factor) is sealed
//! with the server's own key before it reaches the database.
//!
//! XChaCha20-Poly1305, a random nonce each time, and as associated data what the secret belongs to: a sealed value that
//! is copied to another row does not open there. Decision 0010.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use domain::Fault;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::random::random_bytes;
use crate::session::hex;

/// The form of what is sealed, told by its first byte.
const FORM: u8 = 1;
const NONCE_BYTES: usize = 24;

/// Bytes of the server's key.
pub const KEY_BYTES: usize = 32;

/// The key that seals. It is shown nowhere, not even to a debugger's print.
#[derive(Clone)]
pub struct ServerKey([u8; KEY_BYTES]);

/// What a secret belongs to: only there it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The key of a white-label's translation service.
    TranslationKey(i64),
    /// The key of a source of tourist records.
    SitCredential(i64),
    /// The key of a translation service of the platform.
    TranslatorKey(i64),
    /// The key of the model that writes for a white-label.
    AssistantKey(i64),
    /// The secret of somebody's second factor.
    Totp(i64),
}

impl Place {
    fn name(self) -> String {
        match self {
            Self::TranslationKey(id) => format!("white_label/{id}/translation_key"),
            Self::SitCredential(id) => format!("sit_source/{id}/credential"),
            Self::AssistantKey(id) => format!("white_label/{id}/assistant_key"),
            Self::TranslatorKey(id) => format!("translator/{id}/api_key"),
            Self::Totp(id) => format!("user/{id}/totp_secret"),
        }
    }
}

/// A sealed value that does not open: the key is another one, or the value was altered or belongs elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server's key does not open what is sealed here")]
pub struct DoesNotOpen;

/// A text that is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a server key is 64 hexadecimal digits (openssl rand -hex 32)")]
pub struct NoKey;

impl ServerKey {
    /// A new one.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    pub fn random() -> Self {
        Self(random_bytes())
    }

    /// The key of a text: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, NoKey> {
        let text = text.trim();
        if text.len() != KEY_BYTES * 2 || !text.is_ascii() {
            return Err(NoKey);
        }
        let mut key = [0; KEY_BYTES];
        for (byte, at) in key.iter_mut().zip((0..).step_by(2)) {
            let digits = text.get(at..at + 2).filter(|pair| pair.bytes().all(|digit| digit.is_ascii_hexdigit()));
            *byte = digits.and_then(|pair| u8::from_str_radix(pair, 16).ok()).ok_or(NoKey)?;
        }
        Ok(Self(key))
    }

    /// As it is written into its file.
    pub fn to_text(&self) -> String {
        hex(&self.0)
    }

    /// Seals a secret of a place.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    pub fn seal(&self, place: Place, secret: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE_BYTES] = random_bytes();
        let name = place.name();
        let payload = Payload { msg: secret, aad: name.as_bytes() };
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).expect("a secret is shorter than 256 GiB");
        [&[FORM], nonce.as_slice(), &sealed].concat()
    }

    /// Opens what was sealed for a place.
    pub fn open(&self, place: Place, sealed: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
        let (form, rest) = sealed.split_first().ok_or(DoesNotOpen)?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(DoesNotOpen)?;
        if *form != FORM {
            return Err(DoesNotOpen);
        }
        let name = place.name();
        let payload = Payload { msg: sealed, aad: name.as_bytes() };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| DoesNotOpen)
    }

    /// Signs a name: who has it shows that this server made it, and learns nothing of the key (HMAC-SHA256, 128 bits of it).
    pub fn sign(&self, name: &str) -> String {
        let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(&self.0).expect("a key of any length does");
        mac.update(name.as_bytes());
        hex(&mac.finalize().into_bytes()[..16])
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }
}

/// The longest key of a service that is taken, in characters.
const MAX_TYPED_CHARS: usize = 500;

/// The key of a service as it was typed, without what a copy brings along at its ends. What is inside is the service's affair,
/// but for what no header carries.
pub(crate) fn typed_key(typed: &str) -> Result<&str, Fault> {
    let key = typed.trim();
    if key.is_empty() {
        return Err(Fault::new("validation/required", "/key"));
    }
    if key.chars().count() > MAX_TYPED_CHARS {
        return Err(Fault::new("validation/too-long", "/key").with("max", MAX_TYPED_CHARS));
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Fault::new("white-label/translation-key", "/key"));
    }
    Ok(key)
}

impl std::fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerKey(…)")
    }
}

/// Whether the key opens what the database holds: none when nothing is sealed there yet.
pub async fn opens(key: &ServerKey, db: &impl store::Connection) -> Result<Option<bool>, store::StoreError> {
    let keys = store::white_label::a_translation_key(db).await?.map(|(id, sealed)| (Place::TranslationKey(id), sealed));
    let secrets = store::user::a_totp_secret(db).await?.map(|(id, sealed)| (Place::Totp(id), sealed));
    let sources = store::sit::a_credential(db).await?.map(|(id, sealed)| (Place::SitCredential(id), sealed));
    let services = store::translation::a_key(db).await?.map(|(id, sealed)| (Place::TranslatorKey(id), sealed));
    let models = store::assistant::a_key(db).await?.map(|(id, sealed)| (Place::AssistantKey(id), sealed));
    let opened: Vec<bool> = [keys, secrets, sources, services, models]
        .into_iter()
        .flatten()
        .map(|(place, sealed)| key.open(place, &sealed).is_ok())
        .collect();
    Ok((!opened.is_empty()).then(|| opened.iter().all(|one| *one)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_where_it_was_sealed_and_nowhere_else() {
        let key = ServerKey::random();
        let sealed = key.seal(Place::TranslationKey(3), b"clef");
        assert_eq!(key.open(Place::TranslationKey(3), &sealed).unwrap(), b"clef");
        assert_eq!(key.open(Place::TranslationKey(4), &sealed), Err(DoesNotOpen), "another white-label's");
        assert_eq!(key.open(Place::Totp(3), &sealed), Err(DoesNotOpen), "another secret");
        assert_eq!(ServerKey::random().open(Place::TranslationKey(3), &sealed), Err(DoesNotOpen), "another key");
    }

    #[test]
    fn what_was_altered_or_cut_does_not_open() {
        let key = ServerKey::random();
        let sealed = key.seal(Place::Totp(1), b"clef");
        for at in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert_eq!(key.open(Place::Totp(1), &altered), Err(DoesNotOpen), "byte {at}");
            assert_eq!(key.open(Place::Totp(1), &sealed[..at]), Err(DoesNotOpen), "{at} bytes of it");
        }
    }

    #[test]
    fn the_same_secret_never_looks_the_same_and_is_not_in_what_is_kept() {
        let key = ServerKey::random();
        let [one, other] = [(); 2].map(|()| key.seal(Place::Totp(1), b"une clef assez longue"));
        assert_ne!(one, other);
        assert!(!one.windows(4).any(|part| part == b"clef"));
    }

    #[test]
    fn a_key_is_64_hexadecimal_digits() {
        let key = ServerKey::random();
        let sealed = key.seal(Place::Totp(1), b"clef");
        let read = ServerKey::parse(&format!("{}\n", key.to_text())).unwrap();
        assert_eq!(read.open(Place::Totp(1), &sealed).unwrap(), b"clef");
        for wrong in ["", "abc", &"g".repeat(64), &"é".repeat(32), &"+1".repeat(32)] {
            assert_eq!(ServerKey::parse(wrong).err(), Some(NoKey), "{wrong}");
        }
        assert_eq!(format!("{key:?}"), "ServerKey(…)");
    }
}
