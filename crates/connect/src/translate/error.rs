//! Why nothing was translated, whichever the service.

use crate::http::HttpError;

/// Why nothing was translated.
#[derive(Debug, thiserror::Error)]
pub enum TranslateError {
    /// The key is wrong, or may not do this.
    #[error("the service refuses the key")]
    Key,
    /// All that may be used was used.
    #[error("the quota of the key is used up")]
    Quota,
    /// Asked too often.
    #[error("the service refuses further requests for a while")]
    TooMany {
        /// When it may be asked again.
        retry_after_s: Option<u64>,
    },
    /// A text is larger than the service takes.
    #[error("a text is too large for the service")]
    TooLarge,
    /// The service does not know one of the languages.
    #[error("the service does not know the language")]
    Language,
    /// The service is temporarily not available.
    #[error("the service is temporarily not available")]
    Unavailable,
    /// What it said makes no sense.
    #[error("the service's answer makes no sense")]
    BadAnswer,
    /// It refuses for a reason we do not know.
    #[error("the service answered with status {0}")]
    Status(u16),
    /// No answer at all.
    #[error(transparent)]
    Http(#[from] HttpError),
}

impl TranslateError {
    /// The stable code that the interface translates.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Key => "translation/key-refused",
            Self::Quota => "translation/quota",
            Self::TooMany { .. } => "translation/too-many-requests",
            Self::TooLarge | Self::Http(HttpError::TooLarge { .. }) => "translation/too-large",
            Self::Language => "translation/language-unknown",
            Self::BadAnswer | Self::Http(HttpError::BadAnswer(_)) => "translation/nonsense",
            Self::Status(_) => "translation/refused",
            Self::Http(HttpError::TimedOut) => "translation/timed-out",
            Self::Http(HttpError::NotPublic | HttpError::NotEncrypted | HttpError::BadUrl(_)) => {
                "translation/address-refused"
            }
            Self::Unavailable
            | Self::Http(HttpError::Unreachable(_) | HttpError::BackingOff | HttpError::NotKept(_)) => {
                "translation/unreachable"
            }
        }
    }

    /// What its sentence names.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Status(status) => vec![("status", status.to_string())],
            _ => Vec::new(),
        }
    }
}
