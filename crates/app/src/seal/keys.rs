//! The server's keys: one that seals and signs, older ones that only open and verify. What seals and what signs are derived
//! separately from each (HKDF-SHA256, RFC 5869), so that neither says anything of the other. Decision 0035.

use std::sync::{Arc, PoisonError, RwLock};

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use domain::hexadecimal;
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::Place;
use crate::random::random_bytes;

/// First byte of what older versions sealed: with the server key itself, without the server a key was entered for.
const FORM_UNBOUND: u8 = 1;
/// First byte of what is sealed now: key id, nonce, ciphertext.
const FORM_BOUND: u8 = 2;
const NONCE_BYTES: usize = 24;
const ID_BYTES: usize = 8;
/// Bytes of a signature that are written: 128 bits.
const SIGNATURE_BYTES: usize = 16;

/// Bytes of the server's key.
pub const KEY_BYTES: usize = 32;

/// Names a key without saying anything of it: 64 bits derived from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId([u8; ID_BYTES]);

impl std::fmt::Display for KeyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hexadecimal(&self.0))
    }
}

/// One key of a server. It prints as `SecretKey(…)`.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey([u8; KEY_BYTES]);

/// A text that is not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a server key is 64 hexadecimal digits (openssl rand -hex 32)")]
pub struct NoKey;

impl SecretKey {
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

    /// The key as text for its file.
    pub fn to_text(&self) -> String {
        hexadecimal(&self.0)
    }

    /// Its name.
    pub fn id(&self) -> KeyId {
        KeyId(self.derived(b"jalon/v2/key-id"))
    }

    /// Bytes derived from the key and a label; those of another label reveal nothing of them.
    fn derived<const BYTES: usize>(&self, label: &[u8]) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        Hkdf::<Sha256>::new(None, &self.0).expand(label, &mut bytes).expect("HKDF-SHA256 gives up to 8,160 bytes");
        bytes
    }

    fn sealing(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.derived::<KEY_BYTES>(b"jalon/v2/seal").into())
    }

    fn mac(key: &[u8], name: &str) -> Hmac<Sha256> {
        let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).expect("a key of any length does");
        mac.update(name.as_bytes());
        mac
    }

    fn signed(&self, name: &str) -> Hmac<Sha256> {
        Self::mac(&self.derived::<KEY_BYTES>(b"jalon/v2/sign"), name)
    }

    /// As older versions signed: with the key itself.
    fn signed_underived(&self, name: &str) -> Hmac<Sha256> {
        Self::mac(&self.0, name)
    }
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

/// The keys of a server at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRing {
    /// Seals and signs.
    pub current: SecretKey,
    /// Only open and verify: what was sealed before a rotation.
    pub old: Vec<SecretKey>,
}

impl KeyRing {
    fn all(&self) -> impl Iterator<Item = &SecretKey> {
        std::iter::once(&self.current).chain(&self.old)
    }
}

/// Where the keys are read again: a rotation may change them while the server runs.
pub type KeySource = Arc<dyn Fn() -> Option<KeyRing> + Send + Sync>;

/// The keys of a server. Cloning it is cheap and shares them; it prints as `ServerKey(…)`.
#[derive(Clone)]
pub struct ServerKey {
    ring: Arc<RwLock<KeyRing>>,
    source: Option<KeySource>,
}

/// Why a sealed value does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DoesNotOpen {
    /// It was sealed with a key that this server does not have.
    #[error("sealed with the key {0}, which this server does not have")]
    OtherKey(KeyId),
    /// The key is here, and the value was altered, belongs to another record, or was entered for another server.
    #[error("the value was altered, or belongs elsewhere")]
    Elsewhere,
    /// An older form that none of the keys opens.
    #[error("none of the server's keys opens it")]
    NoKeyOpens,
    /// Not a sealed value at all.
    #[error("no sealed value")]
    Damaged,
}

impl ServerKey {
    /// A server with one key.
    pub fn new(current: SecretKey) -> Self {
        Self::of(KeyRing { current, old: Vec::new() }, None)
    }

    /// A server with these keys, which are read again at their source when a value names one that is not among them.
    pub fn of(ring: KeyRing, source: Option<KeySource>) -> Self {
        Self { ring: Arc::new(RwLock::new(ring)), source }
    }

    /// A server with one new key.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    pub fn random() -> Self {
        Self::new(SecretKey::random())
    }

    /// A server with the key of a text: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, NoKey> {
        SecretKey::parse(text).map(Self::new)
    }

    /// The keys it has now.
    pub fn ring(&self) -> KeyRing {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the keys again. True when they are others than before.
    fn refreshed(&self) -> bool {
        let Some(read) = self.source.as_ref().and_then(|source| source()) else { return false };
        let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        let is_other = *ring != read;
        *ring = read;
        is_other
    }

    /// Seals a secret of a place, with the key that is current by now.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    pub fn seal(&self, place: Place<'_>, secret: &[u8]) -> Vec<u8> {
        self.refreshed();
        let key = self.ring().current;
        let nonce: [u8; NONCE_BYTES] = random_bytes();
        let bound = place.bound();
        let payload = Payload { msg: secret, aad: bound.as_bytes() };
        let sealed = key.sealing().encrypt(&XNonce::from(nonce), payload).expect("a secret is shorter than 256 GiB");
        [&[FORM_BOUND], key.id().0.as_slice(), nonce.as_slice(), &sealed].concat()
    }

    /// Opens what was sealed for a place.
    pub fn open(&self, place: Place<'_>, sealed: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
        match self.opened(place, sealed) {
            Err(DoesNotOpen::OtherKey(_) | DoesNotOpen::NoKeyOpens) if self.refreshed() => self.opened(place, sealed),
            done => done,
        }
    }

    fn opened(&self, place: Place<'_>, sealed: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
        let ring = self.ring();
        let (form, rest) = sealed.split_first().ok_or(DoesNotOpen::Damaged)?;
        match *form {
            FORM_BOUND => {
                let (id, rest) = rest.split_first_chunk::<ID_BYTES>().ok_or(DoesNotOpen::Damaged)?;
                let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(DoesNotOpen::Damaged)?;
                let key = ring.all().find(|key| key.id().0 == *id).ok_or(DoesNotOpen::OtherKey(KeyId(*id)))?;
                let bound = place.bound();
                let payload = Payload { msg: sealed, aad: bound.as_bytes() };
                key.sealing().decrypt(&XNonce::from(*nonce), payload).map_err(|_| DoesNotOpen::Elsewhere)
            }
            FORM_UNBOUND => {
                let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(DoesNotOpen::Damaged)?;
                let name = place.name();
                let open = |key: &SecretKey| {
                    let payload = Payload { msg: sealed, aad: name.as_bytes() };
                    XChaCha20Poly1305::new(&key.0.into()).decrypt(&XNonce::from(*nonce), payload).ok()
                };
                ring.all().find_map(open).ok_or(DoesNotOpen::NoKeyOpens)
            }
            _ => Err(DoesNotOpen::Damaged),
        }
    }

    /// Whether a value is sealed in the present form with the current key: nothing is left to do for it.
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        let current = self.ring().current.id();
        sealed.split_first().is_some_and(|(form, rest)| *form == FORM_BOUND && rest.starts_with(&current.0))
    }

    /// The name of the key that sealed a value; none for one of the older form, which does not say.
    pub fn id_of(sealed: &[u8]) -> Option<KeyId> {
        let (form, rest) = sealed.split_first()?;
        rest.first_chunk::<ID_BYTES>().filter(|_| *form == FORM_BOUND).map(|id| KeyId(*id))
    }

    /// Signs a name with the current key: a valid signature proves that this server made it (HMAC-SHA256, 128 bits of it).
    pub fn sign(&self, name: &str) -> String {
        hexadecimal(&self.ring().current.signed(name).finalize().into_bytes()[..SIGNATURE_BYTES])
    }

    /// Whether a signature of a name is valid: made with the current key or an old one, in the form of this version or of the one
    /// before. The time it takes does not reveal how much of it is right.
    pub fn verifies(&self, name: &str, signature: &str) -> bool {
        let known = |ring: &KeyRing| {
            let sent = from_hex(signature);
            ring.all().any(|key| {
                [key.signed(name), key.signed_underived(name)]
                    .into_iter()
                    .any(|mac| sent.is_some_and(|sent| mac.verify_truncated_left(&sent).is_ok()))
            })
        };
        known(&self.ring()) || (self.refreshed() && known(&self.ring()))
    }

    /// Seals as earlier versions did, for tests of data they left behind.
    #[doc(hidden)]
    pub fn seal_unbound(&self, place: Place<'_>, secret: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE_BYTES] = random_bytes();
        let name = place.name();
        let payload = Payload { msg: secret, aad: name.as_bytes() };
        let key = self.ring().current.0;
        let sealed = XChaCha20Poly1305::new(&key.into()).encrypt(&XNonce::from(nonce), payload);
        [&[FORM_UNBOUND], nonce.as_slice(), &sealed.expect("a secret is shorter than 256 GiB")].concat()
    }

    /// Signs as earlier versions did, for tests of data they left behind.
    #[doc(hidden)]
    pub fn sign_underived(&self, name: &str) -> String {
        hexadecimal(&self.ring().current.signed_underived(name).finalize().into_bytes()[..SIGNATURE_BYTES])
    }
}

fn from_hex(text: &str) -> Option<[u8; SIGNATURE_BYTES]> {
    let mut bytes = [0; SIGNATURE_BYTES];
    if text.len() != SIGNATURE_BYTES * 2
        || !text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
    {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

impl std::fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerKey(…)")
    }
}
