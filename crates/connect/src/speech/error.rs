//! Why nothing was said, whichever the engine.

use crate::http::HttpError;

/// Why nothing was said.
#[derive(Debug, thiserror::Error)]
pub enum SpeechError {
    /// Not installed, or not set up.
    #[error("the engine is not installed, or not set up")]
    EngineMissing,
    /// The program ended with an error, or said nothing.
    #[error("the program failed: {0}")]
    Failed(String),
    /// The engine has no such voice, or none of this language.
    #[error("the engine has no such voice")]
    Voice,
    /// The key is wrong, or may not do this.
    #[error("the service refuses the key")]
    Key,
    /// All that may be used was used.
    #[error("the quota of the key is used up")]
    Quota,
    /// Asked too often.
    #[error("the service is asked too often")]
    TooMany,
    /// It does not work for the moment.
    #[error("the service does not work for the moment")]
    Unavailable,
    /// No answer in time.
    #[error("nothing was said in time")]
    TimedOut,
    /// The answer is not a sound.
    #[error("what came is no sound")]
    Nonsense,
    /// It refuses for a reason we do not know.
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
            Self::Nonsense | Self::Http(HttpError::Nonsense(_) | HttpError::TooLarge { .. }) => "speech/nonsense",
            Self::Status(_) => "speech/refused",
            Self::Http(HttpError::NotPublic | HttpError::NotEncrypted | HttpError::BadUrl(_)) => {
                "speech/address-refused"
            }
            Self::Unavailable | Self::Http(HttpError::Unreachable(_) | HttpError::Resting | HttpError::NotKept(_)) => {
                "speech/unreachable"
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
