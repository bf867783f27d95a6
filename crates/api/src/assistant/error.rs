//! What can be refused about a text: by us, or by the model in its own way.

use app::Rejection;
use app::problem::Internal;
use connect::http::HttpError;
use connect::text::TextError;
use content::media::MediaError;
use content::parcours::ParcoursError;
use domain::Fault;
use macros::Problem;

use crate::white_label::WhiteLabelError;

/// Why nothing is written.
#[derive(Debug, thiserror::Error, Problem)]
pub enum AssistantError {
    /// No model is set, and our own sentences do not do this.
    #[error("no model is set up")]
    #[problem(409, "assistant/not-set-up")]
    NotSetUp,
    /// The built-in sentences do not exist in this language.
    #[error("nothing writes this language without a model")]
    #[problem(409, "assistant/other-language")]
    OtherLanguage,
    /// Nothing is known to write of.
    #[error("the parcours has no facts for this")]
    #[problem(409, "assistant/no-facts")]
    NoFacts,
    /// All tokens of the month are used.
    #[error("all {ceiling} tokens of the month are used")]
    #[problem(409, "assistant/ceiling")]
    Ceiling {
        /// How many there are.
        ceiling: i64,
    },
    /// The server's key does not open what is sealed.
    #[error("the server's key is another one")]
    #[problem(503, "server/other-key")]
    OtherKey,
    /// Faults of the input.
    #[error("{} faults", .errors.len())]
    #[problem(422, "validation/failed")]
    Invalid {
        /// Each on its field.
        errors: Vec<Fault>,
    },
    /// The service refuses the key.
    #[error("the service refuses the key")]
    #[problem(502, "assistant/key-refused")]
    KeyRefused,
    /// The account has nothing left.
    #[error("the account has nothing left")]
    #[problem(502, "assistant/quota")]
    Quota,
    /// Too many requests.
    #[error("the service refuses further requests for a while")]
    #[problem(502, "assistant/too-many-requests")]
    TooMany,
    /// The address has no text service of that kind.
    #[error("the address is not that of a text service")]
    #[problem(502, "assistant/nonsense")]
    BadAnswer,
    /// No answer in time.
    #[error("the service did not answer in time")]
    #[problem(502, "assistant/timed-out")]
    TimedOut,
    /// Its address may not be called from this server.
    #[error("the service's address may not be asked")]
    #[problem(502, "assistant/address-refused")]
    AddressRefused,
    /// The service is temporarily not available.
    #[error("the service failed")]
    #[problem(502, "assistant/service-failed")]
    Failed,
    /// It refuses for a reason of its own.
    #[error("the service answered with status {status}")]
    #[problem(502, "assistant/refused")]
    Refused { status: u16 },
    /// No connection to the service.
    #[error("the service cannot be reached")]
    #[problem(502, "assistant/unreachable")]
    Unreachable,
    /// Refused for the parcours' sake.
    #[error(transparent)]
    #[problem(transparent)]
    Parcours(#[from] ParcoursError),
    /// Refused for the media's sake.
    #[error(transparent)]
    #[problem(transparent)]
    Media(#[from] MediaError),
    /// Refused for the white-label's sake.
    #[error(transparent)]
    #[problem(transparent)]
    WhiteLabel(#[from] WhiteLabelError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

impl From<Fault> for AssistantError {
    fn from(fault: Fault) -> Self {
        Self::Invalid { errors: vec![fault] }
    }
}

impl From<TextError> for AssistantError {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Key => Self::KeyRefused,
            TextError::Quota => Self::Quota,
            TextError::TooMany { .. } => Self::TooMany,
            TextError::Failed => Self::Failed,
            TextError::Status(status) => Self::Refused { status },
            TextError::Http(HttpError::TimedOut) => Self::TimedOut,
            TextError::Http(HttpError::NotPublic | HttpError::NotEncrypted | HttpError::BadUrl(_)) => {
                Self::AddressRefused
            }
            TextError::Http(HttpError::Unreachable(_) | HttpError::BackingOff | HttpError::NotKept(_)) => {
                Self::Unreachable
            }
            TextError::Model
            | TextError::TooLong
            | TextError::Filtered
            | TextError::Cut
            | TextError::BadAnswer
            | TextError::Http(HttpError::BadAnswer(_) | HttpError::TooLarge { .. }) => Self::BadAnswer,
        }
    }
}
