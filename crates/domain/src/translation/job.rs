//! The state of the words of a field, and the progress of a translation job.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::transport_line::words;

words! {
    /// The author of a field's words.
    TextOrigin {
        /// A translation service.
        Machine "machine",
        /// The writing assistant.
        Assistant "assistant",
    } default Machine
}

words! {
    /// What the words of a field in a language are.
    TextState {
        /// Not written.
        Missing "missing",
        /// A person wrote or edited them.
        Human "human",
        /// A translation, as it came.
        Machine "machine",
        /// A translation, as it came, of words that were changed since.
        Stale "stale",
        /// Written by the assistant, as it came.
        Assistant "assistant",
    } default Missing
}

/// The state of a field's words: `mark` says who made them, and whether their source is still the same.
pub fn state_of(is_written: bool, mark: Option<(TextOrigin, bool)>) -> TextState {
    match (is_written, mark) {
        (false, _) => TextState::Missing,
        (true, None) => TextState::Human,
        (true, Some((TextOrigin::Assistant, _))) => TextState::Assistant,
        (true, Some((TextOrigin::Machine, true))) => TextState::Machine,
        (true, Some((TextOrigin::Machine, false))) => TextState::Stale,
    }
}

words! {
    /// How far a job is.
    JobState {
        /// At work, or waiting for its turn.
        Running "running",
        /// Stopped by the service; a user can let it go on without loss.
        Paused "paused",
        /// Done.
        Done "done",
        /// A user ended it.
        Cancelled "cancelled",
    } default Running
}

words! {
    /// The outcome of a sheet.
    JobOutcome {
        /// Some of its texts were translated.
        Translated "translated",
        /// Left unchanged, with a reason.
        Kept "kept",
        /// Could not be translated, with a reason.
        Failed "failed",
    } default Translated
}

/// What a job did, in figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct JobCounts {
    /// Sheets of which texts were translated.
    pub translated: i64,
    /// Sheets with nothing to translate.
    pub unchanged: i64,
    /// Sheets left as they were, with a reason.
    pub kept: i64,
    /// Sheets that could not be translated.
    pub failed: i64,
    /// Sentences sent to the service.
    pub sent: i64,
    /// Sentences that were known from before.
    pub known: i64,
    /// Characters sent.
    pub characters: i64,
}

impl JobCounts {
    /// One more sheet.
    pub fn add(&mut self, outcome: Option<JobOutcome>) {
        *match outcome {
            None => &mut self.unchanged,
            Some(JobOutcome::Translated) => &mut self.translated,
            Some(JobOutcome::Kept) => &mut self.kept,
            Some(JobOutcome::Failed) => &mut self.failed,
        } += 1;
    }

    /// Number of processed sheets.
    pub fn total(&self) -> i64 {
        self.translated + self.unchanged + self.kept + self.failed
    }
}
