//! Errors of the speech engines.

use crate::http::HttpError;

/// Why a text was not spoken.
#[derive(Debug, thiserror::Error)]
pub enum SpeechError {
    /// Not installed, or not set up.
    #[error("the engine is not installed, or not set up")]
    EngineMissing,
    /// The program ended with an error, or made no sound.
    #[error("the program failed: {0}")]
    Failed(String),
    /// The engine has no such voice, or none of this language.
    #[error("the engine has no such voice")]
    Voice,
    /// The key is wrong, or may not do this.
    #[error("the service refuses the key")]
    Key,
    /// The quota is used up.
    #[error("the quota of the key is used up")]
    Quota,
    /// There were too many requests.
    #[error("the service refuses further requests for a while")]
    TooMany,
    /// The service is temporarily not available.
    #[error("the service is temporarily not available")]
    Unavailable,
    /// No answer in time.
    #[error("the engine did not answer in time")]
    TimedOut,
    /// The answer is not a sound.
    #[error("the answer is not a sound")]
    BadAnswer,
    /// Another error of the service.
    #[error("the service answered with status {0}")]
    Status(u16),
    /// No answer at all.
    #[error(transparent)]
    Http(#[from] HttpError),
}

impl SpeechError {
    /// The stable code that the interface translates.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EngineMissing => "speech/engine-missing",
            Self::Failed(_) => "speech/failed",
            Self::Voice => "speech/voice-unknown",
            Self::Key => "speech/key-refused",
            Self::Quota => "speech/quota",
            Self::TooMany => "speech/too-many-requests",
            Self::TimedOut | Self::Http(HttpError::TimedOut) => "speech/timed-out",
            Self::BadAnswer | Self::Http(HttpError::BadAnswer(_) | HttpError::TooLarge { .. }) => "speech/nonsense",
            Self::Status(_) => "speech/refused",
            Self::Http(HttpError::NotPublic | HttpError::NotEncrypted | HttpError::BadUrl(_)) => {
                "speech/address-refused"
            }
            Self::Unavailable
            | Self::Http(HttpError::Unreachable(_) | HttpError::BackingOff | HttpError::NotKept(_)) => {
                "speech/unreachable"
            }
        }
    }

    /// The parameters of its sentence.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Status(status) => vec![("status", status.to_string())],
            _ => Vec::new(),
        }
    }
}
