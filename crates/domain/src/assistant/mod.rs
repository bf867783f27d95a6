//! The writing assistant: what it may be asked, the facts it is given, and what writes without any service.

mod aloud;
mod facts;
mod prompt;
mod scrub;
mod spoken;
mod task;
mod template;

pub use facts::{Facts, Focus, StepFact};
pub use prompt::{WritingRequest, prompt};
pub use scrub::{hidden, scrubbed};
pub use task::{AssistantTask, Subject, TEMPLATE_LANGUAGES, Tone};
pub use template::{shortened, written};

/// The most tokens that one text can use; a service that reports more counts wrongly.
pub const MAX_TEXT_TOKENS: i64 = 10_000_000;
