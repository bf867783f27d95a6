//! Secrets at rest: what must be read again (the key of a translation service, the secret of a second factor) is sealed
//! with a key of the server before it reaches the database.
//!
//! XChaCha20-Poly1305, a random nonce each time, and as associated data the record that the secret belongs to and, for the
//! key of an outside service, the server it was entered for: copied to another row, or with the address changed, it does
//! not open. Decisions 0010 and 0035.

mod agreement;
mod keys;
mod rotate;

pub use agreement::{OtherKey, adopt, agree};
use domain::Fault;
pub use keys::{DoesNotOpen, KEY_BYTES, KeyId, KeyRing, KeySource, NoKey, SecretKey, ServerKey};
pub use rotate::{Resealed, Survey, bind_old_keys, opens, reseal, survey};
use store::sealed::SealedColumn;

/// The record a secret belongs to, and the origin it was entered for (`domain::service_key::origin`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// The key of a white-label's translation service.
    TranslationKey(i64, &'a str),
    /// The key of a source of tourist records.
    SitCredential(i64, &'a str),
    /// The key of a source of routes.
    ImportCredential(i64, &'a str),
    /// The key of a feed of public transport.
    TransportCredential(i64, &'a str),
    /// The key of a translation service of the platform.
    TranslatorKey(i64, &'a str),
    /// The key of the model that writes for a white-label.
    AssistantKey(i64, &'a str),
    /// The secret of a person's second factor.
    Totp(i64),
    /// The sealed part of a job's payload.
    JobPayload(i64),
}

impl<'a> Place<'a> {
    /// The place of a value in a column.
    pub fn of(column: SealedColumn, id: i64, origin: &'a str) -> Self {
        match column {
            SealedColumn::TranslationKey => Self::TranslationKey(id, origin),
            SealedColumn::TranslatorKey => Self::TranslatorKey(id, origin),
            SealedColumn::AssistantKey => Self::AssistantKey(id, origin),
            SealedColumn::SitCredential => Self::SitCredential(id, origin),
            SealedColumn::ImportCredential => Self::ImportCredential(id, origin),
            SealedColumn::TransportCredential => Self::TransportCredential(id, origin),
            SealedColumn::TotpSecret => Self::Totp(id),
            SealedColumn::JobPayload => Self::JobPayload(id),
        }
    }

    fn name(self) -> String {
        match self {
            Self::TranslationKey(id, _) => format!("white_label/{id}/translation_key"),
            Self::SitCredential(id, _) => format!("sit_source/{id}/credential"),
            Self::ImportCredential(id, _) => format!("import_source/{id}/credential"),
            Self::TransportCredential(id, _) => format!("transport_feed/{id}/credential"),
            Self::AssistantKey(id, _) => format!("white_label/{id}/assistant_key"),
            Self::TranslatorKey(id, _) => format!("translator/{id}/api_key"),
            Self::Totp(id) => format!("user/{id}/totp_secret"),
            Self::JobPayload(id) => format!("job/{id}/payload"),
        }
    }

    /// The record and the origin, on two lines: neither can hold a line break.
    fn bound(self) -> String {
        let origin = match self {
            Self::TranslationKey(_, origin)
            | Self::SitCredential(_, origin)
            | Self::ImportCredential(_, origin)
            | Self::TransportCredential(_, origin)
            | Self::TranslatorKey(_, origin)
            | Self::AssistantKey(_, origin) => origin,
            Self::Totp(_) | Self::JobPayload(_) => "",
        };
        format!("{}\n{origin}", self.name())
    }
}

/// The longest key of a service that is taken, in characters.
const MAX_TYPED_CHARS: usize = 500;

/// The key of a service as the user typed it, without blanks at its ends. Its form depends on the service; it only must be valid in an
/// HTTP header.
///
/// # Errors
/// If it is empty, too long, or not valid in a header.
pub fn typed_key(typed: &str) -> Result<&str, Fault> {
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

/// Why a key cannot be entered for an address: it has none yet, or it is on the public Internet without encryption.
/// `private_allowed`: the operator lets this kind of service be in the private network, where each connection is checked.
pub fn origin_fault(origin: &str, private_allowed: bool) -> Option<Fault> {
    if origin.is_empty() {
        return Some(Fault::new("service-key/address-first", "/key"));
    }
    let plain = domain::service_key::is_plain_http(origin) && !private_allowed;
    plain.then(|| Fault::new("service-key/https-required", "/key"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests;
