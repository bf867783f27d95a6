//! What can be refused about a translation: by us, or by the service in its own way.

use app::Rejection;
use app::problem::Internal;
use connect::http::HttpError;
use connect::translate::TranslateError;
use domain::Fault;
use domain::imports::ImportNote;
use macros::Problem;

/// Why nothing is translated.
#[derive(Debug, thiserror::Error, Problem)]
pub enum TranslationError {
    /// Not there, or not to be seen.
    #[error("no sheet {id}")]
    #[problem(404, "translation/sheet-not-found")]
    SheetNotFound {
        /// The number asked for.
        id: i64,
    },
    /// It can be seen, and not changed.
    #[error("the sheet belongs to another white-label")]
    #[problem(403, "translation/sheet-not-yours")]
    NotYours,
    /// Not there, or another white-label's.
    #[error("no job {id}")]
    #[problem(404, "translation/job-not-found")]
    JobNotFound {
        /// The number asked for.
        id: i64,
    },
    /// It is over, or was not paused.
    #[error("the job is not in a state for this")]
    #[problem(409, "translation/job-over")]
    JobOver,
    /// No service is set up.
    #[error("no translation service is set up")]
    #[problem(409, "translation/no-translator")]
    NoTranslator,
    /// The service has no key.
    #[error("the translation service has no key")]
    #[problem(409, "translation/no-key")]
    NoKey,
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
    #[problem(502, "translation/key-refused")]
    KeyRefused,
    /// The quota is used up.
    #[error("the quota is used up")]
    #[problem(502, "translation/quota")]
    Quota,
    /// Asked too often.
    #[error("the service refuses further requests for a while")]
    #[problem(502, "translation/too-many-requests")]
    TooMany,
    /// A text is too large.
    #[error("a text is too large for the service")]
    #[problem(502, "translation/too-large")]
    TooLarge,
    /// A language the service does not know.
    #[error("the service does not know the language")]
    #[problem(502, "translation/language-unknown")]
    Language,
    /// No connection to the service.
    #[error("the service cannot be reached")]
    #[problem(502, "translation/unreachable")]
    Unreachable,
    /// No answer in time.
    #[error("the service did not answer in time")]
    #[problem(502, "translation/timed-out")]
    TimedOut,
    /// Its address may not be called from this server.
    #[error("the service's address may not be asked")]
    #[problem(502, "translation/address-refused")]
    AddressRefused,
    /// Its answer cannot be read.
    #[error("the service's answer makes no sense")]
    #[problem(502, "translation/nonsense")]
    BadAnswer,
    /// It refuses for a reason of its own.
    #[error("the service answered with status {status}")]
    #[problem(502, "translation/refused")]
    Refused { status: u16 },
    /// Refused for the sake of a filter.
    #[error(transparent)]
    #[problem(transparent)]
    Poi(#[from] content::poi::PoiError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

impl From<Fault> for TranslationError {
    fn from(fault: Fault) -> Self {
        Self::Invalid { errors: vec![fault] }
    }
}

impl From<TranslateError> for TranslationError {
    fn from(error: TranslateError) -> Self {
        match error {
            TranslateError::Key => Self::KeyRefused,
            TranslateError::Quota => Self::Quota,
            TranslateError::TooMany { .. } => Self::TooMany,
            TranslateError::TooLarge | TranslateError::Http(HttpError::TooLarge { .. }) => Self::TooLarge,
            TranslateError::Language => Self::Language,
            TranslateError::BadAnswer | TranslateError::Http(HttpError::BadAnswer(_)) => Self::BadAnswer,
            TranslateError::Status(status) => Self::Refused { status },
            TranslateError::Http(HttpError::TimedOut) => Self::TimedOut,
            TranslateError::Http(HttpError::NotPublic | HttpError::NotEncrypted | HttpError::BadUrl(_)) => {
                Self::AddressRefused
            }
            TranslateError::Unavailable
            | TranslateError::Http(HttpError::Unreachable(_) | HttpError::BackingOff | HttpError::NotKept(_)) => {
                Self::Unreachable
            }
        }
    }
}

impl TranslationError {
    /// The error as a note of a job; `None` for a failure of the server.
    pub(super) fn note(&self) -> Option<ImportNote> {
        let problem = serde_json::to_value(app::problem::AsProblem::problem(self)).unwrap_or_default();
        if matches!(self, Self::Internal(_) | Self::Rejected(_)) {
            return None;
        }
        let mut note = ImportNote::new(problem["code"].as_str().unwrap_or("translation/unreachable"));
        for (name, value) in problem["params"].as_object().into_iter().flatten() {
            note = note.with(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        Some(note)
    }
}
