//! The errors of audio walks.

use app::Rejection;
use app::problem::Internal;
use connect::speech::SpeechError;
use content::parcours::ParcoursError;
use domain::imports::ImportNote;
use macros::Problem;

/// Why a request on an audio walk is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum AudioError {
    /// Every text has its recording already, or there is no text.
    #[error("nothing is left to say")]
    #[problem(409, "audio/nothing-to-say")]
    NothingToSay,
    /// A job is at it.
    #[error("voices are being made already")]
    #[problem(409, "audio/already-speaking")]
    AlreadySpeaking,
    /// No job is at it.
    #[error("no voices are being made")]
    #[problem(409, "audio/not-speaking")]
    NotSpeaking,
    /// The engine that was chosen is not there.
    #[error("the engine is not installed, or not set up")]
    #[problem(409, "speech/engine-missing")]
    EngineMissing,
    /// Refused as any request on the parcours.
    #[error(transparent)]
    #[problem(transparent)]
    Parcours(#[from] ParcoursError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// A failure of a voice as a note of a job.
pub(super) fn note_of(error: &SpeechError) -> ImportNote {
    error.params().into_iter().fold(ImportNote::new(error.code()), |note, (name, value)| note.with(name, value))
}
